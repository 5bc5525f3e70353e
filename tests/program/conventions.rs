//! What every command keeps to: exit codes, silence, JSON, and the files of studies that nothing overwrites.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use assert_cmd::assert::OutputAssertExt;
use tempfile::TempDir;

use crate::common::{MINI, commands};

/// A folder with a game, a study of it, the same at odds, two shards, and one that is planned in a task.
fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("mini.toml"), MINI).unwrap();
    std::fs::write(folder.path().join("games.pgn"), "1. f3 e5 2. g4 Qh4# 0-1\n").unwrap();
    let play = ["play", "mini.toml", "--nodes", "20", "--setups"];
    for (name, options) in [
        ("study", &["0..20"][..]),
        ("odds", &["0..20", "--odds", "-:P"]),
        ("one", &["0..4", "--shard", "1/2"]),
        ("two", &["0..4", "--shard", "2/2"]),
    ] {
        run(&folder, &[&play[..], options, &["-o", name]].concat()).assert().success();
    }
    let plan = ["study", "mini.toml", "--games", "20", "--rounds", "1", "--tasks", "1", "--nodes", "5"];
    run(&folder, &[&plan[..], &["-o", "planned"]].concat()).assert().success();
    folder
}

fn run(folder: &TempDir, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_backrank"));
    command.args(arguments).current_dir(folder).stdin(Stdio::null());
    command
}

fn output(folder: &TempDir, arguments: &[&str]) -> Output {
    run(folder, arguments).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn refusal(folder: &TempDir, arguments: &[&str]) -> String {
    text(&run(folder, arguments).assert().code(2).stdout("").get_output().stderr)
}

/// A way to run each command that ends soon.
fn arguments(command: &str) -> &'static [&'static str] {
    match command {
        "study" => &["mini.toml", "--games", "20", "--rounds", "1", "--nodes", "10"],
        "variants" => &[],
        "new" => &["new.toml"],
        "check" => &["mini.toml", "--games", "2", "--nodes", "10"],
        "count" => &["crc"],
        "verify" => &["chess"],
        "show" => &["chess"],
        "index" => &["chess960", "RNBQKBNR"],
        "list" => &["pmc"],
        "random" => &["crc"],
        "draw" => &["crc", "--phrase", "a phrase"],
        "perft" => &["chess", "--depth", "2"],
        "legal" => &["chess"],
        "moves" => &["waffle"],
        "schema" => &[],
        "replay" => &["chess", "--moves", "e4"],
        "search" => &["chess", "--nodes", "100"],
        "play" => &["study"],
        "import" => &["games.pgn", "--variant", "chess", "-o", "imported"],
        "merge" => &["one", "two", "-o", "merged"],
        "cluster" => &["planned", "--parallel"],
        "work" => &["planned", "--task", "1"],
        "status" => &["planned"],
        "gather" => &["planned"],
        "export" => &["study", "--format", "epd"],
        "value" => &["waffle", "--predict"],
        "pieces" => &[],
        "serve" => &["chess", "--port", "0", "--once"],
        "armies" => &["cwda-fide-rookies", "--games", "2", "--nodes", "5", "-o", "armies"],
        "values" => &["study", "--bootstrap", "10"],
        "setups" => &["study", "--permutations", "99"],
        "atlas" => &["mini.toml", "-o", "atlas", "--setups", "0..2", "--nodes", "50"],
        "report" => &["study", "--bootstrap", "10", "-o", "report.html"],
        "explore" => &["study", "-o", "explorer.html"],
        "simulate" => &["pmrc", "--values", "P=1,N=3,B=3,R=5,M=8,Q=9", "--games", "20", "-o", "simulated"],
        "tune" => &["simulated", "-o", "weights.toml"],
        "train" => &["simulated", "-o", "pmrc.net", "--epochs", "1"],
        "uci" => &[],
        "bench" => &["--depth", "1"],
        "endgame" => &["chess", "KQvK"],
        "completions" => &["bash"],
        "man" => &[],
        other => panic!("say here how `{other}` is run"),
    }
}

#[test]
fn quiet_is_quiet_in_every_command() {
    let folder = folder();
    // A bare study has all its games: `play` would say that nothing is left.
    let loud = text(&output(&folder, &["play", "study"]).stderr);
    assert!(loud.contains("nothing is left to play"), "{loud}");
    for command in commands() {
        let output = output(&folder, &[&[command.as_str(), "--quiet"], arguments(&command)].concat());
        assert!(output.status.success(), "{command}: {}", text(&output.stderr));
        assert_eq!(text(&output.stderr), "", "{command}");
    }
}

#[test]
fn every_json_option_prints_json() {
    let folder = folder();
    let json = |arguments: &[&str]| -> serde_json::Value {
        let output = output(&folder, &[arguments, &["--json"]].concat());
        assert!(output.status.success(), "{}", text(&output.stderr));
        serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{arguments:?}: {error}"))
    };
    let played = json(&["play", "study"]);
    assert_eq!((&played["games"], &played["match"]), (&20.into(), &serde_json::Value::Null));
    let endings: BTreeMap<String, u64> = serde_json::from_value(played["endings"].clone()).unwrap();
    assert_eq!(endings.values().sum::<u64>(), 20);
    let mate = json(&["search", "chess", "--fen", "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", "--depth", "3"]);
    assert_eq!((&mate["mate"], &mate["best"]["notation"]), (&1.into(), &"Ra8#".into()));
    assert_eq!(mate["line"][0]["uci"], "a1a8");
    let even = json(&["search", "chess", "--nodes", "500"]);
    assert!(even["centipawns"].is_i64() && even["mate"].is_null() && even["nodes"].is_u64(), "{even}");
    let perft = json(&["perft", "chess", "--depth", "3", "--divide"]);
    assert_eq!((&perft["nodes"], perft["moves"].as_array().unwrap().len()), (&8902.into(), 20));
    let study = json(&["study", "mini.toml", "--games", "200", "--rounds", "2", "--nodes", "10"]);
    assert_eq!(study["report"], "study-mini/report.html");
    assert!(study["games"].as_u64() > Some(10) && study["values"].as_array().unwrap().len() > 5, "{study}");
    assert_eq!(study["counts"][0]["brute_force"], 60);
    assert_eq!(json(&["status", "planned"])["missing"], 1);
    output(&folder, &["work", "planned"]);
    assert_eq!(json(&["gather", "planned"])["games"], 20);
}

#[test]
fn files_of_a_study_are_not_overwritten() {
    let folder = folder();
    let study = folder.path().join("study");
    std::fs::write(study.join("failures.log"), "game 7: it crashed\n").unwrap();
    std::fs::create_dir(folder.path().join("packed")).unwrap();
    std::fs::copy(study.join("study.toml"), folder.path().join("packed/study.toml")).unwrap();
    std::fs::write(folder.path().join("packed/games.csv.gz"), "").unwrap();
    let before = |path: &str| std::fs::read(folder.path().join(path)).unwrap();
    for (arguments, path) in [
        (&["export", "study", "--format", "pgn", "-o"][..], "study/games.csv"),
        (&["export", "study", "--format", "pgn", "-o"], "study/study.toml"),
        (&["list", "chess", "-o"], "packed/games.csv.gz"),
        (&["report", "study", "--bootstrap", "0", "-o"], "study/study.toml"),
        (&["values", "study", "--bootstrap", "0", "--csv"], "study/failures.log"),
        (&["setups", "study", "--permutations", "99", "--csv"], "study/games.csv"),
        (&["show", "chess", "--svg"], "study/games.csv"),
        (&["verify", "chess", "--csv"], "study/study.toml"),
    ] {
        let whole = before(path);
        let output = output(&folder, &[arguments, &[path]].concat());
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {said}");
        assert!(said.contains("belongs to the study in ") && said.contains(path), "{said}");
        assert!(before(path) == whole, "{arguments:?}");
    }
    // By another way to the same file, and one that is not there but would be taken for the study's.
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("study/games.csv", folder.path().join("link")).unwrap();
        refusal(&folder, &["export", "study", "--format", "pgn", "-o", "link"]);
    }
    refusal(&folder, &["export", "packed", "--format", "pgn", "-o", "packed/games.csv"]);
    // Anything else may be there, and files of that name elsewhere.
    for path in ["study/games.pgn", "games.csv"] {
        run(&folder, &["export", "study", "--format", "pgn", "-o", path]).assert().success();
    }
}

#[test]
fn wrong_input_exits_with_2() {
    let folder = folder();
    let toml = folder.path().join("study/study.toml");
    let whole = std::fs::read(&toml).unwrap();
    std::fs::write(&toml, [&whole[..], b"# caf\xe9\n"].concat()).unwrap();
    let line = 1 + whole.iter().filter(|&&byte| byte == b'\n').count();
    for command in [&["values", "study"][..], &["play", "study"], &["export", "study", "--format", "epd"]] {
        let said = refusal(&folder, command);
        assert!(said.contains(&format!("study.toml is not a study: line {line} is not UTF-8")), "{said}");
    }
    std::fs::write(&toml, whole).unwrap();
    for arguments in [
        &["search", "chess", "--depth", "0"][..],
        &["search", "chess", "--nodes", "0"],
        &["play", "mini.toml", "-o", "x", "--shard", "1/0"],
        &["play", "mini.toml", "-o", "x", "--where", "nonsense=K"],
        &["study", "mini.toml", "-o", "x", "--where", "fixed=QQQQQ"],
    ] {
        refusal(&folder, arguments);
        assert!(!folder.path().join("x").exists(), "{arguments:?}");
    }
    let said = refusal(&folder, &["play", "mini.toml", "-o", "x", "--shard", "1/0"]);
    assert!(said.contains("there are no shards of 0") && !said.contains("1/0 and"), "{said}");
}

/// Help and versions are output like any other.
#[cfg(target_os = "linux")]
#[test]
fn output_that_cannot_be_written_is_a_failure() {
    let folder = tempfile::tempdir().unwrap();
    for arguments in [&["--help"][..], &["--version"], &["play", "--help"], &["variants"]] {
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let output = run(&folder, arguments).stdout(full).output().unwrap();
        assert_eq!(output.status.code(), Some(1), "{arguments:?}");
        assert!(text(&output.stderr).contains("No space left"), "{}", text(&output.stderr));
    }
    // Nobody is told, and nothing panics.
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let output = run(&folder, &["count", "nonesuch"]).stderr(full).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
}

/// A limit on the memory of the process is as good as a machine with little.
#[cfg(target_os = "linux")]
#[test]
fn a_table_beyond_memory_is_refused_with_a_sentence() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("mini.toml"), MINI).unwrap();
    for command in ["search chess --nodes 10", "play mini.toml -o study --setups 0..2"] {
        let limited = format!("ulimit -v 4000000; exec \"$0\" {command} --hash 65536");
        let mut shell = Command::new("sh");
        let shell = shell.args(["-c", &limited, env!("CARGO_BIN_EXE_backrank")]).current_dir(&folder);
        let output = shell.output().unwrap();
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{command}: {said}");
        assert!(said.contains("no memory for a transposition table of 65536 MiB"), "{command}: {said}");
    }
    assert!(!folder.path().join("study").exists());
    // Over UCI there is nobody to ask for another size: the engine says that it takes a smaller one.
    let commands = r"setoption name Hash value 65536\nisready\ngo nodes 10\n";
    let limited = format!("ulimit -v 4000000; printf '{commands}' | \"$0\" uci");
    let mut shell = Command::new("sh");
    let output = shell.args(["-c", &limited, env!("CARGO_BIN_EXE_backrank")]).output().unwrap();
    let said = text(&output.stdout);
    assert!(said.contains("info string there is no memory for a transposition table of 65536 MiB"), "{said}");
    assert!(said.contains(" MiB, the largest that fits\n"), "{said}");
    assert!(said.contains("\nreadyok\n") && said.contains("\nbestmove "), "{said}");
}

#[test]
fn a_study_whose_tables_do_not_fit_into_memory_is_not_begun() {
    let folder = tempfile::tempdir().unwrap();
    let study = ["play", "chess960", "-o", "study", "--hash", "4096", "--threads", "1000", "--games", "100"];
    let output = run(&folder, &study).output().unwrap();
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("take 8193000 MiB with 1000 games at a time"), "{said}");
    assert!(said.contains("choose a smaller --hash or fewer --threads"), "{said}");
    assert!(!folder.path().join("study").exists());
}

#[test]
fn a_narrowed_study_is_kept_continued_and_read() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("mini.toml"), MINI).unwrap();
    let narrowed = ["--where", "fixed=K....", "--nodes", "10", "-o", "study"];
    run(&folder, &[&["play", "mini.toml"], &narrowed[..]].concat()).assert().success();
    let path = |name: &str| folder.path().join("study").join(name);
    let read = |path: &Path| std::fs::read_to_string(path).unwrap();
    assert!(read(&path("study.toml")).contains("\nwhere = [\"fixed=K....\"]\n"));
    let games = read(&path("games.csv"));
    let mut ranks = games.lines().skip(1).map(|row| row.split(',').nth(2).unwrap());
    assert!(games.lines().count() == 13 && ranks.all(|rank| rank.starts_with('K')), "{games}");
    // Cut off in the middle it goes on, by its directory alone.
    std::fs::write(path("games.csv"), &games[..games.len() / 2]).unwrap();
    run(&folder, &["play", "study"]).assert().success();
    assert_eq!(read(&path("games.csv")), games);
    run(&folder, &["setups", "study", "--permutations", "99"]).assert().success();
    let said = refusal(&folder, &["play", "study", "--where", "fixed=....K"]);
    assert!(said.contains("where: begun with [\"fixed=K....\"], now [\"fixed=....K\"]"), "{said}");
    let said = refusal(&folder, &["play", "mini.toml", "-o", "study", "--nodes", "10"]);
    assert!(said.contains("where: begun with"), "{said}");

    let study = ["study", "mini.toml", "--games", "80", "--rounds", "2", "--nodes", "10"];
    let first = output(&folder, &[&study[..], &["--where", "fixed=K...."]].concat());
    assert!(text(&first.stdout).contains("12 of them meet fixed=K....\n"), "{}", text(&first.stdout));
    run(&folder, &["study", "study-mini", "--time", "5s"]).assert().success();
    let odds = std::fs::read_dir(folder.path().join("study-mini/odds")).unwrap();
    let odds: Vec<std::path::PathBuf> = odds.map(|entry| entry.unwrap().path().join("games.csv")).collect();
    assert!(!odds.is_empty());
    for games in odds.into_iter().chain([folder.path().join("study-mini/games.csv")]) {
        let games = read(&games);
        assert!(games.lines().skip(1).all(|row| row.split(',').nth(2).unwrap().starts_with('K')), "{games}");
    }
}

/// Every reader of games holds them against the study, as `play` does.
#[test]
fn rows_that_are_not_of_their_study_are_refused_by_every_reader() {
    let folder = folder();
    let path = folder.path().join("study/games.csv");
    let games = std::fs::read_to_string(&path).unwrap();
    let last = games.lines().last().unwrap().to_string();
    for (damaged, says) in [
        (
            format!("{games}{}\n", last.replacen("19,19", "20,19", 1)),
            "line 22: game 20 is not one of this study",
        ),
        (games.replacen("\n5,5,", "\n5,6,", 1), "line 7: setup is 6, but should be 5"),
    ] {
        std::fs::write(&path, damaged).unwrap();
        for command in [
            &["play", "study"][..],
            &["values", "study", "--bootstrap", "0"],
            &["setups", "study", "--permutations", "99"],
            &["report", "study", "--bootstrap", "0", "-o", "report.html"],
            &["export", "study", "--format", "epd", "-o", "games.epd"],
            &["merge", "study", "-o", "merged"],
        ] {
            let said = refusal(&folder, command);
            assert!(said.contains(says), "{command:?}: {said}");
        }
    }
}

/// A limit on the size of a file is as good as a full disk.
#[cfg(unix)]
#[test]
fn a_merge_that_failed_can_be_done_again() {
    let folder = tempfile::tempdir().unwrap();
    for shard in ["1/2", "2/2"] {
        let name = format!("shard-{}", &shard[..1]);
        let study = ["play", "crc", "--setups", "0..40", "--nodes", "20", "-o", &name, "--shard", shard];
        run(&folder, &study).assert().success();
    }
    let merge = "merge shard-1 shard-2 -o whole";
    let mut shell = Command::new("sh");
    let limited = format!("trap '' XFSZ; ulimit -f 8; exec \"$0\" {merge}");
    let shell = shell.args(["-c", &limited, env!("CARGO_BIN_EXE_backrank")]).current_dir(&folder);
    let output = shell.output().unwrap();
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("; nothing was merged, and the same command can be run again"), "{said}");
    let left = std::fs::read_dir(folder.path().join("whole")).unwrap();
    let left: Vec<_> = left.map(|entry| entry.unwrap().file_name()).filter(|name| name != ".lock").collect();
    assert!(left.is_empty(), "{left:?}");
    let merge: Vec<&str> = merge.split(' ').collect();
    run(&folder, &merge).assert().success();
    let rows = std::fs::read_to_string(folder.path().join("whole/games.csv")).unwrap();
    assert_eq!(rows.lines().count(), 41);
}
