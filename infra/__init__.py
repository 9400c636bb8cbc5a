"""Storage, timers and everything of one machine. A game is bytes with a version here."""
