"""What happened, in the past tense. Each event names its audience when it is built; there is no default.

Two sorts stand side by side: news, which somebody may hear, and the book-keeping that rebuilds the state,
which nobody hears. Some are both.
"""

from __future__ import annotations

from engine.events.agenda import *
from engine.events.day import *
from engine.events.deaths import *
from engine.events.event import *
from engine.events.houses import *
from engine.events.night import *
from engine.events.table import *

AnyEvent = OfTheTable | OfTheAgenda | OfTheNight | OfDeaths | OfTheDay | OfTheHouses
"""Every kind of event, for reading them back."""
