#!/usr/bin/env python3
"""Runs dgraph_bench, other programs' scripts for the same work and the floor in turn, and prints the ratios by case.

    benchmarks/compare.py [--bench build/release/benchmarks/dgraph_bench] [--peers FOLDER] [--floor SOURCE]
                          [--rounds 3] [case ...]

Each program prints one JSON line a case: {"peer": ..., "case": ..., figures}. Figures of one machine mean little; the
ratios, taken from programs run in turn, mean more. A ratio above 1 says that dgraph is that many times better.
Cases, if given, are passed to dgraph_bench and choose the peers' lines by name.
"""
import argparse
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile

IDENTITY = ("bytes", "ps", "nodes", "batch", "ranks", "repeat")
HIGHER_IS_BETTER = ("per_s", "mb_per_s", "examples_per_s", "steps_per_s")
LOWER_IS_BETTER = ("p50_us", "p99_us", "us_per_node", "seconds", "build_s", "first_run_s", "rss_mib", "peak_mib")

# How each script is run; one that is not here is run without arguments.
PEER_ARGUMENTS = {"tf_ingraph.py": [[], ["--local"]]}
NOT_A_PEER = ("common.py",)

# The floor under name, and what it is asked for: steps, polling in microseconds, steps a request.
FLOOR_CASE = "four-server linear regression step"
FLOOR_RUNS = (
    ("floor asleep", [5000, 0, 1], {}),
    ("floor polling", [20000, 100, 1], {}),
    ("floor polling", [50000, 100, 1000], {"repeat": 1000}),
)


def lines_of(command, timeout):
    """The JSON lines that a command prints, or none, with a word, if it fails."""
    name = " ".join(pathlib.Path(part).name for part in command)
    print(f"# {name}", file=sys.stderr, flush=True)
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=timeout)
    except (OSError, subprocess.TimeoutExpired) as error:
        print(f"#   skipped: {error}", file=sys.stderr)
        return []
    if done.returncode != 0:
        last = (done.stderr.strip().splitlines() or ["no message"])[-1]
        print(f"#   failed: {last}", file=sys.stderr)
    found = []
    for line in done.stdout.splitlines():
        if line.startswith("{"):
            found.append(json.loads(line))
    return found


def floor_lines(program):
    """The floor prints text; this is the same as JSON lines."""
    found = []
    for name, arguments, identity in FLOOR_RUNS:
        done = subprocess.run([program, *map(str, arguments)], capture_output=True, text=True, timeout=120)
        words = done.stdout.replace(",", "").split()
        found.append({"peer": name, "case": FLOOR_CASE, **identity, "per_s": float(words[1]),
                      "p50_us": float(words[4]), "p99_us": float(words[7])})
    return found


def key(line):
    return (line["case"], *((name, line[name]) for name in IDENTITY if name in line))


def commands(arguments, scratch):
    """One callable a program, in the order in which a round runs them."""
    runs = [lambda: lines_of([arguments.bench, *arguments.case], 1200)]
    if arguments.floor:
        program = str(pathlib.Path(scratch) / "floor")
        subprocess.run([arguments.compiler, "-O2", "-std=c++20", arguments.floor, "-o", program], check=True)
        runs.append(lambda: floor_lines(program))
    for script in sorted(pathlib.Path(arguments.peers).glob("*.py")) if arguments.peers else []:
        if script.name in NOT_A_PEER:
            continue
        for extra in PEER_ARGUMENTS.get(script.name, [[]]):
            command = [arguments.python, str(script), *extra]
            runs.append(lambda command=command: lines_of(command, 1200))
    return runs


def table(lines):
    """Rows of (case, figure, ours, peer, theirs, ratio), from medians over the rounds."""
    figures = {}
    for line in lines:
        for name in HIGHER_IS_BETTER + LOWER_IS_BETTER:
            if isinstance(line.get(name), (int, float)):
                figures.setdefault((key(line), name), {}).setdefault(line["peer"], []).append(line[name])
    for (case, name), by_peer in figures.items():
        medians = {peer: statistics.median(values) for peer, values in by_peer.items()}
        ours = medians.pop("dgraph", None)
        for peer, theirs in medians.items():
            if not ours or not theirs:
                continue
            ratio = ours / theirs if name in HIGHER_IS_BETTER else theirs / ours
            title = " ".join([case[0], *(f"{part}={value}" for part, value in case[1:])])
            yield title, name, ours, peer, theirs, ratio


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    top = pathlib.Path(__file__).resolve().parent.parent
    parser.add_argument("--bench", default=str(top / "build/release/benchmarks/dgraph_bench"))
    parser.add_argument("--peers", help="folder of the peers' scripts")
    parser.add_argument("--floor", help="source of the floor program")
    parser.add_argument("--python", default=sys.executable, help="interpreter that has the peers installed")
    parser.add_argument("--compiler", default="c++")
    parser.add_argument("--rounds", type=int, default=1, help="how often each program is run, in turn")
    parser.add_argument("case", nargs="*")
    arguments = parser.parse_args()

    lines = []
    with tempfile.TemporaryDirectory() as scratch:
        runs = commands(arguments, scratch)
        for _ in range(arguments.rounds):
            for run in runs:
                for line in run():
                    print(json.dumps(line), flush=True)
                    lines.append(line)
    if arguments.case:
        lines = [line for line in lines if any(case in line["case"] for case in arguments.case)]

    rows = list(table(lines))
    if not rows:
        print("no case was run by dgraph and by another program", file=sys.stderr)
        return
    print(f"\n{'case':<52} {'figure':<14} {'dgraph':>12} {'other':>12} {'ratio':>8}  peer")
    for case, name, ours, peer, theirs, ratio in rows:
        print(f"{case:<52} {name:<14} {ours:>12.6g} {theirs:>12.6g} {ratio:>8.2f}  {peer}")


if __name__ == "__main__":
    main()
