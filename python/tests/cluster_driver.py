"""A run on a local cluster of Ray, as a process that a test can kill."""

import sys

from treegauge import cluster

if __name__ == "__main__":
    store, plan = sys.argv[1:]
    with open(plan, encoding="utf-8") as file:
        planned = cluster.Plan.from_json(file.read())
    cluster.run(planned, store, executor=cluster.ray(num_cpus=2, include_dashboard=False))
