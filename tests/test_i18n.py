"""Catalogs: every message of the program exists in each language with the values that it uses, and all are used."""

import ast
import functools
import itertools
import re
import subprocess
import sys
import threading
from functools import cache
from pathlib import Path
from types import ModuleType

import pytest
from fluent.runtime import FluentBundle
from fluent.syntax import FluentParser
from fluent.syntax import ast as ftl
from fluent.syntax.visitor import Visitor

from diamonds import i18n
from diamonds.bots.levels import BOTS
from diamonds.game import GAMES, Game

pytestmark = pytest.mark.later

SOURCE = Path(i18n.__file__).parents[1]
COMPUTED_IDS = {f"terminal-step-{step}" for step in ("claim", "pass", "dig", "grow", "fight")}
COMPUTED_IDS |= {f"terminal-crystals-{suit}" for suit in ("diamond", "heart", "spade", "club")}
COMPUTED_IDS |= {f"terminal-sim-{column}" for column in ("seat", "bot", "score", "wins", "interval")}
STAND_UP_IDS = {"you-stand-up", "stands-up"}
COMPUTED_IDS |= {f"table-{rises}-{then}" for rises in STAND_UP_IDS for then in ("bot-plays-on", "sits-down")}
COMPUTED_IDS |= {"table-stands-up-you-sit-down"}
COMPUTED_IDS |= {f"hint-{wins}{prize}" for wins in ("wins", "likely-wins") for prize in ("", "-action", "-diamonds")}
COMPUTED_IDS |= {i18n.message_id("bot", level, part) for level in BOTS for part in ("title", "says")}
INNER_VALUES = {
    "list-and": {"before", "last"}, "list-or": {"before", "last"}, "quoted": {"text"}, "nothing": set(),
    "you": set(),
}  # fmt: skip
WEB_PREFIX = "page-"  # the page's messages have their own test


class VariableCollector(Visitor):  # type: ignore[misc]
    """A collector of a message's variables and its references to other messages."""

    def __init__(self) -> None:
        self.found: set[str] = set()
        self.referenced: set[str] = set()

    def visit_MessageReference(self, node: ftl.MessageReference) -> None:
        self.referenced.add(node.id.name)

    def visit_VariableReference(self, node: ftl.VariableReference) -> None:
        self.found.add(node.id.name)


@cache
def catalog_messages(language: str) -> dict[str, set[str]]:
    text = (SOURCE / "i18n" / f"{language}.ftl").read_text(encoding="utf-8")
    found: dict[str, set[str]] = {}
    within: dict[str, set[str]] = {}
    for entry in FluentParser().parse(text).body:
        assert not isinstance(entry, ftl.Junk), f"{language}.ftl cannot be read: {entry.content[:80]}"
        if isinstance(entry, ftl.Message):
            assert entry.id.name not in found, f"{language}.ftl defines {entry.id.name} twice"
            variables = VariableCollector()
            variables.visit(entry)
            found[entry.id.name], within[entry.id.name] = variables.found, variables.referenced
    return {id: values.union(*(found[other] for other in within[id])) for id, values in found.items()}


def english_messages() -> dict[str, set[str]]:
    return catalog_messages(i18n.DEFAULT_LANGUAGE)


def declared_messages(game: Game) -> dict[str, set[str]]:
    """Return the ids that a game declares, with their values."""
    rules: ModuleType = game.rules
    said = {i18n.message_id(game.name, "end", ended): set(values) for ended, values in rules.ENDINGS.items()}
    said |= {
        i18n.message_id(game.name, "fact", fact): set(values) for fact, values in getattr(rules, "FACTS", {}).items()
    }
    said |= {i18n.message_id(game.name, "question", question.name): set() for question in game.questions}
    for option in game.options:
        called = ("title", *(value for value in option.values if isinstance(value, str)))
        said |= {i18n.message_id(game.name, "option", option.name): set()}
        said |= {i18n.message_id(game.name, "option", option.name, one): set() for one in called}
    for why in rules.ILLEGAL_REASONS:
        said[i18n.message_id(game.name, "illegal", why.name)] = {why.value.name} if why.value else set()
    said |= {i18n.message_id("terminal", "explain", game.name, question.name): set() for question in game.questions}
    prefixes = tuple(i18n.message_id("hint", "answer", question.name) for question in game.questions)
    said |= {id: values for id, values in english_messages().items() if id.startswith(prefixes)}
    answers = {str(answer) for question in game.questions for answer in question.answers} - {*game.card_names}
    said |= {i18n.message_id("answer", answer): set() for answer in answers if not answer.isdecimal()}
    return said | {i18n.message_id(game.name, "title"): set(), i18n.message_id(game.name, "says"): set()}


def event_messages(game: Game) -> dict[str, set[str]]:
    """Return the ids of a game's events with their values, also as other seats receive them and as causes."""
    told = {}
    for event in game.rules.EVENTS:
        id = i18n.message_id(game.name, event.name)
        told[id] = {value.name for value in event.values}
        if f"{id}-cause" in english_messages():
            told[f"{id}-cause"] = {value.name for value in event.values}
        if any(value.audience for value in event.values):
            told[f"{id}-hidden"] = {value.name for value in event.values if not value.audience}
    return told


@functools.cache
def messages_in_source() -> dict[str, list[tuple[str, set[str] | None]]]:
    """Return the ids in the source, each with its places and, if they are literal, its values."""
    found: dict[str, list[tuple[str, set[str] | None]]] = {}
    for path in sorted(SOURCE.rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        given: dict[int, set[str] | None] = {}
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and node.args and isinstance(node.args[0], ast.Constant):
                given[id(node.args[0])] = call_arguments(node)
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value in english_messages():
                where = f"{path.relative_to(SOURCE)}:{node.lineno}"
                found.setdefault(node.value, []).append((where, given.get(id(node))))
    return found


def call_arguments(call: ast.Call) -> set[str] | None:
    """Return the names of the values in calls like ``Illegal("table-full", most=9)`` and ``say("table-full", {"most": 9})``."""
    if any(keyword.arg is None for keyword in call.keywords):
        return None
    if len(call.args) > 1:
        second = call.args[1]
        if not isinstance(second, ast.Dict) or not all(isinstance(key, ast.Constant) for key in second.keys):
            return None
        return {str(key.value) for key in second.keys if isinstance(key, ast.Constant)}
    return {str(keyword.arg) for keyword in call.keywords} - {"language", "name_of", "viewer"}


@pytest.mark.parametrize("game", GAMES.values(), ids=str)
def test_catalog_has_a_message_with_values_for_each_declaration(game):
    for id, given in declared_messages(game).items():
        assert id in english_messages(), f"en.ftl lacks {id}"
        assert english_messages()[id] == given, f"{id} uses {english_messages()[id]}, but is given {given}"


@pytest.mark.parametrize("game", GAMES.values(), ids=str)
def test_catalog_has_a_message_for_every_event_with_visible_values(game):
    for id, heard in event_messages(game).items():
        assert id in english_messages(), f"en.ftl lacks {id}"
        assert english_messages()[id] <= heard, f"{id} uses {english_messages()[id]}, but the event shows only {heard}"


@pytest.mark.parametrize("game", GAMES.values(), ids=str)
def test_options_and_questions_are_whole_sentences(game):
    for option in game.options:
        assert i18n.translate(i18n.message_id(game.name, "option", option.name)).endswith(".")
    for question in game.questions:
        assert i18n.translate(*game.question_message(question)).endswith((".", "?"))


def test_messages_get_the_values_they_use():
    """A rule's number is a field for programs, not a part of the message (R1)."""
    for id, places in messages_in_source().items():
        for where, given in places:
            if given is not None:
                assert given - {"rule"} == english_messages()[id], f"{where} gives {given} to {id}"


def test_messages_are_all_used():
    used = {*INNER_VALUES, *COMPUTED_IDS, *messages_in_source()}.union(
        *({**declared_messages(game), **event_messages(game)} for game in GAMES.values())
    )
    idle = [id for id in english_messages() if id not in used and not id.startswith(WEB_PREFIX)]
    assert not idle, f"unused messages: {', '.join(idle)}"


TABLE_MESSAGE = re.compile(
    r"(crystals|fourteen|mines)-(?!option-|title$|says$)|hint-"
    r"|page-(toolbar|asked|requests|note|not-your-turn|tap|trick|last-trick|pass|watching|leave|chat|clock|mines|crystals|fourteen|hint)\b"
)
NAME_VALUES = {"seat", "to", "victim", "dealer", "first", "loser", "next", "name", "of"}
LONG_NAME = "Maximilian von Hohenlohe-Waldenburg"
MAX_WORDS = 12


def texts_of(node: ftl.Pattern | ftl.Placeable | ftl.InlineExpression | ftl.SelectExpression) -> list[str]:
    """Yield every text of a pattern: each variant, with the longest names and short numbers."""
    if isinstance(node, ftl.Pattern):
        parts = [[e.value] if isinstance(e, ftl.TextElement) else texts_of(e) for e in node.elements]
        return ["".join(combined) for combined in itertools.product(*parts)]
    if isinstance(node, ftl.Placeable):
        return texts_of(node.expression)
    if isinstance(node, ftl.SelectExpression):
        return [text for variant in node.variants for text in texts_of(variant.value)]
    if isinstance(node, ftl.VariableReference) and node.id.name in NAME_VALUES:
        return [LONG_NAME]
    return [node.value if isinstance(node, ftl.StringLiteral) else "7"]


@pytest.mark.parametrize("language", i18n.languages())
def test_sentences_on_the_table_have_at_most_twelve_words(language):
    text = (SOURCE / "i18n" / f"{language}.ftl").read_text(encoding="utf-8")
    long = set()
    for entry in FluentParser().parse(text).body:
        if isinstance(entry, ftl.Message) and entry.value and TABLE_MESSAGE.match(entry.id.name):
            for sentence in (one for text in texts_of(entry.value) for one in re.split(r"(?<=[.!?])\s+", text)):
                if len(re.findall(r"\S*[\w♦♥♠♣]\S*", sentence)) > MAX_WORDS:
                    long.add(f"{entry.id.name}: {sentence}")
    assert not long, "\n".join(sorted(long))


def test_mines_has_one_word_for_taking_a_free_pile():
    """M4, M7: a pile is claimed after a pass or with a ♥."""
    texts = (SOURCE / "i18n" / "en.ftl").read_text(encoding="utf-8")
    lines = re.findall(r"^(?:\S*mines\S*|hint-answer-\S+) = .*(?:\n +.*)*", texts, re.M)
    assert len(lines) > 100, "expected the texts of mines"
    wrong = [line for line in lines if re.search(r"\b[Mm]ark(s|ed)?\b|\b[Gg]row(s|ing)? onto\b", line)]
    # Nothing but the rules and the terminal, where the step has this name, says "grow"; nothing says "shut in".
    texts = {
        line: re.sub(r"\{[^{}]*\}", "", line.partition(" = ")[2]) for line in lines if not line.startswith("terminal-")
    }
    wrong += [
        line for line, text in texts.items() if re.search(r"\b(grow(s|ing|n)?|grew|shuts? )\b", text, re.IGNORECASE)
    ]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("language", i18n.languages())
def test_r1_no_message_cites_a_rule(language):
    text = (SOURCE / "i18n" / f"{language}.ftl").read_text(encoding="utf-8")
    sentences = [line for line in text.splitlines() if not line.startswith("#")]
    cited = [line for line in sentences if re.search(r"\b[CFMR]\d{1,2}\b|\$rule", line)]
    assert not cited, "expected no rule number, which reads as a card at the table"


@pytest.mark.parametrize("language", [language for language in i18n.languages() if language != i18n.DEFAULT_LANGUAGE])
def test_catalogs_have_the_same_messages_and_values(language):
    other = catalog_messages(language)
    lacks, more = english_messages().keys() - other.keys(), other.keys() - english_messages().keys()
    assert not lacks | more, f"{language}.ftl lacks {sorted(lacks)[:9]} and has superfluous {sorted(more)[:9]}"
    for id, values in english_messages().items():
        assert other[id] == values, f"{id} uses {other[id]} in {language}.ftl and {values} in en.ftl"


GERMAN_EXAMPLES = [
    ("crystals-club", {"seat": 0, "victim": 1}, "♣ Du nimmst Ben einen Kristall weg."),
    ("crystals-club", {"seat": 1, "victim": 0}, "♣ Ben nimmt dir einen Kristall weg."),
    ("crystals-club", {"seat": 1, "victim": 2}, "♣ Ben nimmt Cleo einen Kristall weg."),
    ("crystals-count", {"seat": 1, "number": 1}, "Ben entscheidet: Jeder gibt 1 Karte weiter."),
    ("crystals-count", {"seat": 1, "number": 2}, "Ben entscheidet: Jeder gibt 2 Karten weiter."),
    ("crystals-thief", {"seat": 0}, "Der Dieb zieht weiter zu dir."),
    ("fourteen-scored", {"seat": 0, "points": 1, "total": 7}, "Du bekommst 1 Punkt und hast jetzt 7."),
    ("fourteen-scored", {"seat": 2, "points": 4, "total": 11}, "Cleo bekommt 4 Punkte und hat jetzt 11."),
    ("mines-gave", {"seat": 1, "to": 0, "card": "HK"}, "Ben gibt ♥K an dich ab."),
    ("terminal-win", {"winners": [2, 0], "reason": "…"}, "Gewonnen haben Cleo und du: …."),
    ("table-full", {"most": 2_000_000}, "Ein Tisch hat Platz für 2.000.000 Einträge, und dieser ist voll. Eröffne einen neuen."),
    ("game-unknown", {"given": "whist", "games": ["a", "b"]}, "Es gibt kein Spiel „whist“. Die Spiele sind a, b."),
    ("option-seats", {"option": "x", "either": [4, 6], "rule": "C23"}, "x gibt es nur für 4 oder 6 Spieler."),
]  # fmt: skip


@pytest.mark.parametrize(
    ("id", "values", "said"), GERMAN_EXAMPLES, ids=[f"{id} {n}" for n, (id, _, _) in enumerate(GERMAN_EXAMPLES)]
)
def test_german_has_its_cases_plurals_and_marks(id, values, said):
    assert i18n.translate(id, values, "de", ["Ada", "Ben", "Cleo"].__getitem__, 0) == said


@pytest.mark.parametrize(("language", "said"), [
    ("en", "pass. Better: skip digging; gets two cards for one."),
    ("de", "passen. Besser: nicht graben; bringt zwei Karten für eine."),
])  # fmt: skip
def test_review_text_suits_a_better_answer_of_any_kind(language, said):
    answer, best, reasons = (
        i18n.translate(id, language=language)
        for id in ("hint-answer-turn-pass", "hint-answer-dig-skip", "hint-digs-two")
    )
    values = {"answer": answer, "best": best, "reasons": reasons}
    assert i18n.translate("page-review-better-because", values, language) == said
    alone = i18n.translate("page-review-better", values, language)
    assert alone == said.replace(f"; {reasons}", "")


def test_viewer_is_you_and_others_have_names(monkeypatch):
    text = "probe-took = { $seat ->\n    [you] You take { $card }\n   *[other] { $seat } takes { $card }\n } from { $victim }.\n"
    add_messages(monkeypatch, text)
    values = {"seat": 0, "card": "H10", "victim": 2}
    names = ["Ann", "Ben", "you"]
    assert i18n.translate("probe-took", values, name_of=names.__getitem__, viewer=0) == "You take ♥10 from “you”."
    assert i18n.translate("probe-took", values, name_of=names.__getitem__, viewer=2) == "Ann takes ♥10 from you."
    assert i18n.translate("probe-took", values, viewer=2) == "0 takes ♥10 from you."


def test_values_are_formatted_by_their_names(monkeypatch):
    texts = [f"probe-{id} = {{ ${id} }}\n" for id in ("cards", "suit", "given", "either", "winners")]
    add_messages(monkeypatch, "".join(texts) + "probe-list = { $names }\n")
    for id, values, said in (
        ("cards", {"cards": ["D7", "SK"]}, "♦7 ♠K"),
        ("cards", {"cards": []}, "nothing"),
        ("cards", {"cards": None}, "nothing"),
        ("suit", {"suit": "C"}, "♣"),
        ("given", {"given": "x"}, "“x”"),
        ("given", {"given": 7}, "7"),
        ("given", {"given": i18n.Message("probe-suit", {"suit": "D"})}, "♦"),
        ("either", {"either": ["a", "b", "c"]}, "a, b or c"),
        ("list", {"names": ["a", "b"]}, "a, b"),
        ("winners", {"winners": [1, 0]}, "Ben and you"),
    ):  # fmt: skip
        assert i18n.translate(f"probe-{id}", values, name_of=["Ann", "Ben"].__getitem__, viewer=0) == said, (
            f"{id} of {values}"
        )


def add_messages(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    """Add messages to a catalog for the duration of a test."""
    english = (SOURCE / "i18n" / "en.ftl").read_text(encoding="utf-8")
    probe = i18n.Catalog("en", f"{english}\n{text}")
    monkeypatch.setattr(i18n, "find_catalog", lambda language: probe)
    monkeypatch.setattr(i18n, "format_cached", i18n.format_cached.__wrapped__)


def test_missing_message_reads_as_id_and_values():
    assert i18n.translate("toy-end-bored", {"hands": 3, "seat": 1}) == "toy-end-bored hands=3 seat=1"


def test_without_fluent_everything_reads_as_its_id_and_values():
    code = (
        "import sys; sys.modules['fluent'] = None\n"
        "from diamonds.game import GAMES\n"
        "print(GAMES['fourteen'].ending_text({'ended': 'target', 'points': 41, 'target': 40}))\n"
    )
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert out.stdout.strip() == "fourteen-end-target points=41 target=40"


@pytest.mark.parametrize(
    ("wanted", "language"),
    [("en", "en"), ("en_GB.UTF-8", "en"), ("EN-us", "en"), ("C", "en"), ("", "en"), ("tlh", "en")],
)
def test_requested_language_selects_an_existing_one(wanted, language):
    assert i18n.best_language(wanted) == language


@pytest.mark.parametrize("language", i18n.languages())
def test_substitute_has_the_bots_name_at_the_table(language):
    title = i18n.translate("bot-simple-title", language=language)
    assert title in i18n.translate("page-note-simple", language=language)


def test_ids_are_made_of_words_and_hyphens():
    odd = [id for id in english_messages() if not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", id)]
    assert not odd, f"ids that are not kebab-case: {odd}"


def test_message_can_be_formatted_during_first_use_in_another_thread(monkeypatch):
    catalogue = i18n.Catalog("en", "hello = Hello\n")
    parses, go_on, add = threading.Event(), threading.Event(), FluentBundle.add_resource

    def add_slowly(bundle: FluentBundle, resource: ftl.Resource) -> None:
        if not parses.is_set():
            parses.set()
            go_on.wait()
        add(bundle, resource)

    monkeypatch.setattr(FluentBundle, "add_resource", add_slowly)
    other = threading.Thread(target=catalogue.format_message, args=("hello", {}))
    other.start()
    try:
        parses.wait()
        assert catalogue.format_message("hello", {}) == "Hello"
    finally:
        go_on.set()
        other.join()
