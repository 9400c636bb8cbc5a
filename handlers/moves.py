"""What presses and the clock do to a running game: one judgement, from a record to the next.

A judgement is pure: it may be made again on a fresher record when another write came first. Whoever comes after
a deadline finds it passed: the clock decides first what is due, then the command is judged (law 10).
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from engine import (
    Answer,
    Command,
    Event,
    Expel,
    Game,
    Prompt,
    Refused,
    StepView,
    Tick,
    decide,
    due_at,
    dump,
    evolve,
    stands_beside,
    view_for,
)
from engine import events as e
from handlers import buttons, counters, notices, upkeep
from handlers.post import Post
from handlers.record import Reply, Table


class Press(Struct, frozen=True):
    """Somebody pressed a button of ours. private: in his chat with the bot. admin: of `chat`, where he pressed.

    language: of who is to join.
    """

    user: int
    name: str
    language: str
    data: buttons.Data
    private: bool
    admin: bool = False
    chat: int = 0

    def may_host(self, table: Table) -> bool:
        """Say whether the presser has the table's authority: its host, or an admin of the very group it is in."""
        return self.user == table.opener or (self.admin and self.chat == table.chat)


def advance(table: Table, game: Game, command: Command, now: float) -> tuple[Table, Game] | Refused:
    """Carry out a command: the record with the new game and all there is to say, or why nothing happened."""
    if not isinstance(command, Tick):
        table = replace(table, heard_day=game.day)
    return _carry_out(table, game, command, now)


def _carry_out(table: Table, game: Game, command: Command, now: float) -> tuple[Table, Game] | Refused:
    outcome = decide(game, command, now)
    if isinstance(outcome, Refused):
        return outcome
    if not outcome:
        return table, game
    last = upkeep.until_abandoned(table, outcome)
    happened = outcome if last is None else last
    after = follow(game, happened)
    ended = last is not None or any(isinstance(event, e.Ended) for event in happened)
    table = replace(table, game=dump(after), phase="over" if ended else "playing")
    table = notices.notice(table, game, after, happened, now)
    if last is not None:
        return upkeep.abandon(table), after
    table, expelled = upkeep.count_missed(table, game, after, happened)
    table = upkeep.asked_anew(table, after, happened, now)
    for seat in expelled:
        further = _carry_out(table, after, Expel("host", seat), now)
        if not isinstance(further, Refused):
            table, after = further
    return table, after


def follow(game: Game, events: Sequence[Event]) -> Game:
    """The game after these events."""
    for event in events:
        game = evolve(game, event)
    return game


def wake(table: Table, now: float) -> Table:
    """What the clock does: deadlines, calls that end, a counter that waits, reminders; the end of a lobby."""
    if table.phase != "playing":
        return upkeep.watch_lobby(table, now)
    table, game = catch_up(table, table.play(), now)
    post = Post(table)
    counters.refresh(post, now)
    return upkeep.remind(post.table, game, now) if post.table.phase == "playing" else post.table


def catch_up(table: Table, game: Game, now: float) -> tuple[Table, Game]:
    """Let the clock decide first what is due by now."""
    due = due_at(game)
    if due is None or now < due:
        return table, game
    advanced = advance(table, game, Tick(), now)
    return (table, game) if isinstance(advanced, Refused) else advanced


def press(table: Table, press: Press, now: float) -> tuple[Table, Reply]:
    """Judge a press of a game's button."""
    if table.phase == "lobby":
        return table, Reply("not_started")
    seat = table.seat_of(press.user)
    if press.data.code == buttons.CARD:
        if table.phase == "playing":
            table, _ = catch_up(table, table.play(), now)
        table = upkeep.heard(table, press.user, now)
        return table, Reply("card", seat=seat, alert=True) if seat else Reply("no_seat", alert=True)
    if table.phase == "over":
        return table, Reply("over", strip=True)
    if not seat:
        return table, Reply("no_seat", alert=True)
    table, game = catch_up(table, table.play(), now)
    if table.phase == "over":
        return table, Reply("over", strip=True)
    table = upkeep.heard(table, press.user, now)
    return _answer(table, game, seat, press.data, now)


def _answer(table: Table, game: Game, seat: int, data: buttons.Data, now: float) -> tuple[Table, Reply]:
    view = view_for(game, seat)
    step, mine = view.step, view.mine
    if step is None or mine is None:
        return table, Reply("stale", strip=True)
    action = _action(data.code, step, mine.prompts)
    question = next((prompt for prompt in mine.prompts if prompt.action == action), None)
    if data.serial != (question or step).serial:
        return table, Reply("stale", strip=True)
    if question is None:
        return table, _not_asked(
            data.code, step, mine.alive, decide(game, Answer(seat, action, (), step.serial), now)
        )
    choice = buttons.choice(data.answer, question.options)
    if choice is None:
        return table, Reply("not_listed")
    if choice.mask is not None:
        return table, _toggle(question, choice.mask)
    advanced = advance(table, game, Answer(seat, action, choice.answer, question.serial), now)
    if isinstance(advanced, Refused):
        return table, Reply(advanced.code, number=question.most, alert=True)
    return advanced[0], _accepted(question, choice.answer)


def _action(code: str, step: StepView, prompts: Sequence[Prompt]) -> str:
    """The action a button stands for: those of the group's hang on the step, others are the seat's own."""
    if code == buttons.VOTE:
        return step.name
    if code == buttons.FLOOR:
        return "speech.end"
    if code == buttons.READY:
        return "talk.ready"
    return next((prompt.action for prompt in prompts if buttons.code_of(prompt.action) == code), "")


def _not_asked(code: str, step: StepView, alive: bool, refused: object) -> Reply:
    if code == buttons.FLOOR and step.speaker:
        return Reply("not_your_floor", seat=step.speaker)
    if code == buttons.VOTE and step.speaker:
        return Reply("not_your_turn", seat=step.speaker)
    if code == buttons.VOTE and step.kind == "naming" and len(step.voters) == 1:
        return Reply("not_your_turn", seat=step.voters[0])
    if not alive:
        return Reply("dead", alert=True)
    if isinstance(refused, Refused) and refused.code in ("answered", "late"):
        return Reply(refused.code)
    return Reply("suspect" if code == buttons.VOTE and step.kind == "verdict" else "not_asked")


def _toggle(question: Prompt, mask: int) -> Reply:
    if mask.bit_count() > question.most:
        return Reply("how_many", number=question.most)
    if question.most == 1:
        return Reply("sure" if mask else "declined", mask=mask)
    return Reply("toggled", number=mask.bit_count(), word=question.action, mask=mask)


def _accepted(question: Prompt, answer: tuple[int | str, ...]) -> Reply:
    """What the presser is told, and he alone, of an answer that counts."""
    if question.action == "vote.nominate":
        return Reply("nominated", chosen=answer) if answer else Reply("not_nominated")
    if question.action in buttons.BALLOTS:
        return Reply("voted", chosen=answer) if answer else Reply("abstained")
    if question.action in buttons.PUBLIC_ACTIONS:
        return Reply(question.action, chosen=answer) if answer else Reply("declined")
    if not answer:
        return Reply("declined")
    if stands_beside(question.action):
        return Reply(question.action)
    return Reply("noted") if answer == ("yes",) else Reply("chosen", chosen=answer)
