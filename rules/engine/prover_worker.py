"""The process that evaluates rules: ``python -m frontdesk.rules.engine.prover_worker``.

It talks over the socket that is its standard input, one reply for each request, and ends when
the other side hangs up. It is a process of its own so that it can be killed: ProbLog cannot be
interrupted. It imports ProbLog and little else.
"""

from __future__ import annotations

import contextlib
import gc
import os
import pickle
import signal
import socket
import struct
import sys
from collections import OrderedDict
from functools import partial
from typing import Any

from frontdesk.rules.engine.inference import (
    FactSlice,
    InvalidRuleError,
    Plain,
    PlainFact,
    PlainRule,
    Program,
    TooUncertainError,
)
from frontdesk.rules.engine.proof_search import find_proof

#: Kinds of replies, each followed by: a result; a bound; a message; nothing.
DONE, UNCERTAIN, INVALID, UNKNOWN_SLICE = "done", "uncertain", "invalid", "unknown slice"
#: What a process that ran out of memory exits with.
OUT_OF_MEMORY = 3
#: A slice's number, how many of its facts have been sent before, the further ones, what is asked
#: for ("ask" or "prove"), the predicate, its arguments, the seconds that there are for it.
Request = tuple[int, int, list[PlainFact | PlainRule], str, str, tuple[Plain, ...], float]
Reply = tuple[str, Any]

_MOST_MEMORY = 2 << 30
_MOST_SLICES = 32
#: Seconds past its time after which it ends by itself, should nobody be there to kill it.
_GRACE = 1.0
_LENGTH = struct.Struct("!I")


def send(connection: socket.socket, message: Any) -> None:
    """Send plain data, or a proof."""
    data = pickle.dumps(message, pickle.HIGHEST_PROTOCOL)
    connection.sendall(_LENGTH.pack(len(data)) + data)


def receive(connection: socket.socket) -> Any:
    """The next message.

    Raises:
        EOFError: The other side hung up.
    """
    length, = _LENGTH.unpack(_read(connection, _LENGTH.size))
    return pickle.loads(_read(connection, length))


def _read(connection: socket.socket, size: int) -> bytes:
    data = bytearray()
    while len(data) < size:
        more = connection.recv(size - len(data))
        if not more:
            raise EOFError
        data += more
    return bytes(data)


def answer(facts: FactSlice, kind: str, predicate: str, arguments: tuple[Plain, ...]) -> Reply:
    """The reply to a question about a slice.

    Args:
        kind: ``ask`` for its solutions, ``prove`` for a proof.
        arguments: Its arguments; None for an open one.
    """
    try:
        return DONE, (facts.ask if kind == "ask" else partial(find_proof, facts))(
            predicate, arguments)
    except TooUncertainError as error:
        return UNCERTAIN, error.most
    except InvalidRuleError as error:
        return INVALID, str(error)


def main() -> int:
    """Answer requests until the other side hangs up; returns the exit status."""
    _limit_memory()
    # A limit on the time that a request takes is kept by the system, whatever runs.
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    with socket.socket(fileno=os.dup(0)) as connection:
        try:
            _serve(connection)
        except (EOFError, ConnectionError):
            return 0
        except (MemoryError, SystemError):
            # The latter where there was no memory left to raise the former.
            return OUT_OF_MEMORY
    return 0


def _serve(connection: socket.socket) -> None:
    try:
        program = Program(receive(connection))
    except InvalidRuleError as error:
        send(connection, (INVALID, str(error)))
        return
    # What is there now stays: the collector need not look at it again.
    gc.freeze()
    send(connection, (DONE, None))
    slices: OrderedDict[int, FactSlice] = OrderedDict()
    while True:
        request: Request = receive(connection)
        signal.setitimer(signal.ITIMER_REAL, request[-1] + _GRACE)
        reply = _reply(program, slices, request)
        signal.setitimer(signal.ITIMER_REAL, 0)
        send(connection, reply)


def _reply(program: Program, slices: OrderedDict[int, FactSlice], request: Request) -> Reply:
    number, known, facts, kind, predicate, arguments, _ = request
    if not known:
        slices[number] = FactSlice(program)
        if len(slices) > _MOST_SLICES:
            slices.popitem(last=False)
    found = slices.get(number)
    if found is None or found.size != known:
        return UNKNOWN_SLICE, None
    slices.move_to_end(number)
    found.add(facts)
    return answer(found, kind, predicate, arguments)


def _limit_memory() -> None:
    # Some systems have no such limit, or do not let it be set: the rules work without it.
    with contextlib.suppress(ImportError, ValueError, OSError):
        import resource
        _, most = resource.getrlimit(resource.RLIMIT_AS)
        limit = _MOST_MEMORY if most == resource.RLIM_INFINITY else min(most, _MOST_MEMORY)
        resource.setrlimit(resource.RLIMIT_AS, (limit, most))


if __name__ == "__main__":
    sys.exit(main())
