use std::fs;
use std::io::Read as _;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

use super::{create_folder, locate, write};

/// A checkout, and a home folder that links in the checkout point to.
struct Setting(TempDir);

impl Setting {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir_all(folder.path().join("checkout/.git")).unwrap();
        fs::create_dir_all(folder.path().join("checkout/sub")).unwrap();
        fs::create_dir(folder.path().join("home")).unwrap();
        fs::write(folder.path().join("home/.bashrc"), "mine").unwrap();
        Self(folder)
    }

    fn at(&self, path: &str) -> PathBuf {
        self.0.path().join(path)
    }

    fn link(&self, to: &str, from: &str) {
        symlink(to, self.at(from)).unwrap();
    }

    /// All files in the home folder, so that a test detects any change.
    fn home(&self) -> Vec<(PathBuf, String)> {
        let entries = fs::read_dir(self.at("home"))
            .unwrap()
            .map(|entry| entry.unwrap().path());
        entries
            .map(|path| (path.clone(), fs::read_to_string(path).unwrap()))
            .collect()
    }
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap()
}

#[test]
fn a_file_is_created_or_replaced_without_leftovers() {
    let setting = Setting::new();
    for file in ["checkout/sub/new.json", "checkout/./sub/../sub/new.json"] {
        write(&setting.at(file), b"a long first text").unwrap();
        write(&setting.at(file), b"second").unwrap();
        assert_eq!(read(&setting.at("checkout/sub/new.json")), "second");
    }
    assert_eq!(fs::read_dir(setting.at("checkout/sub")).unwrap().count(), 1);
}

#[test]
fn a_file_gets_the_permissions_of_any_new_file() {
    let setting = Setting::new();
    let (theirs, ours) = (setting.at("theirs"), setting.at("ours"));
    fs::write(&theirs, "").unwrap();
    write(&ours, b"").unwrap();
    let mode = |file: &Path| fs::metadata(file).unwrap().permissions().mode();
    assert_eq!(mode(&ours), mode(&theirs));
}

#[test]
fn a_hard_link_to_the_old_file_keeps_the_old_content() {
    let setting = Setting::new();
    fs::hard_link(setting.at("home/.bashrc"), setting.at("checkout/out.json")).unwrap();
    write(&setting.at("checkout/out.json"), b"new").unwrap();
    assert_eq!(
        (
            read(&setting.at("checkout/out.json")),
            read(&setting.at("home/.bashrc"))
        ),
        ("new".into(), "mine".into())
    );
}

#[test]
fn no_link_of_a_checkout_is_followed() {
    let setting = Setting::new();
    setting.link("../home/.bashrc", "checkout/file");
    setting.link("../home/new", "checkout/dangling");
    setting.link("file", "checkout/chain");
    setting.link("../home", "checkout/folder");
    setting.link("../../home", "checkout/sub/folder");
    let before = setting.home();
    for file in ["file", "dangling", "chain", "folder", "sub/../file"] {
        let error = write(&setting.at("checkout").join(file), b"{}").unwrap_err();
        assert!(
            error.starts_with("cannot write ") && error.contains("it is a symbolic link"),
            "{error}"
        );
        assert!(
            error.contains("remove the link or name another file") && !error.contains('\n'),
            "{error}"
        );
    }
    for file in [
        "folder/.bashrc", "folder/new", "sub/folder/new", "sub/../folder/none/../new",
    ] {
        let error = write(&setting.at("checkout").join(file), b"{}").unwrap_err();
        assert!(
            error.contains("folder is a symbolic link in a checkout")
                && error.contains("name the folder"),
            "{error}"
        );
        let error = create_folder(&setting.at("checkout").join(file)).unwrap_err();
        assert!(
            error.starts_with("cannot create the folder ") && error.contains("is a symbolic link"),
            "{error}"
        );
    }
    assert!(create_folder(&setting.at("checkout/folder")).is_err());
    assert_eq!(setting.home(), before);
    assert!(setting.at("checkout/file").is_symlink());
}

#[test]
fn a_checkout_is_recognized_through_links_and_from_outside() {
    let setting = Setting::new();
    setting.link("checkout", "outside");
    setting.link("../home", "checkout/folder");
    write(&setting.at("outside/out.json"), b"{}").unwrap();
    assert_eq!(read(&setting.at("checkout/out.json")), "{}");
    assert!(
        write(&setting.at("outside/folder/out.json"), b"{}")
            .unwrap_err()
            .contains("in a checkout")
    );
    assert!(
        write(&setting.at("outside"), b"{}")
            .unwrap_err()
            .contains("it is a symbolic link")
    );
    assert!(!setting.at("home/out.json").exists());
}

#[test]
fn folders_outside_of_a_checkout_may_be_links() {
    let setting = Setting::new();
    setting.link("home", "alias");
    write(&setting.at("alias/out.json"), b"{}").unwrap();
    create_folder(&setting.at("alias/a/b")).unwrap();
    assert!(setting.at("home/out.json").is_file() && setting.at("home/a/b").is_dir());
    let by_both_names =
        ["alias/a/x", "home/./a/b/../x"].map(|path| locate(&setting.at(path)).unwrap());
    assert_eq!(by_both_names[0], by_both_names[1]);
}

#[test]
fn a_missing_folder_or_a_folder_in_place_of_the_file_is_named() {
    let setting = Setting::new();
    let error = write(&setting.at("none/out.json"), b"").unwrap_err();
    assert!(
        error.ends_with(&format!(
            "the folder {} does not exist; create it first",
            setting.at("none").display()
        )),
        "{error}"
    );
    let error = write(&setting.at("home"), b"").unwrap_err();
    assert!(
        error.ends_with("home: it is a folder; name a file"),
        "{error}"
    );
}

#[test]
fn pipes_and_devices_are_written_to() {
    let setting = Setting::new();
    let pipe = setting.at("checkout/pipe");
    assert!(
        Command::new("mkfifo")
            .arg(&pipe)
            .status()
            .unwrap()
            .success()
    );
    let reader = std::thread::spawn({
        let pipe = pipe.clone();
        move || read(&pipe)
    });
    write(&pipe, b"through the pipe").unwrap();
    assert_eq!(reader.join().unwrap(), "through the pipe");
    write(Path::new("/dev/null"), b"gone").unwrap();
    assert!(!Path::new("/dev/null").is_file());
}

#[test]
#[cfg(target_os = "linux")]
fn an_open_file_is_appended_to() {
    use std::os::fd::AsRawFd as _;

    let mut file = tempfile::tempfile().unwrap();
    for folder in ["/dev/fd", "/proc/self/fd"] {
        write(
            &Path::new(folder).join(file.as_raw_fd().to_string()),
            b"text;",
        )
        .unwrap();
    }
    let mut text = String::new();
    file.read_to_string(&mut text).unwrap();
    assert_eq!(text, "text;text;");
}

#[test]
#[cfg(target_os = "linux")]
fn a_read_only_folder_is_named_and_the_old_file_is_kept() {
    use rustix::thread::{CapabilitySet, capabilities, set_capabilities};

    let setting = Setting::new();
    fs::set_permissions(setting.at("home"), fs::Permissions::from_mode(0o555)).unwrap();
    let file = setting.at("home/.bashrc");
    // Root may write anywhere. Capabilities belong to a thread, so other tests keep theirs.
    let without_privileges = std::thread::spawn(move || {
        let mut sets = capabilities(None).unwrap();
        sets.effective.remove(CapabilitySet::DAC_OVERRIDE);
        set_capabilities(None, sets).unwrap();
        write(&file, b"new")
    });
    let error = without_privileges.join().unwrap().unwrap_err();
    assert!(
        error.contains("home is not writable (")
            && error.ends_with("; name a file in another folder"),
        "{error}"
    );
    assert_eq!(
        setting.home(),
        [(setting.at("home/.bashrc"), "mine".to_owned())]
    );
}
