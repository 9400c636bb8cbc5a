"""Who plays for the house. Of the engine these files may import only what `sight.py` hands them.

`sensible.py` and `at_random.py` are the players; the others are what a sensible one is made of: what it knows
(`knowledge.py`), believes (`belief.py`), says (`talk.py`) and answers (`by_night.py`, `by_day.py`, `houses.py`).
"""
