//! The commands that analyse studies, as a person runs them.

use std::collections::BTreeMap;
use std::path::Path;

use assert_cmd::assert::OutputAssertExt;

use crate::common::{backrank, refusal, stdout_beside_notes as stdout};

const VALUES: &str = "P=1,N=3,B=3.3,R=5,M=8,Q=9";

fn simulate(directory: &Path, more: &[&str], threads: &str) {
    let directory = directory.to_str().unwrap();
    let arguments = ["simulate", "pmrc", "--values", VALUES, "-o", directory, "--threads", threads];
    backrank(&[&arguments, more].concat()).assert().success();
}

fn json(arguments: &[&str]) -> serde_json::Value {
    serde_json::from_str(&stdout(&[arguments, &["--json"]].concat())).unwrap()
}

#[test]
fn the_same_question_gives_the_same_bytes_with_any_number_of_threads() {
    let folder = tempfile::tempdir().unwrap();
    let files = ["1", "3"].map(|threads| {
        let study = folder.path().join(threads);
        simulate(&study, &["--games", "600", "--setups", "100", "--seed", "4"], threads);
        let written = ["values", "setups"].map(|command| {
            let csv = folder.path().join(format!("{command}-{threads}.csv"));
            let more: &[&str] = if command == "values" { &["--bootstrap", "80"] } else { &[] };
            let study = study.to_str().unwrap();
            let arguments = [command, study, "--csv", csv.to_str().unwrap(), "--threads", threads];
            backrank(&[&arguments, more].concat()).assert().success();
            std::fs::read_to_string(csv).unwrap()
        });
        let games = std::fs::read_to_string(study.join("games.csv")).unwrap();
        let [values, setups] = written;
        [games, values, setups]
    });
    assert_eq!(files[0], files[1]);
    let [games, values, setups] = &files[0];
    assert_eq!(games.lines().count(), 601);
    assert_eq!(
        values.lines().next().unwrap(),
        "method,piece,games,value,low,high,unit,pawns,pawns_low,pawns_high,delta_low,delta_high,elo,elo_low,elo_high,note,at_ply"
    );
    assert_eq!(
        setups.lines().next().unwrap(),
        "setup,white_rank,black_rank,games,won,drawn,lost,score,score_low,score_high,shrunk,shrunk_low,shrunk_high,\
         p_value,false_discovery_rate"
    );
    assert_eq!(
        ["regression", "mobility"].map(|method| values.lines().filter(|row| row.starts_with(method)).count()),
        [7, 5]
    );
    let games: u64 =
        setups.lines().skip(1).map(|row| row.split(',').nth(3).unwrap().parse::<u64>().unwrap()).sum();
    assert_eq!(games, 600);
}

#[test]
fn values_that_games_were_simulated_with_are_estimated() {
    let folder = tempfile::tempdir().unwrap();
    let study = folder.path().join("study");
    simulate(&study, &["--games", "6000"], "2");
    let found = json(&["values", study.to_str().unwrap(), "--bootstrap", "60"]);
    for (piece, value) in [("N", 3.0), ("R", 5.0), ("M", 8.0), ("Q", 9.0)] {
        let pieces = found["regression"]["pieces"].as_array().unwrap();
        let pawns = &pieces.iter().find(|row| row["piece"] == piece).unwrap()["pawns"];
        let found = pawns["value"].as_f64().unwrap();
        assert!((found / value - 1.0).abs() < 0.25, "{piece}: {pawns}");
        assert!(pawns["low"].as_f64().unwrap() < found && found < pawns["high"].as_f64().unwrap());
    }
}

#[test]
fn imbalances_come_first_and_in_the_unit_that_is_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_string();
    let [pawn, light, rook, pawns, knights, csv] =
        ["pawn", "knight", "rook", "pawns", "knights", "values.csv"].map(path);
    let played =
        [(&pawn, "P:-"), (&light, "N:3P"), (&rook, "R:N+2P"), (&pawns, "3P:-"), (&knights, "2N:R+P")];
    for (path, odds) in played {
        simulate(Path::new(path), &["--games", "1000", "--odds", odds], "2");
    }
    let all = [pawn.as_str(), &light, &rook, &pawns, &knights];
    let value = |found: &serde_json::Value, piece: &str| {
        let pieces = found["imbalances"]["pieces"].as_array().unwrap();
        pieces.iter().find(|row| row["piece"] == piece).unwrap()["value"].clone()
    };
    let found = json(&[&["values"], &all[..], &["--csv", &csv]].concat());
    assert_eq!((&found["unit"], &found["regression"]), (&"R=5".into(), &serde_json::Value::Null));
    assert_eq!(value(&found, "R")["value"], 5.0);
    let knight = value(&found, "N");
    assert!(knight["low"].as_f64().unwrap() < 3.0 && knight["high"].as_f64().unwrap() > 3.0, "{knight}");
    let rows = std::fs::read_to_string(&csv).unwrap();
    let row: Vec<&str> = rows.lines().nth(2).unwrap().split(',').collect();
    assert_eq!((row[0], row[1], row[6]), ("imbalances", "N", "R=5"));
    assert_eq!(row[3].parse::<f64>().unwrap(), knight["value"].as_f64().unwrap());

    let in_pawns = json(&[&["values"], &all[..], &["--unit", "P=1"]].concat());
    assert_eq!(value(&in_pawns, "P")["value"], 1.0);
    let says = stdout(&[&["values"], &all[..], &["--unit", "P=1"]].concat());
    let heading = says.lines().find(|line| line.starts_with("piece")).unwrap();
    assert!(heading.starts_with("piece  games   P=1"), "{says}");
    for (unit, why) in
        [("K=5", "pmrc has no K that could be the unit"), ("R", "written as a piece and its value")]
    {
        let refused = refusal(&[&["values"], &all[..], &["--unit", unit]].concat());
        assert!(refused.contains(why), "{refused}");
    }
    // Against themselves.
    let itself = [&["values"], &all[..], &["--against"], &all[..]].concat();
    let found_again = json(&itself);
    let compared = found_again.as_array().unwrap();
    assert_eq!(compared.iter().filter(|row| row["method"] == "imbalances").count(), 3);
    for row in compared {
        assert_eq!((&row["ratio"]["value"], &row["value"]), (&1.0.into(), &row["against"]));
        assert!(
            row["piece"] == "R"
                || row["method"] == "mobility"
                || row["ratio"]["low"].as_f64().unwrap() < 0.95,
            "{row}"
        );
    }
    let printed = stdout(&[&itself[..], &["--csv", &csv]].concat());
    assert!(printed.contains("Elo more"), "{printed}");
    assert_eq!(std::fs::read_to_string(&csv).unwrap().lines().count(), compared.len() + 1);
    let games = path("games");
    simulate(Path::new(&games), &["--games", "50"], "2");
    let refused = refusal(&["values", &games, "--against", &pawn]);
    assert!(refused.contains("no piece has a value by the same method of games in both"), "{refused}");
    let refused = refusal(&["values", &pawn, "--decided"]);
    assert!(
        refused.contains("--decided is about the regression, which is on games without odds"),
        "{refused}"
    );
    // In any order, and given twice, the same.
    let again = [&rook, &knights, &light, &pawns, &pawn, &rook].map(String::as_str);
    let again = json(&[&["values"], &again[..]].concat());
    for piece in ["P", "N"] {
        let [one, other] = [&found, &again].map(|found| value(found, piece)["value"].as_f64().unwrap());
        assert!((one - other).abs() < 1e-9, "{piece}: {one} and {other}");
    }
}

#[test]
fn the_pair_of_bishops_is_told_from_them() {
    let says = stdout(&["values", "data/pmrc-2026/net", "--by", "bishops"]);
    let pair = "the pair B+B beyond its pieces: +0.42 (-0.20 to +1.07), +25 Elo (-12 to +62); without it each of them is worth 3.63 (3.18 to 4.06)";
    assert!(says.contains(pair), "{says}");
    assert!(json(&["values", "data/pmrc-2026/net", "--by", "queen"])[0]["pair"].is_null());
}

#[test]
fn a_knight_is_worth_less_where_pawns_are_missing() {
    let network = "data/pmrc-2026/network";
    // A smaller part is read sooner.
    let says = stdout(&["values", "data/pmrc-2026/net", "--without", "4P"]);
    assert!(
        says.starts_with(
            "20 imbalances; that pieces are worth more or less beside others of their own side is "
        ),
        "{says}"
    );
    let found = json(&["values", network, "--without", "4P"]);
    let knight = found["pieces"].as_array().unwrap().iter().find(|row| row["piece"] == "N").unwrap();
    assert!(knight["more_elo"]["high"].as_f64().unwrap() < 0.0, "{knight}");
    assert!(
        found["found"].as_array().unwrap().iter().any(|row| row["piece"] == "P" && row["other"] == "N"),
        "{found}"
    );
    let error = |key: &str| found["error"][key].as_f64().unwrap();
    assert!(
        error("chance") < error("with_interactions") && error("with_interactions") < error("additive"),
        "{found}"
    );
    for (pieces, why) in [
        ("K", "no side can start without K, the king"),
        ("20P", "a side of pmrc has only 9 P"),
        ("A", "a side of pmrc has no A"),
        ("4", "pieces are written as 4P or N+4P"),
    ] {
        let refused = refusal(&["values", network, "--without", pieces]);
        assert!(refused.contains(why), "{pieces}: {refused}");
    }
    let regression = refusal(&["values", "data/pmrc-2026/all", "--without", "4P"]);
    assert!(regression.contains("there are no games at odds from setups"), "{regression}");
}

#[test]
fn a_network_in_shards_merged_or_given_twice_has_the_same_values() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_string();
    let play = |odds: &str, name: &str, more: &[&str]| {
        let directory = path(name);
        let mini = ["play", "tests/games/mini.toml", "--odds", odds, "--games", "40", "--nodes", "20"];
        backrank(&[&mini[..], &["-o", directory.as_str()], more].concat()).assert().success();
        directory
    };
    let whole = [("P:-", "P"), ("R:2P", "R"), ("R:N+P", "RN"), ("Q:R+P", "Q")]
        .map(|(odds, name)| play(odds, name, &[]));
    let shards = ["1/2", "2/2"].map(|shard| play("R:2P", &shard.replace('/', "-"), &["--shard", shard]));
    let merged = path("merged");
    backrank(&["merge", &shards[0], &shards[1], "-o", &merged]).assert().success();
    let values = |studies: &[&str]| json(&[&["values"], studies].concat())["imbalances"].clone();
    let [pawn, rook, knight, queen] = whole.each_ref().map(String::as_str);
    let once = values(&[pawn, rook, knight, queen]);
    assert!(once["pieces"].as_array().unwrap().len() == 4 && once["unpaired"] == 0, "{once}");
    assert_eq!(values(&[pawn, &merged, knight, queen]), once);
    assert_eq!(values(&[pawn, &shards[0], &shards[1], knight, queen]), once);
    assert_eq!(values(&[pawn, rook, &merged, &shards[1], knight, queen, pawn, &shards[0]]), once);
}

#[test]
fn features_and_adjustments_are_written_as_they_are_printed() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_string();
    let [study, features, adjustments] = ["study", "features.csv", "adjustments.csv"].map(path);
    simulate(Path::new(&study), &["--games", "300"], "2");
    let found = json(&["setups", &study, "--features", &features, "--adjustments", &adjustments]);
    let rows = |file: &str| {
        let mut reader = csv::Reader::from_path(file).unwrap();
        reader.records().map(|row| row.unwrap().iter().map(str::to_string).collect()).collect::<Vec<Vec<_>>>()
    };
    let number = |text: &str| text.parse::<f64>().unwrap();
    let effects = found["features"]["effects"].as_array().unwrap();
    let features = rows(&features);
    assert_eq!(features.len(), effects.len());
    for (row, effect) in features.iter().zip(effects) {
        assert_eq!(row[0], effect["feature"].as_str().unwrap());
        assert!((number(&row[4]) - effect["effect"]["value"].as_f64().unwrap()).abs() < 1e-12);
        assert!((number(&row[6]) - effect["effect"]["high"].as_f64().unwrap()).abs() < 1e-12);
    }
    let adjustments = rows(&adjustments);
    let counted =
        |of: &str| adjustments.iter().filter(|row| row[0] == of).map(|row| number(&row[2])).sum::<f64>();
    let all = |what: &str| found["adjustments"][what].as_f64().unwrap();
    assert_eq!(counted("games"), all("games"));
    assert_eq!(counted("sides"), all("could") + all("did"));
    assert_eq!((counted("partner"), counted("move")), (all("did"), all("did")));
}

#[test]
fn without_the_adjustment_there_is_no_table_of_it_and_no_other_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_string();
    let [study, csv, adjustments] = ["study", "setups.csv", "adjustments.csv"].map(path);
    let values = "P=1,N=3,B=3.3,R=5,Q=9";
    backrank(&["simulate", "chess", "--values", values, "--games", "9", "--setups", "1", "-o", &study])
        .assert()
        .success();
    let refused = refusal(&["setups", &study, "--csv", &csv, "--adjustments", &adjustments]);
    assert!(refused.contains("no side could play the Bishop Adjustment"), "{refused}");
    assert!(!Path::new(&csv).exists() && !Path::new(&adjustments).exists());
    assert!(stdout(&["setups", &study]).contains("this takes at least two setups"));
}

#[test]
fn mobility_needs_no_games() {
    let found = json(&["values", "--mobility", "chess", "--density", "0"]);
    let piece = |letter: &str| {
        found.as_array().unwrap().iter().find(|row| row["piece"] == letter).unwrap()["moves"]
            .as_f64()
            .unwrap()
    };
    assert_eq!((piece("N"), piece("R"), piece("Q"), piece("B")), (5.25, 14.0, 22.75, 8.75));
    assert!(stdout(&["values", "--mobility", "chess"]).contains("Kaufman"));
}

#[test]
fn wrong_input_is_explained_and_nothing_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_string();
    let study = path("study");
    for (arguments, says) in [
        (vec!["simulate", "pmrc", "--values", "P=1,N=3", "-o", &study], "B has no value"),
        (
            vec!["simulate", "pmrc", "--values", "P=1,A=3", "-o", &study],
            "`A` does not have a value here; the pieces are P, N, B",
        ),
        (vec!["simulate", "pmrc", "--values", "P=1,N", "-o", &study], "`N`: a value is written as N=3"),
        (
            vec!["simulate", "pmrc", "--values", "P=2,N=3,B=3,R=5,M=8,Q=9", "-o", &study],
            "values are in pawns",
        ),
        (vec!["simulate", "nonesuch", "--values", VALUES, "-o", &study], "nonesuch"),
        (
            vec!["simulate", "pmrc", "--values", VALUES, "--games", "10", "--setups", "3", "-o", &study],
            "cannot be divided evenly among 3 setups",
        ),
        (
            vec!["simulate", "pmrc", "--values", VALUES, "--odds", "K:-", "-o", &study],
            "no side can start without K",
        ),
        (
            vec!["simulate", "pmrc", "--values", VALUES, "--setup-elo", "-5", "-o", &study],
            "a standard deviation must be a number from 0",
        ),
        (
            vec!["simulate", "pmrc", "--values", VALUES, "--from-ply", "2000", "-o", &study],
            "random games were over before ply 2000",
        ),
        (vec!["values", &study], "holds no study"),
        (vec!["setups", &study], "holds no study"),
        (vec!["report", &study, "-o", "report.html"], "holds no study"),
        (vec!["values", "--mobility", "nonesuch"], "nonesuch"),
        (vec!["values"], "required"),
    ] {
        let refused = refusal(&arguments);
        assert!(refused.contains(says), "{arguments:?}: {refused}");
    }
    assert!(std::fs::read_dir(folder.path()).unwrap().next().is_none());
    simulate(Path::new(&study), &["--games", "2"], "1");
    let nowhere = folder.path().join("nowhere/values.csv");
    let output = backrank(&["values", &study, "--csv", nowhere.to_str().unwrap()]).assert().code(1);
    let says = String::from_utf8(output.get_output().stderr.clone()).unwrap();
    let should =
        format!("error: cannot write {}: No such file or directory (os error 2)\n", nowhere.display());
    assert_eq!(says, should);
}

#[test]
fn games_are_grouped_by_columns_of_their_setups() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_string();
    let study = path("study");
    simulate(Path::new(&study), &["--games", "900", "--setups", "300", "--setup-elo", "80"], "2");
    backrank(&["setups", &study, "--csv", &path("setups.csv")]).assert().success();
    backrank(&["setups", &study, "--by", "queen,a", "--csv", &path("groups.csv")]).assert().success();
    let rows = |name: &str| -> Vec<Vec<String>> {
        let mut reader = csv::Reader::from_path(path(name)).unwrap();
        reader.records().map(|row| row.unwrap().iter().map(str::to_string).collect()).collect()
    };
    // Grouped again, from the setups.
    let mut expected: BTreeMap<[String; 2], [u64; 5]> = BTreeMap::new();
    for row in rows("setups.csv") {
        let rank = &row[1];
        let queen = char::from(b'a' + rank.find('Q').unwrap() as u8).to_string();
        let sums = expected.entry([queen, rank[..1].to_string()]).or_default();
        let counts = row[3..7].iter().map(|count| count.parse::<u64>().unwrap());
        sums.iter_mut().zip(std::iter::once(1).chain(counts)).for_each(|(sum, more)| *sum += more);
    }
    let found: BTreeMap<[String; 2], [u64; 5]> = rows("groups.csv")
        .iter()
        .map(|row| {
            let count = |column: usize| row[column].parse().unwrap();
            ([row[0].clone(), row[1].clone()], [2, 3, 4, 5, 6].map(count))
        })
        .collect();
    assert_eq!(found, expected);
    assert!(rows("groups.csv").is_sorted_by_key(|row| [row[0].clone(), row[1].clone()]));
    let all = json(&["setups", &study, "--by", "bishops"]);
    let games = |key: &str| {
        let group = all["groups"].as_array().unwrap().iter().find(|group| group["key"][0] == key).unwrap();
        (group["games"].as_u64().unwrap(), group["could_adjust"].as_u64().unwrap())
    };
    let (one, both) = (games("one colour"), games("both colours"));
    assert_eq!((one.0 + both.0, both.1), (900, 0));
    assert!(one.1 > 0 && one.1 <= 2 * one.0);
    assert!(stdout(&["setups", &study, "--by", "bishops"]).contains("could adjust"));
    let unknown = refusal(&["setups", &study, "--by", "queens"]);
    assert!(
        unknown.contains("no column `queens` here; the columns are king, prime_minister, queen, "),
        "{unknown}"
    );
    assert!(refusal(&["setups", &study, "--by", "a,a"]).contains("`a` is given twice"));
}

#[test]
fn an_interrupted_simulation_goes_on_with_the_same_command() {
    let folder = tempfile::tempdir().unwrap();
    let [whole, cut] = ["whole", "cut"].map(|name| folder.path().join(name));
    let options = ["--games", "80", "--setups", "20", "--white-elo", "-25", "--odds", "-:P"];
    simulate(&whole, &options, "2");
    simulate(&cut, &options, "2");
    let games = std::fs::read(whole.join("games.csv")).unwrap();
    for length in [0, 40, games.len() / 2, games.len()] {
        std::fs::write(cut.join("games.csv"), &games[..length]).unwrap();
        simulate(&cut, &options, "1");
        assert_eq!(std::fs::read(cut.join("games.csv")).unwrap(), games, "cut after {length} bytes");
    }
    // Interrupted before the first game.
    std::fs::remove_file(cut.join("games.csv")).unwrap();
    let none = refusal(&["values", cut.to_str().unwrap()]);
    assert!(none.contains("run the command that began it again"), "{none}");
    simulate(&cut, &options, "1");
    assert_eq!(std::fs::read(cut.join("games.csv")).unwrap(), games);
    for (option, other, says) in [
        ("--white-elo", "25", "simulation.toml: the simulation was begun with other values"),
        ("--from-ply", "10", "simulation.toml: the simulation was begun with other values"),
        ("--seed", "7", "seed: begun with 0, now 7"),
        ("--games", "120", "games: begun with 4, now 6"),
    ] {
        let given = ["simulate", "pmrc", "--values", VALUES, "-o", cut.to_str().unwrap()];
        let kept: Vec<&str> = options.chunks(2).filter(|pair| pair[0] != option).flatten().copied().collect();
        let refused = refusal(&[&given[..], &kept, &[option, other]].concat());
        assert!(refused.contains(says), "{option}: {refused}");
    }
}

#[test]
fn too_few_games_to_tell_setups_apart_are_reported() {
    let folder = tempfile::tempdir().unwrap();
    let said = |setups: &str| {
        let study = folder.path().join(setups);
        simulate(&study, &["--games", "600", "--setups", setups], "2");
        stdout(&["setups", study.to_str().unwrap()]).contains("this mostly follows from the prior")
    };
    // Among 600 of 15,120 setups a few are drawn twice.
    assert!(said("600") && !said("30"));
}

/// Plays a match of 2 games from each of the setups 0 to 3.
fn play_match(folder: &Path, name: &str, odds: &str, nodes: &str, more: &[&str]) -> String {
    let path = folder.join(name).to_str().unwrap().to_string();
    let asked = ["play", "pmrc", "--odds", odds, "--setups", "0..4", "--nodes", nodes, "-o", &path];
    backrank(&[&asked, more].concat()).assert().success();
    path
}

#[test]
fn games_without_moves_are_copies_if_the_study_is_the_same_and_only_then() {
    let folder = tempfile::tempdir().unwrap();
    let quick = play_match(folder.path(), "quick", "P:-", "5", &["--no-moves"]);
    let whole = play_match(folder.path(), "whole", "P:-", "5", &[]);
    let other = play_match(folder.path(), "other", "P:-", "6", &["--no-moves"]);
    let different = |with: &str| json(&["values", &quick, with])["different_games"].clone();
    assert_eq!([different(&whole), different(&other)], [8, 16]);
    let said = stdout(&["values", &quick, &other]);
    assert!(said.contains("\ngames of different limits are taken together: 5 nodes; 6 nodes\n"), "{said}");
}

#[test]
fn a_match_that_says_nothing_or_too_much_is_explained() {
    let folder = tempfile::tempdir().unwrap();
    let equal = play_match(folder.path(), "equal", "Q:Q", "5", &["--no-moves"]);
    assert!(stdout(&["values", &equal]).contains("There are no values: both sides lack the same pieces."));
    let swept = play_match(folder.path(), "swept", "Q+M+2R:-", "300", &["--no-moves"]);
    let said = json(&["values", &swept]);
    assert_eq!(said["imbalances"]["imbalances"][0]["results"], serde_json::json!([8, 0, 0]));
    assert_eq!(said["imbalances"]["imbalances"][0]["odds"], "Q+M+2R:-");
    assert_eq!(said["imbalances"]["nothing"], "one side won every game of each match");
}

#[test]
fn an_ending_that_cannot_be_is_refused_even_without_moves() {
    let folder = tempfile::tempdir().unwrap();
    let path = play_match(folder.path(), "match", "P:-", "5", &["--no-moves"]);
    let file = Path::new(&path).join("games.csv");
    let games = std::fs::read_to_string(&file).unwrap();
    let row = games.lines().position(|row| row.contains(",checkmate,")).unwrap();
    let result =
        if games.lines().nth(row).unwrap().contains(",1-0,") { ["1-0", "0-1"] } else { ["0-1", "1-0"] };
    let changed: Vec<String> = games
        .lines()
        .enumerate()
        .map(|(at, line)| if at == row { line.replace(result[0], result[1]) } else { line.to_string() })
        .collect();
    std::fs::write(&file, changed.join("\n") + "\n").unwrap();
    let said = refusal(&["values", &path]);
    assert!(
        said.contains(&format!("games.csv, line {}: the row says {} checkmate", row + 1, result[1])),
        "{said}"
    );
}

#[test]
fn an_atlas_and_a_study_do_not_share_a_directory() {
    let folder = tempfile::tempdir().unwrap();
    let study = play_match(folder.path(), "study", "P:-", "5", &["--no-moves"]);
    let said = refusal(&["atlas", "pmrc", "--setups", "0..2", "--nodes", "5", "-o", &study]);
    assert!(said.contains("holds a study already"), "{said}");
    let atlas = folder.path().join("atlas").to_str().unwrap().to_string();
    backrank(&["atlas", "pmrc", "--setups", "0..2", "--nodes", "5", "-o", &atlas]).assert().success();
    let said = refusal(&["play", "pmrc", "--setups", "0..2", "--nodes", "5", "-o", &atlas]);
    assert!(said.contains("holds an atlas already"), "{said}");
    // A damaged atlas is refused by the page, too, and so are two atlases of the same columns.
    let page = folder.path().join("page.html").to_str().unwrap().to_string();
    let other = folder.path().join("other").to_str().unwrap().to_string();
    backrank(&["atlas", "pmrc", "--setups", "0..3", "--nodes", "5", "-o", &other]).assert().success();
    let said = refusal(&["explore", &atlas, &other, "-o", &page]);
    assert!(said.contains("another atlas of this page has a column `score_pawns` too"), "{said}");
    let rows = Path::new(&atlas).join("atlas.csv");
    let text = std::fs::read_to_string(&rows).unwrap();
    let line = text.lines().nth(1).unwrap();
    let score = line.split(',').nth(3).unwrap();
    std::fs::write(&rows, text.replacen(&format!(",{score},"), ",abc,", 1)).unwrap();
    let said = refusal(&["explore", &atlas, "-o", &page]);
    assert!(said.contains("atlas.csv, line 2: "), "{said}");
}
