"""One word, one thing (CONTRIBUTING.md): unique class names, no retired words, short names of tests.

Each check fails with the name, the place and the standard term. `EXCEPTIONS` holds the names that stay, each with its
reason.
"""

import ast
import json
import os
import re
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SOURCE, WEB_SOURCE, TESTS = ROOT / "src" / "diamonds", ROOT / "web" / "src", ROOT / "tests"
PUBLIC_DIR = TESTS / "golden" / "public"
# The last three are only in src/diamonds/server.
BUILT_DIRS = {"node_modules", "__pycache__", "dist", "engine", "page", "web"}

MAX_TEST_NAME_CHARS = 70
NAME_ATTRIBUTES = {"name", "asname", "id", "attr", "arg"}  # attributes of Python syntax nodes that hold names

RETIRED_WORDS = {
    "asides": "side events", "beat": "bot delay", "bell": "channel notification", "catalogue": "catalog",
    "cloth": "board", "curtain": "view mask", "deed": "action, or job", "deeds": "actions, or jobs",
    "desk": "the role of the protocol, as in TableObserver", "door": "connection", "doorkeeper": "rate limit",
    "ear": "observer, or stream", "fading": "event expiry", "hall": "lobby", "haste": "fast-forward",
    "house": "server", "houses": "servers", "hurried": "fast-forwarded", "hurry": "fast-forward",
    "keeper": "operator", "knowing": "game adapter", "meeting": "lobby, or matchmaking",
    "mind": "game adapter, or search", "neighbour": "member of the cluster", "neighbours": "members of the cluster",
    "pace": "bot speed", "paces": "bot speeds", "pen": "writer lock", "refusal": "error", "refusals": "errors",
    "shelf": "registry, or cache", "slate": "ownership", "telling": "table update", "thumb": "heuristics",
    "turnstile": "rate limit", "wish": "proposal",
}  # fmt: skip
RETIRED_GERMAN_WORDS = {
    "Haus": "Server", "Hauses": "Server", "Hausherr": "Betreiber", "Halle": "Lobby", "Katalog": "Sprache",
}  # fmt: skip
# By surface: names that stay, with the reason. A name that no longer occurs also fails.
EXCEPTIONS: dict[str, dict[str, str]] = {
    "web": {
        "Mind": "exported by diamonds-engine", "mind": "exported by diamonds-engine", "fading": "key of the manifest",
        "refusals": "key of the manifest", "paces": "key of choices that browsers have stored",
        "pace": "key of games and choices that browsers have stored",
    },
    "paths": {"refusals.py": "times replies that refuse something"},
    "manifest": {"fading": "key that diamonds-engine reads", "refusals": "key that diamonds-engine reads"},
    "messages": {
        "bot-simple-says": "rules of thumb, as players say",
        "page-settings-sound-says": "the bell is a sound",
        "terminal-explain-crystals-pass": "the neighbour is a seat",
    },
}  # fmt: skip


@cache
def words_of(name: str) -> list[str]:
    """Return the words of an identifier, path or sentence in lower case."""
    return [word.lower() for word in re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+", name)]


def files(folder: Path, *suffixes: str) -> Iterator[Path]:
    """Yield the source files below a folder, without built files."""
    for parent, folders, names in os.walk(folder):
        in_server = Path(parent) == SOURCE / "server"
        folders[:] = sorted(
            name
            for name in folders
            if not name.startswith(".")
            and not (name in BUILT_DIRS and (in_server or name in ("node_modules", "__pycache__")))
        )
        yield from (Path(parent) / name for name in sorted(names) if not suffixes or Path(name).suffix in suffixes)


@cache
def nodes_of(path: Path) -> list[ast.AST]:
    """Return the nodes of a Python file that have a name."""
    nodes = ast.walk(ast.parse(path.read_text(encoding="utf-8")))
    return [node for node in nodes if not NAME_ATTRIBUTES.isdisjoint(node._fields)]


def relative(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def python_names() -> Iterator[tuple[str, str]]:
    """Yield each name in the Python sources with its place."""
    for folder in ("src", "bench", "npm", "web"):
        for path in files(ROOT / folder, ".py"):
            file = relative(path)
            for node in nodes_of(path):
                for attribute in NAME_ATTRIBUTES:
                    if isinstance(name := getattr(node, attribute, None), str):
                        yield name, f"{file}:{getattr(node, 'lineno', 1)}"


NO_CODE = re.compile(
    r"""/\*.*?\*/|<!--.*?-->|<style.*?</style>|(?<![:'"`\w])//[^\n]*|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*\"""",
    re.DOTALL,
)


def web_names() -> Iterator[tuple[str, str]]:
    """Yield each name in the TypeScript and Svelte sources with its place, without comments, strings and styles."""
    for folder in ("web", "npm"):
        for path in files(ROOT / folder, ".ts", ".svelte", ".js"):
            file = relative(path)
            code = NO_CODE.sub(lambda found: "\n" * found[0].count("\n"), path.read_text(encoding="utf-8"))
            for number, line in enumerate(code.splitlines(), 1):
                yield from ((name, f"{file}:{number}") for name in re.findall(r"[A-Za-z_$][\w$]*", line))


def path_names() -> Iterator[tuple[str, str]]:
    """Yield the name of each file and folder of the project."""
    for folder in ("src", "web", "npm", "bench", "tests", "docs", "deploy"):
        for path in files(ROOT / folder):
            yield from ((part, relative(path)) for part in path.relative_to(ROOT).parts)


def api_names() -> Iterator[tuple[str, str]]:
    """Yield the paths, parameters, types, fields and values of the API."""
    document = json.loads((PUBLIC_DIR / "openapi.json").read_text(encoding="utf-8"))

    def walk(value: object, place: str) -> Iterator[tuple[str, str]]:
        if isinstance(value, list):
            for child in value:
                yield from walk(child, place)
        elif isinstance(value, dict):
            for key, child in value.items():
                if key in ("properties", "schemas"):
                    yield from ((name, f"{place} {key}") for name in child)
                elif key == "enum":
                    yield from ((name, f"{place} {key}") for name in child if isinstance(name, str))
                elif key == "name" and isinstance(child, str):
                    yield child, f"{place} parameter"
                yield from walk(child, f"{place}/{key}" if place.count("/") < 3 else place)

    yield from ((path, "paths") for path in document["paths"])
    yield from walk(document["paths"], "paths")
    yield from walk(document["components"], "components")


def cli_words() -> Iterator[tuple[str, str]]:
    """Yield each word of the command line's help, with commands, options and environment variables."""
    for number, line in enumerate((PUBLIC_DIR / "cli.txt").read_text(encoding="utf-8").splitlines(), 1):
        yield from ((word, f"cli.txt:{number}") for word in re.findall(r"[A-Za-z_-]+", line))
    yield from ((key, "settings.json") for key in json.loads((PUBLIC_DIR / "settings.json").read_text())["settings"])


def manifest_keys() -> Iterator[tuple[str, str]]:
    """Yield the keys of the manifest of the Wasm modules."""
    for line in (PUBLIC_DIR / "wasm_manifest.txt").read_text(encoding="utf-8").splitlines():
        yield line.partition(":")[0].replace("[]", "").rpartition(".")[2], line


@cache
def messages(language: str) -> dict[str, str]:
    """Return the texts of a catalog by message id, without placeholders."""
    texts: dict[str, str] = {}
    message_id = ""
    for line in (SOURCE / "i18n" / f"{language}.ftl").read_text(encoding="utf-8").splitlines():
        if found := re.match(r"(-?[a-z][\w-]*) = ?(.*)", line):
            message_id, texts[found[1]] = found[1], found[2]
        elif line.startswith(" "):
            texts[message_id] += line
    return {id: re.sub(r"\$[\w-]+", "", text) for id, text in texts.items()}


SURFACES = {
    "python": python_names,
    "web": web_names,
    "paths": path_names,
    "api": api_names,
    "command line": cli_words,
    "manifest": manifest_keys,
    "message ids": lambda: ((id, "en.ftl") for id in messages("en")),
    "messages": lambda: ((id, text) for id, text in messages("en").items()),
}


@pytest.mark.parametrize("surface", SURFACES)
def test_names_have_no_retired_words(surface):
    exceptions, used, wrong = EXCEPTIONS.get(surface, {}), set(), {}
    for name, place in SURFACES[surface]():
        for word in words_of(place if surface == "messages" else name):
            if word not in RETIRED_WORDS:
                continue
            if name in exceptions:
                used.add(name)
            else:
                wrong.setdefault((name, word), place)
    assert not wrong, "\n".join(f"{place}: {name}: say {RETIRED_WORDS[word]}" for (name, word), place in wrong.items())
    assert used == set(exceptions), f"expected no exception without a use: {sorted(set(exceptions) - used)}"


def test_german_messages_have_no_retired_words():
    wrong = [
        f"{id}: say {RETIRED_GERMAN_WORDS[word]}, not {word}"
        for id, text in messages("de").items()
        for word in re.findall(r"\w+", text)
        if word in RETIRED_GERMAN_WORDS
    ]
    assert not wrong, "\n".join(wrong)


def test_class_names_are_unique_in_src():
    places = defaultdict(list)
    for path in files(SOURCE, ".py"):
        for node in nodes_of(path):
            if isinstance(node, ast.ClassDef):
                places[node.name].append(f"{relative(path)}:{node.lineno}")
    shared = {name: where for name, where in places.items() if len(where) > 1}
    assert not shared, f"expected one class a name: prefix the more specific one\n{shared}"


@pytest.mark.parametrize("kind", ["components", "types"])
def test_names_are_unique_in_the_client(kind):
    places = defaultdict(list)
    for path in files(WEB_SOURCE, ".ts", ".svelte"):
        if kind == "components":
            names = [path.stem] if path.suffix == ".svelte" else []
        else:
            names = re.findall(
                r"^ *export (?:abstract )?(?:class|interface|type|enum) (\w+)", path.read_text("utf-8"), re.M
            )
        for name in names:
            places[name].append(relative(path))
    shared = {name: where for name, where in places.items() if len(where) > 1}
    assert not shared, f"expected {kind} with names of their own\n{shared}"


def test_test_names_have_at_most_70_characters():
    long = [
        f"{relative(path)}:{node.lineno} {node.name} ({len(node.name)})"
        for path in files(TESTS, ".py")
        for node in nodes_of(path)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and node.name.startswith("test_")
        and len(node.name) > MAX_TEST_NAME_CHARS
    ]
    assert not long, (
        f"{len(long)} names are longer than {MAX_TEST_NAME_CHARS} characters: rule, unit, behaviour\n" + "\n".join(long)
    )
