#!/usr/bin/env bash
# Generates the API clients from docs/openapi.json, checks their types together with their examples, and writes them to a folder.
#
#   clients/generate.sh python|typescript FOLDER
#
# Needs python3 with venv, or node with npm.
[ -n "${BASH_VERSION:-}" ] || exec bash "$0" "$@" # run as `sh clients/generate.sh`
set -euo pipefail
[ $# -eq 2 ] || { sed -n '2,6s/^# \{0,1\}//p' "$0" >&2; exit 2; }
mkdir -p "$2"
output=$(realpath "$2")
cd "$(dirname "$0")"

case $1 in
python)
  python3 -m venv "$output/venv"
  "$output/venv/bin/pip" install --quiet --disable-pip-version-check --requirement python/requirements.txt
  PATH=$output/venv/bin:$PATH openapi-python-client generate --path ../docs/openapi.json --config python/generator.yaml --meta pdm \
    --output-path "$output/hunkwise-client" --overwrite
  "$output/venv/bin/pip" install --quiet --disable-pip-version-check "$output/hunkwise-client"
  "$output/venv/bin/mypy" --strict --cache-dir "$output/mypy" "$output/hunkwise-client/hunkwise_client" python/example.py
  ;;
typescript)
  cp typescript/* "$output"
  cd "$output"
  npm ci --silent --no-audit --no-fund --ignore-scripts
  npx --no-install openapi-ts --input "$OLDPWD/../docs/openapi.json" --output client --silent
  npx --no-install tsc
  ;;
*)
  echo "error: $1 is neither python nor typescript" >&2
  exit 2
  ;;
esac
