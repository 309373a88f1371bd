"""Function words by language: articles, pronouns, prepositions, conjunctions, auxiliaries. Written for ragstone."""


def _by_name(text: str) -> dict[str, frozenset[str]]:
    words: dict[str, list[str]] = {}
    found: list[str] = []
    for word in text.split():
        if word.endswith(":"):
            found = words[word[:-1]] = []
        else:
            found.append(word)
    return {name: frozenset(listed) for name, listed in words.items()}


STOP_WORDS = _by_name(
    """
    en: a an and are as at be been being but by can could did do does for from had has have how i if in into is
    it its may more most not of on or our out over shall should so some such than that the their them then there
    these they this those to was we were what when where which who whom whose why will with would you your no
    nor only own same too very each any all both also just about against between during before after above below
    up down off again once here
    de: der die das den dem des ein eine einer eines einem einen und oder aber ist sind war waren wird werden
    wurde wurden von vom zu zum zur mit auf in im an am aus bei für durch um nach vor über unter nicht kein
    keine als wie was wer wann wo warum welche welcher welches es er sie wir ihr ich sich auch nur noch schon
    hat haben hatte dass wenn so sehr man
    fr: le la les l un une des du de d et ou mais est sont était a à au aux ont avait par pour dans en sur sous
    avec sans ne pas plus que qui quoi quand où comment pourquoi quel quelle quels quelles ce cet cette ces il
    elle ils elles nous vous je on se s y son sa ses leur leurs été être avoir qu n c t
    """
)
"""Stop words of the languages in which questions are written by rules: they say nothing about a text's content."""

SUPPORTED_LANGUAGE_WORDS = _by_name(
    """
    en: he she him his her hers himself herself itself themselves yourself me my mine us ours they're it's don
    doesn didn isn wasn aren weren won couldn wouldn shouldn hasn haven hadn ain t s d ll m re ve am having
    doing done might must ought cannot yet although though because since until till while whereas unless whether
    however therefore thus hence else ever never always often either neither nobody nothing none someone
    something everyone everything everybody anyone anything another other others much many few fewer less least
    several enough every within without across along among around behind beneath beside besides beyond despite
    except inside like near onto outside past per through throughout toward towards under underneath unlike upon
    via still already almost even quite rather really well now today where one two three four five six seven
    eight nine ten first second third last next new old big small long made make get got go goes went come came
    take took say says said see use used day days hour hours minute minutes week weeks month months year years
    man men woman people us pm am please yes ok come some same
    de: mein meine meiner meinem meinen dein deine deiner deinem deinen sein seine seiner seines seinem seinen
    ihre ihrer ihres ihrem ihren unser unsere unserer unserem unseren euer eure euch uns mir mich dir dich ihm
    ihn ihnen du dieser diese dieses diesem diesen jener jene jenes jenem jenen jeder jede jedes jedem jeden
    alle aller alles allem allen andere anderer anderes anderem anderen keiner keines keinem keinen manche
    mancher einige einiger einigen mehrere mehreren viel viele vieler vielen wenig wenige weniger mehr meist
    meisten bin bist seid gewesen worden habe hast habt hatten hätte hätten wäre wären kann kannst können könnt
    konnte konnten könnte könnten muss musst müssen musste mussten müsste darf darfst dürfen durfte durften
    dürfte soll sollen sollte sollten will willst wollen wollte wollten mag mögen möchte möchten würde würden
    werde wirst geworden lässt lassen beim ins ans aufs fürs vors durchs übers hinter neben zwischen ohne gegen
    seit bis während wegen trotz statt außer ab per pro je innerhalb außerhalb entlang sowie sowohl weder noch
    sondern denn doch ob weil obwohl damit sodass indem nachdem bevor sobald solange falls da dort hier dann
    danach davor dabei dazu dafür dagegen darauf daran darin darüber davon daraus darum deshalb daher jedoch
    allerdings immer nie niemals oft manchmal jetzt nun bereits erst etwa rund ungefähr fast ganz gar mal sonst
    selbst wieder weiter etwas nichts niemand jemand wem wen wessen woher wohin wozu wofür wobei worauf deren
    dessen denen derselbe dieselbe zwei drei vier fünf sechs sieben acht neun zehn elf zwölf zwanzig hundert
    tausend sei seien erste ersten zweite zweiten uhr jahr jahre tag tage ja nein bitte
    fr: m j si ni or donc car puis lorsque lorsqu puisque puisqu quoique quoiqu afin tandis dès depuis pendant
    durant avant après vers chez contre entre parmi selon malgré sauf hors jusque jusqu jusqu'à envers outre
    près loin lors dont lequel laquelle lesquels lesquelles auquel duquel celui celle ceux celles ceci cela ça
    mon ma mes ton ta tes notre nos votre vos tu te toi me moi lui eux soi même mêmes tout toute tous toutes
    chaque plusieurs quelque quelques quelqu aucun aucune nul nulle certains certaines autre autres tel telle
    tels telles rien personne jamais toujours souvent parfois déjà encore aussi ainsi alors moins très trop peu
    beaucoup assez environ presque seulement bien mal mieux ici là voici voilà suis es sommes êtes étais étaient
    étions sera seront serait seraient soit soient fut furent ai as avons avez avaient aura auront aurait
    auraient eu eut fait font faire faut peut peuvent pouvait pouvaient pourra pourrait pouvoir doit doivent
    devait devra devrait devoir va vont aller veut veulent vouloir sait permet non oui deux trois quatre cinq
    six sept huit neuf dix onze douze vingt trente cent mille premier première an ans jour jours heure heures
    mois semaine semaines fois fin hier demain apres meme memes etait etant étant ayant étés ni y en
    es: el la los las lo un una unos unas de del a al en por para con sin sobre bajo ante tras entre hacia hasta
    desde durante según contra mediante y e o u ni pero sino mas que quien quienes cual cuales cuyo cuya cuyos
    cuyas qué quién quiénes cuál cuáles cuándo cuando cómo como dónde donde adónde cuánto cuánta cuántos cuántas
    cuanto porque pues aunque si sí no más menos muy mucho mucha muchos muchas poco poca pocos pocas tan tanto
    tanta tantos tantas también tampoco todavía aún ya nunca jamás siempre solo sólo casi apenas todo toda todos
    todas cada otro otra otros otras mismo misma mismos mismas algún alguno alguna algunos algunas ningún
    ninguno ninguna nada nadie algo alguien este esta estos estas esto ese esa esos esas eso aquel aquella
    aquellos aquellas su sus mi mis tu tus nuestro nuestra nuestros nuestras vuestro yo tú él ella ello ellos
    ellas nosotros vosotros usted ustedes me te se nos os le les es son era eran fue fueron ser sea sean será
    serán sería serían sido siendo está están estaba estaban estar estado estuvo ha han había habían hay haber
    hubo haya habrá he hemos tiene tienen tenía tenían tener tuvo puede pueden podía podían podrá podría poder
    debe deben debía deberá debería deber hace hacen hacer hizo va van ir antes después luego entonces así
    además mientras dentro fuera cerca lejos encima debajo junto excepto salvo cualquier cualquiera cuyo varios
    varias ambos ambas uno dos tres cuatro cinco seis siete ocho nueve diez primer primero primera segundo
    segunda último última once doce trece catorce veinte treinta cien mil mí año años día días hora horas mes
    meses semana semanas vez veces hoy ayer mañana segun tambien aqui
    """
)
"""Further function words of the four languages on which the judge was measured, and some words beside them."""

OTHER_LANGUAGE_WORDS = _by_name(
    """
    Italian: il lo la i gli le l un uno una di d del dello della dei degli delle dell a ad al allo alla ai agli
    alle all da dal dallo dalla dai dagli dalle dall in nel nello nella nei negli nelle nell su sul sullo sulla
    sui sugli sulle sull con per tra fra e ed o oppure ma però se che chi cui non né più meno come quando dove
    perché poiché anche ancora già mai sempre solo soltanto molto molti molte poco tutto tutti tutta tutte ogni
    questo questa questi queste quello quella quelli quelle suo sua suoi sue nostro nostra loro io tu lui lei
    noi voi mi ti ci vi si è sono era erano fu furono sia essere stato stata stati state sarà ha hanno ho aveva
    avevano avere può possono potrebbe deve devono viene vengono venne dopo prima durante senza fino entro oltre
    circa quindi mentre invece poi qui lì qualche alcuni alcune nessuno nessuna niente nulla cosa quale quali
    quanto quanti così dall'altro verso presso sotto sopra due tre quattro cinque sei sette otto nove dieci
    undici dodici venti cento mille primo seconda secondo ultimo ultima anno anni giorno giorni ora ore
    settimana settimane mese mesi volta volte uomo donne altro altra altri altre siamo sarebbe sarebbero saranno
    forse bene oggi ieri domani qualcuno qualcosa nostri nostre vostro ciò ecco proprio tale tali avrà hai
    abbiamo avrebbe fuori dentro contro stesso stessa perche piu
    Portuguese: o a os as um uma uns umas de do da dos das em no na nos nas num numa por pelo pela pelos pelas
    para com sem sob sobre entre até desde e ou mas que quem qual quais não nem mais menos como quando onde
    porque também ainda já nunca sempre só apenas muito muita muitos muitas todo toda todos todas cada este esta
    estes estas esse essa esses essas isso isto aquele aquela seu sua seus suas meu minha nosso nossa eu tu ele
    ela eles elas nós você vocês lhe lhes me te se é são era eram foi foram ser sido está estão estava estavam
    tem têm tinha tinham ter há havia pode podem podia deve devem ao aos à às após antes durante depois porém
    então assim outro outra outros outras será mesmo mesma quanto seja dele dela deles delas neste nesta nesse
    nessa deste desta desse dessa fim dois duas alguns algumas nenhum nenhuma três quatro cinco seis sete oito
    nove dez onze doze vinte cem mil primeiro primeira segundo segunda último última ano anos dia dias hora
    horas semana semanas mês meses vez vezes meus minhas nossos nossas vosso vossa hoje ontem duma dum destes
    dessas teve tenho temos sendo pouco pouca tudo nada lá cá ali aqui bem irá vai vão nao sao tambem ate
    Galician: o a os as un unha uns unhas de do da dos das dun dunha en no na nos nas nun nunha por polo pola
    polos polas para con sen sobre entre ata desde e ou mais pero que quen cal non nin máis menos como cando
    onde porque tamén aínda xa nunca sempre só moi moito moita moitos moitas todo toda todos todas cada este
    esta estes estas isto ese esa eses seu súa seus súas eu ti el ela eles elas nós lle lles me te se é son era
    eran foi foron ser sido está están estaba ten teñen tiña tiñan ter hai pode poden debe deben ao aos á ás
    despois antes durante entón así outro outra outros outras co coa cos coas dela dous dúas tres catro cinco
    seis sete oito nove dez doce vinte cen mil primeiro primeira ano anos día días hora horas semana mes vez
    veces cunha cun fin
    Catalan: el la els les un una uns unes l d de del dels al als a en amb per pel pels sense sobre sota entre
    fins des i o però perquè si que qui què quan on com no ni més menys molt molta molts moltes també encara ja
    mai sempre només tot tota tots totes cada aquest aquesta aquests aquestes aquell aquella això seu seva seus
    seves meu jo tu ell ella nosaltres ells elles hi ho es és són era eren va van ser estat està estan té tenen
    tenia ha han hem havia pot poden cal després abans durant doncs així altre altra altres s n m t fou seria
    dos dues cap segons mentre quin quina tres quatre cinc sis set vuit nou deu onze dotze vint cent mil primer
    primera segon últim última any anys dia dies hora hores setmana setmanes mesos vegada vegades nostra nostre
    sols haurà serà fer fet fa estem som sou sigui fos vostè algun alguna alguns algunes mateix mateixa aquí
    allà llavors tan gaire bé vaig
    Romanian: un o unei unui unor niște de la în din pe cu pentru prin spre fără sub peste după între până lângă
    despre și sau dar iar însă că să ca dacă deoarece când unde cum care ce cine nu mai foarte doar numai încă
    deja tot toată toate toți fiecare acest această aceste acestei acestui acesta aceasta acestea acel acea
    aceea ei el ea ele lui lor său sa săi sale eu tu noi voi mă te se îi îl le ne mi își este e sunt era erau
    fost fi fie va vor a au are aveau avea având poate pot trebuie al ale ai cel cea cei cele decât astfel fiind
    într printr dintr nici altă alte mult mulți multe prea asta ăsta doi două trei patru cinci șase șapte opt
    nouă zece douăzeci sute sută mie mii primul prima ultimul ultima an ani anul anii zi zile ziua oră ore ora
    săptămâni luni lună dată ori acum aici acolo apoi chiar oricare vreo vreun cât câți câte celor cărei cărui
    căror aceștia acestora totuși deci si in iti isi sint sînt dupa pina catre către unele unii
    Dutch: de het een en of maar want dus van in op te ten ter aan met voor door bij uit naar over onder tegen
    tussen tot om na sinds zonder tijdens niet geen wel ook nog al er hier daar waar wat wie welke die dat deze
    dit als dan toen omdat zodat hoewel terwijl ik jij je u hij zij ze wij we jullie hun haar zijn mijn ons onze
    is was waren ben bent wordt worden werd werden geworden heeft hebben had hadden kan kunnen kon konden moet
    moeten moest mag mogen zal zullen zou zouden wil willen meer minder veel alle alles elke elk ander andere
    hoe zo zich binnen buiten vanaf alleen eerst reeds ongeveer echter daarom slechts nooit altijd enkele
    sommige nu heb hem uw iets niets geweest twee drie vier vijf zes zeven acht negen tien elf twaalf twintig
    honderd duizend eerste tweede derde laatste jaar jaren dag dagen uur week weken maand maanden keer vorige
    volgende
    Afrikaans: die 'n n en of maar van in op te aan met vir deur by uit na oor onder teen tussen tot om sedert
    sonder tydens nie geen ook nog al hier daar waar wat wie watter dat hierdie daardie as dan toe omdat sodat
    terwyl ek jy u hy sy ons julle hulle haar hom my is was word het kan kon moet mag sal sou wil meer minder
    baie alle alles slegs elke ander hoe so per dit gewees nooit altyd reeds binne buite voor ná tog ure hê sê
    twee drie vier vyf ses sewe agt nege tien elf twaalf twintig honderd duisend eerste tweede laaste jaar dag
    dae uur week weke maand maande keer vanaf
    Swedish: en ett den det de i på av till för med om från vid efter under över mellan utan hos mot genom och
    eller men att som när där var vad vem vilken vilket vilka inte ingen inget inga också bara mycket mer mest
    alla allt varje denna detta dessa jag du han hon vi ni man mig dig sig oss er sin sitt sina hans hennes
    deras vår vårt våra dess är vara varit blir blev bli har hade ha kan kunde ska skall skulle måste får fick
    vill än så även redan sedan innan eftersom medan då nu här några någon något andra annan samt ut upp in hur
    endast dock inom utanför cirka bland trots ännu två tre fyra fem sex sju åtta nio tio elva tolv tjugo hundra
    tusen första tredje sista år dag dagar timme timmar vecka veckor månad månader gång gånger
    Danish: en et den det de i på af til for med om fra ved efter under over mellem uden hos mod gennem og eller
    men at som når hvor hvad hvem hvilken hvilket hvilke ikke ingen intet også kun meget mere mest alle alt hver
    denne dette disse jeg du han hun vi man mig dig sig os sin sit sine hans hendes deres vores dens dets er var
    været være bliver blev blive har havde have kan kunne skal skulle må måtte får fik vil ville end så selv
    allerede siden før fordi mens da nu her nogle nogen noget andre anden samt ud op ind der hvis hvordan blandt
    dog inden igen to tre fire fem seks syv otte ni ti elleve tolv tyve hundrede tusind første tredje sidste år
    dag dage time timer uge uger måned måneder gang gange
    Norwegian: en ei et den det de i på av til for med om fra ved etter under over mellom uten hos mot gjennom
    og eller men at som når hvor hva hvem hvilken hvilket hvilke ikke ingen intet også bare kun mye mer mest
    alle alt hver denne dette disse jeg du han hun vi dere man meg deg seg oss sin sitt sine hans hennes deres
    vår vårt våre dens dets er var vært være blir ble bli har hadde ha kan kunne skal skulle må måtte får fikk
    vil ville enn så selv allerede siden før fordi mens da nå her noen noe andre annen samt ut opp inn der hvis
    hvordan blant dog innen igjen eit ikkje frå dei vart kva kvar vere to tre fire fem seks sju syv åtte ni ti
    elleve tolv tjue hundre tusen første tredje siste år dag dager time timer uke uker måned måneder gang ganger
    Icelandic: og eða en að sem er eru var voru verið vera ekki á í af til frá með um við fyrir eftir undir yfir
    milli án hjá það þetta þessi þessum þessa þeir þær þau þeim þeirra hann hún ég þú þið sig sinn sína sinni
    hans hennar hafa hefur hafði höfðu geta getur skal má mun mjög meira mest allir allt öll hver hvað hvar
    hvenær þegar ef því líka einnig aðeins svo þar hér verður varð upp út inn úr sér honum henni nú þá ekkert
    tveir tvær tvö þrír þrjár þrjú fjórir fjögur fimm sex sjö átta níu tíu hundrað þúsund fyrsta síðasta ár ára
    ári árum dag daga dagar vikur mánuðir sinnum
    Polish: i w we z ze na do od o u po za przed przez dla bez pod nad przy między oraz a ale lub albo że żeby
    aby bo ponieważ gdy kiedy jeśli jak jako który która które którzy których którego której którym którą co kto
    gdzie nie tak też także już jeszcze tylko bardzo więcej mniej każdy każda każde wszystkie wszystko
    wszystkich ten ta to te tego tej tym tych tę ci on ona ono oni one jego jej ich mu go ja ty my wy się sobie
    swój swoje swoją swojej jest są był była było byli były być będzie będą został została zostały może mogą
    można musi muszą należy ma mają miał miała czy niż ok podczas około nawet tam tu inne inny innych nich nim
    nią niego jednak dlatego więc według wśród ku dwa dwie dwóch trzy trzech cztery pięć sześć siedem osiem
    dziewięć dziesięć dwadzieścia sto tysiąc pierwszy pierwsza pierwsze drugi druga rok roku lat lata dzień dni
    godziny godzin tydzień tygodnie miesiąc miesiące razy
    Czech: a i v ve z ze na do od o u po za před přes pro bez pod nad při mezi ale nebo že aby protože když
    pokud jak jako který která které kteří kterou kterého kterých co kdo kde ne není nejsou také ještě už již
    jen pouze velmi více méně každý každá každé všechny vše všech ten ta to ty toho té tom těch tento tato toto
    tohoto této tomto on ona ono oni jeho její jejich mu ho já my vy se si svůj své svou je jsou jsem jste byl
    byla bylo byli byly být bude budou může mohou musí má mají měl měla než během asi tak tam zde jiný s k ke až
    podle kolem proto však či ani jsme pak dva dvě dvou tři čtyři pět šest sedm osm devět deset dvacet sto tisíc
    první druhý druhá rok roku roce let den dny dnů dní hodin hodiny hodinu týden týdny týdnů měsíc měsíce
    měsíců krát
    Slovak: a i v vo z zo na do od o u po za pred cez pre bez pod nad pri medzi ale alebo že aby pretože keď ak
    ako ktorý ktorá ktoré ktorí ktorú ktorého ktorých čo kto kde nie tiež aj ešte už len iba veľmi viac menej
    každý každá každé všetky všetko všetkých ten tá to tie toho tej tom tých tento táto toto tohto tejto on ona
    ono oni jeho jej ich mu ho ja my vy sa si svoj svoje svoju je sú som ste bol bola bolo boli byť bude budú
    môže môžu musí musia má majú mal mala než počas asi tak tam tu iný s so k ku až podľa okolo preto však či
    ani sme potom nemôže dva dve dvoch tri štyri päť šesť sedem osem deväť desať dvadsať sto tisíc prvý prvá
    druhý druhá rok roku roky rokov deň dni dní hodín hodiny hodinu týždeň týždne mesiac mesiace krát
    Croatian: i u na do od o po za pred kroz bez pod nad pri među iz s sa k ka te a ali ili da jer kad kada ako
    kao koji koja koje kojih kojem kojoj kojim koju što tko gdje ne nije nisu također još već samo vrlo više
    manje svaki svaka svake sve svi svih taj ta to ti toga tom ovaj ova ovo ove on ona ono oni njegov njezin
    njihov njih mu ga ja mi vi se si svoj svoje svoju je su bio bila bilo bili bile biti bit će može mogu mora
    moraju ima imaju imao nego tijekom oko tako tamo sam smo ste uz prema nakon prije između nalazi zbog pre
    posle takođe šta ko gde tokom jeste dva dvije dvaju tri četiri pet šest sedam osam devet deset dvadeset sto
    tisuću hiljadu prvi prva drugi druga godina godine godinu dan dana sat sati sata tjedan tjedna mjesec
    mjeseca puta biće jedan jedna jedno jednom neki neke nema njega njemu kojima čega čime ovim ovom ovog onog
    svojim kod ipak dok dokle zato pak radi nisam ih im joj imati
    Slovenian: in ali da ker ko če kot ki kateri katera katere kaj kdo kje ne ni niso tudi še že samo le zelo
    več manj vsak vsaka vsako vsi vse vseh ta to ti tega tem teh te on ona ono oni njegov njen njihov mu ga jaz
    mi vi se si svoj svoje svojo je so bil bila bilo bili bile biti bo bodo lahko mora morajo ima imajo imel med
    okoli tako tam sem smo ste v na do od o po za pred skozi brez pod nad pri iz s z k proti ob pa zato vendar
    ter bi jih jim kar kjer zaradi potem dva dve dveh tri štiri pet šest sedem osem devet deset dvajset sto
    tisoč prvi prva drugi druga leto leta leti let dan dni ura ure ur teden tedna mesec mesecev krat
    Hungarian: a az egy és vagy de hogy nem is csak már még meg ha mint amely amelyet amelyek amelynek ami aki
    akik ahol amikor mert ez ezt azt ezek azok ennek annak ezen itt ott mi ki te ő ők én neki nekik volt voltak
    van vannak lesz lett lehet kell minden nagyon több kevesebb sok után előtt alatt között nélkül szerint által
    felett mellett során való be el fel le át össze ezért azonban pedig sem se illetve valamint így úgy akkor
    most majd olyan ilyen miatt felé nincs éves tud két kettő három négy öt hat hét nyolc kilenc tíz húsz száz
    ezer első második utolsó év évig évben nap napon napig óra órától óráig órakor hetet hónap alkalommal arra
    erre ahhoz ehhez amellyel egyik másik őket annyi addig eddig senki semmi vett volna lenne hanem amit akit
    amíg ahogy ahogyan továbbá például egyéb saját nagy új szerinti alá fölött körül közül iránt ellen keresztül
    közben szemben kívül belül együtt újra ismét egész mindig soha tehát mely melyek aminek abban ebben erről
    arról ettől attól velük vele hozzá rá benne lehetett kellett talán inkább szinte illetőleg képest
    kapcsolatban őt amelyben hogyan milyen mennyi ugyan egyes nemcsak csupán
    Turkish: ve veya ya da de ile için bir bu şu o ne kim hangi nasıl neden gibi kadar daha en çok az her hiç
    bütün tüm bazı ama fakat ancak çünkü eğer ki değil var yok olan olarak oldu olduğu olur olup sonra önce göre
    karşı üzerinde altında arasında içinde dışında ben sen biz siz onlar onun onların bana ona beni bunun bunu
    şey diğer ayrıca sadece yalnızca ise mi mı mu mü hem tarafından edilir edildi ediyor olması vardır yoktur
    birlikte beri iki üç dört beş altı yedi sekiz dokuz yirmi yüz bin ilk ikinci yıl yılı yılında yılda gün saat
    hafta ay ayında kez defa kaç hiçbiri boyunca itibaren sırasında nedeniyle henüz gerekir önünde yerine etmek
    eden edilen olduğunu olacak olmak bunlar bunlara bunların böyle şöyle öyle ayrı tek aynı artık bile iyi yeni
    Finnish: ja tai mutta vai että kun jos koska kuin joka jotka jonka jota jossa jolla mikä mitä kuka missä ei
    eivät en et emme ole on ovat oli olivat ollut olla olisi myös vain vielä jo hyvin enemmän vähemmän kaikki
    kaikkien jokainen tämä tämän tätä tässä nämä se sen sitä ne niiden hän hänen he heidän minä sinä me te voi
    voivat pitää täytyy saa saavat kanssa ilman ennen jälkeen aikana mukaan kautta yli alle sekä eli noin jopa
    siitä siihen sillä siinä niin muun muut toinen vaan sitten yksi kaksi kolme neljä viisi kuusi seitsemän
    kahdeksan yhdeksän kymmenen kahden kahdesta sata sataa tuhat tuhannen ensimmäinen vuosi vuotta vuonna vuoden
    vuosina päivä päivää päivän tunti tuntia viikkoa viikon kuukautta kertaa eikä jokin jotkut joita joissa
    jokaisessa vuoksi välillä kuluessa ajan ollaan pois saakka asti enintään vähintään kello oma omat uusi suuri
    useita paljon koko eri kuten koskaan aina nyt silloin tällä täällä siellä ensi viime varten vastaan kohti
    lähes lisäksi tulee tuli tehdä tehty saada saanut jolloin johon josta jonne minun sinun meidän heillä ihan
    yhtä toista pari useampi monta moni muuta muu siten näin edes itse lähinnä erityisesti muodossa johtuen
    puolesta lla ssa ollessa eräs eräiden kuitenkin siis miten mihin
    Estonian: ja või aga ning et kui sest siis kes mis mida mille millest kus millal ei ole on oli olid olnud
    olla oleks ka veel juba väga rohkem vähem kõik kõiki iga see selle seda sellest need nende tema ta nad mina
    sina ma sa me te meie teie võib võivad peab peavad saab saavad koos ilma enne pärast jooksul järgi üle alla
    kuni ainult vaid samuti umbes oma teine mitte kuid nii mõne ega üks kaks kolm neli viis kuus seitse kaheksa
    üheksa kümme kahe kolme sada tuhat esimene aasta aastat aastal päev päeva päevast tund tundi nädal nädalat
    kuu kuud korda alates ajal kelle kellel neid võis olen olete peale vastu juures kohta poolt kaudu eest ees
    taga sees kõige palju vähe mitu ikka nüüd siin seal kuidas miks sellele sellel milles milline teise teiste
    minu sinu meil teil neil endale ennast enda vastavalt kogu hakkas sai tuleb tuli saada küll seega ehk kuna
    samas lisaks mingi keegi midagi
    Lithuanian: ir ar bet arba kad jei jeigu nes kai kaip kuris kuri kurie kurios kurio kurių kas kur ne nėra
    yra buvo bus būti būtų taip pat dar jau tik labai daugiau mažiau visi visos visus viskas kiekvienas
    kiekvieną šis ši šie šios šio šią tas ta tai to tą jis ji jie jos jo jų aš tu mes jūs savo gali turi reikia
    į iš su be per prie po prieš už nuo iki apie tarp dėl pagal ant kartu o metu ją jį buvę tačiau todėl du dvi
    dviejų trys tris keturi penki šeši septyni aštuoni devyni dešimt šimtas tūkstantis pirmas pirma metai metus
    metais metų diena dieną dienos dienų valandą valandos valandų savaites mėnesį mėnesius kartą kartus
    Latvian: un vai bet ka ja jo kad kā kas kurš kura kuri kuru kur ne nav ir bija būs būt tika tiek tikt arī
    vēl jau tikai ļoti vairāk mazāk visi visas viss visu katrs katru šis šī šie šīs šo tas tā tie to viņš viņa
    viņi viņu es tu mēs jūs savu savas savā var drīkst vajag no uz ar bez pie pēc pirms par līdz starp pret caur
    kopā gan ap nevar jābūt lai kurā ko laikā divi divas divus trīs četri pieci seši septiņi astoņi deviņi
    desmit simts tūkstoš pirmais pirmā gads gada gadā gadus gadu diena dienu dienas dienās stundas stundu
    nedēļas mēnesi mēnešus reizi reizes
    Albanian: dhe ose por se që në me për nga te tek deri mbi nën pa pas para gjatë midis ndërmjet nuk s mos
    është janë ishte ishin ka kanë kishte kishin do të mund duhet i e a u ky kjo këta këto këtë ai ajo ata ato
    unë ti ne ju tij saj tyre një çdo gjithë gjitha shumë më pak vetëm edhe gjithashtu kur ku si çfarë kush cili
    cila sepse nëse pasi ndërsa jo po qenë dy tri tre katër pesë gjashtë shtatë tetë nëntë dhjetë njëzet njëqind
    mijë parë dytë vit vjet viti vitin vjeç ditë ditët orë java javë muaj herë kam jam jemi jeni pasur bërë
    kësaj këtij atij asaj duke rreth ndaj kundër veç përveç vetë tjetër tjera tjerë kaq aq disa asnjë secili
    prej
    Irish: an na agus nó ach go gur nach níl ní is tá bhí beidh bhfuil raibh sé sí siad mé tú muid sinn é í iad
    a ar ag as de do faoi i in le ó roimh thar trí um idir gan chun leis ina sa san den don dá seo sin siúd cad
    cé cá conas cathain nuair má mar freisin níos mó gach aon uile eile féin atá inar sna liom orm aige acu
    uirthi ón bheith dtí amháin dhá ceithre cúig seacht ocht naoi deich fiche céad míle bliain bhliain bliana
    blianta lá laethanta uair seachtain mí beirt bheirt t lena lenar faoin dár gurb nár dul deir éigin anseo
    ansin roinnt cuid mór síos suas amach isteach léi dó dóibh againn agam agat chuig rinne déanamh mbeadh
    bheadh bíonn gcuid sular bhfuair fuair leo aici
    Welsh: yn yr y ac a neu ond fod bod mae oedd roedd yw ydy ydyw nid nad wedi ar at am gan i o wrth dan dros
    drwy heb rhwng hyd ei eu fy dy ein eich ef hi nhw ni chi fe hwn hon hyn hynny pan ble pwy beth sut os
    oherwydd hefyd mwy iawn pob rhai cael gyda mewn gall rhaid bydd maent gellir dim dau dwy tri tair pedwar
    pedair pump chwech saith wyth naw deg ugain cant mil cyntaf blwyddyn flynedd dydd diwrnod awr wythnos mis
    gwaith yng ym fel bu cafodd gwnaeth yma yno yna dyma dyna iddo iddi iddynt arno arni ohono ohoni ganddo
    ganddi hwnnw honno sydd nes tua ymhlith eraill arall unrhyw llawer ychydig tan ers pryd felly eto hwy trwy
    lle eisiau
    Basque: eta edo baina dela ez da dira zen ziren du dute zuen zituen dago daude izan den duen diren ere bat
    hau hori hura hauek horiek nik zuk guk beste guztiak oso baino gehiago bakarrik beti inoiz arte gabe ondoren
    aurretik arabera bezala non noiz nor zer behar dugu ditu dituzte egin baita bi hiru lau bost sei zazpi
    zortzi bederatzi hamar hogei ehun mila lehen lehenengo urte urtean urteko urtez egun ordu aste hilabete bada
    direla zela daiteke badago dituen bere haien gure nire zituzten zuten duela ditzake arteko artean egiten
    egiteko izateko izaten izango bidez buruz zehar kontra gero orain hemen hala honek horrek honen horren haren
    batean baten batzuk batzuen bestea edozein ezin soilik baizik ordea oraindik inguruan ondoan barruan dituela
    eman
    Indonesian: dan atau tetapi tapi karena jika kalau bahwa yang di ke dari pada untuk dengan oleh dalam antara
    tanpa sampai hingga setelah sebelum selama sejak tentang seperti sebagai adalah ialah ini itu tersebut tidak
    bukan belum sudah telah akan sedang masih juga hanya sangat lebih kurang semua setiap para saya aku kamu
    anda dia ia mereka kami kita nya ada bisa dapat harus boleh apa siapa mana kapan bagaimana mengapa namun
    lain beberapa banyak secara serta bagi agar satu dua tiga empat lima enam tujuh delapan sembilan sepuluh
    ratus ribu pertama kedua tahun hari jam minggu bulan kali orang
    Tagalog: ang ng mga sa na ay at o ni nina kay para kung dahil ngunit pero hindi wala may mayroon ito iyan
    iyon siya sila ako ikaw kami tayo niya nila kanya kanila lamang din rin pa ba lang upang kapag habang mula
    hanggang bawat lahat ayon isang noong nang maaaring isa dalawa dalawang tatlo tatlong apat lima anim pito
    walo siyam sampu daan libo una taon araw oras linggo buwan beses
    Vietnamese: và hoặc nhưng vì nếu khi thì là của có không được cho với từ trong trên dưới ngoài giữa sau
    trước đến tại về bằng do bởi những các một mỗi mọi này đó kia đây ấy tôi bạn anh chị ông bà họ nó chúng ta
    mình ai gì nào đâu sao đã đang sẽ vẫn còn cũng chỉ rất hơn nhất nhiều ít phải cần nên để mà ra vào lên xuống
    như theo người năm hai ba bốn bảy tám chín mười trăm nghìn ngày giờ tuần tháng lần thứ
    Swahili: na ya wa kwa ni la za cha vya katika kutoka hadi bila kabla baada au lakini kwamba kama ikiwa hii
    hiyo huyu hao hizi hizo ambayo ambao ambaye si sio yeye wao mimi sisi wewe yake yao wake kila wote yote sana
    pia tu zaidi nini nani wapi lini kuwa alikuwa ilikuwa ili moja mbili tatu nne tano sita saba nane tisa kumi
    mia elfu kwanza mwaka miaka siku saa wiki mwezi miezi mara watu mtu yangu lake zake chake wangu wetu yetu
    hilo hili hayo haya pamoja hasa ambalo ambapo wengine mwingine kingine nyingine ndani nje juu chini karibu
    kupitia dhidi
    """
)
"""Function words of other languages in Latin script, by the language's English name."""

_AMBIGUOUS = """
    need end bus door dog want sale word state sit care met ad pot cap bit tyre inn tie lang pan bare pie mai
    wake co dock dig bat sense ville mint dit mille bent alte binnen bet dim toe visas viene mere neu pre op alt
    volt deja sub hem onze vain dar reeds ca tema sue dues mer fins ant mina dan loro polo ho tai chi hi mar bio
    oma mot nid yr ci innen samt sal lain té cine dove cosa beste sou har mala var prima per van né fi cho pat
    ba elk dal ji olla bu ini quais ajo dens mod pod iba ale pela dia gall wa ga dois mula bland pe sig kunde
    mitte time set fire let due pump jam sat dies pet nap timer wiki donne sex gang fiche seo vit ore tri opt to
    at us lake seal sees ate tale kam teil duke vint ons zen mu nu fer mig asi dias poi ano
"""
AMBIGUOUS = frozenset(_AMBIGUOUS.split())
"""Words of other languages that are words of other kinds in one of the four, or abbreviations: found in their texts."""

LETTERS = _by_name(
    """
    Italian: ì ò
    Portuguese: ã õ
    Catalan: ò ŀ
    Romanian: ă ș ț ş ţ
    Swedish: å
    Danish: å ø
    Norwegian: å ø
    Icelandic: ð þ ý
    Polish: ą ć ę ł ń ś ź ż
    Czech: č ď ě ň ř š ť ů ž ý
    Slovak: č ď ĺ ľ ň ŕ š ť ž ý
    Croatian: č ć đ š ž
    Slovenian: č š ž
    Hungarian: ő ű
    Turkish: ğ ı ş
    Estonian: õ š ž ää öö üü
    Finnish: ää öö yy ä_ ö_
    Lithuanian: ą č ę ė į š ų ū ž
    Latvian: ā č ē ģ ī ķ ļ ņ š ū ž
    Welsh: ŵ ŷ
    Vietnamese: ă đ ơ ư ạ ả ấ ầ ẩ ẫ ậ ắ ằ ẳ ẵ ặ ẹ ẻ ẽ ế ề ể ễ ệ ỉ ị ọ ỏ ố ồ ổ ỗ ộ ớ ờ ở ỡ ợ ụ ủ ứ ừ ử ữ ự ỳ ỵ ỷ
    ỹ
    """
)
"""Letters, and letters side by side or before the end of a word (`_`), that none of the four languages has."""
