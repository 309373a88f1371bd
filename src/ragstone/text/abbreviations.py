"""Abbreviations that end with a full stop, by what may follow them. Written for ragstone.

The lists hold case-folded forms without the last full stop and without blanks: "z.b" for "z. B.".
"""


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


NEVER_LAST = _words(
    """
    mr mrs ms messrs dr prof rev gen col lt sgt capt cpt maj cmdr adm sen rep gov hon pres supt insp fr hr hrn
    approx vs cf ca e.g i.e viz incl excl
    bzw z.b d.h u.a u.ä o.ä o.a i.d.r s.o s.u z.t z.zt u.u v.a m.e ggf evtl inkl exkl zzgl abzgl vgl gem lt bspw
    dipl-ing dipl ing urt beschl geb gest gegr verh hrsg bearb bd bde jhd ehem insb insbes allg
    mm mme mmes mlle mlles mgr c-à-d p.ex env av.j.-c
    sr sra sres srta dña p.ej aprox ud uds vd vds ee
    sig sig.ra sigg dott dott.ssa avv geom cav s.a es
    dra srs sras eng exmo exma
    dhr mevr mw mej drs d.w.z m.a.w o.a i.v.m t.a.v bijv resp
    см ср напр т.е т.к т.н ул пр просп пер пл им тел проф акад доц гр тов св г-н г-жа
    κα κος δρ καθ π.χ βλ πρβλ δηλ
    डॉ श्री प्रो ดร ผศ รศ ศ นาย
    """
)
"""Titles and words such as "e.g.": something always follows in the same sentence."""
BEFORE_NUMBER = _words(
    """
    no nos nr nrn num núm n.º vol vols ch chap sec sect fig figs eq eqs pp p pg art arts cl app ex ext tel fax
    tab abb anl anm abs ziff kap st lfd az rn rz tz bl max temp est para al rd Std Min
    éd tél pág págs pag pagg cap caps apdo lib tít
    blz hfst bijl
    jan feb mar apr jun jul aug sep sept oct nov dec jän mär okt dez janv févr avr juil déc ene abr ago dic gen mag giu
    lug ott fev dez
    стр рис ок гл табл разд ст пп № илл
    σελ αρ κεφ εικ πίν
    """
)
"""They belong to a number: "No. 12", "Art. 5", "Jan. 14". Before another word, the full stop ends the sentence."""
MAYBE_LAST = _words(
    """
    st mt ft jr sr inc ltd co corp dept univ bros assn gmbh u.s u.k u.n u.s.a d.c s.p.a s.r.l s.a s.l lda ltda
    Min Std Sek mio mrd tsd rd
    av ave blvd bd ee.uu uu al mln mld млн млрд тыс εκατ δισ
    """
)
"""They may end a sentence: they do if the next word is one that often begins a sentence."""
TIMES_OF_DAY = _words("a.m p.m π.μ μ.μ")
"""They end a sentence unless a day, a month or a time zone follows."""
AFTER_TIMES = _words(
    """
    monday tuesday wednesday thursday friday saturday sunday mon tue tues wed thu thurs fri sat sun gmt utc est edt cst cdt
    mst mdt pst pdt cet cest bst et pt ct mt ist jst
    january february march april may june july august september october november december
    """
)
LABELS = _words(
    """
    room plan vitamin section part type class grade group option appendix table figure point step team gate hall block
    building category hepatitis schedule annex exhibit level phase lane bus line item
    saal raum gruppe teil typ klasse punkt anlage stufe halle plan gleis linie
    salle groupe partie classe étape bâtiment annexe ligne sala grupo parte clase paso anexo línea
    aula gruppo classe passo allegato lokaal groep deel klas stap bijlage
    """
)
"""Nouns before a letter or a number that is no initial: "Plan B.", "Step 1."."""
ORDINAL_CONTEXT = _words(
    "am der die das dem den des zum zur vom im beim bis ab seit dieser diese jede jeder jedes dieses"
)
"""German words before an ordinal number: "am 3. Mai", "im 19. Jahrhundert"."""
MONTHS = _words(
    """
    januar jänner jan februar feb märz mär april apr mai juni jun juli jul august aug september sep sept oktober okt
    november nov dezember dez
    """
)
"""German names of months, which follow an ordinal number."""
STARTERS = _words(
    """
    the this that these those there it its he she we they you i his her their our your my but and so if when while
    although because however then after before in on at for from as since although what why how who where which whose
    is are was were do does did can could no not nobody none some many most all both each every here now today later
    der die das den dem des ein eine einen einem einer es er sie wir ihr ich man und aber oder doch denn wenn als weil da
    dort hier heute damals danach dann dies diese dieser dieses alle alles viele kein keine nach bei mit im am zum zur
    für von vor seit wer wie wo warum auch nur jetzt sein seine ihre ist sind
    le la les un une il elle ils elles on nous vous je tu ce cet cette ces mais et ou donc si quand puis après avant dans
    en au aux pour par sur avec son sa ses leur qui que pourquoi comment
    el los las una unos unas ella ellos nosotros yo este esta estos estas pero y o cuando después antes del al por con su
    sus allí aquí hoy ayer no sí quién qué cómo dónde
    lo gli i uno lui lei noi loro questo questa ma e quando poi dopo prima nel nella per con suo sua chi che
    os as um uma ele ela eles nós isto mas quando depois antes no na nos nas com seu sua
    de het een hij zij ze wij we dit dat maar en als toen daarna voor met zijn haar wie wat
    он она оно они мы вы я это этот эта эти но и а если когда потом в на с по для от его её их кто что как
    ο η το οι τα ένας μια ένα αυτός αυτή αυτό αλλά και αν όταν μετά πριν στο στη στην για από με
    """
)
"""Words that often begin a sentence."""
