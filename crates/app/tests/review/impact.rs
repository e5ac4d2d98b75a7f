//! Uses in unchanged files that a change breaks.

use std::fmt::Write as _;
use std::fs::File;
use std::os::unix::fs::symlink;
use std::process::Command;

use crate::support::{Folder, Run};

const REMOVED: &str = "any/removed-name-still-used";
const CALLERS: &str = "any/signature-callers-not-adapted";
const PRICE: &str = "RATE = 2\n\n\ndef total(prices):\n    return sum(prices) * RATE\n";
const CART: &str =
    "from shop.price import total\n\n\ndef show(cart):\n    return total(cart.prices)\n";

/// A repository with these files, the first of which is then replaced.
fn changed(files: &[(&str, &str)], text: &str) -> Folder {
    let folder = Folder::repository(files);
    folder.write(files[0].0, text);
    folder
}

/// The findings about other files, each with its references.
fn impact(run: &Run) -> Vec<String> {
    let body = run.json();
    let findings = body["findings"].as_array().unwrap().iter();
    let of_rules = findings.filter(|found| {
        [REMOVED, CALLERS]
            .iter()
            .any(|rule| found["ruleId"] == *rule)
    });
    let shown = |found: &serde_json::Value| {
        let references = found["references"].as_array().unwrap().iter();
        let references = references.map(|one| {
            format!(
                " {}:{}",
                one["filePath"].as_str().unwrap(),
                one["lineNumber"]
            )
        });
        let text = |name: &str| found[name].as_str().unwrap().to_owned();
        let places: String = references.collect();
        format!(
            "{}:{} {}{places}",
            text("filePath"),
            found["lineNumber"],
            text("ruleId")
        )
    };
    of_rules.map(shown).collect()
}

fn found(files: &[(&str, &str)], text: &str) -> Vec<String> {
    impact(&changed(files, text).review(&[]))
}

fn renamed(text: &str) -> String {
    text.replace("total", "total_of")
}

#[test]
fn calls_on_lines_that_the_change_adds_are_adapted_to_a_new_result() {
    let account = |methods: &str| {
        format!(
            "package p;\n\nimport java.util.Optional;\n\npublic class Account {{\n{methods}}}\n"
        )
    };
    let plain = "  public String accountNumber() {\n    return number;\n  }\n";
    let wrapped = |name: &str| {
        format!(
            "  public Optional<String> {name}() {{\n    return Optional.ofNullable(number);\n  }}\n"
        )
    };
    let caller = |name: &str| {
        format!(
            "package p;\n\npublic class Page {{\n  void show(Account account) {{\n    send(account.{name}());\n    send(account\n        .{name}());\n  }}\n}}\n"
        )
    };
    let old = account(&format!("{plain}{}", wrapped("accountNumberIfAny")));
    let new = account(&wrapped("accountNumber"));
    let (home, page) = ("src/p/Account.java", "src/p/Page.java");

    let unadapted = found(&[(home, &old), (page, &caller("accountNumber"))], &new);
    assert_eq!(unadapted, [format!("{home}:6 {CALLERS} {page}:5 {page}:7")]);
    let folder = changed(&[(home, &old), (page, &caller("accountNumberIfAny"))], &new);
    folder.write(page, caller("accountNumber"));
    assert_eq!(impact(&folder.review(&[])), Vec::<String>::new());
}

#[test]
fn a_removed_name_that_other_files_import_is_found_for_each_kind_of_change() {
    let folder = changed(
        &[("shop/price.py", PRICE), ("shop/cart.py", CART)],
        &renamed(PRICE),
    );
    let expected = [format!(
        "shop/price.py:4 {REMOVED} shop/cart.py:1 shop/cart.py:5"
    )];
    let run = folder.review(&[]);
    assert_eq!(impact(&run), expected, "{run:?}");
    let summary = run.json()["findings"][0]["summary"]
        .as_str()
        .unwrap()
        .to_owned();
    assert_eq!(
        summary,
        "`total` is removed, but 2 uses are left: shop/cart.py:1, shop/cart.py:5."
    );
    for off in ["hunks", "file"] {
        assert_eq!(
            impact(&folder.review(&["--context", off])),
            [""; 0],
            "{off}"
        );
    }
    assert_eq!(
        impact(&folder.review(&["--context", "repository"])),
        expected
    );
    folder.git(&["add", "."]);
    folder.write("shop/cart.py", "");
    assert_eq!(impact(&folder.review(&["--staged"])), expected);
    assert_eq!(
        impact(&folder.review(&[])),
        [""; 0],
        "the working tree has no use"
    );
    folder.git(&["checkout", "shop/cart.py"]);
    folder.commit("renamed");
    assert_eq!(impact(&folder.review(&["--commit", "HEAD"])), expected);
}

#[test]
fn imports_of_python_are_understood() {
    for (path, use_) in [
        ("shop/cart.py", "from .price import total as t\nt(1)\n"),
        ("cart.py", "import shop.price\nshop.price.total(1)\n"),
        ("cart.py", "import shop.price as p\nx = p.total\n"),
        ("cart.py", "from shop import price\nprice.total(1)\n"),
        ("shop/sub/cart.py", "from ..price import total\n"),
        ("shop/__init__.py", "from .price import total\n"),
    ] {
        let found = found(&[("shop/price.py", PRICE), (path, use_)], &renamed(PRICE));
        assert!(
            found.len() == 1 && found[0].contains(REMOVED),
            "{use_}: {found:?}"
        );
    }
}

#[test]
fn python_that_may_still_work_is_not_reported() {
    for (text, path, use_) in [
        (
            renamed(PRICE),
            "cart.py",
            "from shop.price import *\ntotal(1)\n",
        ),
        (renamed(PRICE), "cart.py", "from shop.other import total\n"),
        (renamed(PRICE), "cart.py", "from price import total\n"),
        (
            renamed(PRICE),
            "cart.py",
            "from shop.price import total_of\ndef total():\n    pass\ntotal()\n",
        ),
        (
            renamed(PRICE),
            "cart.py",
            "try:\n    from shop.price import total\nexcept ImportError:\n    total = sum\n",
        ),
        (
            renamed(PRICE),
            "cart.py",
            "import shop.price as p\nif hasattr(p, 'total'):\n    p.total(1)\n",
        ),
        (
            renamed(PRICE),
            "cart.py",
            "import shop.price as p\np.total = sum\np.total(1)\n",
        ),
        (
            renamed(PRICE),
            "tests/double.py",
            "class Price:\n    def total(self):\n        pass\nPrice().total()\n",
        ),
        (renamed(PRICE) + "\n\ntotal = total_of\n", "cart.py", CART),
        (
            renamed(PRICE) + "\n\nfrom shop.sums import total\n",
            "cart.py",
            CART,
        ),
        (
            renamed(PRICE) + "\n\nfrom shop.sums import *\n",
            "cart.py",
            CART,
        ),
        (
            renamed(PRICE) + "\n\ndef __getattr__(name):\n    return 1\n",
            "cart.py",
            CART,
        ),
    ] {
        let found = found(&[("shop/price.py", PRICE), (path, use_)], &text);
        assert_eq!(found, [""; 0], "{text} {use_}");
    }
}

#[test]
fn a_package_that_re_exports_a_name_still_provides_it() {
    let files = [
        ("shop/__init__.py", "def total(x):\n    return x\n"),
        ("cart.py", "from shop import total\n"),
    ];
    assert_eq!(found(&files, "from .price import total\n"), [""; 0]);
    assert_eq!(found(&files, "from .price import sums\n").len(), 1);
    let module = [files[0], files[1], ("shop/total.py", "")];
    assert_eq!(
        found(&module, "from .price import sums\n"),
        [""; 0],
        "a module has that name"
    );
}

#[test]
fn callers_in_files_of_the_diff_count_by_their_new_text() {
    let folder = changed(
        &[("shop/price.py", PRICE), ("shop/cart.py", CART)],
        &renamed(PRICE),
    );
    folder.write("shop/cart.py", renamed(CART));
    assert_eq!(impact(&folder.review(&[])), [""; 0]);
}

#[test]
fn calls_that_changed_parameters_break_are_found() {
    let header = "def total(prices):";
    for (now, call, is_broken) in [
        ("def total(prices, rate):", "total(1)", true),
        ("def total(prices, *, rate):", "total(1)", true),
        ("def total():", "total(1)", true),
        ("def total(amounts):", "total(prices=1)", true),
        ("def total(amounts):", "total(1)", false),
        ("def total(prices, rate=1):", "total(1)", false),
        ("def total(*prices):", "total(1)", false),
        ("def total(prices, **more):", "total(1)", false),
        ("def total(prices, rate):", "total(*all)", false),
        ("def total(prices, rate):", "total(1, rate=2)", false),
        ("def total(prices, rate):", "map(total, [])", false),
        ("@cached\ndef total(prices, rate):", "total(1)", false),
    ] {
        let cart = format!("from shop.price import total\n\n{call}\n");
        let found = found(
            &[("shop/price.py", PRICE), ("cart.py", &cart)],
            &PRICE.replace(header, now),
        );
        let expected = format!("shop/price.py:4 {CALLERS} cart.py:3");
        assert_eq!(
            found,
            if is_broken {
                vec![expected]
            } else {
                Vec::new()
            },
            "{now} {call}"
        );
    }
    let class = "class Cart:\n    def __init__(self, owner):\n        self.owner = owner\n";
    let files = [
        ("cart.py", class),
        ("shop.py", "from cart import Cart\nCart('me')\n"),
    ];
    let found = found(&files, &class.replace("owner):", "owner, place):"));
    assert_eq!(found, [format!("cart.py:2 {CALLERS} shop.py:2")]);
}

#[test]
fn scripts_are_understood() {
    let price = "export const RATE = 2;\n\nexport function total(prices) {\n  return prices.length * RATE;\n}\n";
    let common =
        "function total(prices) {\n  return prices.length;\n}\n\nmodule.exports = { total };\n";
    for (path, text, use_, is_broken) in [
        (
            "src/price.ts",
            price,
            "import { total } from './price';\ntotal([]);\n",
            true,
        ),
        (
            "src/price.ts",
            price,
            "import { total as t } from './price.js';\nt([]);\n",
            true,
        ),
        (
            "src/price.ts",
            price,
            "import * as price from './price';\nprice.total([]);\n",
            true,
        ),
        (
            "src/price/index.js",
            price,
            "import { total } from './price';\ntotal([]);\n",
            true,
        ),
        (
            "src/price.js", price, "export { total } from './price';\n", true,
        ),
        (
            "src/price.js",
            common,
            "const { total } = require('./price');\ntotal([]);\n",
            true,
        ),
        (
            "src/price.js",
            common,
            "const price = require('./price');\nprice.total([]);\n",
            true,
        ),
        (
            "src/price.js",
            common,
            "import price from './price';\nprice.total([]);\n",
            true,
        ),
        (
            "src/price.ts",
            price,
            "import price from './price';\nprice.total([]);\n",
            false,
        ),
        (
            "src/price.ts",
            price,
            "import { total } from 'price';\ntotal([]);\n",
            false,
        ),
        (
            "src/price.ts",
            price,
            "import { total } from './other';\ntotal([]);\n",
            false,
        ),
        (
            "src/price.ts",
            price,
            "import * as price from './price';\nprice.total?.([]);\n",
            false,
        ),
        (
            "src/price.ts",
            price,
            "import { total } from './price';\njest.mock('./price', () => ({}));\ntotal([]);\n",
            false,
        ),
    ] {
        let found = found(&[(path, text), ("src/cart.js", use_)], &renamed(text));
        assert_eq!(
            found.len(),
            usize::from(is_broken),
            "{path} {use_}: {found:?}"
        );
    }
    let files = [
        ("src/price.ts", price),
        (
            "src/cart.ts",
            "import { total } from './price';\ntotal([]);\n",
        ),
    ];
    let passed_on = "export const RATE = 2;\n\nexport * from './sums';\n";
    assert_eq!(found(&files, passed_on), [""; 0]);
    let more = price.replace("(prices)", "(prices, rate)");
    assert_eq!(
        found(&files, &more),
        [format!("src/price.ts:3 {CALLERS} src/cart.ts:2")]
    );
    let files = [("src/price.js", price), ("src/cart.js", files[1].1)];
    assert_eq!(
        found(&files, &more),
        [""; 0],
        "a script may pass fewer arguments"
    );
}

#[test]
fn all_formats_with_related_places_show_them() {
    let folder = changed(
        &[("shop/price.py", PRICE), ("shop/cart.py", CART)],
        &renamed(PRICE),
    );
    for (format, part) in [
        ("pretty", "used at shop/cart.py:1, shop/cart.py:5"),
        ("agent", "used at shop/cart.py:1, shop/cart.py:5"),
        ("sarif", "\"It is used here.\""),
    ] {
        let run = folder.hunkwise(&["review", "--format", format]);
        assert!(run.stdout.contains(part), "{format}: {run:?}");
    }
}

/// A language: a changed file, the part of it that is replaced and its replacement, another file, and the place of the
/// finding.
type Case = (
    &'static str,
    [&'static str; 4],
    [&'static str; 2],
    &'static str,
);

#[test]
fn functions_are_found_by_name_in_languages_that_import_packages_and_types() {
    const CASES: [Case; 7] = [
        (
            "Go",
            [
                "store/paths.go",
                "package store\n\nfunc JoinPaths(a string) string {\n\treturn a\n}\n",
                "JoinPaths",
                "JoinAll",
            ],
            [
                "web/page.go",
                "package web\n\nimport \"example.org/app/store\"\n\nvar root = store.JoinPaths(\"a\")\n",
            ],
            "store/paths.go:3 any/removed-name-still-used web/page.go:5",
        ),
        (
            "Kotlin",
            [
                "src/Dates.kt",
                "package org.app.dates\n\nfun String.toDate(): Long {\n    return 1L\n}\n",
                "toDate",
                "toDay",
            ],
            [
                "src/Page.kt",
                "package org.app\n\nimport org.app.dates.toDate\n\nval day = text.toDate()\n",
            ],
            "src/Dates.kt:3 any/removed-name-still-used src/Page.kt:3 src/Page.kt:5",
        ),
        (
            "Java",
            [
                "src/Files.java",
                "package org.app;\npublic class Files {\n    static void zip(Path from) {\n        go(from);\n    }\n}\n",
                "Path from",
                "Path from, int level",
            ],
            [
                "src/Backup.java",
                "package org.app;\nclass Backup {\n    void run() {\n        Files.zip(here);\n    }\n}\n",
            ],
            "src/Files.java:3 any/signature-callers-not-adapted src/Backup.java:4",
        ),
        (
            "C#",
            [
                "src/Dates.cs",
                "namespace App;\npublic class Dates\n{\n    public static int Day(int time)\n    {\n        return time;\n    }\n}\n",
                "Day(",
                "DayOf(",
            ],
            [
                "src/Page.cs",
                "namespace App;\npublic class Page\n{\n    public int Show()\n    {\n        return Dates.Day(1);\n    }\n}\n",
            ],
            "src/Dates.cs:4 any/removed-name-still-used src/Page.cs:6",
        ),
        (
            "PHP",
            [
                "app/Dates.php",
                "<?php\nnamespace App;\nclass Dates\n{\n    public static function day($time)\n    {\n        return $time;\n    }\n}\n",
                "day(",
                "dayOf(",
            ],
            [
                "app/Page.php",
                "<?php\nuse App\\Dates;\necho Dates::day($now);\n",
            ],
            "app/Dates.php:5 any/removed-name-still-used app/Page.php:3",
        ),
        (
            "Rust",
            [
                "src/crypto.rs",
                "pub fn new_token() -> String {\n    String::new()\n}\n",
                "new_token",
                "token",
            ],
            [
                "src/mail.rs",
                "use crate::crypto::new_token;\n\nfn send() {\n    post(new_token());\n}\n",
            ],
            "src/crypto.rs:1 any/removed-name-still-used src/mail.rs:1 src/mail.rs:4",
        ),
        (
            "C",
            [
                "src/util.c",
                "int parse_flag(const char *text)\n{\n\treturn text[0];\n}\n",
                "parse_flag",
                "read_flag",
            ],
            [
                "src/config.c",
                "#include \"util.h\"\nint load(const char *text)\n{\n\treturn parse_flag(text);\n}\n",
            ],
            "src/util.c:1 any/removed-name-still-used src/config.c:4",
        ),
    ];
    for (language, [path, text, before, after], other, expected) in CASES {
        let files = [(path, text), (other[0], other[1])];
        let now = text.replace(before, after);
        assert_eq!(found(&files, &now), [expected], "{language}");
        // The change adapts the other file as well.
        let folder = changed(&files, &now);
        let adapted = match before {
            "Path from" => other[1].replace("zip(here)", "zip(here, 1)"),
            name => other[1].replace(name, after),
        };
        folder.write(other[0], &adapted);
        assert_eq!(impact(&folder.review(&[])), [""; 0], "{language}");
    }
}

#[test]
fn names_that_are_too_common_too_short_or_missing_are_ignored() {
    let short = PRICE.replace("total", "sum");
    let files = [
        ("shop/price.py", &*short),
        ("cart.py", "from shop.price import sum\nsum(1)\n"),
    ];
    assert_eq!(
        found(&files, &short.replace("sum(", "add(")),
        [""; 0],
        "a short name"
    );
    let folder = changed(&[("shop/price.py", PRICE)], &renamed(PRICE));
    (0..61).for_each(|at| drop(folder.write(&format!("cart{at}.py"), CART)));
    assert_eq!(impact(&folder.review(&[])), [""; 0], "a common name");
    let mut often = "from shop.price import total\n".to_owned();
    (0..10_000).for_each(|at| writeln!(often, "x{at} = total(1)").unwrap());
    let folder = changed(
        &[("shop/price.py", PRICE), ("cart.py", &often)],
        &renamed(PRICE),
    );
    let run = folder.review(&[]);
    assert_eq!(impact(&run), [""; 0]);
    assert!(run.stdout.contains("a review reads at most"), "{run:?}");
}

#[test]
fn nothing_outside_the_repository_is_read() {
    let outside = Folder::repository(&[("cart.py", CART)]);
    let folder = changed(
        &[("shop/price.py", PRICE), (".gitignore", "ignored.py\n")],
        &renamed(PRICE),
    );
    symlink(
        outside.path().join("cart.py"),
        folder.path().join("link.py"),
    )
    .unwrap();
    symlink(outside.path(), folder.path().join("linked")).unwrap();
    folder.write("ignored.py", CART);
    folder.write(
        "large.py",
        format!("{CART}{}", "# a comment\n".repeat(30_000)),
    );
    folder.git(&[
        "-c",
        "protocol.file.allow=always",
        "submodule",
        "--quiet",
        "add",
        &outside.path().display().to_string(),
        "sub",
    ]);
    let run = folder.review(&[]);
    assert_eq!(impact(&run), [""; 0], "{run:?}");
    assert!(
        run.stdout.contains("not readable"),
        "the large file: {run:?}"
    );
    folder.write(
        "up/cart.js",
        "import { total } from '../../../../shop/price';\ntotal(1);\n",
    );
    assert_eq!(impact(&folder.review(&[])), [""; 0]);
}

#[test]
fn a_very_large_repository_is_searched_near_the_change() {
    let folder = Folder::repository(&[
        ("a/shop/price.py", PRICE),
        (
            "a/web/cart.py",
            "from a.shop.price import total\n\nprint(total([]))\n",
        ),
        (
            "b/cart.py",
            "from a.shop.price import total\n\nprint(total([]))\n",
        ),
        ("a/__init__.py", ""),
        ("a/shop/__init__.py", ""),
    ]);
    // 50,001 entries of one empty file.
    let empty = "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391";
    let entries: String = (0..50_001)
        .map(|at| format!("100644 {empty} 0\tmany/{at}.txt\n"))
        .collect();
    let list = folder.path().join(".git/entries");
    std::fs::write(&list, entries).unwrap();
    let change = |text: &str| {
        folder.write("a/shop/price.py", text);
        folder.git(&["add", "a"]);
        let run = folder.review(&["--staged"]);
        (impact(&run), run)
    };
    let near = "a/shop/price.py:4 any/removed-name-still-used a/web/cart.py:1 a/web/cart.py:3";
    let (all, _) = change(&renamed(PRICE));
    assert_eq!(all, [format!("{near} b/cart.py:1 b/cart.py:3")]);
    change(PRICE);
    let status = Command::new("git")
        .arg("-C")
        .arg(folder.path())
        .args(["update-index", "--index-info"])
        .stdin(File::open(&list).unwrap())
        .status();
    assert!(status.unwrap().success());
    folder.git(&["commit", "-qm", "many"]);
    let (found, run) = change(&renamed(PRICE));
    assert_eq!(found, [near], "{run:?}");
    let note = "only in the folders near the change";
    assert!(run.stdout.contains(note), "{run:?}");
}

/// A method that moves to another file of its package, to another part of its class, to a trait or out of its class is still defined. The
/// last file of each case loses it, the one before gets it, and the first one uses it.
#[test]
fn a_member_that_moves_to_another_file_is_not_removed() {
    let cases: &[[(&str, &str, &str); 3]] = &[
        [
            (
                "store/use.go",
                "package store\n\nfunc show(s *Service) int {\n\treturn s.parseHeader()\n}\n",
                "",
            ),
            (
                "store/parse.go",
                "package store\n",
                "package store\n\nfunc (s *Service) parseHeader() int {\n\treturn s.size()\n}\n",
            ),
            (
                "store/header.go",
                "package store\n\nfunc (s *Service) parseHeader() int {\n\treturn s.size()\n}\n\nfunc (s *Service) size() int {\n\treturn 1\n}\n",
                "package store\n\nfunc (s *Service) size() int {\n\treturn 1\n}\n",
            ),
        ],
        [
            (
                "Page.cs",
                "namespace Shop;\nclass Page\n{\n    int Show(Cart cart) => cart.ItemCount();\n}\n",
                "",
            ),
            (
                "Cart.Items.cs",
                "namespace Shop;\npublic partial class Cart\n{\n}\n",
                "namespace Shop;\npublic partial class Cart\n{\n    public int ItemCount() => 1;\n}\n",
            ),
            (
                "Cart.cs",
                "namespace Shop;\npublic partial class Cart\n{\n    public int ItemCount() => 1;\n    public int Total() => 2;\n}\n",
                "namespace Shop;\npublic partial class Cart\n{\n    public int Total() => 2;\n}\n",
            ),
        ],
        [
            (
                "src/Page.php",
                "<?php\nnamespace Shop;\nclass Page {\n    function show(Cart $cart) { return $cart->itemCount(); }\n}\n",
                "",
            ),
            (
                "src/Counts.php",
                "<?php\nnamespace Shop;\ntrait Counts {\n}\n",
                "<?php\nnamespace Shop;\ntrait Counts {\n    public function itemCount() { return 1; }\n}\n",
            ),
            (
                "src/Cart.php",
                "<?php\nnamespace Shop;\nclass Cart {\n    use Counts;\n    public function itemCount() { return 1; }\n}\n",
                "<?php\nnamespace Shop;\nclass Cart {\n    use Counts;\n}\n",
            ),
        ],
        [
            (
                "Page.kt",
                "package shop\n\nfun show(cart: Cart): Int = cart.itemCount()\n",
                "",
            ),
            (
                "Counts.kt",
                "package shop\n",
                "package shop\n\nfun Cart.itemCount(): Int = 1\n",
            ),
            (
                "Cart.kt",
                "package shop\n\nclass Cart {\n    fun itemCount(): Int = 1\n    fun total(): Int = 2\n}\n",
                "package shop\n\nclass Cart {\n    fun total(): Int = 2\n}\n",
            ),
        ],
    ];
    for case in cases {
        let files = case.map(|(path, old, _)| (path, old));
        let folder = Folder::repository(&files);
        let (taker, loser) = (case[1], case[2]);
        folder.write(loser.0, loser.2);
        let without = folder.review(&[]);
        assert_eq!(impact(&without).len(), 1, "{}: {without:?}", loser.0);
        folder.write(taker.0, taker.2);
        assert_eq!(impact(&folder.review(&[])), [""; 0], "{}", loser.0);
    }
}
