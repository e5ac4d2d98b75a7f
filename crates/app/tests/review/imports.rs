//! Imports of names and files that the repository does not have, and calls that do not fit the imported function.

use std::fmt::Write as _;
use std::os::unix::fs::symlink;

use crate::support::{Folder, Run};

const PRICE: &str = "RATE = 2\n\n\ndef total(prices):\n    return sum(prices) * RATE\n";
const RULES: [&str; 2] = ["any/import-not-found", "any/wrong-arguments-for-import"];
const PACKAGE: (&str, &str) = ("shop/__init__.py", "");

/// The findings about imports: place, rule and summary.
fn found(run: &Run) -> Vec<String> {
    let body = run.json();
    let findings = body["findings"].as_array().unwrap().iter();
    let shown = findings.filter_map(|found| {
        let rule = found["ruleId"].as_str()?;
        if !RULES.contains(&rule) {
            return None;
        }
        Some(format!(
            "{}:{} {rule}: {}",
            found["filePath"].as_str()?,
            found["lineNumber"],
            found["summary"].as_str()?
        ))
    });
    shown.collect()
}

/// A repository with these files, to which a change adds or writes another one.
fn written(files: &[(&str, &str)], path: &str, text: &str) -> Folder {
    let folder = Folder::repository(files);
    folder.write(path, text);
    folder
}

#[test]
fn missing_names_and_files_are_found_on_each_side_of_a_change() {
    let text =
        "from shop.price import totals\nfrom shop.taxes import rate\n\nprint(totals([]), rate)\n";
    let folder = written(&[PACKAGE, ("shop/price.py", PRICE)], "cart.py", text);
    let expected = [
        "cart.py:1 any/import-not-found: `shop/price.py` has no `totals`, but `total`",
        "cart.py:2 any/import-not-found: `shop.taxes` leads to `shop/taxes.py`, which does not exist",
    ];
    assert_eq!(found(&folder.review(&[])), expected);
    folder.git(&["add", "."]);
    folder.write("shop/price.py", "totals = sum\n");
    folder.write("shop/taxes.py", "rate = 2\n");
    assert_eq!(found(&folder.review(&["--staged"])), expected);
    assert_eq!(found(&folder.review(&[])), [""; 0], "in the working tree");
    folder.git(&[
        "-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "two",
    ]);
    assert_eq!(found(&folder.review(&["--commit", "HEAD"])), expected);
    assert_eq!(
        found(&folder.review(&["--commit", "HEAD", "--context", "file"])),
        [""; 0]
    );
}

#[test]
fn calls_with_wrong_arguments_are_found_in_files_of_the_change_too() {
    let folder = written(&[PACKAGE, ("shop/price.py", PRICE)], "cart.py", "");
    folder.write("shop/price.py", "def total(prices, rate):\n    return 1\n");
    folder.write("shop/tax.py", "def tax(price, *, rate=1):\n    return 1\n");
    folder.write(
        "cart.py",
        "from shop import price\nfrom shop.tax import tax\nimport shop.price as own\n\n\
         print(tax(1, 2), tax(1, rate=2))\nprint(own.total([1]))\nprint(own.total([2]))\n",
    );
    assert_eq!(
        found(&folder.review(&[])),
        [
            "cart.py:5 any/wrong-arguments-for-import: `tax` of shop/tax.py:1 takes at most 1 argument by position",
            "cart.py:6 any/wrong-arguments-for-import: `total` of shop/price.py:1 requires `rate`",
        ]
    );
    let run = folder.review(&[]);
    let finding = &run.json()["findings"][0];
    assert_eq!(finding["priority"], "P1", "{finding}");
    assert_eq!(
        finding["references"][0]["filePath"], "shop/tax.py",
        "{finding}"
    );
}

#[test]
fn files_that_git_ignores_may_be_generated() {
    let text = "from shop.schema import Order\nfrom shop.orders import total\nimport shop.gone\n\nprint(Order, total, shop)\n";
    let folder = written(
        &[PACKAGE, (".gitignore", "schema.py\norders/\n")],
        "cart.py",
        text,
    );
    let expected = [
        "cart.py:3 any/import-not-found: `shop.gone` leads to `shop/gone.py`, which does not exist",
    ];
    assert_eq!(found(&folder.review(&[])), expected);
    folder.write("shop/schema.py", "x = 1\n");
    assert_eq!(
        found(&folder.review(&[])),
        expected,
        "an ignored file is not read"
    );
}

#[test]
fn a_comment_suppresses_a_finding_and_unchanged_imports_are_left_alone() {
    let before = "from shop.gone import first\n\n\nprint(first)\n";
    let files = [PACKAGE, ("cart.py", before)];
    let after =
        |line: &str| format!("from shop.gone import first\n{line}\n\nprint(first, other)\n");
    let plain = after("from shop.lost import other");
    let folder = written(&files, "cart.py", &plain);
    assert_eq!(
        found(&folder.review(&[])),
        [
            "cart.py:2 any/import-not-found: `shop.lost` leads to `shop/lost.py`, which does not exist"
        ]
    );
    let comment = "  # hunkwise:ignore any/import-not-found the build writes it";
    folder.write(
        "cart.py",
        after(&format!("from shop.lost import other{comment}")),
    );
    let run = folder.review(&[]);
    assert_eq!(found(&run), [""; 0], "{run:?}");
    let suppressed = &run.json()["metadata"]["suppressedFindings"][0]["finding"]["ruleId"];
    assert_eq!(suppressed, "any/import-not-found", "{run:?}");
}

#[test]
fn nothing_outside_the_repository_is_read() {
    let outside = Folder::repository(&[("price.py", PRICE)]);
    let folder = Folder::repository(&[PACKAGE, ("web/a.js", "")]);
    symlink(
        outside.path().join("price.py"),
        folder.path().join("shop/price.py"),
    )
    .unwrap();
    folder.write(
        "cart.py",
        "from shop.price import totals\n\nprint(totals)\n",
    );
    folder.write(
        "web/cart.js",
        "import { total } from '../../../../shop/price';\ntotal(1);\n",
    );
    let run = folder.review(&[]);
    assert_eq!(found(&run), [""; 0], "{run:?}");
}

#[test]
fn more_files_than_the_limit_are_a_warning() {
    let mut files = vec![("shop/__init__.py".to_owned(), String::new())];
    let mut text = String::new();
    for at in 0..120 {
        files.push((
            format!("shop/part{at}.py"),
            "def total():\n    return 1\n".to_owned(),
        ));
        let _ = writeln!(text, "from shop.part{at} import totals as totals{at}");
    }
    let files: Vec<(&str, &str)> = files
        .iter()
        .map(|(path, text)| (path.as_str(), text.as_str()))
        .collect();
    let run = written(&files, "cart.py", &text).review(&[]);
    assert_eq!(found(&run).len(), 100, "{run:?}");
    assert!(
        run.stdout
            .contains("were not all read: a review reads at most"),
        "{run:?}"
    );
}
