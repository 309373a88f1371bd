"""Closed lists of English words that matter more than their frequency suggests: negations, hedges, opposites.

The lists were written for ragstone. They hold normalised forms (case folded); opposites are compared by stem.
"""

from functools import lru_cache

from ragstone.text.tokens import word_forms


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


FUNCTION_WORDS = _words(
    """
    a an the this that these those and or but nor so yet if then than as at by for from in into of off on onto
    out over to up upon with within about above across after against along among around before behind below
    beneath beside between beyond down during inside near outside since through throughout toward towards under
    until via while i me my mine myself we us our ours ourselves you your yours yourself he him his himself she
    her hers herself it its itself they them their theirs themselves who whom whose which what when where why
    how there here am is are was were be been being do does did doing done have has had having will would shall
    should can could may might must ought also just very too such both each own same s t d ll m re ve o y don
    said says say according however therefore thus hence although though because well really quite even still
    get got gets let's that's it's he's she's i'm you're we're they're i've you've we've they've i'll you'll
    """
)
NEGATIONS = _words(
    """
    not no never none nobody nothing nowhere neither nor cannot n't dont doesnt didnt isnt wasnt arent werent
    wont cant couldnt wouldnt shouldnt hasnt havent hadnt hardly scarcely barely unable fail fails failed refuse
    refuses refused deny denies denied lack lacks lacked false untrue except
    """
)
HEDGES = _words(
    """
    may might could possibly perhaps maybe probably likely unlikely reportedly allegedly apparently seemingly
    suggest suggests suggested seem seems seemed appear appears appeared believed thought expected alleged
    rumored rumoured potential potentially plan plans planned planning propose proposed hope hopes hoped
    consider considering considered would should almost nearly about approximately roughly around some
    """
)
ABSOLUTES = _words(
    """
    all every always only never none entirely completely fully totally solely exclusively must definitely
    certainly everyone everything everywhere nobody nothing first last most best worst largest smallest biggest
    highest lowest unanimously guaranteed proven undoubtedly any anyone whole each
    """
)
VERBS = _words(
    """
    is are was were be been am has have had does do did will would can could may might must shall should isn't
    aren't wasn't weren't hasn't haven't hadn't doesn't don't didn't won't wouldn't can't couldn't became become
    becomes began begins came come comes gave give gives goes go went grew grow grows held hold holds keep keeps
    kept knew knows know led lead leads left leave leaves lies lay lost lose loses made make makes means meant
    met meets paid pays pay put puts ran run runs rose rise rises said says saw see sees sold sells sell sent
    sends send set sets spent spends stands stood took take takes taught teaches told tells thinks thought won
    win wins wrote write writes built builds build bought buys buy contains contain costs cost covers cover uses
    use needs need gets get got ist sind war waren hat haben wird wurde est sont était a ont es son era eran fue
    ha han
    """
)
"""Common finite verbs that indicate a separate clause (together with all forms in -ed)."""
SUBJECTS = _words(
    """
    i you he she it we they this that these those there one the a an his her its their our my your some many
    most all both each every no nobody everyone someone er sie es der die das il elle ils le la les el ella los
    las
    """
)
"""Words that may be the first of a subject."""
QUESTION_WORDS = _words(
    """
    who whom whose which what when where why how is are was were be been do does did has have had can could may
    might must shall should will would if
    """
)
"""Words that may be the first of a question."""
GREETINGS = _words(
    """
    hello hi hey thanks thank sure certainly welcome goodbye bye greetings sorry please glad happy great okay ok
    cheers regards dear
    """
)
REFUSALS = (
    "i don't know", "i do not know", "not sure", "cannot answer", "can't answer", "unable to", "no information",
    "not possible to", "does not exist", "not have enough", "not enough information", "don't have", "do not have",
)  # fmt: skip
"""Phrases of an answer that declines to answer."""
MONTHS = _words(
    """
    january february march april may june july august september october november december monday tuesday
    wednesday thursday friday saturday sunday spring summer autumn winter today yesterday century decade
    """
)
_OPPOSITE_PAIRS = """
accept/reject accept/refuse accept/decline acquit/convict active/inactive add/remove advance/retreat
advantage/disadvantage agree/disagree alive/dead alive/kill live/die survive/die survive/kill allow/forbid
allow/ban allow/prevent allow/prohibit permit/forbid permit/prohibit permit/ban ally/enemy always/never
always/rarely always/sometimes ancient/modern appear/disappear approve/reject approve/oppose arrive/leave
arrive/depart ascend/descend asleep/awake attack/defend back/front bad/good bad/well ban/legalize beautiful/ugly
before/after begin/end begin/finish begin/stop start/end start/finish start/stop below/above under/over
benefit/harm best/worst better/worse big/small birth/death born/die black/white bottom/top boy/girl
brave/cowardly brother/sister build/destroy buy/sell calm/anxious cause/prevent cheap/expensive clean/dirty
close/open closed/open cold/hot cold/warm common/rare complete/incomplete confirm/deny connect/disconnect
contract/expand create/destroy dark/light daughter/son day/night decline/rise decline/grow decline/increase
decrease/increase decrease/grow decrease/rise deep/shallow defeat/victory lose/win loss/gain loss/profit
loss/victory demand/supply deny/admit difficult/easy hard/easy hard/soft directly/indirectly
discourage/encourage domestic/foreign double/halve down/up drop/rise drop/increase dry/wet early/late
earlier/later east/west eastern/western empty/full enable/disable enable/prevent enter/exit enter/leave even/odd
excited/bored exclude/include export/import external/internal fail/succeed fail/pass failure/success fall/rise
fall/increase false/true famous/unknown far/near fast/slow father/mother female/male few/many fewer/more
few/most first/last follow/lead follow/precede forget/remember former/latter free/captive friend/enemy gain/lose
give/take grow/shrink guilty/innocent guilty/acquit happy/sad happy/unhappy hate/love healthy/sick heavy/light
help/hinder hide/reveal hide/show high/low higher/lower highest/lowest hire/fire hire/dismiss husband/wife
ignore/notice important/unimportant improve/worsen improve/deteriorate improve/decline in/out increase/reduce
increase/drop increase/fall increase/shrink inside/outside join/leave join/quit junior/senior king/queen
know/ignore large/small largest/smallest biggest/smallest largest/minor late/punctual lazy/diligent least/most
left/right legal/illegal less/more lend/borrow liberal/conservative likely/unlikely long/short longer/shorter
longest/shortest loose/tight loosen/tighten major/minor majority/minority man/woman married/divorced
married/single maximum/minimum negative/positive never/ever new/old newest/oldest noisy/quiet normal/abnormal
north/south northern/southern obey/disobey object/support offline/online often/rarely often/seldom
optional/mandatory optional/required optimistic/pessimistic oppose/support oppose/favor oppose/endorse
oppose/back against/for parent/child partial/complete past/future peace/war permanent/temporary plus/minus
poor/rich popular/unpopular possible/impossible postpone/advance praise/criticize praise/condemn present/absent
private/public probable/improbable profit/deficit promote/demote protect/endanger proud/ashamed pull/push
push/pull quick/slow raise/lower raise/cut raise/reduce raise/fall receive/send refuse/agree regular/irregular
reject/approve release/detain release/arrest release/imprison remain/leave stay/leave reveal/conceal
reward/punish safe/dangerous safe/unsafe same/different similar/different satisfied/dissatisfied save/spend
save/waste satisfy/disappoint significant/insignificant simple/complex simple/complicated sink/float slow/rapid
slowly/quickly smart/stupid smooth/rough solid/liquid spring/autumn stable/unstable strong/weak stronger/weaker
strengthen/weaken sufficient/insufficient summer/winter support/condemn support/reject surplus/deficit
sweet/bitter tall/short temporary/lasting thick/thin together/apart together/separately tighten/ease true/untrue
trust/distrust typical/atypical uncle/aunt understand/misunderstand union/separation upper/lower urban/rural
useful/useless vacant/occupied valid/invalid victim/perpetrator virtue/vice visible/invisible
voluntary/compulsory voluntary/mandatory warn/reassure widen/narrow wide/narrow winner/loser with/without
young/old younger/older youngest/oldest able/unable effective/ineffective certain/uncertain clear/unclear
correct/incorrect right/wrong correct/wrong fair/unfair formal/informal frequent/infrequent
fortunate/unfortunate honest/dishonest known/unknown like/dislike like/unlike lock/unlock official/unofficial
patient/impatient perfect/imperfect related/unrelated reliable/unreliable successful/unsuccessful
successful/fail usual/unusual willing/unwilling willing/reluctant appropriate/inappropriate moral/immoral
mortal/immortal maintain/abandon continue/stop continue/cease continue/end resume/halt halt/continue
keep/abandon keep/remove arrest/free capture/release capture/escape concern/reassure hopeful/hopeless
hopeful/doubtful doubt/believe doubt/trust recover/deteriorate win/defeat deny/acknowledge deny/allege
exonerate/convict contradict/confirm contradict/support dispute/confirm refute/confirm reaffirm/reverse
overturn/uphold reject/uphold vote/abstain elect/oust appoint/dismiss appoint/remove resign/appoint host/guest
buyer/seller teacher/student doctor/patient employer/employee winning/losing landed/departed launch/cancel
cancel/hold cancel/continue cancel/confirm opened/closed opening/closing unite/divide united/divided
minimal/maximal monthly/yearly daily/weekly daily/monthly weekly/monthly annual/monthly morning/evening
"""
_PREFIXES = ("un", "in", "im", "ir", "il", "dis", "non", "mis", "de", "anti")
_MIN_ROOT_LENGTH = 3


def _opposite_stems() -> dict[str, frozenset[str]]:
    table: dict[str, set[str]] = {}
    for pair in _OPPOSITE_PAIRS.split():
        first, second = (word_forms(word)[1] for word in pair.split("/"))
        table.setdefault(first, set()).add(second)
        table.setdefault(second, set()).add(first)
    return {stem: frozenset(opposites_of_stem) for stem, opposites_of_stem in table.items()}


OPPOSITES = _opposite_stems()
"""Stems of opposite words, in both directions."""


@lru_cache(maxsize=32768)
def opposites(stem: str) -> frozenset[str]:
    """Return the opposites of a stem: the listed ones, and the stem with a negative prefix added or removed."""
    prefixed = {prefix + stem for prefix in _PREFIXES}
    unprefixed = {
        stem[len(p) :] for p in _PREFIXES if stem.startswith(p) and len(stem) >= len(p) + _MIN_ROOT_LENGTH
    }
    return OPPOSITES.get(stem, frozenset()) | prefixed | unprefixed


def is_negation(norm: str) -> bool:
    """Whether a word negates a statement ("not", "don't", "without")."""
    return norm in NEGATIONS or norm.endswith("n't")
