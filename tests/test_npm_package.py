"""The package `diamonds-engine`, installed from its tarball into an empty folder, plays like Python."""

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

import diamonds
from diamonds import record_reader, records
from diamonds.errors import DiamondsError
from diamonds.game import GAMES
from tests.support import artifacts, node
from tests.support.sample_sizes import short_or_long
from tests.test_old_records import stored_records

pytestmark = pytest.mark.kernels

NPM = node.REPO_ROOT / "npm"
NAME = "diamonds-engine"
DRIVER = Path(__file__).parent / "node" / "package.mjs"
# A driver program for the package that replaces the imports of `test_engine`'s driver.
TYPESCRIPT_PROGRAM = """
import { openEngine, Refused, type Ask, type Bot } from 'diamonds-engine'

const engine = await openEngine({ from: (file) => Promise.reject(new Error(file)) })
const bot: Bot = await engine.bot('mines', '5')
const game = await engine.start('mines', { seats: 2, options: { impossible: 'seen' } })
const [ask]: Ask[] = game.asks()
if (ask) game.answer(ask.seat, ask.question, bot(game, ask.seat, 7n))
const points: number = game.result?.scores[0] ?? 0
const hint = (await engine.mind('mines')).hint(game.seen(0), 0, 7n)
hint.choices.map(({ behind }) => behind + points)
await engine.verify('{}').catch((error: unknown) => error instanceof Refused && error.id.length)
// @ts-expect-error there is no such thing
game.winner
"""


@pytest.fixture(scope="session")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with only the package, installed without a registry."""
    made_here = artifacts.built_package(tmp_path_factory)
    (packed,) = made_here.glob("*.tgz")
    said = (made_here / "said").read_text(encoding="utf-8")
    assert re.fullmatch(rf"{packed.name}: [\d,]+ bytes, [\d,]+ unpacked, \d+ files\n", said)
    folder = tmp_path_factory.mktemp("package")
    user = folder / "user"
    user.mkdir()
    build = node.load_web_build()
    npm, path = build.npm()
    install = [*npm, "install", "--offline", "--no-audit", "--no-fund", str(packed)]
    environment = {"PATH": path, "HOME": str(folder), "NO_UPDATE_NOTIFIER": "1"}
    done = subprocess.run(install, cwd=user, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return user


def package(installed: Path) -> Path:
    return installed / "node_modules" / NAME


def run_package(installed: Path, deed: str, given: Any = None) -> Any:
    """Run one request against the installed package."""
    done = node.run_node(
        DRIVER, (package(installed) / "node.js").as_uri(), deed, stdin_text=json.dumps(given), folder=installed
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_bot_of_the_readme_plays_a_whole_game(installed):
    example = re.search(r"```js\n(.*?)```", (package(installed) / "README.md").read_text(encoding="utf-8"), re.DOTALL)
    assert len([line for line in example[1].splitlines() if line.strip()]) == 10
    shorter = example[1].replace("{ players:", "{ options: { rounds: 1 }, players:").replace("'5'", "'2'")
    assert "rounds: 1" in shorter
    assert "'2'" in shorter
    (installed / "bot.mjs").write_text(shorter, encoding="utf-8")
    done = node.run_node(installed / "bot.mjs", folder=installed)
    assert done.returncode == 0, done.stderr
    # Node breaks the line if all four share the victory.
    assert re.match(r"{\s+scores: \[( \d+,?){4} \],\s+winners: \[.*\],\s+ended: '\w+'\s+}", done.stdout)


def test_bots_of_every_level_play_whole_games_by_fair_deals(installed):
    given = [
        {"game": "crystals", "seats": 4, "options": {"partnership": True, "rounds": 1}, "levels": ["3", "1", "5", "simple"]},
        {"game": "fourteen", "seats": 3, "options": {"scoring": "tricks", "target": 10}, "levels": ["4", "2", "simple"]},
        {"game": "mines", "seats": 2, "options": {"impossible": "seen"}, "levels": ["4", "3"]},
    ]  # fmt: skip
    found = run_package(installed, "play", given)
    assert found["games"] == [*GAMES]
    assert found["levels"] == ["1", "2", "3", "4", "5"]
    for wish, one in zip(given, found["played"], strict=True):
        played = record_reader.load_record(json.dumps(one["record"]))
        assert played.over
        assert one["alike"], "expected the level's answer to the view of its seat"
        assert played.game.result(played.state) == one["record"]["result"]
        assert one["before"] == {"commitment": played.commitment, "secret": None}, "the secret is visible too early"
        assert [played.options[option] for option in wish["options"]] == [*wish["options"].values()]
        assert one["record"]["seated"] == [f"bot:{level}" for level in wish["levels"]]


@short_or_long("every", 7, 1)
def test_stored_python_records_verify(installed, every):
    """Finished games of every variant, with undos, substitute bots and seats that changed hands."""
    texts = [json.loads(text) for game in GAMES for text in stored_records(game)[::every]]
    wanted = [
        None if record["rules_version"] == GAMES[record["game"]].version else "game-other-rules" for record in texts
    ]
    assert wanted.count(None) > len(wanted) / 2
    found = run_package(installed, "verify", texts)
    assert [why and why[0] for why in found] == wanted


def test_altered_record_is_rejected_as_in_python(installed):
    played = records.start_game(GAMES["fourteen"], 4, {"target": 10}, bytes(32), [b"a", b"", b"bc", b""])
    while not played.over:
        seat = played.game.to_act(played.state)[0]
        played.answer(seat, played.game.legal(played.state, seat)[-1])
    good = json.loads(records.write_record(played))
    entries, last = good["entries"], len(good["checksums"]) - 1
    changes: list[dict[str, Any]] = [
        {"secret": "11" * 32},
        {"secret": None},
        {"secret": "zz" * 32},
        {"nonces": ["61", "", "6263"]},
        {"nonces": ["61", "", "6263", "01"]},
        {"format": "diamonds record 1"},
        {"rules_version": 99},
        {"seats": "4"},
        {"seated": ["person", "bot:5", "nobody", "open"]},
        {"result": good["result"] | {"scores": [99, 0, 0, 0]}},
        {"result": None, "entries": entries[:-1]},
        {"entries": entries[:-1]},
        {"entries": [*entries, entries[-1]]},
        {"entries": [*entries, "0 undo 0"]},
        {"entries": ["0 undo 3", *entries]},
        {"entries": ["7" + entries[0][1:], *entries[1:]]},
        {"entries": ["nonsense", *entries[1:]]},
        {"entries": [entries[1], entries[0], *entries[2:]]},
        {"entries": ["0 timeout", "1 seat bot:3", *entries]},
        {"checksums": good["checksums"][:-1]},
        {"checksums": [*good["checksums"], "0" * 16]},
        {"checksums": ["0" * 16, *good["checksums"][1:]]},
        {"checksums": [*good["checksums"][:last], "0" * 16]},
        {"times": [1, 2]},
        {"times": [5] * (len(entries) - 1) + [4]},
        {"fork": {"commitment": "00", "n": 3}},
    ]  # fmt: skip
    found = run_package(installed, "verify", [good | change for change in changes])
    wanted = [python_refusal(json.dumps(good | change)) for change in changes]
    assert wanted.count(None) == 1 + (wanted[10] is None)
    for change, why, expected in zip(changes, found, wanted, strict=True):
        assert why == expected, f"expected another result than {why} for {str(change)[:80]}"


def python_refusal(text: str) -> Any:
    """Return Python's reason to reject a record as JSON, without the quotes around parts of the record, or None."""
    try:
        record_reader.load_record(text)
    except DiamondsError as refused:
        return json.loads(json.dumps(refused.message).replace("'", ""))
    return None


def test_wrong_byte_in_any_file_is_rejected_alone(installed, tmp_path):
    kinds = run_package(installed, "open")
    assert kinds == dict.fromkeys(
        (f"{kind} {game}" for kind in ("rules", "mind", "judge", "reasons") for game in GAMES), None
    )
    copy = tmp_path / "user"
    shutil.copytree(installed, copy)
    files = sorted((package(copy) / "modules").iterdir())
    assert len(files) == 16
    of = {"play": ["rules"], "thinking": ["mind"], "review": ["judge"], "reasons": ["reasons"]}
    of["learned"] = ["mind", "judge"]
    for kind in [*of, ""]:  # for each game, because a wrong file of one does not affect the others
        hit = {file: file.read_bytes() for file in files if [*file.stem.split("-"), ""][1] == kind}
        for file, right in hit.items():
            at = len(right) // 2
            file.write_bytes(right[:at] + bytes([right[at] ^ 1]) + right[at + 1 :])
        found = run_package(copy, "open")
        for file, right in hit.items():
            file.write_bytes(right)
        refused = {file.stem.split("-")[0]: f"checksum: {file.name}" for file in hit}
        if not kind:
            assert found == {"manifest": "checksum: manifest.json"}
            continue
        wanted = {f"{one} {game}": why for game, why in refused.items() for one in of[kind]}
        assert {name: why for name, why in found.items() if why is not None} == wanted


def test_missing_file_is_reported_and_wasm_modules_may_be_elsewhere(installed):
    found = run_package(installed, "ask", {"folder": artifacts.built_modules().as_uri() + "/"})
    assert found["game"] == ["game-unknown", {"given": "chess", "games": [*GAMES]}]
    assert found["inherited"][0] == "game-unknown"
    assert found["level"] == "Levels of mines: simple, 1, 2, 3, 4, 5; not 6."
    assert found["seats"][0] == "game-seats"
    assert found["text"] == ["record-not-readable", {}]
    assert found["elsewhere"] == [GAMES["mines"].version] * 2


def test_package_types_suffice_without_other_types(installed):
    (installed / "use.mts").write_text(TYPESCRIPT_PROGRAM, encoding="utf-8")
    compiler = node.REPO_ROOT / "web" / "node_modules" / "typescript" / "bin" / "tsc"
    flags = ["--noEmit", "--strict", "--target", "es2022", "--lib", "es2022", "--module", "nodenext"]
    done = node.run_node(compiler, *flags, "use.mts", folder=installed)
    assert done.returncode == 0, done.stdout


def test_package_contains_nothing_unintended(installed):
    """The package has licences of everything inside and one source, but no dependency, address or path of its build machine."""
    told = json.loads((package(installed) / "package.json").read_text(encoding="utf-8"))
    assert not {"dependencies", "devDependencies", "scripts"} & told.keys()
    assert told["version"] == diamonds.__version__
    texts = {
        path: path.read_text(encoding="utf-8")
        for path in package(installed).rglob("*")
        if path.suffix in (".js", ".ts", ".json", ".md", ".txt")
    }
    for path, text in texts.items():
        assert str(node.REPO_ROOT) not in text, f"{path.name} names a folder of the build machine"
    licences = (package(installed) / "licences.txt").read_text(encoding="utf-8")
    (named,) = re.findall(r"^\S+ \S+ \(.*\)$", licences, re.MULTILINE)
    assert re.fullmatch(r"@noble/hashes \S+ \(MIT\)", named)
    assert "Permission is hereby granted" in licences
    assert (package(installed) / "LICENSE").read_text(encoding="utf-8") == (node.REPO_ROOT / "LICENSE").read_text(
        encoding="utf-8"
    )
    own = [path.read_text(encoding="utf-8") for path in [*NPM.glob("*.ts"), *NPM.glob("*.js")]]
    assert not [name for name in GAMES for text in own if re.search(rf"\b{name}\b", text)], "games in other files"
