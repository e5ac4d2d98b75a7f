//! The memory limit of this process: that of its control group (the container), otherwise the memory of the machine.

use std::fs;
use std::path::{Path, PathBuf};

/// Half of the memory, in bytes; `None` if it is unknown.
pub(super) fn half() -> Option<usize> {
    Some(usize::try_from(total(Path::new("/"))?).unwrap_or(usize::MAX) / 2)
}

/// The smallest limit that applies to this process. System files are below `root`.
fn total(root: &Path) -> Option<u64> {
    let groups = fs::read_to_string(root.join("proc/self/cgroup")).unwrap_or_default();
    let limits = groups.lines().flat_map(|line| limits(root, line));
    limits.chain(of_machine(root)).min()
}

/// The limits of a control group and its parents. The line is `0::PATH` for version 2, `NUMBER:memory:PATH` for version
/// 1.
fn limits(root: &Path, line: &str) -> Vec<u64> {
    let mut parts = line.splitn(3, ':').skip(1);
    let (folder, file) = match parts.next() {
        Some("") => ("sys/fs/cgroup", "memory.max"),
        Some(controllers) if controllers.split(',').any(|name| name == "memory") => {
            ("sys/fs/cgroup/memory", "memory.limit_in_bytes")
        }
        _ => return Vec::new(),
    };
    // In a container, the path may be outside of the container. Its own group is then the top folder.
    let path = PathBuf::from(parts.next().unwrap_or_default().trim_start_matches('/'));
    let top = root.join(folder);
    let files = path.ancestors().map(|group| top.join(group).join(file));
    // Without a limit, version 2 has `max` and version 1 a number beyond any memory.
    files
        .filter_map(|file| fs::read_to_string(file).ok()?.trim().parse().ok())
        .collect()
}

/// All memory of the machine.
fn of_machine(root: &Path) -> Option<u64> {
    let info = fs::read_to_string(root.join("proc/meminfo")).ok()?;
    let kib = info
        .lines()
        .find_map(|line| line.strip_prefix("MemTotal:")?.trim().strip_suffix(" kB"))?;
    kib.trim().parse::<u64>().ok()?.checked_mul(1024)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::total;

    /// The memory limit in a system with these files.
    fn total_of(files: &[(&str, &str)]) -> Option<u64> {
        let root = tempfile::tempdir().unwrap();
        for (path, text) in files {
            let path = root.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        total(root.path())
    }

    const MACHINE: (&str, &str) = (
        "proc/meminfo",
        "MemTotal:        8000 kB\nMemFree:  10 kB\n",
    );

    #[test]
    fn without_a_limit_the_machines_memory_counts() {
        assert_eq!(total_of(&[]), None);
        assert_eq!(total_of(&[MACHINE]), Some(8_192_000));
        let unlimited = [
            MACHINE,
            ("proc/self/cgroup", "0::/\n"),
            ("sys/fs/cgroup/memory.max", "max\n"),
        ];
        assert_eq!(total_of(&unlimited), Some(8_192_000));
        let unlimited = [
            MACHINE,
            ("proc/self/cgroup", "4:memory:/\n"),
            (
                "sys/fs/cgroup/memory/memory.limit_in_bytes",
                "9223372036854771712\n",
            ),
        ];
        assert_eq!(total_of(&unlimited), Some(8_192_000));
    }

    #[test]
    fn the_smallest_limit_of_the_enclosing_groups_counts() {
        let nested = [
            MACHINE,
            ("proc/self/cgroup", "0::/a/b\n"),
            ("sys/fs/cgroup/a/memory.max", "1000\n"),
            ("sys/fs/cgroup/a/b/memory.max", "2000\n"),
            ("sys/fs/cgroup/other/memory.max", "1\n"),
        ];
        assert_eq!(total_of(&nested), Some(1_000));
    }

    #[test]
    fn a_version_1_container_has_its_limit_at_the_top() {
        let files = [
            MACHINE,
            (
                "proc/self/cgroup",
                "5:cpu,cpuacct:/x\n4:memory:/docker/0123\n",
            ),
            ("sys/fs/cgroup/memory/memory.limit_in_bytes", "3000\n"),
            ("sys/fs/cgroup/memory.max", "1\n"),
        ];
        assert_eq!(total_of(&files), Some(3_000));
    }
}
