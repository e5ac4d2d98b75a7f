//! Output files in the checkout of a pull request that contains symbolic links.

use std::fs;
use std::os::unix::fs::symlink;

use crate::support::{BAD, Folder, GOOD, finish};

/// A checkout with a change that has a finding, a baseline, and links to a file and to the folder of the user's home.
fn checkout(home: &Folder) -> Folder {
    let folder = Folder::repository(&[("a.py", GOOD)]);
    let fingerprint = "0".repeat(32);
    let gone =
        format!("{{\"path\":\"a.py\",\"rule\":\"any/x\",\"fingerprint\":\"{fingerprint}\"}}");
    home.write(
        ".bashrc",
        format!("{{\"version\": 1, \"findings\": [{gone}]}}"),
    );
    symlink(home.path().join(".bashrc"), folder.path().join("file")).unwrap();
    symlink(home.path().join("new"), folder.path().join("dangling")).unwrap();
    symlink(home.path(), folder.path().join("folder")).unwrap();
    folder.commit("links");
    folder.write("a.py", BAD);
    folder
}

#[test]
fn no_command_writes_through_a_link_of_the_checkout() {
    let home = Folder::new();
    let folder = checkout(&home);
    let before = fs::read_to_string(home.path().join(".bashrc")).unwrap();
    for (arguments, status) in [
        (&["review", "--format", "sarif=file"][..], 3),
        (&["review", "--format", "sarif=dangling"], 3),
        (&["review", "--format", "sarif=folder/.bashrc"], 3),
        (&["review", "--output", "folder/new"], 3),
        (&["review", "--fix", "--format", "json=file"], 3),
        (&["review", "--write-baseline", "file"], 3),
        (&["review", "--write-baseline", "folder/new"], 3),
        (&["baseline", "prune", "file"], 3),
        (&["baseline", "prune", "folder/.bashrc"], 3),
        (&["rules", "export", "folder"], 2),
        (&["rules", "export", "folder/rules"], 2),
        (&["man", "folder"], 3),
    ] {
        let run = folder.hunkwise(arguments);
        assert_eq!(run.status, status, "{arguments:?}: {run:?}");
        let message = |line: &&str| {
            line.contains("cannot ")
                && line.contains("symbolic link")
                && line.contains("; remove the link or ")
        };
        assert_eq!(
            run.stderr.lines().filter(message).count(),
            1,
            "{arguments:?}: {}",
            run.stderr
        );
        let files: Vec<_> = fs::read_dir(home.path())
            .unwrap()
            .map(|entry| entry.unwrap().file_name())
            .collect();
        assert_eq!(files, [".bashrc"], "{arguments:?}");
        assert_eq!(
            fs::read_to_string(home.path().join(".bashrc")).unwrap(),
            before,
            "{arguments:?}"
        );
    }
}

#[test]
fn links_below_a_folder_of_pages_are_not_followed() {
    let (home, folder) = (Folder::new(), Folder::repository(&[("a.py", GOOD)]));
    fs::create_dir(folder.path().join("pages")).unwrap();
    symlink(home.path(), folder.path().join("pages/any")).unwrap();
    symlink(
        home.path().join("new"),
        folder.path().join("pages/hunkwise.1"),
    )
    .unwrap();
    for arguments in [&["rules", "export", "pages"][..], &["man", "pages"]] {
        let run = folder.hunkwise(arguments);
        assert!(
            run.status != 0 && run.stderr.contains("symbolic link"),
            "{run:?}"
        );
    }
    assert_eq!(fs::read_dir(home.path()).unwrap().count(), 0);
}

#[test]
fn a_link_affects_only_its_own_format() {
    let home = Folder::new();
    let folder = checkout(&home);
    let run = folder.hunkwise(&[
        "review", "--format", "sarif=file", "--format", "gitlab=out.json", "--format", "agent",
    ]);
    assert_eq!(run.status, 3, "{run:?}");
    assert!(
        run.stdout.starts_with("a.py:1\t") && folder.path().join("out.json").is_file(),
        "{run:?}"
    );
    assert!(
        run.stderr
            .contains("cannot write file: it is a symbolic link"),
        "{run:?}"
    );
}

#[test]
fn files_outside_of_the_checkout_are_written() {
    let (home, folder) = (Folder::new(), Folder::repository(&[("a.py", GOOD)]));
    folder.write("a.py", BAD);
    fs::create_dir(home.path().join("results")).unwrap();
    symlink("results", home.path().join("latest")).unwrap();
    let into = format!("json={}", home.path().join("latest/review.json").display());
    let mut command = folder.command_with_hunkwise("bash");
    let script = "hunkwise review --format \"$0\" --format json=/dev/stdout --format gitlab=/dev/null --format agent=>(cat >&2)";
    let run = finish(command.args(["-c", &format!("{script}; wait"), &into]));
    let written = fs::read_to_string(home.path().join("results/review.json")).unwrap();
    assert_eq!((run.status, run.findings().len()), (0, 1), "{run:?}");
    assert!(
        written.contains("\"a.py\"") && run.stderr.contains("a.py:1\t"),
        "{run:?}"
    );
}

#[test]
fn one_file_under_two_names_is_one_destination() {
    let folder = Folder::repository(&[("a.py", GOOD)]);
    folder.write("a.py", BAD);
    fs::create_dir(folder.path().join("sub")).unwrap();
    for other in ["./x", "sub/../x", "sub/./../x"] {
        let run = folder.hunkwise(&[
            "review",
            "--format",
            "json=x",
            "--format",
            &format!("sarif={other}"),
        ]);
        assert_eq!(
            (run.status, folder.path().join("x").exists()),
            (2, false),
            "{run:?}"
        );
        assert!(
            run.stderr.contains("several formats would be written to x"),
            "{run:?}"
        );
    }
}
