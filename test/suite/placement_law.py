#!/usr/bin/env python3
"""Laws of placement over a folder of real exports, through the command line.

usage: placement_law.py TOOL MODELS {best|cover|overlap} [--targets T,T] [--only SUBSTRING] [--every N]

best     the best plan is no slower than the default one, any run with --only UNIT (plus CPUs), nor than the greedy
         longest-segment plan; the precision assumed is the same in all of them, and what the default plan says of the
         best one can be had. The host of a module is let into the first with --host-competes; without, the default plan
         is that of the module with --only
cover    every node is in exactly one group and segment, or of class shape, constant, view or dead; origins add up to
         all nodes
overlap  with --overlap: not above the serial latency, not below the longest chain of groups nor the busiest unit

--every N takes every Nth pair of a model and a target; with an N that does not divide the number of targets a short run
still meets all models or all targets.

Exit status: 0 all good, 1 findings, 77 the folder is not there, so nothing was checked.
"""

import argparse
import concurrent.futures
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from folders import SKIPPED, Folders, sampled
from shared_suite import PLACED_CLASSES, bind_flags, run

TARGETS = "jetson-orin,tda4vm,sa8295p,hexagon-698,x86-avx2,hailo-8l,coral-usb"
ROUNDING = 1 + 1e-9


def check_best(tool, path, flags):
    code, best, error = run(tool, path, *flags, "--host-competes")
    if code != 0:
        return [f"exit {code}: {error}"]
    code, own, error = run(tool, path, *flags)
    if code != 0:
        return [f"exit {code}: {error}"]
    latency = best["summary"]["latency_s"]
    problems = []
    known = own["summary"]["best"]["latency_s"] if own["summary"]["best"] else own["summary"]["latency_s"]
    if own["coverage"]["placed"] == best["coverage"]["placed"] and latency > known * ROUNDING:
        problems.append(f"latency {latency}, by default or as told there {known}")
    greedy = best["summary"]["greedy_latency_s"]
    if greedy is not None and latency > greedy * ROUNDING:
        problems.append(f"latency {latency}, greedy plan {greedy}")
    for unit in best["units"]:
        code, alone, error = run(tool, path, *flags, "--only", unit["name"])
        if code != 0 and "nothing places work on" in error + str(alone and alone["diagnostics"]):
            continue
        if code != 0:
            problems.append(f"--only {unit['name']}: exit {code}: {error}")
            continue
        places_alike = alone["coverage"]["placed"] == best["coverage"]["placed"]
        if places_alike and latency > alone["summary"]["latency_s"] * ROUNDING:
            problems.append(f"latency {latency}, with --only {unit['name']} {alone['summary']['latency_s']}")
        if alone["request"]["precision"] != best["request"]["precision"]:
            problems.append(f"precision {best['request']['precision']}, with --only {unit['name']} "
                            f"{alone['request']['precision']}")
    return problems + (check_host(tool, path, flags, best) if best["summary"]["host_competes"] else [])


def check_host(tool, path, flags, competing):
    """A discrete host takes nothing that a module can run: naming the modules alone changes nothing."""
    modules = [unit["name"] for unit in competing["units"] if unit["kind"] != "simd_cpu"]
    code, held, error = run(tool, path, *flags)
    if code != 0:
        return [f"exit {code}: {error}"]
    code, named, error = run(tool, path, *flags, "--only", ",".join(modules))
    if code != 0:
        return [f"--only {','.join(modules)}: exit {code}: {error}"]
    if held["segments"] != named["segments"]:
        return [f"{len(held['segments'])} segments, with --only {','.join(modules)} {len(named['segments'])}"]
    return []


def check_cover(tool, path, flags):
    code, document, error = run(tool, path, *flags)
    if code != 0:
        return [f"exit {code}: {error}"]
    problems, groups_of, segments_of = [], {}, {}
    for group in document["groups"]:
        for node in group["nodes"]:
            groups_of.setdefault(node, []).append(group["id"])
    for segment in document["segments"]:
        for group in segment["groups"]:
            segments_of.setdefault(group, []).append(segment["id"])
    for node in document["nodes"]:
        groups = groups_of.get(node["id"], [])
        placed = node["class"] in PLACED_CLASSES
        if placed and len(groups) != 1:
            problems.append(f"node {node['id']} of class {node['class']} is in groups {groups}")
        if placed and any(len(segments_of.get(group, [])) != 1 for group in groups):
            problems.append(f"node {node['id']} is in segments {[segments_of.get(group) for group in groups]}")
        if not placed and node["class"] not in ("shape", "constant", "view", "dead"):
            problems.append(f"node {node['id']} has class {node['class']}")
    coverage = document["coverage"]
    for key, dead in (("origin", 0), ("classes", coverage["classes"]["dead"])):
        if sum(coverage[key].values()) - dead != coverage["nodes"]:
            problems.append(f"coverage.{key} {coverage[key]} is not all of {coverage['nodes']} nodes")
    return problems


def longest_chain(document):
    """Seconds of the longest chain of groups, each fed by an earlier one, looked at through nodes in no group."""
    owner = {}
    for group in document["groups"]:
        for node in group["nodes"]:
            owner.setdefault(node, group["id"])
    makers = {name: node for node in document["nodes"] for name in node["outputs"] if name}
    feeds = {group["id"]: set() for group in document["groups"]}
    sources = {}
    for node in document["nodes"]:
        found = set()
        for name in node["inputs"]:
            maker = makers.get(name)
            if maker is None or maker["id"] >= node["id"]:
                continue
            found |= {owner[maker["id"]]} if maker["id"] in owner else sources.get(maker["id"], set())
        sources[node["id"]] = found
        if node["id"] in owner:
            feeds[owner[node["id"]]] |= found - {owner[node["id"]]}
    ends = {}
    for group in sorted(document["groups"], key=lambda group: group["start_s"] or 0):
        start = max((ends.get(source, 0) for source in feeds[group["id"]]), default=0)
        ends[group["id"]] = start + (group["time_s"] or 0)
    return max(ends.values(), default=0)


def check_overlap(tool, path, flags):
    code, document, error = run(tool, path, *flags, "--overlap")
    if code != 0:
        return [f"exit {code}: {error}"]
    summary, problems = document["summary"], []
    overlapped = summary["overlap_latency_s"]
    if overlapped > summary["latency_s"]:
        problems.append(f"overlapped {overlapped}, serial {summary['latency_s']}")
    busiest = max((unit["busy_s"] or 0 for unit in document["units"]), default=0)
    if overlapped * ROUNDING < busiest:
        problems.append(f"overlapped {overlapped}, a unit is busy for {busiest}")
    chain = longest_chain(document)
    if overlapped * ROUNDING < chain:
        problems.append(f"overlapped {overlapped}, the longest chain takes {chain}")
    return problems


CHECKS = {"best": check_best, "cover": check_cover, "overlap": check_overlap}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tool")
    parser.add_argument("models")
    parser.add_argument("check", choices=sorted(CHECKS))
    parser.add_argument("--targets", default=TARGETS)
    parser.add_argument("--only", default="")
    parser.add_argument("--every", type=int, default=1)
    options = parser.parse_args()
    models = Folders(options.models)
    if models.lack():
        print(models.lack())
        return SKIPPED
    rows = models.rows(options.only)
    jobs = sampled([(row, target) for row in rows for target in options.targets.split(",")], options.every)

    def check(job):
        row, target = job
        return CHECKS[options.check](options.tool, models.path(row["model"]), ["--target", target, *bind_flags(row)])

    bad = 0
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for (row, target), problems in zip(jobs, pool.map(check, jobs)):
            bad += bool(problems)
            for problem in problems[:4]:
                print(f"{row['model']} on {target}: {problem}")
    print(f"{options.check}: {len(jobs)} runs, {bad} with findings")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
