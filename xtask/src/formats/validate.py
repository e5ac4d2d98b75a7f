#!/usr/bin/env python3
"""Validates each output format with validators of others, for the diffs of a folder.

    pip install jsonschema junitparser markdown-it-py
    python3 xtask/src/formats/validate.py target/release/hunkwise CORPUS [--limit 200]

The schema of SARIF comes out of the crate `serde-sarif`, which ships the one of OASIS; cargo fetches it.
"""

import argparse
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import jsonschema
from junitparser import JUnitXml
from markdown_it import MarkdownIt

TEXT = {"type": "string", "minLength": 1}
LINE = {"type": "integer", "minimum": 1}

# https://docs.gitlab.com/ci/testing/code_quality/#code-quality-report-format
GITLAB_POSITION = {
    "type": "object",
    "required": ["line"],
    "properties": {"line": LINE, "column": LINE},
    "additionalProperties": False,
}
GITLAB = {
    "type": "array",
    "items": {
        "type": "object",
        "required": ["description", "check_name", "fingerprint", "severity", "location"],
        "properties": {
            "description": TEXT,
            "check_name": TEXT,
            "fingerprint": TEXT,
            "severity": {"enum": ["info", "minor", "major", "critical", "blocker"]},
            "location": {
                "type": "object",
                "required": ["path"],
                # Either of the two, as the page above has them.
                "oneOf": [{"required": ["lines"]}, {"required": ["positions"]}],
                "additionalProperties": False,
                "properties": {
                    "path": {"type": "string", "pattern": "^(?!\\./)"},
                    "lines": {"type": "object", "required": ["begin"], "properties": {"begin": LINE}},
                    "positions": {
                        "type": "object",
                        "required": ["begin"],
                        "properties": {"begin": GITLAB_POSITION, "end": GITLAB_POSITION},
                        "additionalProperties": False,
                    },
                },
            },
        },
    },
}

# https://github.com/reviewdog/reviewdog/tree/master/proto/rdf
POSITION = {"type": "object", "properties": {"line": LINE, "column": LINE}, "additionalProperties": False}
RANGE = {"type": "object", "properties": {"start": POSITION, "end": POSITION}, "additionalProperties": False}
RDJSONL = {
    "type": "object",
    "required": ["message", "location"],
    "additionalProperties": False,
    "properties": {
        "message": TEXT,
        "location": {
            "type": "object",
            "required": ["path"],
            "properties": {"path": TEXT, "range": RANGE},
            "additionalProperties": False,
        },
        "severity": {"enum": ["UNKNOWN_SEVERITY", "ERROR", "WARNING", "INFO"]},
        "source": {"type": "object", "properties": {"name": TEXT, "url": TEXT}, "additionalProperties": False},
        "code": {"type": "object", "properties": {"value": TEXT, "url": TEXT}, "additionalProperties": False},
        "suggestions": {"type": "array"},
        "original_output": TEXT,
    },
}

# https://docs.github.com/actions/reference/workflows-and-actions/workflow-commands#setting-an-error-message
PROPERTY = r"(?:(?:line|endLine|col|endColumn)=[1-9][0-9]*|(?:file|title)=[^,:]*)"
ANNOTATION = re.compile(rf"::(error|warning|notice) {PROPERTY}(,{PROPERTY})*::.*")


def sarif_schema():
    """The schema that the crate `serde-sarif` ships."""
    with tempfile.TemporaryDirectory() as folder:
        manifest = Path(folder, "Cargo.toml")
        manifest.write_text('[package]\nname = "x"\nedition = "2021"\n[lib]\npath = "x"\n[dependencies]\nserde-sarif = "0.8"\n')
        command = ["cargo", "metadata", "--format-version", "1", "--manifest-path", str(manifest)]
        packages = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)["packages"]
    crate = next(package for package in packages if package["name"] == "serde-sarif")
    return json.loads(Path(crate["manifest_path"]).with_name("src").joinpath("schema.json").read_text())


class Validator:
    def __init__(self):
        schema = sarif_schema()
        kind = jsonschema.validators.validator_for(schema)
        self.sarif_schema = kind(schema)

    def sarif(self, text, body):
        log = json.loads(text)
        self.sarif_schema.validate(log)
        run = log["runs"][0]
        assert len(run["results"]) == len(body["findings"]), "results"
        assert len(run["invocations"][0]["toolExecutionNotifications"]) == len(body["metadata"]["warnings"])

    def gitlab(self, text, body):
        issues = json.loads(text)
        jsonschema.validate(issues, GITLAB)
        assert len({issue["fingerprint"] for issue in issues}) == len(body["findings"]), "fingerprints"

    def rdjsonl(self, text, body):
        lines = text.splitlines() if text.isascii() else text.split("\n")[:-1]
        assert len(lines) == len(body["findings"]), "lines"
        for line in lines:
            jsonschema.validate(json.loads(line), RDJSONL)

    def github(self, text, body):
        lines = text.split("\n")[:-1]
        assert len(lines) == len(body["findings"]) + len(body["metadata"]["warnings"]), "lines"
        for line in lines:
            assert ANNOTATION.fullmatch(line), line

    def junit(self, text, body):
        report = JUnitXml.fromstring(text.encode())
        cases = [case for suite in report for case in suite]
        assert report.tests == len(cases), "tests"
        assert report.failures == sum(any(result.__class__.__name__ == "Failure" for result in case.result) for case in cases)

    def markdown(self, text, body):
        assert len(text) <= 65_000, "length"
        tokens = MarkdownIt("commonmark").parse(text)
        items = sum(token.type == "list_item_open" for token in tokens)
        expected = len(body["findings"]) + len(body["metadata"]["warnings"])
        assert items == expected or "too much for a comment" in text, f"{items} items, {expected} expected"
        for token in tokens:
            assert token.type != "html_block" or token.content.startswith(("<details>", "</details>")), token.content

    def agent(self, text, body):
        lines = text.split("\n")[:-1]
        assert lines[-1].startswith("sum\t") and all("\t" in line for line in lines)
        assert "\x1b" not in text


FORMATS = ["sarif", "gitlab", "rdjsonl", "github", "junit", "markdown", "agent"]


def check(binary, diff, validator):
    """The faults of one diff's outputs; None for a diff that is not reviewed."""
    with tempfile.TemporaryDirectory() as folder:
        targets = [f"--format={name}={folder}/{name}" for name in ["json", *FORMATS]]
        command = [binary, "review", str(diff), "--no-project-config", "--fail-on", "P3", *targets]
        run = subprocess.run(command, capture_output=True, text=True)
        if run.returncode not in (0, 1):
            return None
        read = lambda name: Path(folder, name).read_bytes().decode()
        body = json.loads(read("json"))
        faults = []
        for name in FORMATS:
            try:
                getattr(validator, name)(read(name), body)
            except Exception as error:
                faults.append(f"{diff}: {name}: {str(error).splitlines()[:1]}")
        return faults


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("binary", help="the program")
    parser.add_argument("corpus", type=Path, help="a folder of .diff and .patch files")
    parser.add_argument("--limit", type=int, default=200, help="diffs to look at")
    arguments = parser.parse_args()
    diffs = sorted(path for path in arguments.corpus.rglob("*") if path.suffix in (".diff", ".patch"))
    step = max(1, len(diffs) // arguments.limit)
    validator = Validator()
    outcomes = [check(arguments.binary, diff, validator) for diff in diffs[::step][: arguments.limit]]
    faults = [fault for outcome in outcomes if outcome for fault in outcome]
    print(*faults, sep="\n")
    reviewed = sum(outcome is not None for outcome in outcomes)
    print(f"{reviewed} of {len(outcomes)} diffs reviewed, {len(faults)} faults")
    sys.exit(bool(faults) or not reviewed)


if __name__ == "__main__":
    main()
