//! What is written for Slurm and GNU parallel. A Slurm that runs is in tests/slurm.

use super::*;

#[test]
fn the_script_for_slurm_has_every_task_once() {
    let folder = folder();
    plan(&folder, "9");
    succeed(&folder, &["work", "big", "--task", "2"]);
    let options = ["--slurm", "--threads", "3", "--time", "1:00:00", "--sbatch", "--partition=long"];
    let script = succeed(&folder, &[&["cluster", "big"], &options[..]].concat());
    assert!(script.starts_with("#!/bin/bash\n#SBATCH "), "{script}");
    assert!(script.contains("\nafter+=:$(tasks \"$before\" 0 1,3-4)\n"), "{script}");
    assert!(script.contains("\nafter+=:$(tasks \"$before\" 0 5-9)\n"), "{script}");
    assert_eq!(script.matches("$(gather ").count(), 2, "{script}");
    for option in ["--cpus-per-task=3 --mem=", " --time=1:00:00 --signal=B:USR1@60 --partition=long <<"] {
        assert!(script.contains(option), "{option}: {script}");
    }
    let mut bash = Command::new("bash");
    let check = bash.arg("-n").stdin(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    std::io::Write::write_all(&mut check.stdin.as_ref().unwrap(), script.as_bytes()).unwrap();
    let checked = output(check);
    assert!(checked.status.success(), "{}", text(&checked.stderr));
    play_all(&folder);
    let script = succeed(&folder, &["cluster", "big", "--slurm"]);
    assert!(!script.contains("$(tasks "), "nothing is left to play: {script}");
}

/// Slurm sends USR1 to the job's shell before the time limit. A study in tests/slurm is told so by Slurm itself.
#[cfg(unix)]
#[test]
fn at_its_time_limit_a_task_is_requeued_and_continues() {
    use std::os::unix::fs::PermissionsExt;

    let folder = folder();
    let study = ["study", "mini.toml", "--games", "40", "--rounds", "1", "--nodes", "3000", "-o"];
    succeed(&folder, &[&study[..], &["slow", "--tasks", "1"]].concat());
    let script = succeed(&folder, &["cluster", "slow", "--slurm", "--time", "10"]);
    let job = script.split("<<'JOB'\n").nth(1).unwrap().split("\nJOB\n").next().unwrap();
    std::fs::write(folder.path().join("job.sh"), job).unwrap();
    let scontrol = folder.path().join("scontrol");
    std::fs::write(&scontrol, "#!/bin/sh\necho \"$@\" >> requeued\n").unwrap();
    std::fs::set_permissions(&scontrol, PermissionsExt::from_mode(0o755)).unwrap();
    let path = format!("{}:{}", folder.path().display(), std::env::var("PATH").unwrap());
    let job = || {
        let mut bash = Command::new("bash");
        bash.arg("job.sh").current_dir(&folder).stdin(Stdio::null());
        bash.envs([("BACKRANK", PROGRAM), ("STUDY", "slow"), ("FIRST", "0"), ("PATH", &path)]);
        bash.envs([("SLURM_ARRAY_JOB_ID", "77"), ("SLURM_ARRAY_TASK_ID", "1"), ("SLURM_CPUS_PER_TASK", "1")]);
        bash
    };
    let running = once_recorded(&folder, job());
    signal(&running, "USR1");
    let stopped = output(running);
    let says = text(&stopped.stderr);
    assert_eq!(stopped.status.code(), Some(75), "{says}");
    assert!(says.contains("error: task 1 was stopped after "), "{says}");
    assert_eq!(std::fs::read_to_string(folder.path().join("requeued")).unwrap(), "requeue 77_1\n");
    assert!(!folder.path().join("slow/tasks/1.lock").exists());
    assert!(recorded(&folder) > 0);
    let finished = job().output().unwrap();
    assert!(finished.status.success(), "{}", text(&finished.stderr));
    let says = text(&finished.stderr);
    let played = says.split("task 1 is finished: ").nth(1).unwrap().split(' ').next().unwrap();
    assert!(played.parse::<u64>().unwrap() < 40, "{says}");
    succeed(&folder, &["gather", "slow"]);
    succeed(&folder, &[&study[..], &["one", "--threads", "2"]].concat());
    assert_same(&games(&folder.path().join("one")), &games(&folder.path().join("slow")));
}

#[test]
fn arrays_are_no_longer_than_slurm_allows() {
    let folder = folder();
    let many = ["study", "mini.toml", "--games", "5000", "--rounds", "1", "--tasks", "2500", "-o", "big"];
    succeed(&folder, &many);
    let script = succeed(&folder, &["cluster", "big", "--slurm"]);
    for array in ["0 1-999)", "1000 0-999)", "2000 0-500)"] {
        assert!(script.contains(&format!("$(tasks \"$before\" {array}\n")), "{script}");
    }
}

#[test]
fn gnu_parallel_plays_them_and_resumes() {
    if lacks("parallel", "parallel") {
        return;
    }
    let folder = folder();
    let one = on_one_machine(&folder);
    plan(&folder, "6");
    for round in ["1", "2"] {
        let tasks = succeed(&folder, &["cluster", "big", "--parallel"]);
        assert_eq!(tasks.lines().count(), 3, "{tasks}");
        std::fs::write(folder.path().join("tasks.txt"), &tasks).unwrap();
        let parallel = |resume: &str| {
            let mut shell = Command::new("sh");
            let line = format!("parallel --will-cite --joblog log-{round} {resume} -j 2 < tasks.txt");
            shell.args(["-c", &line]).current_dir(&folder).output().unwrap()
        };
        // The second task fails at first: its directory cannot be written.
        let second = tasks
            .lines()
            .nth(1)
            .unwrap()
            .split("--task ")
            .nth(1)
            .unwrap()
            .split(' ')
            .next()
            .unwrap()
            .to_string();
        let obstacle = folder.path().join(format!("big/tasks/{second}"));
        std::fs::create_dir_all(&obstacle).unwrap();
        std::fs::write(obstacle.join("task.toml"), "parts = 7").unwrap();
        let failed = parallel("");
        assert_eq!(failed.status.code(), Some(1), "{}", text(&failed.stderr));
        std::fs::remove_dir_all(obstacle).unwrap();
        let resumed = parallel("--resume-failed");
        assert!(resumed.status.success(), "{}", text(&resumed.stderr));
        let log = std::fs::read_to_string(folder.path().join(format!("log-{round}"))).unwrap();
        assert_eq!(log.lines().count(), 1 + 3 + 1, "{log}");
        assert!(parallel("--resume").status.success());
        succeed(&folder, &["gather", "big"]);
    }
    assert_same(&one, &games(&folder.path().join("big")));
}

/// What Slurm gives a task is what it uses.
#[test]
fn a_task_uses_what_it_is_given() {
    let folder = folder();
    plan(&folder, "9");
    let work = |task: &str, variables: &[(&str, &str)]| {
        let mut command = backrank(&folder, &["work", "big", "--task", task]);
        text(&command.envs(variables.iter().copied()).assert().success().get_output().stderr)
    };
    let says = work("1", &[("SLURM_CPUS_PER_TASK", "1")]);
    assert!(says.starts_with("task 1: 1 game at a time\n"), "{says}");
    let processors = std::thread::available_parallelism().unwrap();
    let says = work("2", &[("SLURM_CPUS_PER_TASK", "1000")]);
    assert!(says.starts_with(&format!("task 2: {processors} games at a time\n")), "{says}");
    // A game needs tables of 1 MiB a side and one for openings: there is room for one game, whatever the processors.
    let says =
        fail_with(&folder, &["work", "big", "--task", "3", "--threads", "4"], ("SLURM_MEM_PER_NODE", "5"));
    assert!(says.contains("choose a smaller --hash or fewer --threads"), "{says}");
}

/// QEMU plays a processor of 2008.
#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
#[cfg_attr(not(target_feature = "avx2"), ignore = "this build runs on any processor")]
#[test]
fn a_processor_that_lacks_instructions_is_told_before_anything_is_touched() {
    if lacks("qemu-x86_64", "qemu-user") {
        return;
    }
    let folder = folder();
    plan(&folder, "2");
    let mut old = Command::new("qemu-x86_64");
    old.args(["-cpu", "Nehalem", PROGRAM, "work", "big", "--task", "1"]).current_dir(&folder);
    let output = old.output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let says = text(&output.stderr);
    assert!(
        says.starts_with("error: this backrank was built for newer processors; this one does not have avx"),
        "{says}"
    );
    assert!(!folder.path().join("big/tasks").exists());
}

fn fail_with(folder: &TempDir, arguments: &[&str], variable: (&str, &str)) -> String {
    let mut command = backrank(folder, arguments);
    text(&command.env(variable.0, variable.1).assert().code(1).get_output().stderr)
}
