"""A world of fictional things whose facts are known, with the passages that state each fact.

Each thing has attributes, some of which no passage mentions (holes). Facts are stated in documents, some of them a
second time in other words, in a table, or in two sentences with a pronoun; some are contradicted elsewhere; some
numbers occur beside the thing with another meaning; each document ends with the same boilerplate, and some passages
are near copies.
"""

import random
from dataclasses import dataclass, field

from ragstone.drafts.passage import DraftPassage

SYLLABLES = "ba ce di fo gu ha je ki lo mu na pe ri so tu va we xi yo za bra cle dri fro glu".split()


@dataclass(frozen=True)
class Wording:
    """Sentence templates of a language for facts.

    Attributes:
        attributes: name, article and unit of each attribute.
        plain: the sentence that states a fact first.
        again: other sentences for it, with the attribute's name.
        pair: two sentences, the second with a pronoun.
        distractor: a sentence with the same number and another meaning.
        filler: sentences without facts.
        boilerplate: the end of each document.
    """

    attributes: tuple[tuple[str, str, str], ...]
    plain: str
    again: tuple[str, ...]
    pair: str
    distractor: str
    filler: tuple[str, ...]
    boilerplate: str


WORDINGS = {
    "en": Wording(
        (("price", "The", "euros"), ("weight", "The", "grams"), ("length", "The", "millimetres"), ("warranty", "The", "months"),
         ("capacity", "The", "litres")),
        "The {a} of {x} is {v}.",
        ("Anyone who asks is told that the {a} of {x} comes to {v}.", "With {v}, the {a} of {x} is about what one expects.",
         "Those who have {x} at home will tell you that it was {v}."),
        "Many visitors have asked us about {x}. Its {a} is {v}, and that has been so for a while.",
        "{x} was shown to {n} visitors at the fair.",
        ("It was a quiet year in the shop, and the staff were glad of it.", "The catalogue was printed in the spring.",
         "Deliveries are made on every day of the week, with the exception of Sundays."),
        "All texts in this catalogue are without obligation. Questions are answered by the staff at the counter.",
    ),
    "de": Wording(
        (("Preis", "Der", "Euro"), ("Gewicht", "Das", "Gramm"), ("Länge", "Die", "Millimeter"), ("Garantie", "Die", "Monate"),
         ("Volumen", "Das", "Liter")),
        "{A} {a} von {x} beträgt {v}.",
        ("Wer danach fragt, der hört, dass {b} {a} von {x} bei {v} liegt.", "Mit {v} ist {b} {a} von {x} so, wie man es kennt.",
         "Wer {x} zu Hause hat, der sagt, dass es {v} waren."),
        "Viele haben uns nach {x} gefragt. {A} {a} beträgt hier {v}, und das ist schon lange so.",
        "{x} wurde auf der Messe vor {n} Gästen gezeigt.",
        ("Es war ein ruhiges Jahr im Laden, und alle waren froh.", "Der Katalog wurde im Frühling gedruckt.",
         "Geliefert wird an jedem Tag der Woche, nur nicht am Sonntag."),
        "Alle Angaben in diesem Katalog sind ohne Gewähr. Fragen werden an der Theke beantwortet.",
    ),
    "fr": Wording(
        (("prix", "Le", "euros"), ("poids", "Le", "grammes"), ("volume", "Le", "litres"), ("diamètre", "Le", "millimètres"),
         ("délai", "Le", "jours")),
        "{A} {a} de {x} est de {v}.",
        ("À ceux qui le demandent, on dit que {b} {a} de {x} est de {v}.", "Avec {v}, {b} {a} de {x} est dans la moyenne.",
         "Ceux qui ont {x} dans leur maison disent que c’était {v}."),
        "Beaucoup nous ont parlé de {x}. {A} {a} est ici de {v}, et cela dure depuis des années.",
        "{x} a été montré à {n} visiteurs dans une salle de la foire.",
        ("C’était une année calme dans la boutique, et tous en étaient contents.", "Le catalogue a été imprimé au printemps.",
         "Les livraisons sont faites tous les jours de la semaine, sauf le dimanche."),
        "Les textes de ce catalogue sont sans engagement. Les questions sont posées au comptoir.",
    ),
}  # fmt: skip


@dataclass
class WorldFact:
    """A fact of the world.

    Attributes:
        thing: the name of the thing.
        attribute: its place among the attributes.
        value: number and unit.
        told: ids of the passages that state it, from the first statement to the last.
        contradicted: ids of the passages that state another value.
    """

    thing: str
    attribute: int
    value: str
    told: list[str] = field(default_factory=list[str])
    contradicted: list[str] = field(default_factory=list[str])


@dataclass
class World:
    """The passages and the facts.

    Attributes:
        language: the language of all passages.
        passages: the passages.
        facts: by thing and attribute; a missing one is a hole.
        copies: pairs of passages that are nearly the same.
    """

    language: str
    passages: list[DraftPassage]
    facts: dict[tuple[str, str], WorldFact]
    copies: list[tuple[str, str]]


def make_world(
    language: str = "en", things: int = 200, seed: int = 0, *, second: float = 0.4, contradicted: float = 0.08
) -> World:
    """Return a world with `things` things.

    Args:
        language: en, de or fr.
        things: number of things.
        seed: seed of all random choices.
        second: share of the facts that are stated a second time.
        contradicted: share of the facts that another passage contradicts.
    """
    drawn = random.Random(f"{seed}:{language}")
    wording = WORDINGS[language]
    builder = _WorldBuilder(language, wording, drawn)
    names = _names(drawn, things)
    facts = {
        (name, attribute[0]): WorldFact(name, place, f"{drawn.randint(11, 989)} {attribute[2]}")
        for name in names
        for place, attribute in enumerate(wording.attributes)
        if drawn.random() < 0.7
    }
    for begin in range(0, things, 5):
        builder.tell(
            [facts[key] for key in facts if key[0] in names[begin : begin + 5]], f"catalogue-{begin // 5}"
        )
    for fact in facts.values():
        draw = drawn.random()
        if draw < second:
            builder.tell_again(fact)
        elif draw < second + contradicted:
            builder.contradict(fact)
        if drawn.random() < 0.15:
            builder.distract(fact)
    builder.copy_some()
    return World(language, builder.passages, facts, builder.copies)


class _WorldBuilder:
    def __init__(self, language: str, wording: Wording, drawn: random.Random) -> None:
        self.language, self.wording, self.drawn = language, wording, drawn
        self.passages: list[DraftPassage] = []
        self.copies: list[tuple[str, str]] = []
        self._facts_in: dict[str, list[WorldFact]] = {}

    def tell(self, facts: list[WorldFact], document: str) -> None:
        """State facts in a document, two attributes of a thing in different passages."""
        halves = (
            [fact for fact in facts if fact.attribute % 2 == 0],
            [fact for fact in facts if fact.attribute % 2],
        )
        for half in halves:
            for begin in range(0, len(half), 3):
                part = half[begin : begin + 3]
                place = self._add(document, [self._say(self.wording.plain, fact) for fact in part])
                for fact in part:
                    fact.told.append(place)
                self._facts_in[place] = part
        self._add(document, [self.wording.boilerplate])

    def tell_again(self, fact: WorldFact) -> None:
        """State a fact again in another document, in one of four ways."""
        ways = [*self.wording.again, self.wording.pair]
        way = self.drawn.randrange(len(ways) + 1)
        if way == len(ways):
            name, unit = self.wording.attributes[fact.attribute][0], "-"
            rows = f"| {unit} | {name} |\n|---|---|\n| {fact.thing} | {fact.value} |"
            passage = DraftPassage(f"p{len(self.passages)}", f"tables-{len(self.passages) % 7}", rows)
            self.passages.append(passage)
            fact.told.append(passage.id)
            return
        fact.told.append(self._add(f"letters-{self.drawn.randrange(20)}", [self._say(ways[way], fact)]))

    def contradict(self, fact: WorldFact) -> None:
        """Give another value elsewhere."""
        number, _, unit = fact.value.partition(" ")
        other = WorldFact(fact.thing, fact.attribute, f"{int(number) + 7} {unit}")
        sentence = self._say(self.drawn.choice((self.wording.plain, self.wording.again[0])), other)
        fact.contradicted.append(self._add(f"letters-{self.drawn.randrange(20)}", [sentence]))

    def distract(self, fact: WorldFact) -> None:
        """Mention the thing with the same number in another meaning."""
        sentence = self.wording.distractor.format(x=fact.thing, n=fact.value.partition(" ")[0])
        self._add(f"news-{self.drawn.randrange(10)}", [sentence])

    def copy_some(self) -> None:
        """Copy one passage in twelve, with a word added."""
        for passage in list(self.passages):
            if passage.id in self._facts_in and self.drawn.random() < 1 / 12:
                text = f"{passage.text} {self.wording.filler[0]} {self.wording.filler[1]}" * 1
                copy = DraftPassage(f"p{len(self.passages)}", f"archive-{self.drawn.randrange(5)}", text)
                self.passages.append(copy)
                self.copies.append((passage.id, copy.id))
                for fact in self._facts_in[passage.id]:
                    fact.told.append(copy.id)

    def _say(self, template: str, fact: WorldFact) -> str:
        name, article, _ = self.wording.attributes[fact.attribute]
        return template.format(a=name, A=article, b=article.lower(), x=fact.thing, v=fact.value)

    def _add(self, document: str, sentences: list[str]) -> str:
        text = " ".join([*sentences, *self.drawn.sample(self.wording.filler, 2)])
        passage = DraftPassage(f"p{len(self.passages)}", document, text)
        self.passages.append(passage)
        return passage.id


def _names(drawn: random.Random, count: int) -> list[str]:
    found: dict[str, None] = {}
    while len(found) < count:
        word = "".join(drawn.choice(SYLLABLES) for _ in range(3)).capitalize()
        found[f"{word} {drawn.randint(2, 9)}"] = None
    return list(found)
