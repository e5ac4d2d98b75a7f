#!/usr/bin/env bash
# Installs the packages of a folder that package.sh made into clean environments, without a network, and reviews a change with each.
#
#   packaging/test.sh FOLDER TARGET
set -euo pipefail
[ $# -eq 2 ] || { sed -n '2,5s/^# \{0,1\}//p' "$0" >&2; exit 2; }
packages=$(realpath "$1") target=$2
work=$(mktemp -d)
trap 'chmod -R u+w "$work"; rm -rf "$work"' EXIT
fail() { echo "error: $1" >&2; exit 1; }

# A repository with a defect in its uncommitted change.
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1
git init -q "$work/project"
cd "$work/project"
printf 'def total(prices):\n    return sum(prices)\n' >cart.py
git add . && git -c user.name=a -c user.email=a@example.com commit -qm first
printf 'def total(prices, seen=[]):\n    seen.append(1)\n    return sum(prices)\n' >cart.py

review() { # NAME COMMAND…: one finding and status 1, and a version that says what it was built from
  local name=$1 status=0
  shift
  "$@" review --fail-on P3 --format agent >"$work/found" 2>"$work/errors" || status=$?
  [ $status -eq 1 ] || fail "$name: status $status instead of 1: $(cat "$work/errors")"
  grep -q 'cart.py:1.*python/mutable-default-argument' "$work/found" || fail "$name: $(cat "$work/found")"
  "$@" --version --json | grep -q '"rules"' || fail "$name: --version --json"
  echo "$name: installed, and found what it should"
}

# From the archive.
tar -xzf "$packages"/hunkwise-*-"$target".tar.gz -C "$work"
root=$(echo "$work"/hunkwise-*-"$target")
for file in README.md LICENSE completions/hunkwise.bash completions/_hunkwise completions/hunkwise.fish man/man1/hunkwise-review.1; do
  [ -s "$root/$file" ] || fail "the archive lacks $file"
done
review archive "$root/hunkwise"

# With pip.
python3 -m venv "$work/python"
"$work/python/bin/pip" install --quiet --disable-pip-version-check --no-index --find-links "$packages" hunkwise
review pip "$work/python/bin/hunkwise"

# With npm. It asks the registry for optional packages of other platforms, and goes on without them.
npm install --silent --global --prefix "$work/node" --cache "$work/cache" --offline --no-audit --no-fund \
  "$packages"/hunkwise-linux-*.tgz "$packages"/hunkwise-[0-9]*.tgz
review npm "$work/node/bin/hunkwise"

# The home need not be writable, and no package asks for a network.
mkdir -m 500 "$work/home"
HOME=$work/home HTTPS_PROXY=http://127.0.0.1:9 review 'npm, with a read-only home and a proxy that is down' "$work/node/bin/hunkwise"

# What the launcher says where there is nothing to start.
modules=$work/node/lib/node_modules
refused() { # PLATFORM WORDS
  local message status=0
  message=$(node -e 'Object.defineProperty(process, "platform", { value: process.argv[1] }); require(process.argv[2])' \
    "$1" "$modules/hunkwise/bin/hunkwise.js" 2>&1) || status=$?
  [[ $status -eq 3 && $message == *"$2"* ]] || fail "launcher on $1: status $status: $message"
}
refused plan9 'there is no binary for plan9-'
rm -r "$modules"/@hunkwise
refused linux 'is missing. Install again'
echo 'launcher: says what is missing'
