# shellcheck shell=bash
# Sourced by the other scripts: goes to the top of the checkout and sees to it that what dgraph needs is there.
# On Debian and its kin missing packages are installed with apt-get; elsewhere they are named.

cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit

say() { printf '== %s\n' "$*"; }
fail() { printf 'error: %s\n' "$*" >&2; exit 1; }

needed_packages=(g++ cmake ninja-build libasio-dev libcereal-dev libxtensor-dev libxsimd-dev catch2 libcli11-dev)
optional_packages=(libopenblas-dev nlohmann-json3-dev libprotozero-dev)

# Prints those of its arguments that are not installed.
missing_packages() {
  local package
  for package in "$@"; do
    case "$(dpkg-query -W -f '${Status}' "$package" 2>/dev/null)" in
      *' installed') ;;
      *) printf '%s\n' "$package" ;;
    esac
  done
}

apt() {
  local as_root=()
  [ "$(id -u)" -eq 0 ] || as_root=(sudo)
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q -y -o Dpkg::Use-Pty=0 "$@"
}

install_missing_packages() {
  local missing optional
  mapfile -t missing < <(missing_packages "${needed_packages[@]}")
  mapfile -t optional < <(missing_packages "${optional_packages[@]}")
  [ $((${#missing[@]} + ${#optional[@]})) -gt 0 ] || return 0
  if [ "$(id -u)" -ne 0 ] && ! command -v sudo >/dev/null; then
    [ ${#missing[@]} -eq 0 ] || fail "neither root nor sudo; have these installed: ${missing[*]} ${optional[*]}"
    return 0
  fi
  say "missing packages: ${missing[*]} ${optional[*]}"
  apt update || say "apt-get update failed; going on with the lists there are"
  if [ ${#missing[@]} -gt 0 ]; then
    apt install --no-install-recommends "${missing[@]}" || fail "could not install: ${missing[*]}"
  fi
  if [ ${#optional[@]} -gt 0 ]; then
    apt install --no-install-recommends "${optional[@]}" || say "going on without what is optional: ${optional[*]}"
  fi
}

name_missing_tools() {
  local missing=()
  command -v c++ >/dev/null || command -v g++ >/dev/null || command -v clang++ >/dev/null ||
    missing+=("a C++20 compiler (GCC 12 or Clang 14, or newer)")
  command -v cmake >/dev/null || missing+=("CMake 3.25 or newer")
  command -v ninja >/dev/null || missing+=("Ninja")
  command -v git >/dev/null || missing+=("git")
  [ ${#missing[@]} -eq 0 ] && return 0
  printf 'please install: %s\n' "${missing[@]}" >&2
  echo "Asio, cereal, xtensor, CLI11 and Catch2 are used where CMake finds them and fetched otherwise." >&2
  exit 1
}

if command -v apt-get >/dev/null && command -v dpkg-query >/dev/null; then
  install_missing_packages
else
  name_missing_tools
fi

export CMAKE_BUILD_PARALLEL_LEVEL="${CMAKE_BUILD_PARALLEL_LEVEL:-$(nproc 2>/dev/null || echo 2)}"
export CTEST_PARALLEL_LEVEL="${CTEST_PARALLEL_LEVEL:-$CMAKE_BUILD_PARALLEL_LEVEL}"
