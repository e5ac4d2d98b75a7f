//! Detects test code by the conventions of the tools that build and run tests.
//!
//! A file is test code if its folder or its name shows it. A folder named `example`, `demo`, `sample`, `spec`, `docs`,
//! `benchmark`, `playground` or `mocks` is not sufficient, because applications have such folders, too. Neither is any
//! folder below a source root (`src`, `app`, `lib`), where a folder is a package; there, the name of the file decides.

/// Folders that contain only tests, even below a source root.
const ALWAYS: &[&str] = &[
    // Jest and Vitest.
    "__tests__", "__mocks__", "__fixtures__", "__snapshots__",    // Cucumber.
    "step_definitions", // The tests of a Java tree in Bazel's layout.
    "javatests",        // Semgrep's rules, each with a file of code that it must find.
    ".semgrep",
];

/// Folders of tests and their data, unless they are below a source root.
const FOLDERS: &[&str] = &[
    // Cargo, Composer, Django, Mix, pub, pytest, sbt, SwiftPM, `node --test`, …
    "test", "tests", // DejaGnu and LLVM.
    "testsuite", "unittests",
    // Cypress, and the folder that Angular and Playwright projects use.
    "cypress", "e2e", // Ignored by the go command.
    "testdata", "test-data", "test_data", "testutil", "testutils", "test-utils", "test_utils",
];

/// Entries of `spec` that only RSpec, rspec-rails, FactoryBot and Jasmine use.
const BELOW_SPEC: &[&str] = &[
    "dummy", "factories", "fixtures", "helpers", "shared", "shared_contexts", "shared_examples",
    "support",
];

/// Folders whose subfolders are packages.
const ROOTS: &[&str] = &["src", "app", "lib"];
/// The same for the languages of the Java virtual machine, whose package names begin with a domain.
const JVM_ROOTS: &[&str] = &[
    "java", "kotlin", "scala", "groovy", "com", "org", "net", "io",
];

const JVM: &[&str] = &["java", "kt", "kts", "groovy", "scala"];
/// Languages whose test projects are folders such as `StoreTests`.
const PROJECTS: &[&str] = &["cs", "fs", "vb", "swift", "m", "mm"];

/// Names of test files, without the extension.
struct Names {
    extensions: &'static [&'static str],
    begin: &'static [&'static str],
    end: &'static [&'static str],
    whole: &'static [&'static str],
}

const NAMES: &[Names] = &[
    // pytest, unittest, Django.
    Names {
        extensions: &["py", "pyi"],
        begin: &["test_"],
        end: &["_test"],
        whole: &["conftest", "tests"],
    },
    // go test.
    Names {
        extensions: &["go"],
        begin: &[],
        end: &["_test"],
        whole: &[],
    },
    // Jest, Vitest, Mocha, Jasmine, Karma, AVA, Deno, `node --test`, Cypress, Playwright, Nest, tsd, Create React App.
    Names {
        extensions: &[
            "js", "jsx", "ts", "tsx", "mjs", "cjs", "mts", "cts", "coffee", "vue", "svelte",
        ],
        begin: &[],
        end: &[
            ".test", ".tests", ".spec", ".cy", ".e2e", ".e2e-spec", ".test-d", ".spec-d", "-test",
            "_test", "-spec", "_spec",
        ],
        whole: &["setupTests", "jest.setup", "vitest.setup"],
    },
    // Surefire, Gradle, JUnit, TestNG. Only below `src/test` is `OrderIT` an integration test, and there every file is test code.
    Names {
        extensions: JVM,
        begin: &[],
        end: &["Test", "Tests", "TestCase"],
        whole: &[],
    },
    // Spock.
    Names {
        extensions: &["groovy"],
        begin: &[],
        end: &["Spec"],
        whole: &[],
    },
    // xUnit, NUnit, MSTest.
    Names {
        extensions: &["cs", "fs", "vb"],
        begin: &[],
        end: &["Test", "Tests", "TestCase"],
        whole: &[],
    },
    // PHPUnit, Codeception.
    Names {
        extensions: &["php"],
        begin: &[],
        end: &["Test", "Cest"],
        whole: &["TestCase"],
    },
    // RSpec, Minitest.
    Names {
        extensions: &["rb"],
        begin: &["test_"],
        end: &["_spec", "_test"],
        whole: &["spec_helper", "rails_helper", "test_helper"],
    },
    // The modules of unit tests that `mod tests;` names.
    Names {
        extensions: &["rs"],
        begin: &[],
        end: &["_test", "_tests"],
        whole: &["tests"],
    },
    // GoogleTest, Catch2, CTest, Unity, KUnit.
    Names {
        extensions: &["c", "cc", "cpp", "cxx", "h", "hh", "hpp", "cu"],
        begin: &["test_"],
        end: &[
            "_test", "_tests", "_unittest", "_kunit", "-test", "Test", "Tests",
        ],
        whole: &[],
    },
    // XCTest.
    Names {
        extensions: &["swift", "m", "mm"],
        begin: &[],
        end: &["Test", "Tests", "TestCase"],
        whole: &[],
    },
    // dart test, flutter test.
    Names {
        extensions: &["dart"],
        begin: &[],
        end: &["_test"],
        whole: &[],
    },
    // ExUnit.
    Names {
        extensions: &["ex", "exs"],
        begin: &[],
        end: &["_test"],
        whole: &["test_helper"],
    },
    // Common Test, EUnit.
    Names {
        extensions: &["erl"],
        begin: &[],
        end: &["_SUITE", "_test", "_tests"],
        whole: &[],
    },
    // clojure.test.
    Names {
        extensions: &["clj", "cljs", "cljc"],
        begin: &[],
        end: &["_test"],
        whole: &[],
    },
    // busted, Crystal's spec.
    Names {
        extensions: &["lua", "cr"],
        begin: &[],
        end: &["_spec", "_test"],
        whole: &[],
    },
    // shUnit2, bash_unit, Bats, prove.
    Names {
        extensions: &["sh", "bash"],
        begin: &["test_"],
        end: &["_test"],
        whole: &[],
    },
    Names {
        extensions: &["bats", "t"],
        begin: &[""],
        end: &[],
        whole: &[],
    },
    // testthat.
    Names {
        extensions: &["r", "R"],
        begin: &["test-", "test_"],
        end: &[],
        whole: &[],
    },
    // terraform test.
    Names {
        extensions: &["hcl"],
        begin: &[],
        end: &[".tftest"],
        whole: &[],
    },
];

/// Settings that only tests read: dotenv, Laravel.
const SETTINGS: &[&str] = &[".env.test", ".env.testing"];

/// Whether the path is that of a test or of a file that only tests use.
#[must_use]
pub fn is_test(path: &str) -> bool {
    let (folders, name) = path.rsplit_once('/').unwrap_or(("", path));
    let (stem, extension) = name.rsplit_once('.').unwrap_or((name, ""));
    match area(folders, extension) {
        // Rails.
        _ if name == "test.rb" && folders.ends_with("config/environments") => true,
        Area::Tests => true,
        Area::Main if JVM.contains(&extension) => false,
        Area::Main | Area::Sources | Area::Open => has_test_name(folders, name, stem, extension),
    }
}

/// The meaning of a file's folders.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Area {
    /// It is test code.
    Tests,
    /// It is in the main source set of a Maven or Gradle build, which never contains tests.
    Main,
    /// It is below a source root.
    Sources,
    /// The folders show nothing.
    Open,
}

fn area(folders: &str, extension: &str) -> Area {
    let is_jvm = JVM.contains(&extension);
    let mut area = Area::Open;
    let mut parent = String::new();
    for folder in folders.split('/') {
        let lower = folder.to_ascii_lowercase();
        let is_always = ALWAYS.contains(&&*lower)
            || extension == "rs" && lower == "tests"
            || extension == "go" && lower == "testdata"
            || area != Area::Main
                && (is_project(folder, extension) || parent == "src" && is_test_set(folder));
        let is_here = area == Area::Open
            && (FOLDERS.contains(&&*lower)
                // The cases of a static analyzer.
                || lower.ends_with("testcases")
                || lower.ends_with("-tests")
                || lower.ends_with("_tests")
                || extension == "rs" && lower == "benches"
                || parent == "spec" && BELOW_SPEC.contains(&&*lower));
        if is_always || is_here {
            return Area::Tests;
        }
        if parent == "src" && (folder == "main" || folder.ends_with("Main")) {
            area = Area::Main;
        } else if area == Area::Open
            && (ROOTS.contains(&&*lower) || is_jvm && JVM_ROOTS.contains(&&*lower))
        {
            area = Area::Sources;
        }
        parent = lower;
    }
    area
}

/// A test project next to the project under test: `Store.Tests` of .NET, `StoreTests` of Xcode.
fn is_project(folder: &str, extension: &str) -> bool {
    let lower = folder.to_ascii_lowercase();
    lower
        .rsplit_once('.')
        .is_some_and(|(name, end)| !name.is_empty() && (end == "test" || end.ends_with("tests")))
        || PROJECTS.contains(&extension)
            && folder.len() > "Tests".len()
            && folder.ends_with("Tests")
}

/// A test source set, by the names that Maven and Gradle use for folders of `src`: `test`, `androidTest`,
/// `testFixtures`.
fn is_test_set(folder: &str) -> bool {
    let is_variant = |rest: &str| rest.starts_with(|c: char| c.is_ascii_uppercase());
    matches!(folder, "test" | "tests")
        || folder.ends_with("Test")
        || folder.strip_prefix("test").is_some_and(is_variant)
}

fn has_test_name(folders: &str, name: &str, stem: &str, extension: &str) -> bool {
    let is_one_of = |names: &Names| {
        names.extensions.contains(&extension)
            && (names.whole.contains(&stem)
                || names.begin.iter().any(|begin| stem.starts_with(begin))
                || names.end.iter().any(|end| stem.ends_with(end)))
    };
    let is_jasmine = || {
        folders.split('/').next() == Some("spec")
            && matches!(extension, "js" | "mjs")
            && stem.ends_with("Spec")
    };
    SETTINGS.contains(&name)
        || folders.is_empty() && matches!(name, "test.js" | "test.mjs" | "test.ts")
        || is_jasmine()
        || NAMES.iter().any(is_one_of)
}

#[cfg(test)]
mod tests {
    use super::is_test;

    /// One line per convention, so that each row of the tables is needed.
    const TESTS: &str = "
        tests/a.py  test/a.rb  a/tests/b/c.txt  Tests/AppTests/a.swift  a/test_b.py  a/b_test.py  src/foo/tests/test_a.py
        app/tests/test_views.py  src/shop/orders/tests.py  conftest.py  src/acme/conftest.py  pandas/tests/frame/common.py
        a/b_test.go  src/foo/x_test.go  src/foo/testdata/a.go  testdata/a.json  internal/testutil/db.go
        src/x.spec.ts  src/x.test.tsx  lib/x.test.mjs  src/foo/__tests__/x.js  app/__mocks__/fs.js  src/app.e2e-spec.ts
        src/setupTests.ts  web/jest.setup.js  cypress/support/commands.js  web/e2e/login.ts  src/a.cy.js  src/x-test.js  test.js
        spec/fooSpec.js  spec/support/jasmine.json  src/types.test-d.ts  src/__snapshots__/a.snap
        src/test/java/com/acme/A.java  core/src/test/resources/a.yml  app/src/androidTest/java/a/B.kt
        src/integrationTest/java/com/acme/OrderIT.java  src/test/java/com/acme/OrderIT.java  src/testFixtures/java/a/B.java
        src/commonTest/kotlin/A.kt  src/FooTest.java  a/FooTests.kt  a/FooTestCase.java  src/test/java/com/acme/app/lib/A.java
        javatests/com/acme/A.java  a/StoreSpec.groovy  spotbugsTestCases/src/java/A.java
        src/Store.Tests/Issues/Door.cs  Store.UnitTests/a.json  src/StoreTests/Door.cs  src/Store/DoorTests.cs
        tests/Unit/UserTest.php  src/Foo/UserTest.php  src/a/LoginCest.php
        spec/models/user_spec.rb  spec/spec_helper.rb  spec/support/auth.rb  spec/factories/users.rb  lib/user_spec.rb
        spec/fixtures/a.yml  test/test_helper.rb  features/step_definitions/login.rb
        crates/x/tests/a.rs  benches/a.rs  src/tests.rs  src/foo/tests.rs  src/foo/tests/unit.rs  src/parse_tests.rs
        base/files_unittest.cc  lib/crc_kunit.c  src/test_parse.c  src/LexerTest.cpp  llvm/unittests/A.cpp
        AppUITests/Login.swift  lib/counter_test.dart  apps/web/lib/a_test.exs  src/a_SUITE.erl  src/core_test.clj
        lib/a_spec.lua  bin/run.bats  t/basic.t  a/test-mean.R  modules/vpc.tftest.hcl  integration-tests/a.py  .env.test";

    const NO_TESTS: &str = "
        src/main/java/com/example/shop/A.java  src/main/java/com/acme/demo/A.java  src/main/java/com/acme/test/A.java
        src/main/java/org/springframework/samples/petclinic/Owner.java  src/main/java/com/acme/tests/A.kt
        src/main/java/com/acme/SpeedTest.java  src/main/kotlin/com/acme/ABTest.kt  src/commonMain/kotlin/ABTest.kt
        app/src/main/java/com/example/test/Main.java  java/com/acme/test/A.java  com/acme/testing/A.java
        api/KeySpec.java  api/PodSpec.java  a/AUDIT.java  a/OrderIT.java  src/main/java/com/acme/OrderIT.java  a/PodSpec.kt
        src/acme/testing/x.py  src/acme/tests/helpers.py  lib/tests/a.py  app/tests/factory.py  lib/test/a.js
        src/contest.py  src/latest.js  src/attestation/a.go  src/Limit.java  src/unit.rs  src/Contest.cs  src/Latest.php
        services/demo/client.py  apps/docs/server.py  src/samples/api.py  internal/example/h.py  apps/docs/user.go
        examples/tutorial/flaskr/db.py  playground/a.ts  benchmark/run.py  benchmarks/a.go  mocks/a.go  spec/a.rb
        docs/conf.py  evals/run.py  specs/a.py  sample/a.cs  demos/a.php  fixtures/a.json  testing/a.py  spec/openapi.yaml
        src/test_not_run.rs  src/rules/test.rs  src/testing.rs  src/rules/benches/a.rs  src/commands/test.ts  app/test/page.tsx
        src/testing/a.ts  web/testimonials/a.js  src/Testimonial.cs  src/protest.go  go.test.md  src/best.test.conf
        Protests/march.cs.txt  src/pytest/config.py  k8s/deploy-test.yaml  values.test.yaml";

    #[test]
    fn test_code_is_recognized_by_the_conventions_of_the_tools() {
        for path in TESTS.split_whitespace() {
            assert!(is_test(path), "{path} is test code");
        }
    }

    #[test]
    fn ordinary_code_is_not_test_code() {
        for path in NO_TESTS.split_whitespace() {
            assert!(!is_test(path), "{path} is not test code");
        }
    }

    #[test]
    fn package_folders_are_never_test_code() {
        for root in [
            "src", "app", "lib", "src/main/java/com/acme", "core/src/main/kotlin",
        ] {
            for folder in [
                "test", "tests", "testing", "spec", "example", "demo", "sample", "docs", "mocks",
                "e2e",
            ] {
                for name in ["A.java", "a.py", "a.go", "a.ts", "A.cs", "a.rb"] {
                    let path = format!("{root}/shop/{folder}/{name}");
                    assert!(!is_test(&path), "{path}");
                }
            }
        }
    }
}
