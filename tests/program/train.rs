//! Nets from games.

use std::path::Path;

use assert_cmd::assert::OutputAssertExt;

use crate::common::backrank;

fn path(folder: &Path, name: &str) -> String {
    folder.join(name).to_str().unwrap().to_string()
}

fn refused(arguments: &[&str]) -> String {
    let refused = backrank(arguments).assert().code(2);
    String::from_utf8_lossy(&refused.get_output().stderr).into_owned()
}

#[test]
fn a_net_is_the_same_with_any_number_of_threads_and_plays() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let games = path(folder, "games");
    backrank(&["play", "chess8400", "-o", &games, "--setups", "random:60", "--nodes", "40", "--scores"])
        .assert()
        .success();
    let net = path(folder, "chess8400.net");
    let trained = |threads: &str, more: &[&str]| {
        let arguments = [&["train", &games, "-o", &net, "--epochs", "3", "--json"], more].concat();
        let said = backrank(&arguments).env("RAYON_NUM_THREADS", threads).assert().success();
        let summary: serde_json::Value = serde_json::from_slice(&said.get_output().stdout).unwrap();
        (std::fs::read(&net).unwrap(), summary)
    };
    let (bytes, summary) = trained("1", &[]);
    assert_eq!(trained("2", &[]), (bytes.clone(), summary.clone()));
    assert!(summary["positions"].as_u64() > Some(1_000), "{summary}");
    let first = path(folder, "first.net");
    std::fs::rename(&net, &first).unwrap();
    // It goes on from there.
    let (more, summary_of_more) = trained("2", &["--start", &first]);
    assert_eq!(summary_of_more["positions"], summary["positions"]);
    assert_ne!(more, bytes);

    // Nets are for all games with these pieces on this board.
    let played = path(folder, "played");
    backrank(&["play", "pmrc", "--setups", "0..3", "--nodes", "40", "-o", &played, "--net", &net])
        .assert()
        .success();
    let study = std::fs::read_to_string(folder.join("played/study.toml")).unwrap();
    assert_eq!(study.matches("NetFile").count(), 2, "{study}");
    // Another net is another engine: the study is not continued with it.
    std::fs::copy(&first, &net).unwrap();
    let says = refused(&["play", &played]);
    assert!(says.contains("was begun by another engine"), "{says}");

    let other = path(folder, "other");
    let says = refused(&["play", "chess960", "-o", &other, "--net", &net]);
    assert!(says.contains("no net in `") && says.contains("the game needs one for `8x8 "), "{says}");
    std::fs::write(&net, &bytes[..1_000]).unwrap();
    let says = refused(&["play", "pmrc", "-o", &other, "--net", &net]);
    assert!(says.contains("bytes after its first line, not"), "{says}");
    let says = refused(&["train", &games, "-o", &net, "--start", "Cargo.toml"]);
    assert!(says.contains("this is no net"), "{says}");
    assert_eq!(std::fs::read(&net).unwrap().len(), 1_000, "nothing is written");
}

#[test]
fn wrong_input_is_refused_with_the_reason() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let (study, chess, output) = (path(folder, "study"), path(folder, "chess"), path(folder, "a.net"));
    for (game, study) in [("pmrc", &study), ("chess", &chess)] {
        backrank(&["play", game, "--games", "2", "--setups", "0..1", "--nodes", "9", "-o", study])
            .assert()
            .success();
    }
    for (arguments, says) in [
        (vec!["train", &study, "-o", &output], "quiet positions; at least 100 are needed"),
        (vec!["train", &study, &chess, "-o", &output], "a net is for one game: "),
        (vec!["train", &study, "-o", &output, "--lambda", "2"], "the part must be a number from 0 to 1"),
        (vec!["train", &output, "-o", &output], "holds no study"),
    ] {
        let stderr = refused(&arguments);
        assert!(stderr.contains(says), "{arguments:?}: {stderr}");
        assert!(!Path::new(&output).exists(), "{arguments:?}");
    }
}

#[test]
fn play_uses_the_embedded_net_another_net_or_none() {
    let folder = tempfile::tempdir().unwrap();
    let moves = |name: &str, options: &[&str]| -> Vec<String> {
        let output = path(folder.path(), name);
        backrank(
            &[&["play", "chess8400", "--setups", "0..4", "--nodes", "60", "-o", &output], options].concat(),
        )
        .assert()
        .success();
        let games = std::fs::read_to_string(folder.path().join(name).join("games.csv")).unwrap();
        games.lines().skip(1).map(|row| row.rsplit(',').next().unwrap().to_string()).collect()
    };
    let shipped = concat!(env!("CARGO_MANIFEST_DIR"), "/engine/nets/pmrc.net");
    let weights = concat!("WeightsFile=", env!("CARGO_MANIFEST_DIR"), "/engine/weights.toml");
    let weights = ["--white-option", weights, "--black-option", weights];
    let with_net = moves("default", &[]);
    let without = moves("none", &["--net", "none"]);
    assert_ne!(with_net, without);
    assert_eq!(moves("own", &["--net", "own"]), with_net);
    assert_eq!(moves("file", &["--net", shipped]), with_net);
    assert_eq!(moves("weights", &weights), without);
    assert_eq!(moves("both", &[&["--net", "own"], &weights[..]].concat()), with_net);
}

#[test]
fn without_test_games_the_test_loss_is_unknown() {
    let folder = tempfile::tempdir().unwrap();
    let games = path(folder.path(), "games");
    backrank(&["play", "chess960", "-o", &games, "--setups", "0..4", "--nodes", "100", "--scores"])
        .assert()
        .success();
    let net = path(folder.path(), "chess960.net");
    let arguments = ["train", &games, "-o", &net, "--epochs", "1"];
    let said = backrank(&arguments).assert().success();
    let said = String::from_utf8_lossy(&said.get_output().stdout).into_owned();
    assert!(said.contains(", and 0 of games that were left out"), "{said}");
    assert!(said.contains("unknown by the weights, unknown by the net"), "{said}");
    let said = backrank(&arguments).arg("--json").assert().success();
    let summary: serde_json::Value = serde_json::from_slice(&said.get_output().stdout).unwrap();
    assert!(summary["test_loss"]["net"].is_null(), "{summary}");
}

/// The script that makes the engine's nets, with few games.
#[cfg(unix)]
#[test]
fn make_sh_continues_where_it_was_interrupted() {
    let folder = tempfile::tempdir().unwrap();
    let work = folder.path().join("work");
    let make = |game: &str| {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("engine/nets/make.sh");
        let mut command = std::process::Command::new("bash");
        command.arg(script).arg(&work).arg(game);
        command.env("SHARE", "0.0002").env("BACKRANK", env!("CARGO_BIN_EXE_backrank")).assert()
    };
    let net = work.join("chess960.net");
    make("chess960").success();
    let first = std::fs::read(&net).unwrap();
    // Games that are missing are played again, the same ones, and then the net is the same.
    let games = work.join("chess960/even/games.csv");
    let lines = std::fs::read_to_string(&games).unwrap();
    std::fs::write(&games, lines.lines().take(9).map(|line| format!("{line}\n")).collect::<String>())
        .unwrap();
    std::fs::remove_file(&net).unwrap();
    make("chess960").success();
    assert!(std::fs::read(&net).unwrap() == first);
    assert_eq!(std::fs::read_to_string(&games).unwrap(), lines);
    let refused = make("double960").failure().code(2);
    assert!(String::from_utf8_lossy(&refused.get_output().stderr).contains("no net is made for `double960`"));
}
