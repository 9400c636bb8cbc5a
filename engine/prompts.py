"""What is legal: every open question with its possible answers (law 3). Nothing else is accepted."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from engine import dice
from engine.abilities import Ability, Count
from engine.game import Answer, Ask, Game, Option, Step
from engine.rights import RIGHTS
from engine.roles import ABILITIES


class Prompt(Struct, frozen=True):
    """An open question.

    least, most: how many of the options an answer names, all different, their order without meaning.
    optional: the empty answer (`pass`) is legal too. deadline: epoch seconds. serial: of its step.
    answer: the present one, which can still be changed; None while there is none.
    """

    seat: int
    action: str
    options: tuple[Option, ...]
    least: int
    most: int
    optional: bool
    deadline: float
    serial: int
    answer: Answer | None

    def allows(self, answer: Answer) -> bool:
        """Say whether the answer is such a selection."""
        if not answer:
            return self.optional
        return (
            self.least <= len(answer) <= self.most
            and len(set(answer)) == len(answer)
            and all(option in self.options for option in answer)
        )


def ability_of(action: str) -> Ability:
    """Look an action up."""
    return ABILITIES.get(action) or RIGHTS[action]


def is_open(game: Game, step: Step, ask: Ask) -> bool:
    """Say whether a question still takes an answer."""
    return not ask.done and ability_of(ask.action).open(game, step, ask)


_STANDING = tuple(
    (ability.action, ability.standing)
    for ability in (*ABILITIES.values(), *RIGHTS.values())
    if ability.standing is not None
)
"""The actions that can stand beside a step, and who has them: few of many, and asked for at every command."""


def stands_beside(action: str) -> bool:
    """Say whether a question stands beside those of the steps: nobody owes it an answer, and it has no clock."""
    return ability_of(action).standing is not None


def standing(game: Game) -> Iterator[Ask]:
    """The questions that stand beside those of the open step and outlive it."""
    for action, seats in _STANDING:
        yield from (Ask(seat, action) for seat in seats(game))


def open_asks(game: Game) -> Iterator[tuple[Step, Ask]]:
    """Every question that takes an answer, those of the open step first."""
    if not game.agenda or not (step := game.agenda[0]).is_open:
        return
    yield from ((step, ask) for ask in step.asks if is_open(game, step, ask))
    yield from ((step, ask) for ask in standing(game))


def prompt(game: Game, step: Step, ask: Ask) -> Prompt:
    """The question in full."""
    ability = ability_of(ask.action)
    return Prompt(
        seat=ask.seat,
        action=ask.action,
        options=ability.options(game, ask.seat),
        least=_number(ability.least, game, ask.seat),
        most=_number(ability.most, game, ask.seat),
        optional=ability.optional(game, ask.seat),
        deadline=step.deadline - ability.until,
        serial=ability.belongs(game) if ability.belongs else step.serial,
        answer=ask.answer,
    )


def _number(count: Count, game: Game, seat: int) -> int:
    return count if isinstance(count, int) else count(game, seat)


def choices(game: Game) -> tuple[Prompt, ...]:
    """Every open question of the game."""
    return tuple(prompt(game, step, ask) for step, ask in open_asks(game))


def is_settled(game: Game, step: Step) -> bool:
    """Say whether everybody has answered. A pack has only when all its members say the same (ruling 5)."""
    together: dict[str, set[Answer | None]] = {}
    for ask in step.asks:
        ability = ability_of(ask.action)
        if not ability.open(game, step, ask):
            continue
        if ask.answer is None:
            return False
        if ability.pack:
            together.setdefault(ask.action, set()).add(ask.answer)
    return all(len(answers) == 1 for answers in together.values())


def drawn(game: Game, question: Prompt) -> Answer:
    """The answer that chance gives for a seat that had to choose and did not (ruling 4)."""
    return dice.pick_several(
        question.options, question.least, game.seed, game.day, f"forced.{question.action}", question.seat
    )


def normal(question: Prompt, answer: Answer) -> Answer:
    """A legal answer with its options in the prompt's order: the same choice is the same bytes."""
    return tuple(option for option in question.options if option in answer) if len(answer) > 1 else answer


def refusal(game: Game, question: Prompt, answer: Answer) -> str:
    """Why an answer is not legal, in a code for the seat that gave it."""
    if not answer:
        return "must_choose"
    if len(set(answer)) != len(answer):
        return "twice"
    strange = [option for option in answer if option not in question.options]
    if not strange:
        return "how_many"
    option = strange[0]
    if isinstance(option, str) and any(card.house == option for seat in game.seats for card in seat.characters):
        return "not_listed" if game.is_living(option) else "dead_target"
    if isinstance(option, str) or not 1 <= option <= len(game.seats):
        return "not_listed"
    if not game.seat(option).alive:
        return "dead_target"
    if option == question.seat:
        return "self"
    return ability_of(question.action).unlisted(game, question.seat, option)
