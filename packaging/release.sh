#!/usr/bin/env bash
# Makes a release: builds the static binary of each Linux target that this machine can build, packs it, and adds an SBOM, release
# notes and checksums. Publishes nothing.
#
#   packaging/release.sh [--dry-run] FOLDER [TARGET…]
#
# Without TARGET: this machine's own. Needs rustup, musl-gcc (Debian: musl-tools), python3 with venv, and npm. For another
# architecture also its musl compiler, named in CC_<target>. --dry-run accepts changes that are not committed, and a CHANGELOG whose
# section is still called Unreleased.
set -euo pipefail
dry=false
if [ "${1:-}" = --dry-run ]; then dry=true; shift; fi
[ $# -ge 1 ] || { sed -n '2,9s/^# \{0,1\}//p' "$0" >&2; exit 2; }
mkdir -p "$1"
output=$(realpath "$1")
shift
cd "$(dirname "$0")/.."
[ $# -gt 0 ] || set -- "$(uname -m)-unknown-linux-musl"
fail() { echo "error: $1" >&2; exit 2; }

version=$(sed -n '/^\[workspace.package\]/,/^\[/s/^version = "\(.*\)"/\1/p' Cargo.toml)
section=$version
if ! grep -qF "## [$version]" CHANGELOG.md; then
  $dry || fail "CHANGELOG.md has no section [$version]: rename [Unreleased]"
  section=Unreleased
fi
$dry || [ -z "$(git status --porcelain)" ] || fail 'there are changes that are not committed'

tools=${CARGO_TARGET_DIR:-target}/release-tools
python3 -m venv "$tools"
"$tools/bin/pip" install --quiet --disable-pip-version-check --only-binary=:all: wheel==0.47.0
cargo install --quiet --locked --root "$tools" cargo-cyclonedx@0.5.9

for target in "$@"; do
  grep -q "^$target	" packaging/targets.tsv || fail "$target is not in packaging/targets.tsv"
  rustup target add "$target"
  compiler=CC_${target//-/_}
  if [ -z "${!compiler:-}" ]; then
    [ "${target%%-*}" = "$(uname -m)" ] || fail "set $compiler to a compiler for $target"
    export "$compiler=musl-gcc"
  fi
  cargo build --locked --profile dist --package hunkwise --features telemetry --target "$target"
  PYTHON=$tools/bin/python packaging/package.sh "${CARGO_TARGET_DIR:-target}/$target/dist/hunkwise" "$target" "$output"
  # Of the crates that this target links, and no others.
  "$tools/bin/cargo-cyclonedx" cyclonedx --quiet --manifest-path crates/app/Cargo.toml --features telemetry --format json --spec-version 1.5 \
    --target "$target" --no-build-deps --override-filename hunkwise-sbom
  mv crates/app/hunkwise-sbom.json "$output/hunkwise-$version-$target.cdx.json"
  find crates xtask fuzz -name 'hunkwise-sbom.json' -delete
done

# The section of this version, without its heading.
awk -v heading="## [$section]" 'index($0, heading) == 1 { on = 1; next } /^## \[/ { on = 0 } on' CHANGELOG.md |
  sed '/./,$!d' >"$output/release-notes.md"
[ -s "$output/release-notes.md" ] || fail "CHANGELOG.md says nothing of $section"

(cd "$output" && find . -maxdepth 1 -type f ! -name SHA256SUMS -printf '%f\n' | sort | xargs sha256sum >SHA256SUMS)
ls -l "$output"
