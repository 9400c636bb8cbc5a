"""`expect`: what is to be seen, key by key. Each check raises Failed with what was expected and what was seen."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from engine import Prompt, view_for
from tests.scenarios.language import EXPECTED, read_question
from tests.scenarios.table import Failed, Table, living, shown

Check = Callable[[Table, Any], None]


def expect(table: Table, wanted: Mapping[str, Any]) -> None:
    """Compare what is wanted with what is to be seen, in the order of the language."""
    for key in EXPECTED:
        if key == "only":
            if wanted.get("only"):
                _only(table, wanted["may"])
        elif key in wanted:
            CHECKS[key](table, wanted[key])


def _same(key: str, wanted: object, seen: object) -> None:
    if wanted != seen:
        raise Failed(f"{key}: expected {wanted}, seen {seen}")


def _written(items: Iterable[Any]) -> list[Any]:
    """A set for reading: in order, seats before words."""
    return sorted(set(items), key=lambda item: (isinstance(item, str), item))


def _same_set(key: str, wanted: Iterable[Any], seen: Iterable[Any]) -> None:
    _same(key, _written(wanted), _written(seen))


def _alive(table: Table, wanted: list[Any]) -> None:
    _same_set("alive", wanted, living(table.view, table.by_house))


def _dead(table: Table, wanted: list[Any]) -> None:
    view = table.view
    if table.by_house:
        everybody = {house.name for seat in view.seats for house in shown(seat, "houses")}
    else:
        everybody = {seat.number for seat in view.seats}
    _same_set("dead", wanted, everybody - living(view, table.by_house))


def _died(table: Table, wanted: list[Any]) -> None:
    died, table.died = table.died, set()
    _same_set("died", wanted, died)


def _phase(table: Table, wanted: str) -> None:
    _same("phase", wanted, table.view.phase)


def _day(table: Table, wanted: int) -> None:
    _same("day", wanted, table.view.day)


def _open(table: Table) -> dict[int, list[str]]:
    asked: dict[int, list[str]] = {}
    for prompt in table.prompts:
        asked.setdefault(prompt.seat, []).append(prompt.action)
    return {seat: sorted(actions) for seat, actions in sorted(asked.items())}


def _may(table: Table, wanted: Mapping[int, list[str]]) -> None:
    asked = _open(table)
    for seat, actions in wanted.items():
        if not set(actions) <= set(asked.get(seat, ())):
            raise Failed(f"may: expected {seat} to be asked {sorted(actions)}, seen {asked.get(seat, [])}")


def _only(table: Table, wanted: Mapping[int, list[str]]) -> None:
    everything = {seat: sorted(actions) for seat, actions in sorted(wanted.items()) if actions}
    _same("may, only", everything, _open(table))


def _may_not(table: Table, wanted: Mapping[int, list[str]]) -> None:
    asked = _open(table)
    for seat, actions in wanted.items():
        if set(actions) & set(asked.get(seat, ())):
            raise Failed(f"may_not: expected {seat} not to be asked {sorted(actions)}, seen {asked[seat]}")


def _told(table: Table, seat: int) -> list[tuple[int | str, str]]:
    mine = view_for(table.game, seat).mine
    return [(fact.about, fact.what) for fact in mine.facts] if mine else []


def _knows(table: Table, wanted: Mapping[int, Mapping[int | str, str | list[str]]]) -> None:
    for seat, facts in wanted.items():
        told = _told(table, seat)
        for about, what in facts.items():
            for one in [what] if isinstance(what, str) else what:
                if (about, one) not in told:
                    raise Failed(f"knows: expected {seat} to know of {about}: {one}, seen {told}")


def _unaware(table: Table, wanted: Mapping[int, list[int | str]]) -> None:
    for seat, of in wanted.items():
        if known := [fact for fact in _told(table, seat) if fact[0] in of]:
            raise Failed(f"unaware: expected {seat} to know nothing of {of}, seen {known}")


def _turned_over(table: Table) -> dict[int | str, list[str]]:
    seats = table.view.seats
    if table.by_house:
        return {house.name: list(shown(house, "cards")) for seat in seats for house in shown(seat, "houses")}
    return {seat.number: list(seat.cards) for seat in seats}


def _shown(table: Table, wanted: Mapping[int | str, str]) -> None:
    cards = _turned_over(table)
    for whose, role in wanted.items():
        if role not in cards.get(whose, ()):
            raise Failed(f"shown: expected {whose}: {role}, seen {cards.get(whose, [])}")


def _hidden(table: Table, wanted: list[int | str]) -> None:
    cards = _turned_over(table)
    for whose in wanted:
        if cards.get(whose):
            raise Failed(f"hidden: expected {whose} to be hidden, seen {cards[whose]}")


def _sheriff(table: Table, wanted: int | str) -> None:
    _same("sheriff", wanted, table.view.sheriff or "none")


def _weight(table: Table, wanted: Mapping[int, float]) -> None:
    step = table.view.step
    weights = step.weights if step else {}
    _same("weight", dict(wanted), {seat: weights.get(seat, 0) for seat in wanted})


def _suspects(table: Table, wanted: list[int | str]) -> None:
    _same("suspects", wanted, list(shown(table.view, "suspects")))


def _over(table: Table, wanted: str | bool) -> None:
    result = table.view.result
    _same("over", wanted or "no", result.camp if result else "no")


def _winners(table: Table, wanted: list[int]) -> None:
    result = table.view.result
    if result is None:
        raise Failed(f"winners: expected {wanted}, seen a game that is not over")
    _same_set("winners", wanted, result.winners)


def _score(table: Table, wanted: Mapping[int, int]) -> None:
    result = table.view.result
    if result is None:
        raise Failed(f"score: expected {dict(wanted)}, seen a game that is not over")
    score = shown(result, "score")
    _same("score", dict(wanted), {seat: score.get(seat) for seat in wanted})


def _legal(table: Table, wanted: Mapping[str, list[int | str]]) -> None:
    for question, options in wanted.items():
        seat, action = read_question(question)

        def asked(seat: int = seat, action: str = action) -> Prompt | None:
            return table.prompt(seat, action)

        prompt = table.wait_for(f"legal: {question} to be asked", asked)
        _same_set(f"legal: {question}", options, prompt.options)


CHECKS: dict[str, Check] = {
    "alive": _alive,
    "dead": _dead,
    "died": _died,
    "phase": _phase,
    "day": _day,
    "may": _may,
    "may_not": _may_not,
    "knows": _knows,
    "unaware": _unaware,
    "shown": _shown,
    "hidden": _hidden,
    "sheriff": _sheriff,
    "weight": _weight,
    "suspects": _suspects,
    "over": _over,
    "winners": _winners,
    "score": _score,
    "legal": _legal,
}
"""The check of each key; `only` belongs to `may`."""
