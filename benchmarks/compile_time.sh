#!/usr/bin/env bash
# What including dgraph costs: compiles one small program for each budget and prints a JSON line with its seconds and
# peak memory. compile_time.sh [COMPILER] [EXTRA FLAGS...]
#   {"peer": "dgraph", "case": "compile graph.hpp", "compiler": "g++ 12.2.0", "seconds": 2.9, "peak_mib": 410, ...}
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

compiler=${1:-c++}
shift || true
flags=(-std=c++20 -O2 -Iinclude "$@")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
version=$("$compiler" -dumpfullversion -dumpversion)

# Seconds and peak MiB of all processes that a command starts, best of two runs.
measure() {
  python3 - "$@" <<'PYTHON'
import resource, subprocess, sys, time
best = None
for _ in range(2):
    start = time.monotonic()
    if subprocess.run(sys.argv[1:]).returncode != 0:
        sys.exit(1)
    seconds = time.monotonic() - start
    best = seconds if best is None else min(best, seconds)
peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
print(f"{best:.2f} {peak:.0f}")
PYTHON
}

# budget NAME SECONDS MIB [FLAG...] with the program on standard input; MIB 0 means no limit.
budget() {
  local name=$1 seconds=$2 mib=$3 took
  shift 3
  cat >"$scratch/unit.cpp"
  if ! took=$(measure "$compiler" "${flags[@]}" "$@" -c "$scratch/unit.cpp" -o "$scratch/unit.o"); then
    printf '{"peer": "dgraph", "case": "compile %s", "compiler": "%s", "error": "does not compile"}\n' "$name" "$compiler $version"
    return
  fi
  printf '{"peer": "dgraph", "case": "compile %s", "compiler": "%s", "seconds": %s, "peak_mib": %s, "budget_s": %s' \
    "$name" "$compiler $version" "${took% *}" "${took#* }" "$seconds"
  [ "$mib" -eq 0 ] || printf ', "budget_mib": %s' "$mib"
  printf '}\n'
}

read -r -d '' client <<'PROGRAM' || true
#include <dgraph/dgraph.hpp>
namespace dg = dgraph;
int main() {
  dg::Graph graph;
  auto building = graph.as_default();
  dg::Variable<float> W = dg::variable("W", dg::zeros<float>({1}));
  xt::xarray<float> x = xt::ones<float>({100});
  auto loss = dg::reduce_mean(dg::square(W * x - 1.f));
  auto train = dg::GradientDescentOptimizer(0.5f).minimize(loss);
  auto init = dg::global_variables_initializer();
  dg::Session<dg::transport::Tcp> session("tcp://127.0.0.1:2222");
  session.run(init);
  session.run({.repeat = 1000}, train);
  auto w = session.run(W);
}
PROGRAM

read -r -d '' server <<'PROGRAM' || true
#include <dgraph/server_main.hpp>
int main(int argc, char** argv) {
  return dgraph::server_main<dgraph::transport::Tcp, dgraph::StandardOps>(argc, argv);
}
PROGRAM

budget "graph.hpp" 5 0 <<'PROGRAM'
#include <dgraph/graph.hpp>
namespace dg = dgraph;
int main() {
  dg::Graph graph;
  auto building = graph.as_default();
  dg::Variable<float> W = dg::variable("W", dg::zeros<float>({1}));
  auto train = dg::GradientDescentOptimizer(0.5f).minimize(dg::reduce_mean(dg::square(W - 1.f)));
}
PROGRAM
budget "client with dgraph::compiled" 5 0 -DDGRAPH_COMPILED=1 <<<"$client"
budget "client header-only" 10 800 <<<"$client"
budget "server main with dgraph::compiled" 5 0 -DDGRAPH_COMPILED=1 <<<"$server"
budget "server main header-only" 60 2048 <<<"$server"
