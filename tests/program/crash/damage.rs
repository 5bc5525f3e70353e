//! Files that were damaged after they were written, and what is left behind by runs that were killed.

use super::*;
use crate::common::study_until;

const STUDY: &str = "play mini.toml -o study --setups 0..6 --nodes 10 --scores --quiet";
const ATLAS: &str = "atlas mini.toml -o atlas --setups 0..6 --nodes 50 --quiet";
const PLANNED: &str = "study mini.toml -o planned --games 12 --rounds 2 --nodes 10 --quiet";
const TASKS: &str = "study mini.toml -o big --games 24 --rounds 2 --tasks 4 --nodes 10 --quiet";
const WORK: &str = "work big --threads 1 --heartbeat 100ms --quiet";
const GATHER: &str = "gather big --heartbeat 100ms";

/// Changes a digit of the last row, so that only its checksum can tell, and gives what was there.
fn change_a_digit(path: &Path) -> Vec<u8> {
    let good = std::fs::read(path).unwrap();
    let mut bad = good.clone();
    let row = bad[..bad.len() - 1].iter().rposition(|&byte| byte == b'\n').unwrap();
    let is_digit = |at: &usize| bad[*at].is_ascii_digit();
    // Of a move or a score, the last field of all files but those of atlases.
    let at = match path.ends_with("atlas.csv") {
        false => (row..bad.len()).rev().find(is_digit).unwrap(),
        true => {
            row + bad[row..].windows(2).position(|pair| pair[0] == b'.' && pair[1].is_ascii_digit()).unwrap()
                + 1
        }
    };
    bad[at] = if bad[at] == b'1' { b'2' } else { b'1' };
    std::fs::write(path, bad).unwrap();
    good
}

#[test]
fn a_changed_digit_is_found_by_whoever_reads_the_whole_file() {
    let folder = folder(&[STUDY, ATLAS]);
    let path = |file: &str| folder.path().join(file);
    for (file, by, again) in [
        (
            // Without moves, of which not every digit could be another.
            "unmoved/games.csv",
            &[
                "values unmoved --bootstrap 0",
                "setups unmoved --permutations 99",
                "report unmoved -o page.html",
            ][..],
            "play mini.toml -o unmoved --odds N:- --games 6 --nodes 10 --no-moves --quiet",
        ),
        ("study/scores.csv", &["play study", "export study --format pgn", "merge study -o merged"], STUDY),
        (
            "atlas/atlas.csv",
            &[
                "atlas atlas",
                "merge atlas -o merged",
                "explore atlas -o page.html",
                "setups study --permutations 99 --atlas atlas",
            ],
            ATLAS,
        ),
    ] {
        succeed(folder.path(), again);
        let good = change_a_digit(&path(file));
        let name = Path::new(file).file_name().unwrap().to_str().unwrap();
        for line in by {
            let says = fail(folder.path(), 2, line);
            let expected = format!(
                "error: {file} is damaged: its SHA-256 is not the one that {name}.sha256 has; put a copy of it back, or remove"
            );
            assert!(says.contains(&expected), "{line}: {says}");
            assert!(!path("merged/study.toml").exists() && !path("page.html").exists(), "{line}");
        }
        // As it says. The scores of games that are there cannot be had without the games.
        std::fs::remove_file(path(file)).unwrap();
        if name == "scores.csv" {
            let says = fail(folder.path(), 2, again);
            assert!(
                says.contains("study/scores.csv is not there, though the study records scores"),
                "{says}"
            );
            std::fs::remove_file(path("study/games.csv")).unwrap();
        }
        succeed(folder.path(), again);
        assert!(std::fs::read(path(file)).unwrap() == good);
    }
    // A change of a person's own.
    change_a_digit(&path("unmoved/games.csv"));
    std::fs::remove_file(path("unmoved/games.csv.sha256")).unwrap();
    succeed(folder.path(), "values unmoved --bootstrap 0");
}

#[test]
fn checksums_are_those_of_sha256sum_and_follow_the_file() {
    let folder = folder(&[STUDY, ATLAS, PLANNED]);
    let check = || {
        let sums: Vec<PathBuf> = tree(folder.path())
            .into_keys()
            .filter(|path| path.extension().is_some_and(|end| end == "sha256"))
            .collect();
        for sum in &sums {
            let sum = folder.path().join(sum);
            let mut command = Command::new("sha256sum");
            command
                .arg("--strict")
                .arg("-c")
                .arg(sum.file_name().unwrap())
                .current_dir(sum.parent().unwrap());
            let output = command.output().unwrap();
            assert!(output.status.success(), "{}: {}", sum.display(), stderr(&output));
        }
        sums.len()
    };
    // Of the games, the scores, the atlas, and each part of the planned study.
    let all = check();
    assert!(all > 5, "{all}");
    // More games make another.
    let study = |time: &str| {
        let line = format!("study mini.toml -o timed --time {time} --nodes 10 --quiet");
        backrank(folder.path(), &line).output().unwrap()
    };
    let timed =
        |file: &str| std::fs::read_to_string(folder.path().join("timed").join(file)).unwrap_or_default();
    study_until(|| timed("games.csv").lines().count() > 1, study);
    let before = [timed("games.csv"), timed("games.csv.sha256")];
    study_until(|| timed("games.csv") != before[0], study);
    assert_ne!(timed("games.csv.sha256"), before[1]);
    check();
    // One that was made by hand counts, and one that is none is said to be none.
    let path = |file: &str| folder.path().join(file);
    let made = Command::new("sha256sum").arg("games.csv").current_dir(path("study")).output().unwrap();
    std::fs::write(path("study/games.csv.sha256"), made.stdout).unwrap();
    succeed(folder.path(), "export study --format epd -o study.epd");
    std::fs::write(path("study/games.csv.sha256"), "none").unwrap();
    let says = fail(folder.path(), 2, "export study --format epd -o study.epd");
    assert!(says.contains("study/games.csv.sha256 has no SHA-256"), "{says}");
}

#[test]
fn a_file_that_is_too_short_is_refused_and_continued() {
    let folder = folder(&[STUDY, ATLAS]);
    let whole = tree(folder.path());
    for (file, reads, goes_on) in [
        ("study/games.csv", "export study --format pgn -o games.pgn", "play study --quiet"),
        ("study/scores.csv", "export study --format pgn -o games.pgn", "play study --quiet"),
        ("atlas/atlas.csv", "explore atlas -o page.html", "atlas atlas --quiet"),
    ] {
        let bytes = whole[Path::new(file)].clone().unwrap();
        let rows: Vec<usize> =
            bytes.iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(at, _)| at + 1).collect();
        for length in [0, rows[0], rows[2], rows[2] + 5, bytes.len() - 1] {
            std::fs::write(folder.path().join(file), &bytes[..length]).unwrap();
            let says = fail(folder.path(), 2, reads);
            assert!(
                says.contains("its end is missing; put a copy of it back, or run the command again"),
                "{says}"
            );
            succeed(folder.path(), goes_on);
            assert_same(folder.path(), &whole, &format!("{file} cut after {length} bytes"));
        }
    }
}

#[test]
fn a_definition_that_is_lost_is_written_again_by_the_same_command() {
    for (file, line, other, without) in [
        ("study/study.toml", STUDY, STUDY.replace("--nodes 10", "--nodes 300"), "play study"),
        ("planned/study.toml", PLANNED, PLANNED.replace("--nodes 10", "--nodes 300"), "study planned"),
        ("planned/plan.toml", PLANNED, String::new(), "study planned"),
        ("planned/odds/Q/study.toml", PLANNED, String::new(), "export planned/odds/Q --format pgn"),
        ("atlas/atlas.toml", ATLAS, ATLAS.replace("50", "300"), "atlas atlas"),
    ] {
        let folder = folder(&[line]);
        let path = match file.contains("odds") {
            false => folder.path().join(file),
            true => {
                let mut entries = std::fs::read_dir(folder.path().join("planned/odds")).unwrap();
                entries.next().unwrap().unwrap().path().join("study.toml")
            }
        };
        let (whole, good) = (tree(folder.path()), std::fs::read(&path).unwrap());
        let first_line = good.split_inclusive(|&byte| byte == b'\n').next().unwrap();
        for damaged in [vec![], vec![0; good.len()], good[..good.len() / 2].to_vec(), first_line.to_vec()] {
            std::fs::write(&path, &damaged).unwrap();
            if !file.contains("odds") {
                let says = fail(folder.path(), 2, without);
                assert!(says.contains("the command that began the "), "{says}");
            }
            if !other.is_empty() {
                // Not by a command that would give other rows.
                let says = fail(folder.path(), 2, &other);
                assert!(says.contains("the rows beside it are not those of this command"), "{says}");
                assert!(std::fs::read(&path).unwrap() == damaged);
            }
            let half_way = folder.path().join(file).with_file_name("games.csv");
            if file == "study/study.toml" {
                let rows = std::fs::read(&half_way).unwrap();
                std::fs::write(&half_way, &rows[..rows.len() / 2]).unwrap();
            }
            let output = backrank(folder.path(), &line.replace(" --quiet", "")).output().unwrap();
            assert!(output.status.success(), "{file}: {}", stderr(&output));
            assert_same(folder.path(), &whole, file);
        }
        // What another version has written is not damaged.
        let newer = [&b"weather = \"fine\"\n"[..], &good].concat();
        std::fs::write(&path, &newer).unwrap();
        fail(folder.path(), 2, line);
        assert!(std::fs::read(&path).unwrap() == newer);
    }
}

#[test]
fn the_file_of_the_variant_that_is_lost_is_written_again_by_the_same_command() {
    let folder = folder(&[PLANNED, TASKS, WORK, GATHER]);
    let whole = tree(folder.path());
    for path in whole.keys().filter(|path| path.ends_with("study.toml")) {
        let text = String::from_utf8(whole[path].clone().unwrap()).unwrap();
        let up = "../".repeat(path.components().count() - 2);
        assert!(text.contains(&format!("\nfile = \"{up}mini-")) && !text.contains("\ntext = "), "{text}");
    }
    for (experiment, line, reads) in [
        ("planned", PLANNED, &["study planned", "values planned --bootstrap 0"][..]),
        ("big", TASKS, &["work big", "gather big", "status big", "values big --bootstrap 0"]),
    ] {
        let is_file = |path: &&PathBuf| path.to_string_lossy().starts_with(&format!("{experiment}/mini-"));
        let file = folder.path().join(whole.keys().find(is_file).unwrap());
        let good = std::fs::read(&file).unwrap();
        let refused = |says: &str, lines: &[&str]| {
            for line in lines {
                let told = fail(folder.path(), 2, line);
                assert!(told.contains("mini-") && told.contains(says), "{line}: {told}");
            }
        };
        std::fs::write(&file, [&good[..], b"\n"].concat()).unwrap();
        refused("it is no longer the file whose SHA-256 is ", &[reads, &[line]].concat());
        std::fs::remove_file(&file).unwrap();
        refused("it is not there; put it back", reads);
        succeed(folder.path(), line);
        assert_same(folder.path(), &whole, line);
    }
}

#[test]
fn damaged_tasks_are_played_again_and_everybody_says_so() {
    let one = folder(&["study mini.toml -o big --games 24 --rounds 2 --nodes 10 --quiet"]);
    let folder = folder(&[TASKS, WORK]);
    let task = folder.path().join("big/tasks/2");
    let (whole, good) = (tree(folder.path()), tree(&task));
    let file = |name: &str| good.keys().find(|path| path.ends_with(name)).unwrap().clone();
    let [record, study, games] = ["task.toml", "study.toml", "games.csv"].map(file);
    let digit = |path: &Path| {
        let mut bytes = good[path].clone().unwrap();
        let at = bytes.iter().rposition(u8::is_ascii_digit).unwrap();
        bytes[at] = if bytes[at] == b'1' { b'2' } else { b'1' };
        bytes
    };
    let counts = {
        // The results of pairs, from which imbalances are chosen.
        let text = String::from_utf8(good[&record].clone().unwrap()).unwrap();
        text.replacen("played = ", "played = 1", 1).into_bytes()
    };
    let short = good[&games].clone().unwrap()[..200].to_vec();
    for (path, bytes, knows) in [
        (&record, Some(vec![]), true),
        (&record, Some(vec![0; 80]), true),
        (&record, Some(counts), true),
        (&record, None, true),
        (&study, Some(vec![]), true),
        (&study, None, true),
        (&games, Some(vec![]), true),
        (&games, Some(short), true),
        (&games, None, true),
        // Only those know who read the games, until one of them says so.
        (&games, Some(digit(&games)), false),
    ] {
        match bytes {
            Some(bytes) => std::fs::write(task.join(path), bytes).unwrap(),
            None => std::fs::remove_file(task.join(path)).unwrap(),
        }
        let what = path.display();
        let is_listed = || {
            let status: serde_json::Value =
                serde_json::from_str(&succeed(folder.path(), "status big --json")).unwrap();
            let damaged: Vec<u64> = status["damaged"]
                .as_array()
                .unwrap()
                .iter()
                .map(|task| task["task"].as_u64().unwrap())
                .collect();
            let jobs = succeed(folder.path(), "cluster big --parallel --quiet");
            assert_eq!(jobs.contains("--task 2 "), damaged == [2], "{jobs}");
            assert_eq!(status["finished"], if damaged == [2] { 1 } else { 2 }, "{what}");
            damaged == [2]
        };
        assert_eq!(is_listed(), knows, "{what}");
        let says = fail(folder.path(), 1, GATHER);
        assert!(
            says.contains("task 2: big/tasks/2") && says.contains("which `backrank work big` plays again"),
            "{says}"
        );
        assert!(is_listed(), "{what}");
        let status = succeed(folder.path(), "status big");
        assert!(status.contains("task 2 is damaged: big/tasks/2"), "{status}");
        succeed(folder.path(), WORK);
        assert!(!is_listed(), "{what}");
        assert_eq!(lasting(&tree(&task)), lasting(&good), "{what}");
        // What was gathered of the others is gathered again.
        std::fs::remove_dir_all(folder.path().join("big/odds")).unwrap_or_default();
        for name in ["games.csv", "games.csv.sha256", "gathered.toml"] {
            let _ = std::fs::remove_file(folder.path().join("big").join(name));
        }
        assert_eq!(
            lasting(&tree(folder.path())).into_keys().collect::<Vec<_>>(),
            lasting(&whole).into_keys().collect::<Vec<_>>()
        );
    }
    // A copy that is put back is as good.
    std::fs::write(task.join(&games), digit(&games)).unwrap();
    fail(folder.path(), 1, GATHER);
    std::fs::write(task.join(&games), good[&games].as_ref().unwrap()).unwrap();
    succeed(folder.path(), &format!("{WORK} --task 2"));
    for line in [GATHER, WORK, GATHER] {
        succeed(folder.path(), line);
    }
    let games = |folder: &TempDir| -> Tree {
        let is_of_study = |path: &Path| !path.starts_with("big/tasks") && path.ends_with("games.csv");
        tree(folder.path()).into_iter().filter(|(path, _)| is_of_study(path)).collect()
    };
    assert!(games(&folder) == games(&one));
    // What is gathered is looked at again when there is nothing else to do.
    succeed(folder.path(), GATHER);
    change_a_digit(&folder.path().join("big/games.csv"));
    let says = fail(folder.path(), 2, GATHER);
    assert!(says.contains("big/games.csv is damaged"), "{says}");
    std::fs::remove_file(folder.path().join("big/games.csv")).unwrap();
    succeed(folder.path(), GATHER);
    assert!(games(&folder) == games(&one));
}

#[test]
fn what_killed_runs_have_left_behind_is_removed_by_the_next() {
    let folder = folder(&[STUDY, ATLAS, TASKS]);
    let path = |file: &str| folder.path().join(file);
    std::fs::create_dir(path("more")).unwrap();
    std::fs::create_dir_all(path("big/tasks/3.other-1-00000002.damaged/odds")).unwrap();
    for (litter, line) in [
        (&["study/.whole-Ab12Cd", "study/.backrank-Ab12Cd"][..], "play study --quiet"),
        (&["study/.backrank-Ab12Cd"], "setups study --permutations 99 --csv study/setups.csv"),
        (&[".backrank-Ab12Cd"], "export study --format pgn -o games.pgn"),
        (&["more/.whole-Ab12Cd", "more/.unfinished-atlas.csv"], "merge atlas -o more --quiet"),
        (
            &[
                "big/tasks/1.lock.other-1-00000001",
                "big/tasks/1.lock.other-1-00000001.stale",
                "big/tasks/3.other-1-00000002.damaged",
            ],
            WORK,
        ),
        (
            &[
                "big/tasks/gather.lock.other-1-00000001",
                "big/tasks/2.lock.other-1-00000001",
                "big/.whole-Ab12Cd",
            ],
            GATHER,
        ),
    ] {
        for file in litter.iter().filter(|file| !path(file).exists()) {
            std::fs::write(path(file), "").unwrap();
        }
        succeed(folder.path(), line);
        for file in litter {
            assert!(!path(file).exists(), "{line}: {file}");
        }
    }
    // What is in use is not litter, and neither is a file of a person.
    let used = path("study/.whole-Ab12Ce");
    let file = std::fs::File::create(&used).unwrap();
    file.lock().unwrap();
    std::fs::write(path("study/.whole-notes.txt"), "").unwrap();
    succeed(folder.path(), "play study --quiet");
    assert!(used.exists() && path("study/.whole-notes.txt").exists());
}
