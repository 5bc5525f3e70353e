//! Games in which a king can stand in check before the first move.

use std::path::{Path, PathBuf};
use std::process::Command;

use assert_cmd::assert::OutputAssertExt;

use super::{column, games, play, refusal, stderr};

/// Nightriders reach from one first rank of nine to the other: a bishop's king, say, stands in check from a nightrider two
/// files away.
fn nightriders(folder: &Path, symmetry: &str) -> PathBuf {
    let text = format!(
        "name = \"Nightriders\"\nsource = \"a test\"\n[board]\nfiles = 7\nranks = 9\n[pieces]\n\
         K = {{ name = \"king\", betza = \"K\", royal = true }}\nB = {{ name = \"bishop\", betza = \"B\" }}\n\
         N = {{ name = \"nightrider\", betza = \"NN\" }}\nR = {{ name = \"rook\", betza = \"R\" }}\n\
         [setup]\nfirst_rank = \"RNBKBNR\"\nsymmetry = \"{symmetry}\"\n"
    );
    let file = folder.join("nightriders.toml");
    std::fs::write(&file, text).unwrap();
    file
}

fn backrank(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_backrank"));
    command.args(arguments);
    command
}

#[test]
fn setups_in_check_are_counted_listed_and_left_out_on_request() {
    let folder = tempfile::tempdir().unwrap();
    for (symmetry, all, without, first) in [
        ("mirror", 630, 450, "BBKNRRN"),
        ("rotate", 630, 510, "BBNRKRN"),
        ("independent", 396_900, 229_500, "BBKNNRR/BBKNRRN"),
    ] {
        let file = nightriders(folder.path(), symmetry);
        let file = file.to_str().unwrap();
        let counted = backrank(&["count", file]).assert().success().stdout(format!("{all}\n"));
        let said = stderr(counted.get_output());
        assert!(said.contains("stands in check before the first move"), "{symmetry}: {said}");
        assert!(said.contains(&format!("such as {first};")), "{symmetry}: {said}");
        backrank(&["--quiet", "count", file]).assert().success().stdout(format!("{all}\n")).stderr("");
        let narrowed = ["count", file, "--where", "no_check"];
        backrank(&narrowed).assert().success().stdout(format!("{without}\n")).stderr("");
        backrank(&["verify", file]).assert().success();

        let shown = backrank(&["show", file, first]).assert().success().get_output().stdout.clone();
        assert!(
            String::from_utf8_lossy(&shown).contains("\ncheck        a king stands in check"),
            "{symmetry}"
        );
        let outside = backrank(&["show", file, first, "--where", "no_check"]).assert().code(2);
        assert!(stderr(outside.get_output()).contains("it breaks no_check (no king in check"), "{symmetry}");
        // Only White's king stands in check in the one setup, which White can answer; White could take Black's in the others.
        let legal = backrank(&["legal", file, first]).output().unwrap();
        match symmetry {
            "independent" => assert!(legal.status.success(), "{}", stderr(&legal)),
            _ => {
                assert!(stderr(&legal).contains("could take Black's king"), "{symmetry}: {}", stderr(&legal));
            }
        }

        let text = std::fs::read_to_string(file).unwrap() + "constraints = [{ no_check = true }]\n";
        std::fs::write(file, text).unwrap();
        backrank(&["count", file]).assert().success().stdout(format!("{without}\n")).stderr("");
        backrank(&["verify", file]).assert().success();
    }
}

#[test]
fn setups_in_check_are_refused_before_play_or_left_out_with_skip_checks() {
    let folder = tempfile::tempdir().unwrap();
    let file = nightriders(folder.path(), "mirror");
    let file = file.to_str().unwrap();
    let output = folder.path().join("out");
    let out = output.to_str().unwrap();
    for arguments in [
        &["play", file, "-o", out, "--nodes", "10"][..],
        &["play", file, "-o", out, "--nodes", "10", "--setups", "random:5"],
        &["play", file, "-o", out, "--nodes", "10", "--setups", "0..600"],
        &["play", file, "-o", out, "--nodes", "10", "--odds", "P:-", "--games", "2"],
        &["atlas", file, "-o", out, "--nodes", "100"],
        &["study", file, "-o", out, "--time", "5s"],
        &["study", file, "-o", out, "--games", "100", "--tasks", "2"],
    ] {
        let refused = backrank(arguments).assert().code(2).stdout("");
        let said = stderr(refused.get_output());
        assert!(
            said.starts_with("error: in 180 of the 630 setups of nightriders a king stands in check"),
            "{arguments:?}: {said}"
        );
        assert!(said.contains("no_check = true") && said.contains("--skip-checks"), "{arguments:?}: {said}");
        assert!(!output.exists(), "{arguments:?}");
    }
    // None of these two stands in check.
    games(&folder.path().join("two"), &[file, "--nodes", "10", "--setups", "0..2"]);

    let asked = [file, "-o", out, "--nodes", "10", "--setups", "random:40", "--skip-checks"];
    let played = play(&asked).assert().success();
    let said = stderr(played.get_output());
    assert!(said.contains("in 180 of the 630 setups of nightriders a king stands in check"), "{said}");
    assert!(said.contains("; they are left out"), "{said}");
    let study = std::fs::read_to_string(output.join("study.toml")).unwrap();
    assert!(study.contains("where = [\"no_check\"]"), "{study}");
    let ids = column(&std::fs::read(output.join("games.csv")).unwrap(), "setup");
    assert!(ids.len() == 40 && ids.iter().all(|id| id.parse::<u32>().unwrap() < 450), "{ids:?}");
    // The same command again finds everything played.
    play(&asked).assert().success();
    play(&[out]).assert().success();
}

/// Without the pawns between them, a rook gives check to a king on its file.
#[test]
fn odds_that_leave_a_check_are_drawn_again_or_refused() {
    let folder = tempfile::tempdir().unwrap();
    let odds = |odds: &str, name: &str| {
        let path = folder.path().join(name);
        let mut command = play(&["double960", "--odds", odds, "--games", "100", "--opening-plies", "0"]);
        command.args(["--nodes", "1", "-o"]).arg(path);
        command
    };
    odds("3P:3P", "some").assert().success();
    // Without any pawn no game can start from many setups: where they are drawn others are, but not where they are said.
    odds("8P:8P", "others").assert().success();
    let failed = odds("8P:8P", "all").args(["--setups", "0..200"]).assert().code(1);
    let said = stderr(failed.get_output());
    assert!(said.contains("no game can start from") && said.contains("without 8P:8P"), "{said}");
    assert!(!said.contains("panicked"), "{said}");
    assert!(refusal(&["chess", "--odds", "9P:-", "-o", "x"]).contains("only 8 P"));
}
