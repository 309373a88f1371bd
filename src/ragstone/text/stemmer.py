"""Stems of English words: a light suffix stripper and a table of irregular forms."""

_SUFFIXES = (
    ("ational", "ate"), ("ization", "ize"), ("isation", "ize"), ("fulness", "ful"), ("ousness", "ous"),
    ("iveness", "ive"), ("ically", "ic"), ("ingly", ""), ("edly", ""), ("ements", ""), ("ement", ""),
    ("ments", ""), ("ment", ""), ("ations", "ate"), ("ation", "ate"), ("ness", ""), ("ities", ""), ("ity", ""),
    ("ies", "y"), ("ied", "y"), ("ying", "y"), ("ising", "ize"), ("ised", "ize"), ("ises", "ize"), ("ings", ""),
    ("ing", ""), ("eed", "ee"), ("ed", ""), ("sses", "ss"), ("ches", "ch"), ("shes", "sh"), ("xes", "x"), ("zes", "ze"),
    ("ally", "al"), ("ly", ""), ("es", "e"), ("s", ""),
)  # fmt: skip
_SUFFIXES_BY_LAST_LETTER = {
    suffix[-1]: tuple(pair for pair in _SUFFIXES if pair[0][-1] == suffix[-1]) for suffix, _ in _SUFFIXES
}
"""The suffixes by their last letter, in the order of `_SUFFIXES`."""
_MIN_STEM_LENGTH = 3
_KEPT_ENDINGS = ("ss", "us", "is")
_IRREGULAR = """
be=am,is,are,was,were,been,being have=has,had,having do=does,did,done go=goes,went,gone say=said make=made
take=took,taken come=came see=saw,seen know=knew,known get=got,gotten give=gave,given find=found think=thought
tell=told become=became leave=left feel=felt bring=brought begin=began,begun keep=kept hold=held
write=wrote,written stand=stood hear=heard mean=meant meet=met run=ran pay=paid sit=sat speak=spoke,spoken
lead=led grow=grew,grown lose=lost fall=fell,fallen send=sent build=built understand=understood
draw=drew,drawn break=broke,broken spend=spent rise=rose,risen drive=drove,driven buy=bought wear=wore,worn
choose=chose,chosen seek=sought throw=threw,thrown catch=caught deal=dealt win=won forget=forgot,forgotten
sell=sold fight=fought teach=taught eat=ate,eaten sing=sang,sung strike=struck hang=hung shake=shook,shaken
ride=rode,ridden feed=fed shoot=shot drink=drank,drunk arise=arose,arisen fly=flew,flown steal=stole,stolen
sink=sank,sunk swim=swam,swum freeze=froze,frozen hide=hid,hidden bite=bit,bitten blow=blew,blown
tear=tore,torn wake=woke,woken shine=shone sleep=slept swear=swore,sworn bind=bound dig=dug flee=fled lay=laid
lend=lent light=lit ring=rang,rung sew=sewn shrink=shrank,shrunk slide=slid sweep=swept wind=wound
withdraw=withdrew,withdrawn overcome=overcame undergo=underwent,undergone foresee=foresaw child=children
man=men woman=women person=people foot=feet tooth=teeth mouse=mice goose=geese wife=wives life=lives
knife=knives leaf=leaves half=halves shelf=shelves wolf=wolves crisis=crises analysis=analyses basis=bases
thesis=theses hypothesis=hypotheses criterion=criteria phenomenon=phenomena datum=data medium=media
bury=buried die=died,dying,dies lie=lain,lying,lies tie=tied,tying,ties use=used,using,uses american=america
british=britain french=france german=germany italian=italy spanish=spain chinese=china japanese=japan
russian=russia indian=india canadian=canada australian=australia mexican=mexico dutch=netherlands
swedish=sweden norwegian=norway danish=denmark polish=poland greek=greece turkish=turkey irish=ireland
scottish=scotland welsh=wales portuguese=portugal swiss=switzerland brazilian=brazil egyptian=egypt
korean=korea news=news note=note,notes hope=hoping,hoped,hopes during=during
"""
_BASE_BY_FORM = {
    form: base
    for entry in _IRREGULAR.split()
    for base, _, forms in [entry.partition("=")]
    for form in forms.split(",")
}
_BASES = frozenset(_BASE_BY_FORM.values())


def stem(word: str) -> str:
    """Return a word without its English inflection.

    A suffix is removed only if at least three letters remain. A doubled last consonant becomes one, and a last "e"
    or "y" is removed: "planned", "planning" and "plans" have the same stem, and so have "hope" and "hoping".
    """
    if word in _BASE_BY_FORM or word in _BASES:
        return _BASE_BY_FORM.get(word, word)
    if word.startswith("un") and word[2:] in _BASE_BY_FORM:
        return f"un{_BASE_BY_FORM[word[2:]]}"
    if not word.isascii() or len(word) <= _MIN_STEM_LENGTH:
        return word
    for suffix, replacement in _SUFFIXES_BY_LAST_LETTER.get(word[-1], ()):
        if word.endswith(suffix) and not (suffix == "s" and word.endswith(_KEPT_ENDINGS)):
            root = word[: -len(suffix)]
            if len(root) >= _MIN_STEM_LENGTH and any(c in "aeiouy" for c in root):
                word = root + replacement
                break
    if len(word) > _MIN_STEM_LENGTH and word[-1] == word[-2] and word[-1] not in "aeiouls":
        word = word[:-1]
    if f"{word}e" in _BASES:
        return f"{word}e"
    return word[:-1] if len(word) > _MIN_STEM_LENGTH and word[-1] in "ey" else word
