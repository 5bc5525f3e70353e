//! `backrank study` for a given time: played to its end, continued, interrupted and killed.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use assert_cmd::assert::OutputAssertExt;
use tempfile::TempDir;

use crate::common::{MINI, study_until};

/// A folder with the file of a game in it.
fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("mini.toml"), MINI).unwrap();
    folder
}

fn backrank(folder: &TempDir, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_backrank"));
    command.args(arguments).current_dir(folder);
    command
}

fn study(folder: &TempDir, more: &[&str]) -> Command {
    backrank(folder, &[&["study", "mini.toml", "--threads", "2"], more].concat())
}

/// Plays the study in its usual directory until it has more than so many games, headings included.
fn play_past(folder: &TempDir, least: usize, more: &[&str]) -> Output {
    let play = |time: &str| study(folder, &[&["--time", time], more].concat()).output().unwrap();
    study_until(|| lines(&games(folder)) > least, play)
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// Every games.csv of a study.
fn games(folder: &TempDir) -> Vec<(PathBuf, Vec<u8>)> {
    let study = folder.path().join("study-mini");
    let below = ["odds", "fixed"].map(|folder| std::fs::read_dir(study.join(folder)));
    let below = below.into_iter().flatten().flatten().map(|entry| entry.unwrap().path());
    let mut paths: Vec<PathBuf> =
        std::iter::once(study.clone()).chain(below).map(|path| path.join("games.csv")).collect();
    paths.sort();
    paths.into_iter().filter_map(|path| Some((path.clone(), std::fs::read(path).ok()?))).collect()
}

fn lines(games: &[(PathBuf, Vec<u8>)]) -> usize {
    games.iter().map(|(_, bytes)| bytes.iter().filter(|&&byte| byte == b'\n').count()).sum()
}

/// Checks that all complete rows are still there, and further ones.
fn assert_continued(before: &[(PathBuf, Vec<u8>)], after: &[(PathBuf, Vec<u8>)]) {
    for (path, bytes) in before {
        let whole = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
        let (_, now) = after.iter().find(|(other, _)| other == path).unwrap();
        assert!(now.starts_with(&bytes[..whole]), "{}", path.display());
    }
    assert!(lines(after) > lines(before), "{} lines, then {}", lines(before), lines(after));
}

#[test]
fn a_study_ends_with_a_report_and_adds_games_when_run_again() {
    let folder = folder();
    let first = play_past(&folder, 20, &["--nodes", "20"]);
    let says = text(&first.stdout);
    // R, K and Q stand anywhere, the knights on what is left.
    assert!(says.lines().nth(1).unwrap().split_whitespace().eq(["mini", "60", "60", "agreed"]), "{says}");
    let with_values = says.contains("values with R=5, 95 % intervals: A rook is 5. P is a pawn, ");
    assert!(with_values || says.contains("Too few games for what pieces are worth"), "{says}");
    assert_eq!(says.lines().last(), Some("study-mini/report.html"), "{says}");
    let begun = games(&folder);
    assert!(lines(&begun) > 20);

    // Without its options it is the same study.
    let second = play_past(&folder, lines(&begun), &[]);
    let held = backrank_analysis::table::thousands((lines(&begun) - begun.len()) as u64);
    let held = format!("study-mini holds {held} games; more will be added");
    assert!(text(&second.stderr).starts_with(&held), "{}", text(&second.stderr));
    assert_eq!(text(&second.stdout).lines().last(), Some("study-mini/report.html"));
    let now = games(&folder);
    assert_continued(&begun, &now);
    assert_same_as_other_commands(&folder, &now);
}

#[test]
fn a_study_of_few_games_says_so_and_shows_no_values() {
    let folder = folder();
    let output = study(&folder, &["--games", "20", "--rounds", "1", "--nodes", "10"]).output().unwrap();
    let (says, notes) = (text(&output.stdout), text(&output.stderr));
    assert_eq!(says.matches("Too few games for what pieces are worth: ").count(), 1, "{says}");
    assert!(!says.contains('∞') && !says.contains("no ratio to it"), "{says}");
    assert!(notes.contains("open study-mini/report.html in a browser"), "{notes}");
    let report = std::fs::read_to_string(folder.path().join("study-mini/report.html")).unwrap();
    assert!(report.contains(" games are too few to say what a piece is worth"));
    let values = report.split("id=\"imbalances\"").next().unwrap();
    assert!(!values.contains('∞'), "{values}");
}

/// Checks that the files are the same as those that `values`, `setups` and `report` write.
fn assert_same_as_other_commands(folder: &TempDir, games: &[(PathBuf, Vec<u8>)]) {
    let path = |name: &str| folder.path().join("study-mini").join(name);
    let read = |path: &Path| std::fs::read_to_string(path).unwrap();
    let report = read(&path("report.html"));
    let again = report
        .split("aria-label=\"Command\">backrank report ")
        .nth(1)
        .unwrap()
        .split("</pre>")
        .next()
        .unwrap();
    let arguments: Vec<&str> = again.split(' ').collect();
    let (studies, output) = arguments.split_at(arguments.len() - 2);
    assert_eq!(studies, ["study-mini"], "{again}");
    // A part that was stopped before its first game is none.
    let played = games.iter().filter(|(_, bytes)| bytes.iter().filter(|&&byte| byte == b'\n').count() > 1);
    assert_eq!(report.matches("/study.toml</code>").count(), played.count());
    assert_eq!(output, ["-o", "study-mini/report.html"]);
    backrank(folder, &[&["report"], arguments.as_slice()].concat()).assert().success();
    assert!(read(&path("report.html")) == report);
    let csv = folder.path().join("again.csv");
    let csv_path = csv.to_str().unwrap();
    backrank(folder, &[&["values"], studies, &["--csv", csv_path]].concat()).assert().success();
    assert_eq!(read(&csv), read(&path("values.csv")));
    let found = backrank(folder, &["setups", "study-mini", "--csv", csv_path]).output().unwrap();
    assert_eq!(read(&csv), read(&path("setups.csv")));
    // One that is not at its end is no error, and says so.
    let says = text(&found.stdout);
    assert!(
        says.contains("not played to the end: study-mini (") && says.contains(" of 1,000,000 games)"),
        "{says}"
    );
}

/// A run of a minute that has recorded some games.
fn running(folder: &TempDir) -> std::process::Child {
    let mut command = study(folder, &["--time", "1m", "--nodes", "100"]);
    let mut run = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    while lines(&games(folder)) < 50 && run.try_wait().unwrap().is_none() {
        std::thread::sleep(Duration::from_millis(2));
    }
    run
}

#[test]
fn a_killed_study_continues() {
    let folder = folder();
    for _ in 0..2 {
        let mut run = running(&folder);
        run.kill().unwrap();
        run.wait().unwrap();
    }
    let killed = games(&folder);
    assert!(!folder.path().join("study-mini/report.html").exists());
    play_past(&folder, lines(&killed), &[]);
    assert_continued(&killed, &games(&folder));
}

#[cfg(unix)]
#[test]
fn ctrl_c_keeps_the_games_and_says_how_to_continue() {
    let folder = folder();
    let run = running(&folder);
    let interrupt = Command::new("sh").args(["-c", &format!("kill -INT {}", run.id())]).status().unwrap();
    assert!(interrupt.success());
    let output: Output = run.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let says = text(&output.stderr);
    assert!(says.contains(" more games; run the same command again to continue"), "{says}");
    let stopped = games(&folder);
    assert!(stopped.iter().all(|(_, bytes)| bytes.ends_with(b"\n")));
    // By its directory, too.
    let again =
        |time: &str| backrank(&folder, &["study", "study-mini", "--time", time, "--quiet"]).output().unwrap();
    let again = study_until(|| lines(&games(&folder)) > lines(&stopped), again);
    assert_eq!(text(&again.stderr), "");
    assert_continued(&stopped, &games(&folder));
}

#[test]
fn a_study_without_a_finished_game_fails_with_the_reason() {
    let folder = folder();
    let output = study(&folder, &["--time", "1s", "--nodes", "1000000000"]).output().unwrap();
    let says = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{says}");
    assert!(says.contains("no game was finished within 1s: some of that is for counting"), "{says}");
    assert!(says.contains("a game of mini with 1000000000 nodes a move on this machine as it is"), "{says}");
}

#[test]
fn wrong_input_is_refused() {
    let folder = folder();
    let begin =
        |time: &str| study(&folder, &["--time", time, "--nodes", "20", "-o", "runs/mini"]).output().unwrap();
    study_until(|| folder.path().join("runs/mini/report.html").exists(), begin);
    for (arguments, says) in [
        (vec!["study", "chess99"], "is counted and listed only"),
        (vec!["study", "mini.toml", "--time", "soon"], "invalid value 'soon' for '--time <TIME>'"),
        (vec!["study", "mini.toml", "--time", "0s"], "from 1s to 366days"),
        (vec!["study", "mini.toml", "--time", "900years"], "from 1s to 366days"),
        (vec!["study", "runs/mini", "--nodes", "30"], "limits.nodes: begun with 20, now 30"),
        (vec!["study", "chess", "-o", "runs/mini"], "variant.key: begun with mini, now chess"),
        (vec!["study", "runs"], "no variant"),
    ] {
        let output = backrank(&folder, &arguments).assert().code(2).stdout("").get_output().stderr.clone();
        assert!(text(&output).contains(says), "{arguments:?}: {}", text(&output));
    }
    let left: Vec<_> = std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left.len(), 2, "{left:?}");
}

/// As the files of the catalogue do from one version to the next.
#[test]
fn a_study_whose_variant_file_has_changed_continues_by_its_directory() {
    let folder = folder();
    play_past(&folder, 1, &["--nodes", "20"]);
    let begun = games(&folder);
    std::fs::write(folder.path().join("mini.toml"), MINI.replacen("source = ", "source  = ", 1)).unwrap();
    let output = study(&folder, &["--time", "1s"]).assert().code(2).stdout("").get_output().stderr.clone();
    let says = text(&output);
    assert!(says.contains("\n  variant.text: begun with `source = "), "{says}");
    assert!(says.ends_with("give its directory, no variant and no options. To begin another study, choose another directory with -o.\n"), "{says}");
    let again = |time: &str| backrank(&folder, &["study", "study-mini", "--time", time]).output().unwrap();
    study_until(|| lines(&games(&folder)) > lines(&begun), again);
    assert_continued(&begun, &games(&folder));
}
