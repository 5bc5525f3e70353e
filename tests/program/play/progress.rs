//! What is shown while games are played.

use super::*;

#[test]
fn without_a_terminal_there_is_a_line_every_ten_seconds_however_long_a_game_takes() {
    let (_folder, one, _) = twice();
    let (engine, directory) = (engine("hang 1"), one.to_str().unwrap());
    let study = ["crc", "--black", &engine, "--setups", "0..2", "--timeout", "11", "--threads", "1"];
    let output = play(&[&study[..], &["-o", directory]].concat()).output().unwrap();
    let says = stderr(&output);
    let lines: Vec<&str> = says.lines().filter(|line| line.contains(" of 2 games")).collect();
    let [first, second] = lines[..] else { panic!("{says}") };
    assert_eq!(first, "0 of 2 games");
    let rest = second.strip_prefix("1 of 2 games, 0.0").unwrap_or_else(|| panic!("{says}"));
    assert!(
        rest.ends_with(" s left, white 100.0 %, Elo ∞, between -234 and ∞ at 95 %, engine-failure 1")
            && rest.contains(" a second, "),
        "{says}"
    );
}

/// `script` gives a program a terminal.
#[cfg(target_os = "linux")]
#[test]
fn on_a_terminal_there_is_a_bar() {
    if lacks("script", "bsdutils") {
        return;
    }
    let (_folder, one, _) = twice();
    let program = env!("CARGO_BIN_EXE_backrank");
    let play = format!("{program} play crc --setups 0..40 --nodes 400 --threads 1 -o {}", one.display());
    let output = Command::new("script").args(["-qec", &play, "/dev/null"]).output().unwrap();
    assert!(output.status.success());
    let shown = String::from_utf8_lossy(&output.stdout).into_owned();
    for part in ["/40 ", "/s", " left  white ", " %, checkmate "] {
        assert!(shown.contains(part), "{part}: {shown}");
    }
    assert!(shown.contains("games        40, "), "the summary: {shown}");
}
