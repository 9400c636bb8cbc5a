"""People, words and platforms: what stands between the chats and the engine. No rule is decided here."""
