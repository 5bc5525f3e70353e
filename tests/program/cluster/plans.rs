//! Plans: the same bytes however they are played, and how far they are.

use super::*;
use crate::common::study_until;

#[test]
fn gathered_tasks_are_the_games_of_one_machine() {
    let folder = folder();
    let one = on_one_machine(&folder);
    assert_eq!(rows(&one), 240);
    assert!(one.len() > 10 && one.keys().any(|path| path.starts_with("fixed")), "{:?}", one.keys());
    for tasks in ["2", "9"] {
        plan(&folder, tasks);
        play_all(&folder);
        let big = folder.path().join("big");
        assert_same(&one, &games(&big));
        for path in one.keys().filter(|path| *path != Path::new("")) {
            let study =
                |of: &str| std::fs::read_to_string(folder.path().join(of).join(path).join("study.toml"));
            assert_eq!(study("one").unwrap(), study("big").unwrap());
        }
        std::fs::remove_dir_all(big).unwrap();
    }
}

#[test]
fn gather_takes_finished_tasks_and_lists_the_rest() {
    let folder = folder();
    plan(&folder, "9");
    // From the last to the first, the second only later.
    for task in ["4", "3", "1"] {
        succeed(&folder, &["work", "big", "--task", task]);
    }
    let says = fail(&folder, 75, &["gather", "big"]);
    assert!(says.contains("not finished: tasks 2\n"), "{says}");
    let part = games(&folder.path().join("big"));
    let one = on_one_machine(&folder);
    assert!(part.iter().all(|(path, bytes)| one[path].starts_with(bytes)) && rows(&part) >= 13);
    // It is read as it is, and nothing is disturbed.
    succeed(&folder, &["setups", "big", "--permutations", "99"]);
    succeed(&folder, &["values", "big"]);
    succeed(&folder, &["report", "big", "-o", "report.html"]);
    let refused = fail(&folder, 2, &["work", "big", "--task", "5"]);
    assert!(
        refused.contains("task 5 of big is of round 2, which is planned when the round before it is finished; `backrank gather big` plans it"),
        "{refused}"
    );
    succeed(&folder, &["work", "big", "--task", "2"]);
    let done = backrank(&folder, &["work", "big", "--task", "2"]).assert().success().get_output().clone();
    assert_eq!(text(&done.stderr), "task 2 is finished\n");
    let next = succeed(&folder, &["gather", "big"]);
    assert!(next.contains("\nround 2 has tasks 5 to 9: "), "{next}");
    succeed(&folder, &["work", "big"]);
    let last = succeed(&folder, &["gather", "big"]);
    assert!(last.contains("240 of 240 games are gathered"), "{last}");
    let report = last.lines().last().unwrap().split('`').nth(1).unwrap().strip_prefix("backrank ").unwrap();
    let shell =
        Command::new("sh").args(["-c", &format!("\"$0\" {report}"), PROGRAM]).current_dir(&folder).output();
    assert!(shell.unwrap().status.success(), "{report}");
    assert_same(&one, &games(&folder.path().join("big")));
    // All is there: the study can be continued by time, as any other.
    let games_of_big = || games(&folder.path().join("big"));
    let play = |time: &str| backrank(&folder, &["study", "big", "--time", time]).output().unwrap();
    study_until(|| rows(&games_of_big()) > rows(&one), play);
    let more = games_of_big();
    assert!(one.iter().all(|(path, bytes)| more[path].starts_with(bytes)));
}

#[test]
fn one_machine_continues_a_plan_where_it_was_killed() {
    let folder = folder();
    let study = ["study", "mini.toml", "--games", "60", "--rounds", "3", "--nodes", "2000", "-o", "part"];
    let mut run = backrank(&folder, &study).stdout(Stdio::null()).spawn().unwrap();
    let begin = Instant::now();
    while rows(&games(&folder.path().join("part"))) < 10 && begin.elapsed() < PATIENCE {
        std::thread::sleep(Duration::from_millis(5));
    }
    run.kill().unwrap();
    run.wait().unwrap();
    assert!(rows(&games(&folder.path().join("part"))) < 60);
    succeed(&folder, &["study", "part"]);
    assert_eq!(rows(&games(&folder.path().join("part"))), 60);
}

/// In earlier versions `study.toml` held the plan as well.
#[test]
fn an_experiment_whose_plan_is_in_study_toml_is_continued() {
    let folder = folder();
    let one = on_one_machine(&folder);
    plan(&folder, "9");
    let big = folder.path().join("big");
    let (study, plan) = (big.join("study.toml"), big.join("plan.toml"));
    let text = std::fs::read_to_string(&plan).unwrap().replace("[[parts]]", "[[plan.parts]]");
    let old = format!("{}\n[plan]\n{text}", std::fs::read_to_string(&study).unwrap());
    std::fs::write(&study, &old).unwrap();
    std::fs::remove_file(&plan).unwrap();
    let status = succeed(&folder, &["status", "big"]);
    assert!(status.starts_with("big: round 1 of 2, 0 of 240 games"), "{status}");
    succeed(&folder, &[&STUDY[..], &["-o", "big", "--tasks", "9"]].concat());
    play_all(&folder);
    assert_same(&one, &games(&big));
    // The second round is in a file of its own, and what determines the games is as it was.
    assert_eq!(std::fs::read_to_string(&study).unwrap(), old);
    assert!(std::fs::read_to_string(&plan).unwrap().contains("round = 2"));
    succeed(&folder, &["values", "big"]);
    // A plan that is wrong is refused there, too.
    std::fs::remove_file(&plan).unwrap();
    std::fs::write(&study, old.replace("rounds = 2", "rounds = 0")).unwrap();
    let refused = fail(&folder, 2, &["status", "big"]);
    assert!(refused.contains("big/study.toml is not a plan: rounds = 0"), "{refused}");
}

#[test]
fn status_counts_tasks_and_games() {
    let folder = folder();
    plan(&folder, "9");
    succeed(&folder, &["work", "big", "--task", "1"]);
    let status = |name: &str| -> serde_json::Value {
        let status = succeed(&folder, &["status", "big", "--json"]);
        serde_json::from_str::<serde_json::Value>(&status).unwrap()[name].clone()
    };
    assert_eq!(
        (status("finished"), status("missing"), status("not_planned")),
        (1.into(), 3.into(), 5.into())
    );
    assert_eq!((status("games_planned"), status("games_gathered")), (240.into(), 0.into()));
    play_all(&folder);
    assert_eq!(
        (status("finished"), status("games"), status("games_gathered")),
        (9.into(), 240.into(), 240.into())
    );
    assert_eq!(status("values").as_array().unwrap().len(), 4);
    let says = succeed(&folder, &["status", "big"]);
    assert!(says.starts_with("big: round 2 of 2, 240 of 240 games, 240 of them gathered\n"), "{says}");
    assert!(says.contains("piece  by imbalances"), "{says}");
}

/// Games of tasks are not read before they are gathered. Without any, the error says what to do.
#[test]
fn gathered_games_are_read_before_all_tasks_are_finished() {
    let folder = folder();
    plan(&folder, "9");
    // The games at odds: those from all setups are of the first task.
    for task in ["2", "3", "4"] {
        succeed(&folder, &["work", "big", "--task", task]);
    }
    for command in [&["values", "big"][..], &["setups", "big"], &["report", "big", "-o", "report.html"]] {
        let refused = fail(&folder, 2, command);
        assert!(
            refused.contains(
                "big has no games that are gathered; `backrank gather big` gathers those of finished tasks"
            ) && refused.contains("`backrank status big` says "),
            "{command:?}: {refused}"
        );
    }
    fail(&folder, 75, &["gather", "big"]);
    let gathered = games(&folder.path().join("big"));
    assert!(!gathered.is_empty() && !gathered.contains_key(Path::new("")), "{:?}", gathered.keys());
    let values = succeed(&folder, &["values", "big"]);
    assert!(values.contains(&format!(": {} games, ", rows(&gathered))), "{values}");
    succeed(&folder, &["report", "big", "-o", "report.html"]);
    let refused = fail(&folder, 2, &["setups", "big"]);
    assert!(refused.contains("big has no games that are gathered"), "{refused}");
}

/// Neither `status` nor the next plan reads the tasks, or the games, that are gathered.
#[test]
fn tasks_whose_games_are_gathered_can_be_removed() {
    let folder = folder();
    let one = on_one_machine(&folder);
    plan(&folder, "9");
    let big = folder.path().join("big");
    let (tasks, gathered) = (big.join("tasks"), big.join("gathered.toml"));
    let status = || -> serde_json::Value {
        serde_json::from_str(&succeed(&folder, &["status", "big", "--json"])).unwrap()
    };
    for task in ["1", "2", "4"] {
        succeed(&folder, &["work", "big", "--task", task]);
    }
    let before = status();
    fail(&folder, 75, &["gather", "big"]);
    let after = status();
    assert_eq!((&before["values"], &before["finished"]), (&after["values"], &after["finished"]));
    assert!(before["values"][0]["games"].as_u64() > Some(0) && after["games_gathered"].as_u64() > Some(0));
    let record = std::fs::read(&gathered).unwrap();
    for task in ["1", "2"] {
        std::fs::remove_dir_all(tasks.join(task)).unwrap();
    }
    assert_eq!(status()["values"], after["values"]);
    succeed(&folder, &["work", "big", "--task", "3"]);
    // What an interruption left out of the record is read from the games.
    std::fs::remove_file(&gathered).unwrap();
    succeed(&folder, &["gather", "big"]);
    assert_ne!(std::fs::read(&gathered).unwrap(), record);
    std::fs::remove_dir_all(&tasks).unwrap();
    succeed(&folder, &["work", "big"]);
    succeed(&folder, &["gather", "big"]);
    assert_same(&one, &games(&big));
    let with_tasks = status();
    std::fs::remove_dir_all(&tasks).unwrap();
    assert_eq!(status(), with_tasks);
    let record = std::fs::read_to_string(&gathered).unwrap();
    let pairs = |text: &str| {
        text.lines().filter(|line| line.starts_with("pairs")).map(String::from).collect::<Vec<_>>()
    };
    std::fs::remove_file(&gathered).unwrap();
    succeed(&folder, &["gather", "big"]);
    assert_eq!(pairs(&std::fs::read_to_string(&gathered).unwrap()), pairs(&record));
}

/// The records of tasks give the same values as their games.
#[test]
fn values_from_task_records_agree_with_those_from_games() {
    let folder = folder();
    plan(&folder, "2");
    play_all(&folder);
    let status: serde_json::Value =
        serde_json::from_str(&succeed(&folder, &["status", "big", "--json"])).unwrap();
    let games = games(&folder.path().join("big"));
    let studies: Vec<String> = games
        .keys()
        .filter(|path| *path != Path::new(""))
        .map(|path| format!("big/{}", path.display()))
        .collect();
    let studies: Vec<&str> = studies.iter().map(String::as_str).collect();
    succeed(&folder, &[&["values"], studies.as_slice(), &["--csv", "values.csv"]].concat());
    let mut csv = csv::Reader::from_path(folder.path().join("values.csv")).unwrap();
    let headings = csv.headers().unwrap().clone();
    let column = |row: &csv::StringRecord, name: &str| {
        row[headings.iter().position(|heading| heading == name).unwrap()].to_string()
    };
    let by_games: Vec<(String, String)> = csv
        .records()
        .map(Result::unwrap)
        .filter(|row| column(row, "method") == "imbalances")
        .map(|row| (column(&row, "piece"), column(&row, "games")))
        .collect();
    let by_records: Vec<(String, String)> = status["values"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| (row["piece"].as_str().unwrap().to_string(), row["games"].to_string()))
        .collect();
    assert_eq!(by_records, by_games);
}

#[test]
fn impossible_plans_are_refused() {
    let folder = folder();
    for (options, says) in [
        (&["--games", "41"][..], "the number must be even"),
        (&["--games", "40", "--tasks", "2"], "each of 3 rounds needs a task"),
        (&["--games", "40", "--tasks", "30"], "too few for its tasks"),
        (&["--tasks", "30"], "--games <GAMES>"),
        (&["--games", "40", "--time", "2m"], "cannot be used with"),
    ] {
        let refused = fail(&folder, 2, &[&["study", "mini.toml", "-o", "x"], options].concat());
        assert!(refused.contains(says), "{options:?}: {refused}");
        assert!(!folder.path().join("x").exists(), "{options:?}");
    }
    plan(&folder, "4");
    let again = [&STUDY[..], &["-o", "big", "--tasks"]].concat();
    succeed(&folder, &[&again[..], &["4"]].concat());
    let refused = fail(&folder, 2, &[&again[..], &["5"]].concat());
    assert!(refused.contains("planned with --games 240 --rounds 2 --tasks 4 --unit R=5"), "{refused}");
    let refused = fail(&folder, 2, &["study", "big"]);
    assert!(refused.contains("is planned in 4 tasks, of which not all are gathered"), "{refused}");
    for (task, says) in [("0", "has no task 0; its tasks are 1 to 4"), ("5", "has no task 5")] {
        let refused = fail(&folder, 2, &["work", "big", "--task", task]);
        assert!(refused.contains(says), "{refused}");
    }
    succeed(&folder, &["play", "mini.toml", "--setups", "0..4", "--nodes", "5", "-o", "plain"]);
    for command in ["work", "gather", "status"] {
        let refused = fail(&folder, 2, &[command, "plain"]);
        assert!(
            refused.contains("plain holds a study that is not divided into tasks"),
            "{command}: {refused}"
        );
    }
}
