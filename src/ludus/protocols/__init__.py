"""Engine protocols, both sides: Hub and the line protocol.

`Engine` runs an outside program, and `findings` says what one does wrong.

    >>> from ludus import protocols
    >>> protocols.names_engine("engine:./my-engine")
    True
"""

from ludus.protocols.check import Finding, findings
from ludus.protocols.conversation import Limits
from ludus.protocols.engine import Engine, EngineFailure, Patience, Reply, names_engine

__all__ = [
    "Engine",
    "EngineFailure",
    "Finding",
    "Limits",
    "Patience",
    "Reply",
    "findings",
    "names_engine",
]
