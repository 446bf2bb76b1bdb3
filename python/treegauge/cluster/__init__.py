"""Runs on many machines.

A *plan* cuts a study into pieces. Any process can make any piece, any number of times: a piece
depends on the plan alone, and equal pieces have equal bytes. Processes meet in a *store*: a folder,
also on a network file system, or an address that fsspec opens (``s3://bucket/study``). There are no
locks, leases or queues. A piece is in the store whole or not at all.

>>> from treegauge import cluster
>>> import tempfile
>>> plan = cluster.plan(["achi", "tic_tac_toe"], iterations=[50], instances=4, piece_seconds=0.1)
>>> with tempfile.TemporaryDirectory() as folder:
...     done = cluster.run(plan, f"{folder}/store")
...     dataset = cluster.finish(f"{folder}/store", f"{folder}/study")[0]
>>> dataset.name
'50'

:func:`run` hands pieces to an executor: threads, processes, Ray (:func:`ray`), Dask
(``client.get_executor()``) or any other object with ``submit(fn, *args)`` that returns a
:class:`concurrent.futures.Future`. Without an executor, as in a Slurm job array, each process
calls :func:`work`, or ``python -m treegauge.cluster work STORE``. :func:`status` counts the pieces,
and :func:`finish` joins them into the files that one machine writes.
"""

from .._errors import IncompleteError
from ._errors import PieceError
from ._executors import processes, ray
from ._finish import finish
from ._plan import (
    Piece,
    Plan,
    plan,
    plan_difficulty,
    plan_generate,
    plan_match,
    plan_tournament,
    plan_vet,
    stored_plan,
)
from ._run import Done, run
from ._status import status
from ._work import work

__all__ = [
    "Done",
    "IncompleteError",
    "Piece",
    "PieceError",
    "Plan",
    "finish",
    "plan",
    "plan_difficulty",
    "plan_generate",
    "plan_match",
    "plan_tournament",
    "plan_vet",
    "processes",
    "ray",
    "run",
    "status",
    "stored_plan",
    "work",
]
