"""A sweep on a cluster of two processes here, and what it found.

    python3 cluster_sweep.py MODEL TARGET FOLDER

Needs onnx-hwest[sweep]. On a cluster, hand over a client of its scheduler in place of this one:

    cluster = dask_jobqueue.SLURMCluster(cores=16, processes=16, memory="32 GB", walltime="01:00:00")
    cluster.scale(jobs=16)
    client = distributed.Client(cluster)
"""

import sys

import distributed
import onnx_hwest


def main(path, target, folder):
    with distributed.LocalCluster(2, threads_per_worker=1, dashboard_address=None) as cluster, \
         distributed.Client(cluster) as client:
        sweep = onnx_hwest.sweep(path, target, modes="all", precisions=["fp16", "int8"], batches=[1, 4, 16],
                                 output=folder, client=client)
    print(f"{len(sweep)} points, {sweep.errors.num_rows} failed")
    front = sweep.pareto("latency_s", "energy_j").to_pandas().sort_values(["batch", "latency_s"])
    print(front[["batch", "mode", "precision", "latency_s", "energy_j"]].to_string(index=False))


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit("usage: cluster_sweep.py MODEL TARGET FOLDER")
    try:
        main(*sys.argv[1:])
    except (onnx_hwest.Error, OSError) as error:
        sys.exit(f"cluster_sweep: {error}")
