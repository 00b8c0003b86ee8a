"""The server of the page: games, analysis, trainings and matches in a browser. It needs the extra `web`."""
