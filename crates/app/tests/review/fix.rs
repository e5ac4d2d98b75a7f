//! `hunkwise review --fix`: replacements in the files of a checkout.

use std::fs;

use crate::support::{Folder, added};

const OLD: &str = "import os\n\n\ndef publish(path, mode):\n    return path\n";
const NEW: &str = "import os\n\n\ndef publish(path, mode):\n    os.chmod(path, 644)\n    if mode is \"fast\":\n        raise NotImplemented\n    return path\n";
const FIXED: &str = "import os\n\n\ndef publish(path, mode):\n    os.chmod(path, 0o644)\n    if mode == \"fast\":\n        raise NotImplementedError\n    return path\n";

fn changed(new: &str) -> Folder {
    let folder = Folder::repository(&[("src/a.py", OLD)]);
    folder.write("src/a.py", new);
    folder
}

fn content(folder: &Folder) -> String {
    fs::read_to_string(folder.path().join("src/a.py")).unwrap()
}

#[test]
fn fixable_findings_are_fixed_and_no_longer_reported() {
    let folder = changed(NEW);
    let before = folder.review(&[]);
    let replaced = |finding: &serde_json::Value| finding["replacement"].is_object();
    assert_eq!(
        before.json()["findings"]
            .as_array()
            .unwrap()
            .iter()
            .filter(|one| replaced(one))
            .count(),
        3
    );
    let run = folder.review(&["--fix"]);
    assert_eq!(content(&folder), FIXED);
    assert!(
        run.stderr.contains("fixed 3 findings in 1 file"),
        "{}",
        run.stderr
    );
    assert_eq!((run.status, run.findings()), (0, Vec::<String>::new()));
}

#[test]
fn files_keep_their_line_endings_and_invalid_utf8() {
    let crlf = |text: &str| [text.replace('\n', "\r\n").as_bytes(), b"# \xe9\r\n"].concat();
    let folder = Folder::repository(&[]);
    folder.write("src/a.py", crlf(OLD));
    folder.commit("old");
    folder.write("src/a.py", crlf(NEW));
    let run = folder.review(&["--fix"]);
    assert_eq!(
        fs::read(folder.path().join("src/a.py")).unwrap(),
        crlf(FIXED),
        "{}",
        run.stderr
    );
}

#[test]
fn a_patch_changes_nothing_until_it_is_applied() {
    let folder = changed(NEW);
    let run = folder.hunkwise(&["review", "--fix", "--diff"]);
    assert_eq!((content(&folder).as_str(), run.status), (NEW, 1));
    folder.write("fix.patch", &run.stdout);
    folder.git(&["apply", "fix.patch"]);
    assert_eq!(content(&folder), FIXED);
}

#[test]
fn a_file_that_no_longer_matches_the_diff_is_left_alone() {
    let folder = changed(NEW);
    folder.git(&["add", "."]);
    let edited = NEW.replace("    return path", "    return [path]");
    folder.write("src/a.py", &edited);
    let run = folder.review(&["--staged", "--fix"]);
    assert_eq!((content(&folder), run.status), (edited, 1));
    assert!(
        run.stderr
            .contains("src/a.py:5: not fixed: the file has changed since the diff"),
        "{}",
        run.stderr
    );
}

#[test]
fn only_new_findings_in_added_code_are_fixed() {
    let old = format!("{OLD}\n\ndef old(path):\n    os.chmod(path, 755)\n");
    let folder = Folder::repository(&[("src/a.py", &old)]);
    let new = old.replace(
        "    return path\n",
        "    os.chmod(path, 644)\n    return path\n",
    );
    folder.write("src/a.py", &new);
    folder.review(&["--write-baseline", "known.json"]);
    assert_eq!(
        folder.review(&["--baseline", "known.json", "--fix"]).status,
        0
    );
    assert_eq!(content(&folder), new, "the baseline has it");
    folder.review(&["--fix"]);
    assert_eq!(
        content(&folder),
        new.replace("644", "0o644"),
        "755 is old code"
    );
}

#[test]
fn a_diff_file_and_a_folder_without_git_are_refused() {
    let folder = Folder::new();
    let run = folder.review_text(added("a.py", "x = 1\n"), &["--fix"]);
    assert!(
        run.status == 2 && run.stderr.contains("leave out FILE"),
        "{}",
        run.stderr
    );
    assert_eq!(folder.review(&["--fix"]).status, 2);
    assert_eq!(
        folder.hunkwise(&["review", "--diff"]).status,
        2,
        "it needs --fix"
    );
}
