#!/usr/bin/env bash
# Packs a binary for its platform: an archive with completions and manual pages, a Python wheel, and npm packages.
#
#   packaging/package.sh BINARY TARGET FOLDER
#
# BINARY was built for TARGET, one of targets.tsv, and runs on this machine. All packages hold the same file. Needs python3 with
# `wheel`, and npm.
set -euo pipefail
[ $# -eq 3 ] || { sed -n '2,7s/^# \{0,1\}//p' "$0" >&2; exit 2; }
binary=$(realpath "$1") target=$2
mkdir -p "$3"
output=$(realpath "$3")
cd "$(dirname "$0")/.."

row=$(awk -F'\t' -v target="$target" '$1 == target' packaging/targets.tsv)
[ -n "$row" ] || { echo "error: $target is not in packaging/targets.tsv" >&2; exit 2; }
IFS=$'\t' read -r _ tag os cpu <<<"$row"
version=$("$binary" --version | cut -d' ' -f2)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# The archive. Sorted names, one owner and one time: the same binary gives the same archive.
name=hunkwise-$version-$target
root=$work/$name
mkdir -p "$root/completions"
install -m 755 "$binary" "$root/hunkwise"
cp README.md CHANGELOG.md LICENSE NOTICE "$root"
"$binary" completions bash >"$root/completions/hunkwise.bash"
"$binary" completions zsh >"$root/completions/_hunkwise"
"$binary" completions fish >"$root/completions/hunkwise.fish"
"$binary" man "$root/man/man1"
time=$(git log -1 --format=%ct 2>/dev/null || echo 0)
tar --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$time" -C "$work" -c "$name" | gzip -n >"$output/$name.tar.gz"

# The wheel: the binary is its only script, and RECORD is written by `wheel pack`.
wheel=$work/wheel
mkdir -p "$wheel/hunkwise-$version.data/scripts" "$wheel/hunkwise-$version.dist-info/licenses"
install -m 755 "$binary" "$wheel/hunkwise-$version.data/scripts/hunkwise"
cp LICENSE NOTICE "$wheel/hunkwise-$version.dist-info/licenses"
sed "s/@VERSION@/$version/" packaging/wheel/METADATA >"$wheel/hunkwise-$version.dist-info/METADATA"
cp packaging/wheel/WHEEL "$wheel/hunkwise-$version.dist-info/WHEEL"
tr . '\n' <<<"$tag" | sed 's/^/Tag: py3-none-/' >>"$wheel/hunkwise-$version.dist-info/WHEEL"
SOURCE_DATE_EPOCH=$((time > 315532800 ? time : 315532800)) "${PYTHON:-python3}" -m wheel pack --dest-dir "$output" "$wheel" >&2

# The npm packages: one with the binary for each platform, and the one that people install, which starts it.
platform=$work/npm/$os-$cpu
mkdir -p "$platform"
install -m 755 "$binary" "$platform/hunkwise"
cp LICENSE NOTICE "$platform"
cat >"$platform/package.json" <<JSON
{
  "name": "@hunkwise/$os-$cpu",
  "version": "$version",
  "description": "The binary of hunkwise for $os on $cpu",
  "license": "Apache-2.0",
  "os": ["$os"],
  "cpu": ["$cpu"],
  "files": ["hunkwise", "LICENSE", "NOTICE"]
}
JSON
cp -R packaging/npm/hunkwise "$work/npm/hunkwise"
cp LICENSE NOTICE "$work/npm/hunkwise"
node - "$work/npm/hunkwise/package.json" "$version" packaging/targets.tsv <<'JS'
const fs = require("node:fs");
const [file, version, targets] = process.argv.slice(2);
const rows = fs.readFileSync(targets, "utf8").split("\n").filter((line) => line.includes("\t")).map((line) => line.split("\t"));
const described = JSON.parse(fs.readFileSync(file, "utf8"));
described.version = version;
for (const [, , os, cpu] of rows) described.optionalDependencies[`@hunkwise/${os}-${cpu}`] = version;
fs.writeFileSync(file, JSON.stringify(described, null, 2) + "\n");
JS
(cd "$output" && npm pack --silent "$platform" "$work/npm/hunkwise" >&2)
