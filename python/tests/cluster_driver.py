"""A run on a local cluster of Ray, as a process that a test can kill. It writes the number of pieces that
are there."""

import sys

from treegauge import cluster

if __name__ == "__main__":
    store, plan, address = sys.argv[1:]
    with open(plan, encoding="utf-8") as file:
        planned = cluster.Plan.from_json(file.read())
    cluster.run(
        planned,
        store,
        executor=cluster.ray(address=address),
        progress=lambda done: print(done.done, flush=True),
    )
