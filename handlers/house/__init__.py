"""House players and whole games between them, without people and platforms: `nightfall simulate`.

The players see what a seat is shown and what is said aloud, nothing else. The game itself is held by `table.py`.
"""
