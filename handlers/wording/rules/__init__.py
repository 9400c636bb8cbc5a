"""What a player reads about the rules: the books, their roles, the players' own words.

Nothing here is loaded before somebody asks for it; the sentences are a catalogue of their own, `rules`.
"""
