//! Studies that are interrupted, damaged, or asked for something else than they were begun with.

use std::collections::BTreeSet;

use super::*;

#[test]
fn the_number_of_threads_changes_nothing() {
    let (folder, one, other) = twice();
    let alone = games(&one, &[&STUDY[..], &["--threads", "1"]].concat());
    assert_eq!(games(&other, &[&STUDY[..], &["--threads", "2"]].concat()), alone);
    assert_eq!(games(&folder.path().join("8"), &[&STUDY[..], &["--threads", "8"]].concat()), alone);
    assert_eq!(column(&alone, "game"), (0..24).map(|game| game.to_string()).collect::<Vec<_>>());
}

#[test]
fn a_study_killed_at_any_moment_continues_to_the_same_bytes() {
    let (_folder, one, other) = twice();
    let study =
        ["pmrc", "--setups", "random:60", "--seed", "7", "--nodes", "500", "--pairs", "--threads", "2"];
    let whole = games(&one, &study);
    let directory = other.to_str().unwrap();
    let size = || std::fs::metadata(other.join("games.csv")).map_or(0, |file| file.len());
    let (mut killed, mut lengths) = (0, BTreeSet::new());
    for moment in 0..20_u64 {
        let begin = [&study[..], &["-o", directory]].concat();
        let arguments: &[&str] =
            if other.join("study.toml").exists() { &[directory, "--threads", "2"] } else { &begin };
        let before = size();
        let mut run = play(arguments).spawn().unwrap();
        // A quarter of the times as it begins, else after a game at least: however fast the machine is, it gets on.
        while moment % 4 > 0 && size() <= before.max(200) && run.try_wait().unwrap().is_none() {
            std::thread::sleep(Duration::from_millis(1));
        }
        // A moment that is not the same from time to time, without chance.
        std::thread::sleep(Duration::from_millis(moment * 37 % 41));
        killed += run.try_wait().unwrap().is_none() as u32;
        let _ = run.kill();
        run.wait().unwrap();
        if let Ok(so_far) = std::fs::read(other.join("games.csv")) {
            assert!(whole.starts_with(&so_far), "killed {moment}: not a beginning of the whole");
            lengths.insert(so_far.len());
        }
    }
    assert!(killed >= 15 && lengths.len() > 10, "killed {killed} times, at lengths of {lengths:?}");
    play(&[directory]).assert().success();
    assert!(std::fs::read(other.join("games.csv")).unwrap() == whole);
}

#[test]
fn a_torn_last_line_is_played_again_and_a_damaged_middle_is_left_alone() {
    let (_folder, one, _) = twice();
    let whole = games(&one, &STUDY);
    let (path, directory) = (one.join("games.csv"), one.to_str().unwrap());
    std::fs::write(&path, &whole[..whole.len() - 30]).unwrap();
    play(&[directory]).assert().success();
    assert!(std::fs::read(&path).unwrap() == whole);

    let text = String::from_utf8(whole).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    let (before, moves) = lines[4].rsplit_once(',').unwrap();
    let (_, later) = moves.split_once(' ').unwrap();
    let other_move = text.replace(lines[4], &format!("{before},a1a9 {later}"));
    let foreign = text.replacen("opening_plies", "weather", 1);
    let missing = [&lines[..4], &lines[5..]].concat().join("\n") + "\n";
    let crlf = text.replace('\n', "\r\n");
    for (damaged, says) in [
        (other_move, "line 5: move 1: `a1a9`"),
        (foreign, "line 1: `weather` is not a column"),
        (missing, "line 5: this is game 4, where game 3 should be"),
        (crlf, "line 1: the line ends in CR LF"),
        (text.replacen(",0-1,", ",1-0,", 1), "result is 1-0"),
    ] {
        assert!(damaged != text, "{says}: nothing was damaged");
        std::fs::write(&path, &damaged).unwrap();
        let refused = refusal(&[directory]);
        assert!(refused.contains(says), "{refused}");
        assert!(std::fs::read_to_string(&path).unwrap() == damaged, "{says}: it was touched");
    }
}

#[test]
fn a_study_keeps_the_options_it_was_begun_with() {
    let (_folder, one, _) = twice();
    games(&one, &STUDY);
    let directory = one.to_str().unwrap();
    play(&[directory, "--nodes", "60", "--seed", "7"]).assert().success();
    let refused = refusal(&[directory, "--nodes", "70"]);
    assert!(refused.contains("limits.nodes: begun with 60, now 70"), "{refused}");
    let other = [&STUDY[..], &["--max-plies", "20", "-o", directory]].concat();
    let refused = refusal(&other);
    assert!(refused.contains("adjudication.max_plies: begun with nothing, now 20"), "{refused}");
    let refused = refusal(&["chess8400", "--nodes", "60", "-o", directory]);
    assert!(refused.contains("variant.key: begun with pmrc, now chess8400"), "{refused}");
    assert!(
        refused.contains(
            "variant.text: begun with `name = \"Pseudo-Modern Random Chess\"` in line 1, now `# The"
        ),
        "{refused}"
    );
}

/// With odds, the number of games is that of all games, also when a study is continued.
#[test]
fn a_study_at_odds_keeps_its_number_of_games() {
    let (_folder, one, _) = twice();
    games(&one, &["pmrc", "--odds", "M:Q", "--games", "4", "--nodes", "5", "--max-plies", "10"]);
    let directory = one.to_str().unwrap();
    for same in [&["--games", "4"][..], &["--odds", "M:Q", "--games", "4"]] {
        play(&[&[directory], same].concat()).assert().success();
    }
    for other in [&["--games", "6"][..], &["--odds", "M:Q", "--games", "6"], &["--games", "2"]] {
        let refused = refusal(&[&[directory], other].concat());
        assert!(refused.contains("setups: begun with random:2, now random:"), "{refused}");
        assert!(refused.contains("number_of_setups: begun with 2, now "), "{refused}");
    }
    let refused = refusal(&[directory, "--odds", "M:Q", "--games", "5"]);
    assert!(refused.contains("--odds needs an even number of games, not --games 5"), "{refused}");
    let refused = refusal(&[directory, "--odds", "Q:M"]);
    assert!(refused.contains("odds: begun with M:Q, now Q:M"), "{refused}");
}

#[test]
fn games_csv_without_study_toml_is_refused_and_not_touched() {
    let (_folder, one, _) = twice();
    let whole = games(&one, &STUDY);
    std::fs::remove_file(one.join("study.toml")).unwrap();
    let refused = refusal(&[&STUDY[..], &["-o", one.to_str().unwrap()]].concat());
    assert!(refused.contains("holds games but no study.toml"), "{refused}");
    assert!(!one.join("study.toml").exists());
    assert!(std::fs::read(one.join("games.csv")).unwrap() == whole);
}

#[test]
fn a_second_run_in_the_same_directory_is_refused() {
    let (_folder, one, _) = twice();
    let directory = one.to_str().unwrap();
    let long = ["pmrc", "-o", directory, "--nodes", "5000", "--threads", "1"];
    let mut first = play(&long).spawn().unwrap();
    while !one.join("games.csv").exists() {
        std::thread::sleep(Duration::from_millis(5));
    }
    let second = play(&[directory]).output().unwrap();
    assert_eq!(second.status.code(), Some(1));
    assert!(stderr(&second).contains("in use by another run"), "{}", stderr(&second));
    first.kill().unwrap();
    first.wait().unwrap();
    // The lock of a dead process keeps nobody out: this one gets as far as the options.
    let refused = refusal(&[directory, "--nodes", "1"]);
    assert!(refused.contains("begun with 5000, now 1"), "{refused}");
}

/// A limit on the size of a file is as good as a full disk: a row is written in part, and then no more.
#[cfg(unix)]
#[test]
fn a_full_disk_leaves_a_beginning_of_the_whole() {
    let (_folder, one, other) = twice();
    let whole = games(&one, &STUDY);
    let directory = other.to_str().unwrap();
    let limited = format!("trap '' XFSZ; ulimit -f 8; exec \"$0\" play \"$@\" -o {directory}");
    let mut shell = Command::new("sh");
    let output = shell.args(["-c", &limited, env!("CARGO_BIN_EXE_backrank")]).args(STUDY).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let games_csv = other.join("games.csv");
    let says = format!("error: cannot write {}: ", games_csv.display());
    assert!(stderr(&output).contains(&says), "{}", stderr(&output));
    let so_far = std::fs::read(&games_csv).unwrap();
    assert!(whole.starts_with(&so_far) && so_far.ends_with(b"\n") && so_far.len() < whole.len());
    play(&[directory]).assert().success();
    assert!(std::fs::read(&games_csv).unwrap() == whole);
}

/// The same on a small file system of its own, which takes the right to mount one.
#[cfg(target_os = "linux")]
#[test]
fn on_a_full_file_system_a_study_stops_and_with_more_room_continues() {
    struct Mounted(PathBuf);

    impl Drop for Mounted {
        fn drop(&mut self) {
            let _ = Command::new("umount").arg(&self.0).status();
        }
    }

    let (folder, one, _) = twice();
    let disk = folder.path().join("disk");
    std::fs::create_dir(&disk).unwrap();
    let path = disk.to_str().unwrap().to_string();
    let mount =
        |options: &str| Command::new("mount").args(["-t", "tmpfs", "-o", options, "tmpfs", &path]).output();
    match mount("size=24k") {
        Ok(output) if output.status.success() => (),
        _ => return skip("only root can mount a small file system"),
    }
    let _mounted = Mounted(disk.clone());
    let study = ["pmrc", "--setups", "random:60", "--seed", "7", "--nodes", "60"];
    let whole = games(&one, &study);
    let directory = disk.join("study");
    let asked = [&study[..], &["-o", directory.to_str().unwrap()]].concat();
    let output = play(&asked).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let games_csv = directory.join("games.csv");
    let says = format!("error: cannot write {}: No space left on device", games_csv.display());
    assert!(stderr(&output).contains(&says), "{}", stderr(&output));
    let so_far = std::fs::read(&games_csv).unwrap();
    assert!(whole.starts_with(&so_far) && so_far.ends_with(b"\n") && so_far.len() < whole.len());
    // Still no room, still nothing lost.
    assert_eq!(play(&asked).output().unwrap().status.code(), Some(1));
    assert!(std::fs::read(&games_csv).unwrap() == so_far);
    assert!(mount("remount,size=1m").unwrap().status.success());
    play(&asked).assert().success();
    assert!(std::fs::read(&games_csv).unwrap() == whole);
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_cleanly_and_says_how_to_go_on() {
    let (_folder, one, _) = twice();
    let (directory, engine) = (one.to_str().unwrap(), engine(""));
    let mut command = play(&["crc", "--black", &engine, "-o", directory, "--nodes", "2000"]);
    let run = command.stderr(std::process::Stdio::piped()).spawn().unwrap();
    while std::fs::metadata(one.join("games.csv")).map_or(0, |file| file.len()) < 2000 {
        std::thread::sleep(Duration::from_millis(5));
    }
    let interrupt = Command::new("sh").args(["-c", &format!("kill -INT {}", run.id())]).status().unwrap();
    assert!(interrupt.success());
    let output = run.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let says = stderr(&output);
    assert!(says.contains(" of 1680 games; `backrank play ") && says.contains(" continues it"), "{says}");
    let played = std::fs::read(one.join("games.csv")).unwrap();
    assert!(played.ends_with(b"\n"));
    assert!(!column(&played, "termination").contains(&"engine-failure".to_string()));
}

#[test]
fn a_study_is_not_continued_by_another_engine() {
    let (_folder, one, _) = twice();
    games(&one, &STUDY);
    let (file, directory) = (one.join("study.toml"), one.to_str().unwrap());
    let question = std::fs::read_to_string(&file).unwrap();
    let fingerprints: Vec<&str> =
        question.lines().filter(|line| line.starts_with("fingerprint = ")).collect();
    let [white, black] = fingerprints[..] else { panic!("{question}") };
    assert_eq!(white, black);
    for (other, says) in [
        (
            "fingerprint = \"0123456789abcdef\"",
            "the study was begun by 0123456789abcdef; a study cannot mix two engines",
        ),
        ("", "the study does not say which engine began it; a study cannot mix two engines"),
    ] {
        std::fs::write(&file, question.replace(white, other)).unwrap();
        let refused = refusal(&[directory]);
        assert!(refused.contains(" was begun by another engine: this one has the fingerprint "), "{refused}");
        assert!(refused.contains(says), "{refused}");
        // It can be read all the same.
        let export = Command::new(env!("CARGO_BIN_EXE_backrank"))
            .args(["export", "--format", "pgn", directory])
            .output()
            .unwrap();
        assert!(export.status.success(), "{}", stderr(&export));
    }
    std::fs::write(&file, question).unwrap();
    play(&[directory]).assert().success();
}
