"""The rooms of the house: who may import whom, one file per role and book, no language in the engine."""

from __future__ import annotations

import ast
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

import engine
from engine import RULE_BOOKS
from engine.roles import ABILITIES, ROLES

ROOT = Path(engine.__file__).parent.parent
ENGINE = ROOT / "engine"
MODULES = sorted(ENGINE.rglob("*.py"))
CJK = re.compile("[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef]")
PACKAGES = ("engine", "handlers", "infra")


def name_of(path: Path) -> str:
    return str(path.relative_to(ROOT))


def imports(path: Path) -> Iterator[str]:
    """Every module that a file names in an import, and what it takes from it."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute"
            yield node.module or ""
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


# Import borders ------------------------------------------------------------------------------------------


def lint(folder: Path) -> subprocess.CompletedProcess[str]:
    """Run the import linter on a tree."""
    linter = "import sys; from importlinter.cli import lint_imports_command; sys.exit(lint_imports_command())"
    return subprocess.run(
        [sys.executable, "-c", linter, "--no-cache"], cwd=folder, capture_output=True, text=True, check=False
    )


def contracts() -> list[dict[str, list[str]]]:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text())
    found: list[dict[str, list[str]]] = settings["tool"]["importlinter"]["contracts"]
    return found


def test_the_borders_are_kept() -> None:
    result = lint(ROOT)
    assert result.returncode == 0, result.stdout


@pytest.mark.parametrize(
    ("planted", "line"),
    [
        ("engine/planted.py", "import random"),
        ("engine/roles/planted.py", "from infra import ports"),
        ("handlers/planted.py", "from engine.game import Game"),
        ("handlers/telegram/planted.py", "import engine.referee"),
        ("handlers/house/players/planted.py", "from engine import choices"),
        ("handlers/house/players/planted.py", "from handlers.house import table"),
        ("infra/planted.py", "import handlers.telegram"),
    ],
)
def test_a_planted_import_is_caught(planted: str, line: str, tmp_path: Path) -> None:
    for package in PACKAGES:
        shutil.copytree(ROOT / package, tmp_path / package, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    (tmp_path / planted).write_text(f"{line}\n")
    result = lint(tmp_path)
    assert result.returncode == 1, result.stdout + result.stderr
    assert planted.removesuffix(".py").replace("/", ".") in result.stdout


def test_the_door_hides_every_module_of_the_engine() -> None:
    """The linter is told by name what lies behind the door; here it is seen that no name is missing."""
    (hidden,) = (
        set(contract["forbidden_modules"])
        for contract in contracts()
        if "engine.game" in contract["forbidden_modules"]
    )
    inside = {f"engine.{path.stem}" for path in ENGINE.iterdir() if path.suffix == ".py" or path.is_dir()}
    inside -= {"engine.__init__", "engine.__pycache__", *(f"engine.{name}" for name in engine.__all__)}
    assert inside - hidden == set()
    assert hidden - inside == set(), "no such module any more"


# Roles and books -----------------------------------------------------------------------------------------


def test_every_role_has_a_file_of_its_name() -> None:
    files = {path.stem for path in (ENGINE / "roles").glob("*.py")} - {"__init__"}
    assert files == set(ROLES)


def test_role_files_do_not_import_each_other() -> None:
    for path in (ENGINE / "roles").glob("*.py"):
        if path.stem != "__init__":
            others = {f"engine.roles.{role}" for role in ROLES if role != path.stem}
            assert not others & set(imports(path)), name_of(path)


def test_what_is_not_a_role_names_a_card_only_where_its_rule_is_about_that_card() -> None:
    """Camps, victories and points are written by card; steps, nights and deaths ask what a card says of itself."""
    general = (*ENGINE.glob("*.py"), *(ENGINE / "steps").glob("*.py"))
    words = {*ROLES, *ABILITIES}
    named = {
        (path.stem, node.value)
        for path in general
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Constant) and node.value in words
    }
    imported = {(path.stem, role) for path in general for role in ROLES if f"engine.roles.{role}" in imports(path)}
    camps = {("abilities", "piper"), ("abilities", "werehamster")}
    victories = {("camps", "cupid"), ("camps", "villager"), ("endings", "white_wolf")}
    houses = {("houses", card) for card in ("werewolf", "thief")}
    points = {("scoring", card) for card in ("man", "woman", "werewolf")}
    assert named == camps | victories | houses | points | {("opening", "villager")}
    assert imported == {("endings", "piper"), ("referee", "cupid")}


def test_every_book_is_registered() -> None:
    files = {path.stem for path in (ENGINE / "rulebooks").glob("*.py")} - {"__init__", "book", "decks"}
    assert files == set(RULE_BOOKS)
    assert all(book.name == name for name, book in RULE_BOOKS.items())


def test_books_deal_roles_that_exist_and_every_role_is_in_a_book() -> None:
    assert {role for book in RULE_BOOKS.values() for role in book.roles} == set(ROLES)


def test_every_role_is_played_in_a_scenario_and_in_a_golden_game() -> None:
    scenarios: set[str] = set()
    for path in (ROOT / "tests" / "scenarios").glob("*.yaml"):
        for scenario in yaml.safe_load(path.read_text()):
            if scenario["rules"] in RULE_BOOKS:
                dealt = scenario.get("deal", {}).values()
                hands = (hand if isinstance(hand, list) else [hand] for hand in dealt)
                scenarios |= {"villager", *(card for hand in hands for card in hand)}
    golden = {
        role
        for path in (ROOT / "tests" / "golden").rglob("*.txt")
        for hand in re.findall(r"CardDealt seat=\d+ cards=\[([\w ,]+)\]", path.read_text())
        for role in re.findall(r"\w+", hand)
    }
    assert set(ROLES) - scenarios == set()
    assert set(ROLES) - golden == set()


# What the engine does not say ------------------------------------------------------------------------------


def strings(tree: ast.Module) -> Iterator[str]:
    """String literals that are no documentation and tell no programmer what went wrong."""
    silent = {
        id(node)
        for statement in ast.walk(tree)
        if isinstance(statement, ast.Raise)
        or (isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant))
        for node in ast.walk(statement)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in silent:
            yield node.value


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_the_engine_speaks_no_language(path: Path) -> None:
    """No Chinese, and nothing with as many words as a sentence."""
    for text in strings(ast.parse(path.read_text())):
        assert not CJK.search(text), text
        assert len(text.split()) < 3, text


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_whatever_is_public_says_what_it_is(path: Path) -> None:
    tree = ast.parse(path.read_text())
    assert ast.get_docstring(tree), name_of(path)
    for node in public(tree):
        assert ast.get_docstring(node), f"{name_of(path)}: {node.name}"


def public(scope: ast.Module | ast.ClassDef) -> Iterator[ast.FunctionDef | ast.ClassDef]:
    for node in scope.body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and not node.name.startswith("_"):
            yield node
            if isinstance(node, ast.ClassDef):
                yield from public(node)


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_the_engine_needs_msgspec_pydantic_and_the_standard_library(path: Path) -> None:
    allowed = {"engine", "msgspec", "pydantic", *sys.stdlib_module_names}
    forbidden = {
        "asyncio",
        "datetime",
        "io",
        "logging",
        "os",
        "random",
        "secrets",
        "socket",
        "sys",
        "threading",
        "time",
    }
    roots = {name.split(".")[0] for name in imports(path)}
    assert roots <= allowed
    assert not roots & forbidden


def test_the_door_lists_what_it_gives() -> None:
    assert len(set(engine.__all__)) == len(engine.__all__)
    assert all(hasattr(engine, name) for name in engine.__all__)
