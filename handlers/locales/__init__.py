"""The catalogues: every sentence of the bot in every language, one `.po` file a language."""
