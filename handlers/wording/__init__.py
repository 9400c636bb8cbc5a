"""From events, views and replies to sentences: the only place where anything is said."""

from __future__ import annotations
