//! Weights from games, and from nothing.

use std::path::Path;
use std::process::Command;

use assert_cmd::assert::OutputAssertExt;

const PROGRAM: &str = env!("CARGO_BIN_EXE_backrank");

fn backrank(arguments: &[&str]) -> Command {
    let mut command = Command::new(PROGRAM);
    command.args(arguments);
    command
}

fn path(folder: &Path, name: &str) -> String {
    folder.join(name).to_str().unwrap().to_string()
}

#[test]
fn weights_are_the_same_with_any_number_of_threads_and_play() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let (pmrc, chess) = (path(folder, "pmrc"), path(folder, "chess"));
    let study = ["--setups", "random:60", "--nodes", "40", "--scores"];
    backrank(&[&["play", "pmrc", "-o", &pmrc], &study[..]].concat()).assert().success();
    backrank(&[&["play", "chess960", "-o", &chess], &study[..]].concat()).assert().success();
    let tuned = |threads: &str, more: &[&str]| {
        let output = path(folder, "weights.toml");
        let arguments = [&["tune", &pmrc, &chess, "-o", &output, "--json"], more].concat();
        let said = backrank(&arguments).env("RAYON_NUM_THREADS", threads).assert().success();
        let summary: serde_json::Value = serde_json::from_slice(&said.get_output().stdout).unwrap();
        (std::fs::read_to_string(output).unwrap(), summary)
    };
    let (weights, summary) = tuned("1", &[]);
    assert_eq!(tuned("2", &[]), (weights.clone(), summary.clone()));
    assert!(summary["loss"]["after"].as_f64() < summary["loss"]["before"].as_f64(), "{summary}");
    assert!(summary["positions"].as_u64() > Some(1_000), "{summary}");
    assert!(
        weights.contains("\n[values.chess960]\nB = ") && weights.contains("\n[values.pmrc]\nB = "),
        "{weights}"
    );
    assert!(!weights.contains("P ="), "the pawn is what values are measured in: {weights}");

    let (kept, _) = tuned("2", &["--keep-values", "--lambda", "1"]);
    assert!(!kept.contains("[values."), "{kept}");
    assert_ne!(kept, weights);

    let (weights, played) = (path(folder, "weights.toml"), path(folder, "played"));
    let option = format!("WeightsFile={weights}");
    let study =
        ["play", "pmrc", "--setups", "0..3", "--nodes", "40", "-o", &played, "--white-option", &option];
    backrank(&study).assert().success();
    // Other weights are another engine: the study is not continued with them.
    std::fs::write(&weights, kept.replacen("tempo = [", "tempo = [9", 1)).unwrap();
    let refused = backrank(&["play", &played]).assert().code(2);
    let says = String::from_utf8_lossy(&refused.get_output().stderr).into_owned();
    assert!(says.contains("was begun by another engine"), "{says}");
}

/// If the engine's own weights judged openings, weights made from nothing would depend on those that were there before.
#[test]
fn openings_are_judged_by_the_weights_that_are_played_with() {
    let folder = tempfile::tempdir().unwrap();
    let start = concat!("WeightsFile=", env!("CARGO_MANIFEST_DIR"), "/engine/start.toml");
    let openings = |name: &str, options: &[&str]| -> Vec<String> {
        let output = path(folder.path(), name);
        let study = ["play", "pmrc", "--setups", "0..6", "--nodes", "1", "-o", &output];
        backrank(&[&study, options].concat()).assert().success();
        let games = std::fs::read_to_string(folder.path().join(name).join("games.csv")).unwrap();
        let moves = games.lines().skip(1).map(|row| row.rsplit(',').next().unwrap());
        moves.map(|moves| moves.split(' ').take(8).collect::<Vec<_>>().join(" ")).collect()
    };
    let own = openings("own", &[]);
    assert_eq!(own, openings("black", &["--black-option", start]), "White's player judges");
    assert_ne!(own, openings("white", &["--white-option", start]));
    let white = format!("{PROGRAM} uci");
    assert_ne!(
        own,
        openings("other", &["--white", &white, "--black-option", start]),
        "Black's player judges"
    );
}

#[test]
fn wrong_input_is_refused_with_the_reason() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let (study, output) = (path(folder, "study"), path(folder, "weights.toml"));
    backrank(&["play", "pmrc", "--setups", "0..2", "--nodes", "9", "-o", &study]).assert().success();
    let wrong = path(folder, "wrong.toml");
    std::fs::write(&wrong, "tempo = [1.0, 2.0]\nking_luck = 3.0\n").unwrap();
    for (arguments, says) in [
        (vec!["tune", &study, "-o", &output], "quiet positions; at least 100 are needed"),
        (vec!["tune", &study, "-o", &output, "--start", &wrong], "king_luck"),
        (vec!["tune", &study, "-o", &output, "--lambda", "2"], "the part must be a number from 0 to 1"),
        (vec!["tune", &output, "-o", &output], "holds no study"),
        (vec!["play", "pmrc", "-o", &output, "--white-option", "Contempt=9"], "no option `Contempt`"),
        (vec!["play", "pmrc", "-o", &output, "--white-option", &format!("WeightsFile={wrong}")], "king_luck"),
    ] {
        let refused = backrank(&arguments).assert().code(2);
        let stderr = String::from_utf8_lossy(&refused.get_output().stderr).into_owned();
        assert!(stderr.contains(says), "{arguments:?}: {stderr}");
        assert!(!Path::new(&output).exists(), "{arguments:?}");
    }
}

/// The script that makes the engine's weights, with few games of one variant and few nodes.
#[cfg(unix)]
#[test]
fn make_sh_continues_where_it_was_interrupted() {
    let folder = tempfile::tempdir().unwrap();
    let make = |work: &str| {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("selfplay/tune/make.sh");
        let mut command = Command::new("bash");
        command.arg(script).args([work, "3"]).env("BACKRANK", PROGRAM);
        for (name, value) in [
            ("VARIANTS", "chess960"),
            ("FIRST_GAMES", "80"),
            ("GAMES", "80"),
            ("FIRST_NODES", "20"),
            ("NODES", "20"),
            ("FROM_MOVES", "2"),
            ("MOVED", "0"),
        ] {
            command.env(name, value);
        }
        command.assert().success();
        std::fs::read(Path::new(work).join("weights.toml")).unwrap()
    };
    let work = path(folder.path(), "work");
    let weights = make(&work);
    let work_path = Path::new(&work);
    for torn in ["2/chess960/games.csv", "3/chess960/scores.csv"] {
        let file = work_path.join(torn);
        let bytes = std::fs::read(&file).unwrap();
        std::fs::write(&file, &bytes[..bytes.len() - 1_000]).unwrap();
    }
    // Scores are written first, so that a crash leaves no more games than scores.
    let games = work_path.join("3/chess960/games.csv");
    let lines = std::fs::read_to_string(&games).unwrap();
    std::fs::write(&games, lines.lines().take(40).map(|line| format!("{line}\n")).collect::<String>())
        .unwrap();
    std::fs::remove_file(work_path.join("2/weights.toml")).unwrap();
    std::fs::remove_file(work_path.join("3/weights.toml")).unwrap();
    assert!(make(&work) == weights);
}
