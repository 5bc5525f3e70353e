//! The memory that is available.

use std::fs::read_to_string;
use std::path::{Path, PathBuf};

/// The number of mebibytes that this process can still take: what Linux reports as available, within the limits of the
/// process's control groups, and of the job that Slurm runs it in. `None` on other systems.
pub fn available_mebibytes() -> Option<u64> {
    let system = 1024 * field(Path::new("/proc/meminfo"), "MemAvailable:")?;
    let groups = control_groups(&read_to_string("/proc/self/cgroup").unwrap_or_default());
    let available = groups.iter().filter_map(|group| left_in(group)).fold(system, u64::min) >> 20;
    let used = field(Path::new("/proc/self/status"), "VmRSS:").unwrap_or(0) >> 10;
    let job = job_limit(|name| std::env::var(name).ok()?.parse().ok());
    Some(job.map_or(available, |limit| available.min(limit.saturating_sub(used))))
}

/// The mebibytes that Slurm gives a job on this machine, by its environment variables: for all of it, or for each processor. 0
/// stands for all that the machine has.
fn job_limit(variable: impl Fn(&str) -> Option<u64>) -> Option<u64> {
    let processors = || variable("SLURM_CPUS_PER_TASK").or_else(|| variable("SLURM_CPUS_ON_NODE"));
    let of_processors = || Some(variable("SLURM_MEM_PER_CPU")? * processors()?);
    variable("SLURM_MEM_PER_NODE").or_else(of_processors).filter(|&limit| limit > 0)
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
    fn a_job_has_what_it_asked_for() {
        let limit = |variables: &[(&str, u64)]| {
            job_limit(|name| variables.iter().find(|(other, _)| *other == name).map(|&(_, value)| value))
        };
        assert_eq!(limit(&[]), None);
        assert_eq!(limit(&[("SLURM_MEM_PER_NODE", 0)]), None);
        assert_eq!(limit(&[("SLURM_MEM_PER_NODE", 4000), ("SLURM_CPUS_PER_TASK", 2)]), Some(4000));
        assert_eq!(limit(&[("SLURM_MEM_PER_CPU", 500), ("SLURM_CPUS_PER_TASK", 2)]), Some(1000));
        assert_eq!(limit(&[("SLURM_MEM_PER_CPU", 500), ("SLURM_CPUS_ON_NODE", 3)]), Some(1500));
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
