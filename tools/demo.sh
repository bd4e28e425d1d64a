#!/usr/bin/env bash
# Builds dgraph and shows it at work: a graph over four server processes (example 02), then two workers that share
# variables on two parameter servers (example 03). Installs what is missing first (tools/setup.sh).
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"

scratch=$(mktemp -d)
children=()

stop_children() {
  [ ${#children[@]} -gt 0 ] || return 0
  kill "${children[@]}" 2>/dev/null || true
  # Servers stop within 2 s of SIGTERM; one that does not is not left behind.
  for _ in $(seq 30); do
    kill -0 "${children[@]}" 2>/dev/null || break
    sleep 0.1
  done
  kill -9 "${children[@]}" 2>/dev/null || true
  wait "${children[@]}" 2>/dev/null || true
  children=()
}
trap 'stop_children; rm -rf "$scratch"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

# start_servers SERVER CLUSTER: one process for each task of "job=address,address;job=address", until all are ready.
start_servers() {
  local server=$1 cluster=$2 entry job addresses task
  local entries=() logs=()
  IFS=';' read -ra entries <<<"$cluster"
  for entry in "${entries[@]}"; do
    job=${entry%%=*}
    IFS=',' read -ra addresses <<<"${entry#*=}"
    for task in "${!addresses[@]}"; do
      logs+=("$scratch/$job-$task.log")
      "$server" --job "$job" --task "$task" --cluster "$cluster" >"$scratch/$job-$task.log" 2>&1 &
      children+=($!)
    done
  done
  for task in "${!logs[@]}"; do
    for _ in $(seq 100); do
      [ -s "${logs[$task]}" ] && break
      kill -0 "${children[$task]}" 2>/dev/null || { cat "${logs[$task]}"; fail "a server did not start"; }
      sleep 0.05
    done
    [ -s "${logs[$task]}" ] || fail "a server was not ready within 5 s"
    sed -n "1s|^|   $(basename "${logs[$task]}" .log): |p" "${logs[$task]}"
  done
}

say "build"
cmake --preset release
cmake --build --preset release

bin=build/release/examples
mapfile -t ports < <(build/release/tools/free_ports 4)

say "one client, one graph over four servers (examples/02_in_graph)"
start_servers "$bin/server" \
  "canshu=127.0.0.1:${ports[0]},127.0.0.1:${ports[1]};gongzuo=127.0.0.1:${ports[2]},127.0.0.1:${ports[3]}"
"$bin/02_in_graph" "tcp://127.0.0.1:${ports[0]}"
stop_children

mapfile -t ports < <(build/release/tools/free_ports 4)
cluster="ps=127.0.0.1:${ports[0]},127.0.0.1:${ports[1]};worker=127.0.0.1:${ports[2]},127.0.0.1:${ports[3]}"
say "two workers, a graph each, variables shared on two servers (examples/03_between_graph)"
start_servers "$bin/server" "$cluster"
workers=()
for task in 0 1; do
  "$bin/03_between_graph" --cluster "$cluster" --task "$task" &
  workers+=($!)
  children+=($!)
done
for pid in "${workers[@]}"; do wait "$pid"; done
stop_children
say "done"
