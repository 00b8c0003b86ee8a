"""The exam: a player plays out endings from random positions against the endgame tables, which play perfectly.

questions.py   the endings and the positions drawn for each
opponent.py    the tables as an opponent
exam.py        the games, played on workers and kept in a journal
result.py      what the games show: shares with intervals, plies wasted
"""

from ludus.arena.exam.exam import ExamConfig, answered, fingerprint, play
from ludus.arena.exam.questions import ENDINGS, Ending, Question, draw_questions
from ludus.arena.exam.result import ExamResult, Marks, Share, data, disagreement

__all__ = [
    "ENDINGS",
    "Ending",
    "ExamConfig",
    "ExamResult",
    "Marks",
    "Question",
    "Share",
    "answered",
    "data",
    "disagreement",
    "draw_questions",
    "fingerprint",
    "play",
]
