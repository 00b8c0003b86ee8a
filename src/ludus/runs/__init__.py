"""Runs: learners at work in folders, which can be stopped, killed and resumed."""

from ludus.runs.run import CONFIG, BadRun, Condition, Config, Run, Status, folders, quoted

__all__ = ["CONFIG", "BadRun", "Condition", "Config", "Run", "Status", "folders", "quoted"]
