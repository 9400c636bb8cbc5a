"""The rules of the game. This is the only door: nothing outside imports anything behind it.

>>> from engine import Answer, Setup, choices, decide, replay, start
>>> game = replay(start(Setup(book="classic", seats=8), seed=bytes(32), now=0.0))
>>> game.phase, game.day
('night', 1)
>>> prompt = choices(game)[0]
>>> events = decide(game, Answer(prompt.seat, prompt.action, prompt.options[:prompt.least]), now=1.0)
"""

from __future__ import annotations

from engine import events
from engine.audience import Audience, hears
from engine.codec import UnknownFormat, dump, dump_events, load, load_events
from engine.commands import Answer, Command, Draw, Expel, Extend, Leave, Refused, Skip, Tick, Warn
from engine.events import Event
from engine.game import Answer as Selection
from engine.game import Bet, Fact, Fate, Game, Home, Option, Result, Score, owner_of
from engine.history import evolve, replay
from engine.opening import DeckRefused, Setup, Verdict, check_setup, start, verify
from engine.options import OptionRefused, Options
from engine.prompts import Prompt, choices, stands_beside
from engine.referee import decide, due_at
from engine.rulebooks import RULE_BOOKS
from engine.rulebooks.book import Problem, RuleBook
from engine.seal import LineRefused
from engine.steps.kind import StepView
from engine.views import HouseView, Mine, SeatView, TownView, View, view_for

__all__ = [
    "RULE_BOOKS",
    "Answer",
    "Audience",
    "Bet",
    "Command",
    "DeckRefused",
    "Draw",
    "Event",
    "Expel",
    "Extend",
    "Fact",
    "Fate",
    "Game",
    "Home",
    "HouseView",
    "Leave",
    "LineRefused",
    "Mine",
    "Option",
    "OptionRefused",
    "Options",
    "Problem",
    "Prompt",
    "Refused",
    "Result",
    "RuleBook",
    "Score",
    "SeatView",
    "Selection",
    "Setup",
    "Skip",
    "StepView",
    "Tick",
    "TownView",
    "UnknownFormat",
    "Verdict",
    "View",
    "Warn",
    "check_setup",
    "choices",
    "decide",
    "due_at",
    "dump",
    "dump_events",
    "events",
    "evolve",
    "hears",
    "load",
    "load_events",
    "owner_of",
    "replay",
    "stands_beside",
    "start",
    "verify",
    "view_for",
]
