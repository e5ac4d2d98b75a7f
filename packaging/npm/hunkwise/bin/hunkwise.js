#!/usr/bin/env node
// Starts the binary of this platform, which npm installed as an optional dependency.
"use strict";

const { spawn } = require("node:child_process");
const os = require("node:os");
const { optionalDependencies } = require("../package.json");

const wanted = `@hunkwise/${process.platform}-${process.arch}`;

function fail(message) {
  console.error(`hunkwise: ${message}`);
  process.exit(3);
}

function binary() {
  if (!(wanted in optionalDependencies)) {
    const known = Object.keys(optionalDependencies).map((name) => name.replace("@hunkwise/", ""));
    fail(
      `there is no binary for ${process.platform}-${process.arch} (there is one for ${known.join(", ")}). ` +
        "Build it from source: cargo install --path crates/app",
    );
  }
  try {
    return require.resolve(`${wanted}/hunkwise`);
  } catch {
    fail(
      `the package ${wanted} is missing. Install again without --omit=optional (--no-optional), and on this platform: ` +
        "a node_modules folder or lock file that was made on another one lacks it",
    );
  }
}

const child = spawn(binary(), process.argv.slice(2), { stdio: "inherit" });
child.on("error", (error) => fail(`${error.message}. If the file lost its permission to run, install again`));

// A signal for this process is meant for the program. What comes from the terminal reaches both, and the program decides.
for (const signal of ["SIGTERM", "SIGHUP", "SIGINT", "SIGQUIT"]) {
  process.on(signal, () => signal === "SIGTERM" || signal === "SIGHUP" ? child.kill(signal) : undefined);
}
child.on("exit", (code, signal) => process.exit(code ?? 128 + os.constants.signals[signal]));
