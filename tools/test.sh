#!/usr/bin/env bash
# Builds and runs all tests in Release. With --all also what has threads and sockets under the sanitizers and, where clang is
# there, the fuzz targets for a bounded time. Installs what is missing first (tools/setup.sh).
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"

sanitized=(wire transport runtime cluster)
started=$SECONDS

build() {
  local preset=$1
  shift
  say "$preset: build ($((SECONDS - started)) s so far)"
  cmake --preset "$preset"
  cmake --build --preset "$preset" "$@"
}

# Runs its arguments with addresses not randomised where that is allowed: ThreadSanitizer needs it on newer kernels.
unrandomised() {
  if setarch -R true 2>/dev/null; then setarch -R "$@"; else "$@"; fi
}

build release
say "release: test"
ctest --preset release

# Longer: everything again under sanitizers and fuzzers, with `tools/test.sh --all`.
if [ "${1:-}" != --all ]; then
  say "done in $((SECONDS - started)) s; sanitizers and libFuzzer runs: tools/test.sh --all"
  exit 0
fi

if command -v clang++ >/dev/null && echo 'extern "C" int LLVMFuzzerTestOneInput(const char*, unsigned long) { return 0; }' |
    clang++ -x c++ -fsanitize=fuzzer,address,undefined - -o /dev/null 2>/dev/null; then
  build fuzz
  say "fuzz"
  ctest --preset fuzz
else
  say "fuzz: skipped, for want of clang with libFuzzer (packages clang and libclang-rt-dev)"
fi

for preset in asan tsan; do
  build "$preset" --target "${sanitized[@]/#/test_}"
  say "$preset: test ($((SECONDS - started)) s so far)"
  unrandomised ctest --preset "$preset" --label-regex "^($(IFS='|'; echo "${sanitized[*]}"))\$"
done
