"""The paper behind each kind of learner, as a report cites it."""

PAPERS = {
    "td": "M. van de Steeg, M. M. Drugan and M. Wiering, “Temporal Difference Learning for the Game Tic-Tac-Toe 3D: "
    "Applying Structure to Neural Networks”, 2015",
    "samuel": "A. L. Samuel, “Some Studies in Machine Learning Using the Game of Checkers”, 1959",
    "neurodraughts": "M. Lynch, “NeuroDraughts: An Application of Temporal Difference Learning to Draughts”, "
    "University of Limerick, 1997",
    "ls-draughts": "H. C. Neto and R. M. S. Julia, “LS-Draughts: A Draughts Learning System Based on Genetic "
    "Algorithms, Neural Network and Temporal Differences”, 2007",
    "visiondraughts": "G. S. Caixeta and R. M. S. Julia, “A Draughts Learning System Based on Neural Networks and "
    "Temporal Differences: The Impact of an Efficient Tree-Search Algorithm”, 2008",
    "mp-draughts": "V. A. R. Duarte, R. M. S. Julia, A. R. A. Barcelos and A. B. Otsuka, “MP-Draughts: A Multiagent "
    "Reinforcement Learning System Based on MLP and Kohonen-SOM Neural Networks”, 2009",
    "genetic": "T. P. Nguyen, “Playing Draughts Using Neural Networks and Genetic Algorithms”, "
    "BSc dissertation, Durham University (a draft without a date)",
    "blondie24": "K. Chellapilla and D. B. Fogel, “Evolving Neural Networks to Play Checkers without Relying on Expert "
    "Knowledge”, 1999, and “Evolving an Expert Checkers Playing Program without Using Human Expertise”, 2001",
    "evolution-strategy": "D. Wierstra and others, “Natural Evolution Strategies”, 2014, and T. Salimans and "
    "others, “Evolution Strategies as a Scalable Alternative to Reinforcement Learning”, 2017",
}


def cited(kind: str) -> str:
    """A sentence that names the paper of a kind of learner; empty for a kind without one."""
    return f"The learner follows {PAPERS[kind]}." if kind in PAPERS else ""
