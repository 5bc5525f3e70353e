//! The memory that is available.

use std::fs::read_to_string;
use std::path::{Path, PathBuf};

/// The number of mebibytes that this process can still take: what Linux reports as available, within the limits of the
/// process's control groups. `None` on other systems.
pub fn available_mebibytes() -> Option<u64> {
    let system = 1024 * field(Path::new("/proc/meminfo"), "MemAvailable:")?;
    let groups = control_groups(&read_to_string("/proc/self/cgroup").unwrap_or_default());
    Some(groups.iter().filter_map(|group| left_in(group)).fold(system, u64::min) >> 20)
}

/// The directories of the control groups that limit memory, and of their parent groups, from the lines of
/// `/proc/self/cgroup`: `0::/path` of version 2, `5:memory:/path` of version 1.
fn control_groups(lines: &str) -> Vec<PathBuf> {
    let groups = lines.lines().filter_map(|line| {
        let (controllers, path) = line.split_once(':')?.1.split_once(':')?;
        let root = match controllers {
            "" => "/sys/fs/cgroup",
            _ if controllers.split(',').any(|controller| controller == "memory") => "/sys/fs/cgroup/memory",
            _ => return None,
        };
        let group = Path::new(root).join(path.trim_start_matches('/'));
        Some(
            group
                .ancestors()
                .take_while(|parent| parent.starts_with(root))
                .map(Path::to_path_buf)
                .collect::<Vec<_>>(),
        )
    });
    groups.flatten().collect()
}

/// The number of bytes that a control group may still take; `None` if it has no limit. Cached files count for the
/// group, but the system drops them when memory is needed.
fn left_in(group: &Path) -> Option<u64> {
    [("memory.max", "anon"), ("memory.limit_in_bytes", "total_rss")].into_iter().find_map(|(limit, used)| {
        let limit: u64 = read_to_string(group.join(limit)).ok()?.trim().parse().ok()?;
        Some(limit.saturating_sub(field(&group.join("memory.stat"), used).unwrap_or(0)))
    })
}

/// The number after a name at the start of a line.
fn field(file: &Path, name: &str) -> Option<u64> {
    let text = read_to_string(file).ok()?;
    let mut lines = text.lines().map(str::split_ascii_whitespace);
    lines.find_map(|mut words| if words.next() == Some(name) { words.next()?.parse().ok() } else { None })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_are_found_with_those_that_they_are_part_of() {
        let is = |lines, paths: &[&str]| {
            control_groups(lines) == paths.iter().map(PathBuf::from).collect::<Vec<_>>()
        };
        assert!(is("0::/\n", &["/sys/fs/cgroup"]));
        assert!(is("0::/user/me\n", &["/sys/fs/cgroup/user/me", "/sys/fs/cgroup/user", "/sys/fs/cgroup"]));
        let old = "7:cpu,cpuacct:/job\n6:hugetlb,memory:/job\n";
        assert!(is(old, &["/sys/fs/cgroup/memory/job", "/sys/fs/cgroup/memory"]));
    }

    #[test]
    fn a_group_leaves_what_its_limit_leaves() {
        let group = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| std::fs::write(group.path().join(name), text).unwrap();
        assert_eq!(left_in(group.path()), None);
        write("memory.max", "max\n");
        assert_eq!(left_in(group.path()), None);
        write("memory.max", "1000\n");
        write("memory.stat", "anon 300\nfile 600\n");
        assert_eq!(left_in(group.path()), Some(700));
    }
}
