//! Workers that are stopped, killed, doubled or lost, full disks, and files of other studies.

use super::*;

/// Plans an experiment of short games, and returns the games that it must have.
fn plan_quick(folder: &TempDir) -> BTreeMap<PathBuf, Vec<u8>> {
    let one = on_one_machine(folder);
    plan(folder, "4");
    one
}

#[cfg(unix)]
#[test]
fn a_terminated_worker_keeps_its_games_and_the_next_one_continues() {
    let folder = folder();
    plan_slow(&folder);
    let worker = slow_worker(&folder, &[]);
    signal(&worker, "TERM");
    let output = output(worker);
    assert_eq!(output.status.code(), Some(75), "{}", text(&output.stderr));
    let says = text(&output.stderr);
    assert!(
        says.contains("error: task 1 was stopped after ")
            && says.contains(" of 400 games; `backrank work slow --task 1` continues it"),
        "{says}"
    );
    let left = attempts(&folder, "slow");
    let [left] = &left[..] else { panic!("{left:?}") };
    let games = std::fs::read(left.join("games.csv")).unwrap();
    assert!(games.ends_with(b"\n") && !folder.path().join("slow/tasks/1.lock").exists());
    // The next one takes over what is there, whether it is killed or not.
    let mut next = slow_worker(&folder, &["--heartbeat", "10m"]);
    let now = attempts(&folder, "slow");
    assert!(
        std::fs::read(now[0].join("games.csv")).unwrap().starts_with(&games) && now.len() == 1,
        "{now:?}"
    );
    next.kill().unwrap();
    next.wait().unwrap();
    let status = succeed(&folder, &["status", "slow"]);
    assert!(status.contains("without a sign of life: tasks 1\n"), "{status}");
    // The lock of a process that has ended keeps nobody waiting, however long its heartbeat was.
    let mut last = slow_worker(&folder, &[]);
    last.kill().unwrap();
    last.wait().unwrap();
}

#[test]
fn workers_killed_at_any_moment_can_be_continued() {
    let folder = folder();
    let one = plan_quick(&folder);
    for moment in 0..12_u64 {
        let mut worker = backrank(&folder, &["work", "big", "--threads", "2"]).spawn().unwrap();
        std::thread::sleep(Duration::from_millis(20 + moment * 53 % 197));
        let _ = worker.kill();
        worker.wait().unwrap();
    }
    play_all(&folder);
    assert_same(&one, &games(&folder.path().join("big")));
    assert!(attempts(&folder, "big").is_empty());
}

#[test]
fn two_workers_on_one_task_do_no_harm() {
    let folder = folder();
    plan_slow(&folder);
    let mut first = slow_worker(&folder, &["--heartbeat", "300ms"]);
    let says = fail(&folder, 75, &["work", "slow", "--task", "1"]);
    assert!(says.contains("task 1 is played by process ") && says.contains(", which is alive"), "{says}");
    let says = fail(&folder, 75, &["work", "slow"]);
    assert!(says.contains("1 tasks of slow are played by other workers"), "{says}");
    let status = succeed(&folder, &["status", "slow"]);
    assert!(status.contains("1 tasks: 0 finished, 1 running"), "{status}");
    first.kill().unwrap();
    first.wait().unwrap();

    // Many at once, on all tasks.
    let one = plan_quick(&folder);
    let worker = || {
        backrank(&folder, &["work", "big", "--threads", "1", "--heartbeat", "100ms"])
            .stderr(Stdio::null())
            .spawn()
    };
    for _ in 0..2 {
        let workers: Vec<Child> = (0..4).map(|_| worker().unwrap()).collect();
        for worker in workers {
            assert!([Some(0), Some(75)].contains(&output(worker).status.code()));
        }
        succeed(&folder, &["work", "big"]);
        succeed(&folder, &["gather", "big"]);
    }
    assert_same(&one, &games(&folder.path().join("big")));
}

/// The lock of a worker on another machine, as far as anybody can tell.
fn foreign_lock(folder: &TempDir, study: &str, every: f64) -> PathBuf {
    let lock = folder.path().join(study).join("tasks/1.lock");
    std::fs::create_dir_all(lock.parent().unwrap()).unwrap();
    let text = format!(
        "worker = \"node7-1-0\"\nhost = \"node7\"\nprocess = 1\nincarnation = \"\"\nevery = {every}\nbeats = 3\nsince = 0.0\n\
         now = 9.0\nfound = 0\ngames = 2\nthreads = 1\n"
    );
    // Like a lock that was made anew.
    let made = lock.with_extension("made");
    std::fs::write(&made, text).unwrap();
    std::fs::rename(made, &lock).unwrap();
    lock
}

#[test]
fn the_lock_of_a_dead_machine_is_taken_over() {
    let folder = folder();
    plan(&folder, "4");
    let lock = foreign_lock(&folder, "big", 0.2);
    let begin = Instant::now();
    succeed(&folder, &["work", "big", "--task", "1"]);
    assert!(begin.elapsed() > Duration::from_millis(1200), "{:?}", begin.elapsed());
    assert!(!lock.exists() && folder.path().join("big/tasks/1/task.toml").exists());
    // One that a crash has damaged is nobody's, but so long as nobody knows, it is waited for.
    std::fs::remove_dir_all(folder.path().join("big/tasks")).unwrap();
    std::fs::create_dir(folder.path().join("big/tasks")).unwrap();
    std::fs::write(&lock, [0; 40]).unwrap();
    let mut worker = backrank(&folder, &["work", "big", "--task", "1"]).spawn().unwrap();
    std::thread::sleep(Duration::from_millis(500));
    assert!(worker.try_wait().unwrap().is_none());
    std::fs::remove_file(&lock).unwrap();
    assert!(worker.wait().unwrap().success());
}

/// A live worker that was taken for dead notices it, and leaves the task to the other.
#[test]
fn a_worker_whose_lock_was_taken_stops() {
    let folder = folder();
    plan_slow(&folder);
    let worker = slow_worker(&folder, &["--heartbeat", "200ms"]);
    foreign_lock(&folder, "slow", 10.0);
    let output = output(worker);
    assert_eq!(output.status.code(), Some(75), "{}", text(&output.stderr));
    assert!(
        text(&output.stderr).contains("task 1 was taken over by another worker"),
        "{}",
        text(&output.stderr)
    );
    assert!(folder.path().join("slow/tasks/1.lock").exists());
}

/// A small file system of its own, which takes the right to mount one.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error_and_with_more_room_the_task_continues() {
    struct Mounted(PathBuf);

    impl Drop for Mounted {
        fn drop(&mut self) {
            let _ = Command::new("umount").arg(&self.0).status();
        }
    }

    let folder = folder();
    let one = plan_quick(&folder);
    let tasks = folder.path().join("big/tasks");
    std::fs::create_dir(&tasks).unwrap();
    let mount = |options: &str| {
        Command::new("mount").args(["-t", "tmpfs", "-o", options, "tmpfs"]).arg(&tasks).output()
    };
    match mount("size=32k") {
        Ok(output) if output.status.success() => (),
        _ => return skip("only root can mount a small file system"),
    }
    let _mounted = Mounted(tasks.clone());
    let says = fail(&folder, 1, &["work", "big", "--task", "1"]);
    assert!(
        says.contains("error: task 1: cannot write ") && says.contains("No space left on device"),
        "{says}"
    );
    assert!(says.contains("; `backrank work big --task 1` continues it"), "{says}");
    assert!(mount("remount,size=4m").unwrap().status.success());
    assert!(!tasks.join("1").exists() && !tasks.join("1.lock").exists());
    play_all(&folder);
    assert_same(&one, &games(&folder.path().join("big")));
    assert!(!tasks.join("1.failed").exists());
}

#[test]
fn files_of_another_version_engine_or_study_are_refused() {
    let folder = folder();
    plan(&folder, "4");
    let toml = folder.path().join("big/study.toml");
    let whole = std::fs::read_to_string(&toml).unwrap();
    let version = format!("version = \"{}\"", env!("CARGO_PKG_VERSION"));
    std::fs::write(&toml, whole.replacen(&version, "version = \"0.0.7\"", 1)).unwrap();
    let refused = fail(&folder, 2, &["work", "big", "--task", "1"]);
    assert!(refused.contains("version: begun with 0.0.7, now "), "{refused}");
    let fingerprint = whole.lines().find(|line| line.starts_with("fingerprint = ")).unwrap();
    std::fs::write(&toml, whole.replace(fingerprint, "fingerprint = \"0123456789abcdef\"")).unwrap();
    let refused = fail(&folder, 2, &["work", "big", "--task", "1"]);
    assert!(
        refused.contains("was begun by another engine") && refused.contains("0123456789abcdef"),
        "{refused}"
    );
    assert!(!folder.path().join("big/tasks").exists(), "nothing is touched");
    std::fs::write(&toml, whole).unwrap();

    // A task of the same study with another seed, put where ours should be.
    let other = [&STUDY[..], &["-o", "other", "--tasks", "4", "--seed", "7"]].concat();
    succeed(&folder, &other);
    for study in ["big", "other"] {
        succeed(&folder, &["work", study]);
    }
    let task = |study: &str| folder.path().join(study).join("tasks/2");
    std::fs::rename(task("big"), task("big").with_extension("kept")).unwrap();
    std::fs::rename(task("other"), task("big")).unwrap();
    let refused = fail(&folder, 2, &["work", "big", "--task", "2"]);
    assert!(refused.contains("big/tasks/2: it is of another study: seed is "), "{refused}");
    let refused = fail(&folder, 1, &["gather", "big"]);
    assert!(refused.contains("task 2: big/tasks/2: it is of another study"), "{refused}");

    // The right one, with one byte of it changed.
    std::fs::remove_dir_all(task("big")).unwrap();
    std::fs::rename(task("big").with_extension("kept"), task("big")).unwrap();
    let games = walk(&task("big")).into_iter().find(|path| path.ends_with("games.csv")).unwrap();
    let good = std::fs::read(&games).unwrap();
    let mut bad = good.clone();
    let last = bad.len() - 3;
    bad[last] ^= 1;
    std::fs::write(&games, bad).unwrap();
    let refused = fail(&folder, 1, &["gather", "big"]);
    assert!(refused.contains("is damaged: its SHA-256 is not the one that task.toml has"), "{refused}");
    std::fs::write(&games, good).unwrap();
    play_all(&folder);
    assert_same(&on_one_machine(&folder), &super::games(&folder.path().join("big")));
}

fn walk(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() { found.extend(walk(&path)) } else { found.push(path) }
    }
    found
}
