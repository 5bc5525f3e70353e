//! What a piece is worth: `value`, and games with pieces in the places of others.

use assert_cmd::assert::OutputAssertExt;
use backrank_selfplay::study::Odds;
use serde_json::Value;

use crate::common::{backrank, refusal, stdout, study_until};

fn json(arguments: &[&str]) -> Value {
    serde_json::from_str(&stdout(&[&["value"], arguments, &["--json"]].concat())).unwrap()
}

#[test]
fn pieces_are_predicted_without_games() {
    let found = json(&["WA", "mQcN", "L=lion:BmW", "--predict"]);
    let pieces = found["pieces"].as_array().unwrap();
    let of = |letter: &str| pieces.iter().find(|piece| piece["letter"] == letter).unwrap();
    assert_eq!((&of("W")["name"], &of("W")["betza"]), (&"waffle".into(), &"WA".into()));
    assert!((of("W")["leaper_law"].as_f64().unwrap() - 3.08).abs() < 0.01);
    assert_eq!((&of("L")["name"], &of("L")["leaper_law"]), (&"lion".into(), &Value::Null));
    assert_eq!(of("L")["mating"], "never");
    // What was measured before is said, however its moves are written.
    let shipped: Value = serde_json::from_str(&stdout(&["pieces", "--json"])).unwrap();
    let waffle = shipped["pieces"].as_array().unwrap().iter().find(|piece| piece["betza"] == "WA").unwrap();
    let again = json(&["X=other:AW", "--predict"]);
    assert_eq!(again["pieces"][0]["measured"]["value"], waffle["value"]);
    assert!(of("L")["measured"].is_null());
    // By mobility a knight is what the unit says, whatever its letter.
    let knight = json(&["X=knight", "--unit", "N=3", "--predict"]);
    assert!((knight["pieces"][0]["mobility"].as_f64().unwrap() - 3.0).abs() < 1e-9);
    // And so it is by the network, in the places of the other one.
    assert_eq!(knight["pieces"][0]["by_network"]["value"], 3.0);
    assert!(of("W")["by_network"]["low"].as_f64().unwrap() > 1.0, "{}", of("W"));
    assert!(found.get("values").is_none());
    assert!(stdout(&["value", "WA", "--predict"]).contains("by the network for every game"));
    // On a board where no piece was measured, those of other boards predict.
    let said = stdout(&["value", "WA", "--on", "mmcc", "--predict"]);
    assert!(said.contains("that were measured on other boards") && !said.contains("\nmeasured"), "{said}");
    let moving = stdout(&["value", "mW", "--predict"]);
    assert!(moving.contains("without capturing, 0.0 to capture"), "{moving}");
}

#[test]
fn games_are_added_and_give_a_value() {
    let folder = tempfile::tempdir().unwrap();
    let directory = folder.path().join("knight");
    let at = directory.to_str().unwrap();
    let run = |time: &str| {
        let run = ["value", "X=knight", "--time", time, "-o", at, "--json", "--quiet"];
        backrank(&run).output().unwrap()
    };
    let games = |output: &std::process::Output| -> Value { serde_json::from_slice(&output.stdout).unwrap() };
    let recorded_in = |stage: &str| -> usize {
        let samples = ["odds", "fixed"].map(|sample| directory.join(stage).join(sample));
        let folders = samples.iter().flat_map(std::fs::read_dir).flatten().map(Result::unwrap);
        let rows = |folder: std::fs::DirEntry| {
            std::fs::read_to_string(folder.path().join("games.csv"))
                .map_or(0, |text| text.lines().count() - 1)
        };
        folders.map(rows).sum()
    };
    let recorded = || recorded_in(".");
    let first = games(&study_until(|| recorded() > 0, run));
    let (before, of_pilot) = (recorded(), recorded_in("pilot"));
    assert_eq!(first["games"], of_pilot + before);
    let second = games(&study_until(|| recorded() > before, run));
    assert_eq!(second["games"], of_pilot + recorded());
    assert!(second["anchor"].as_str().unwrap().contains("data/pmrc-2026/controls"));
    let value = &second["values"][0];
    let interval = &value["value"]["interval"];
    assert_eq!(value["piece"], "X");
    // A knight under another letter; so few games may leave either end open.
    assert!(interval["low"].as_f64().is_none_or(|low| low < 4.75), "{value}");
    assert!(interval["high"].as_f64().is_none_or(|high| high > 1.75), "{value}");

    // Another piece is another experiment.
    let other = refusal(&["value", "X=waffle", "--time", "1s", "-o", at, "--json"]);
    assert!(other.contains("variant"), "{other}");
}

/// By a number of games, whose fifth need not be even, the same command gives the same games, and `pieces` reads them.
#[test]
fn a_number_of_games_is_played_and_read() {
    let folder = tempfile::tempdir().unwrap();
    let run = |name: &str| {
        let at = folder.path().join(name);
        let at = at.to_str().unwrap();
        let anchor = "analysis/src/values/reference/chess.csv";
        json(&["X=waffle", "--games", "206", "--nodes", "10", "--anchor", anchor, "--quiet", "-o", at])
    };
    let (found, again) = (run("one"), run("two"));
    assert_eq!(found["games"], 206);
    let read = |path: &str| std::fs::read_to_string(folder.path().join(path)).unwrap();
    assert_eq!(read("one/pairs.csv"), read("two/pairs.csv"));
    let engine = &found["engine"][0];
    assert_eq!(engine, &again["engine"][0]);
    // The pilot was played by the moves of the piece, the rest by what it found.
    let of_stage = |path: &str, stage: &str| {
        let text = read(path);
        let mut rows = csv::Reader::from_reader(text.as_bytes());
        let rows = rows.records().map(Result::unwrap).filter(|row| &row[6] == stage).collect::<Vec<_>>();
        let games: u64 =
            rows.iter().flat_map(|row| row.iter().skip(9)).map(|text| text.parse::<u64>().unwrap()).sum();
        (rows.first().map(|row| row[7].parse::<f64>().unwrap()), 2 * games)
    };
    let centipawns = |stage: &str| engine[stage]["centipawns"].as_f64().unwrap();
    assert_eq!(of_stage("one/pairs.csv", "pilot"), (Some(centipawns("pilot")), 42));
    assert_eq!(of_stage("one/pairs.csv", "measured"), (Some(centipawns("then")), 164));
    assert_ne!(centipawns("pilot"), centipawns("then"));
    let file = folder.path().join("one/pairs.csv");
    let pieces: Value = serde_json::from_str(&stdout(&["pieces", file.to_str().unwrap(), "--json"])).unwrap();
    assert_eq!(
        (&pieces["pieces"][0]["piece"], &pieces["pieces"][0]["games"]),
        (&"waffle".into(), &206.into())
    );
    assert_eq!(pieces["pieces"][0]["centipawns"].as_f64(), Some(centipawns("then")));
    assert_eq!(run("one"), found);

    // Earlier versions played a pilot by the seed of the experiment, and so from the same setups: it does not count.
    let earlier = folder.path().join("earlier");
    std::fs::create_dir(&earlier).unwrap();
    std::fs::rename(folder.path().join("two/pilot"), earlier.join("pilot")).unwrap();
    let seed = std::fs::read_to_string(earlier.join("pilot/study.toml")).unwrap();
    let seed = seed.lines().find_map(|line| line.strip_prefix("seed = ")).unwrap();
    let anchor = "analysis/src/values/reference/chess.csv";
    let same = ["X=waffle", "--games", "206", "--nodes", "10", "--anchor", anchor, "--quiet", "--seed", seed];
    let found = json(&[&same[..], &["-o", earlier.to_str().unwrap()]].concat());
    assert_eq!((&found["games"], &found["engine"][0]["pilot"]), (&206.into(), &engine["pilot"]));
    assert_eq!(of_stage("earlier/pairs.csv", "pilot"), (None, 0));
    assert_eq!(of_stage("earlier/pairs.csv", "measured").1, 206);
}

/// With `--more` there are games that tell what the value depends on.
#[test]
fn more_games_tell_what_the_value_depends_on() {
    let folder = tempfile::tempdir().unwrap();
    let run = |name: &str, more: &[&str]| {
        let at = folder.path().join(name);
        let at = at.to_str().unwrap();
        let anchor = ["--anchor", "analysis/src/values/reference/chess.csv"];
        let games = ["X=waffle", "--games", "300", "--nodes", "10", "--quiet", "-o", at];
        json(&[&games, &anchor[..], more].concat())
    };
    let (plain, found, again) = (run("plain", &[]), run("one", &["--more"]), run("two", &["--more"]));
    assert!(plain.get("by_others").is_none());
    assert_eq!((&found["games"], &found["by_others"]), (&300.into(), &again["by_others"]));
    let by_others = &found["by_others"][0];
    assert_eq!(by_others["piece"], "X");
    let values = by_others["values"].as_array().unwrap();
    assert_eq!((&values[0]["number"], &values[0]["on_neither"]), (&1.into(), &"-".into()));
    assert!(values.iter().any(|value| value["on_neither"] != "-"), "{values:?}");
}

/// Without pieces on either side, the value is that of a later stage, which the study remembers.
#[test]
fn a_piece_is_measured_where_neither_side_has_others() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path().join("later");
    let at = at.to_str().unwrap();
    let games = ["X=waffle", "--nodes", "10", "--anchor", "none", "--quiet", "-o", at];
    let without = |pieces| [&games[..], &["--games", "100", "--without", pieces]].concat();
    let found = json(&without("2P+R+B"));
    assert_eq!((&found["games"], &found["without"]), (&100.into(), &"B+R+2P".into()));
    let records = std::fs::read_to_string(folder.path().join("later/pairs.csv")).unwrap();
    let mut reader = csv::Reader::from_reader(records.as_bytes());
    for row in reader.records().map(Result::unwrap) {
        let odds: Odds = row[8].parse().unwrap();
        assert_eq!(Odds::side_text(&odds.lacked_by_both()), "B+R+2P", "{odds}");
        assert_eq!(&row[4], "B+R+2P");
    }
    let said = stdout(&[&["value"], &without("B+R+2P")[..]].concat());
    assert!(said.contains("values with N=3.25, neither side having B+R+2P,"), "{said}");
    assert!(!said.contains("X+B+R+2P"), "{said}");
    // Continued without saying so; and not with something else.
    let more = json(&[&games[..], &["--time", "3s"]].concat());
    assert_eq!((more["games"].as_u64() >= Some(100), &more["without"]), (true, &"B+R+2P".into()));
    let other = refusal(&[&["value", "--json"], &without("N")[..]].concat());
    assert!(other.contains("odds: begun with B+R+2P:B+R+2P, now N:N"), "{other}");
    let listed = stdout(&["pieces", &format!("{at}/pairs.csv"), "data/pieces-2026/chess960.csv"]);
    assert!(listed.contains(" chess960 without B+R+2P  "), "{listed}");
}

/// What comes with the program for the values of the other pieces is what the shipped games say.
#[test]
fn the_reference_is_what_the_data_say() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("pairs.csv");
    for game in ["chess", "capablanca-random"] {
        let data = format!("data/pmrc-2026/controls/{game}");
        backrank(&["values", &data, "--quiet", "--pairs", file.to_str().unwrap()]).assert().success();
        let shipped = std::fs::read_to_string(format!("analysis/src/values/reference/{game}.csv")).unwrap();
        assert_eq!(std::fs::read_to_string(&file).unwrap(), shipped, "{game}");
    }
    let read = |path: &str| std::fs::read_to_string(path).unwrap();
    assert_eq!(read("analysis/src/values/reference/chess960-later.csv"), read("data/pieces-2026/anchor.csv"));
}

#[test]
fn what_cannot_be_measured_is_refused() {
    for (arguments, says) in [
        (&["xyz"][..], "`xyz` is neither a known piece nor moves: Betza `xyz`, letter 1"),
        (&["archbischop"], "no piece is called `archbischop`; did you mean archbishop?"),
        (&["KX"], "Betza `KX`, letter 2: `X` is not an atom"),
        (&["X="], "no moves; a knight is `N`"),
        (&["N=waffle"], "N is already the knight; give the waffle another letter"),
        (&["X=WA", "X=FD"], "X is already the waffle; give the kirin another letter"),
        (&["WA", "WA", "--unit", "Z=3"], "has no Z"),
        (&["WA", "--without", "K"], "--without K: no side can start without K, the king"),
        (&["WA", "--without", "3R"], "--without 3R: a side of chess960 has only 2 R"),
        (&["WA", "--without", "2N"], "--unit N=3.25: no N is left on either side"),
        (&["WA", "--without", "-"], "pieces are written as 4P or N+4P"),
        (&["WA", "--on", "xiangqi"], "counted and listed only"),
        (&["WA", "--anchor", "analysis/src/values/reference/pmrc.csv"], "but the game has no piece M"),
        (&["WA", "--anchor", "/nonexistent"], "cannot read /nonexistent"),
        (&["WA", "--anchor", "Cargo.toml"], "Cargo.toml: line 1 is not the heading"),
    ] {
        let error =
            refusal(&[&["value"], arguments, &["--time", "1s", "--json", "-o", "target/never"]].concat());
        assert!(error.contains(says), "{arguments:?}: {error}");
    }
}

/// On nine ranks a nightrider reaches the other side's first one, and from many setups could take the king: whatever else the side lacks,
/// no game can start there.
#[test]
fn setups_from_which_no_game_can_start_are_drawn_again() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path().join("nightriders");
    let at = at.to_str().unwrap();
    let play = |setups: &str, games: &str| {
        let arguments =
            ["play", "pmrc", "-o", at, "--nodes", "5", "--seed", "3", "--quiet", "--piece", "X=NN"];
        backrank(&[&arguments[..], &["--replace", "2N=2X+3P", "--setups", setups, "--games", games]].concat())
    };
    play("random:30", "2").assert().success();
    let rows = || {
        let games = std::fs::read_to_string(format!("{at}/games.csv")).unwrap();
        let mut reader = csv::Reader::from_reader(games.as_bytes());
        let column = reader.headers().unwrap().iter().position(|heading| heading == "setup").unwrap();
        reader.records().map(|row| row.unwrap()[column].parse().unwrap()).collect::<Vec<u64>>()
    };
    let played = rows();
    assert!(played.len() == 60 && played.chunks(2).all(|pair| pair[0] == pair[1]));
    let drawn = stdout(&["random", "pmrc", "-n", "30", "--seed", "3", "--format", "csv"]);
    let drawn: Vec<u64> =
        drawn.lines().skip(1).map(|line| line.split(',').next().unwrap().parse().unwrap()).collect();
    let kept = played.chunks(2).zip(&drawn).filter(|(pair, id)| pair[0] == **id).count();
    assert!((15..30).contains(&kept), "{kept} of 30 setups as they were drawn");
    // A study that is continued knows them again.
    play("random:30", "2").assert().success();
    assert_eq!(rows(), played);
    // Where the setups are said, nothing is drawn.
    std::fs::remove_dir_all(at).unwrap();
    let other = (0..30).find(|&pair| played[2 * pair] != drawn[pair]).unwrap();
    let named = format!("{0}..{1}", drawn[other], drawn[other] + 1);
    let error = play(&named, "2").assert().failure().get_output().stderr.clone();
    let error = String::from_utf8_lossy(&error).into_owned();
    assert!(error.contains("no game can start from") && error.contains("could take Black's king"), "{error}");
}

#[test]
fn pieces_stand_in_the_places_of_others() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path().join("waffles");
    let at = at.to_str().unwrap();
    let play = |more: &[&str]| {
        let arguments =
            ["play", "chess960", "-o", at, "--games", "6", "--nodes", "20", "--quiet", "--piece", "W=waffle"];
        backrank(&[&arguments[..], more].concat())
    };
    play(&["--replace", "2N=2W+P"]).assert().success();
    // The same game again, with its odds in full.
    play(&["--odds", "2N=2W+P:-"]).assert().success();
    let games = std::fs::read_to_string(format!("{at}/games.csv")).unwrap();
    let mut rows = csv::Reader::from_reader(games.as_bytes());
    let headings = rows.headers().unwrap().clone();
    let column = |name: &str| headings.iter().position(|heading| heading == name).unwrap();
    for row in rows.records().map(Result::unwrap) {
        let second = row[column("game")].parse::<u32>().unwrap() % 2 == 1;
        assert_eq!(&row[column("odds")], if second { "-:2N=2W+P" } else { "2N=2W+P:-" });
        let placement = row[column("fen")].split(' ').next().unwrap();
        let count = |letter: char| placement.matches(letter).count();
        let (ours, theirs) = if second { ("wnp", "WNP") } else { ("WNP", "wnp") };
        let count_of = |letters: &str| letters.chars().map(count).collect::<Vec<_>>();
        assert_eq!((count_of(ours), count_of(theirs)), (vec![2, 0, 7], vec![0, 2, 8]), "{placement}");
    }
    let values: Value = serde_json::from_str(&stdout(&["values", at, "--json"])).unwrap();
    assert_eq!(values["imbalances"]["imbalances"][0]["odds"], "2W:2N+P");
    for (odds, says) in [
        ("3N=3W", "--replace 3N=3W:-: a side of chess960 has only 2 N"),
        ("N=Z", "has no piece Z"),
        ("N=K", "no piece becomes a king"),
        ("P=W", "pawns are not replaced"),
        ("2N=W", "replaced by as many others"),
        ("N=2W", "replaced by as many others"),
    ] {
        let output = play(&["--replace", odds]).assert().code(2).get_output().stderr.clone();
        let error = String::from_utf8(output).unwrap();
        assert!(error.contains(says), "{odds}: {error}");
    }
}
