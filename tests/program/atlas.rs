//! `backrank atlas` as a person runs it: on any number of threads, in shards, killed and continued.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use assert_cmd::assert::OutputAssertExt;
use tempfile::TempDir;

use crate::common::MINI;
use crate::uci::client::{Client, number_after};

fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("mini.toml"), MINI).unwrap();
    folder
}

fn backrank(folder: &TempDir, line: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_backrank"));
    command.args(line.split_whitespace()).current_dir(folder).stdin(Stdio::null());
    command
}

fn refusal(folder: &TempDir, line: &str) -> String {
    let output = backrank(folder, line).assert().code(2).stdout("").get_output().stderr.clone();
    String::from_utf8(output).unwrap()
}

fn read(folder: &TempDir, path: &str) -> String {
    std::fs::read_to_string(folder.path().join(path)).unwrap()
}

/// The columns of an atlas with the names that are given, row by row.
fn columns<const N: usize>(csv: &str, names: [&str; N]) -> Vec<[String; N]> {
    let mut reader = csv::Reader::from_reader(csv.as_bytes());
    let headings = reader.headers().unwrap().clone();
    let places = names.map(|name| headings.iter().position(|heading| heading == name).unwrap());
    let rows: Vec<_> =
        reader.records().map(|row| places.map(|place| row.as_ref().unwrap()[place].to_string())).collect();
    assert!(!rows.is_empty(), "{csv}");
    rows
}

#[test]
fn threads_shards_and_kills_change_no_byte() {
    let folder = folder();
    let atlas = "atlas mini.toml --nodes 2000 --quiet";
    backrank(&folder, &format!("{atlas} -o whole --threads 1")).assert().success();
    let whole = read(&folder, "whole/atlas.csv");
    assert_eq!(whole.lines().count(), 61, "{whole}");
    backrank(&folder, &format!("{atlas} -o threads --threads 3")).assert().success();
    assert!(read(&folder, "threads/atlas.csv") == whole);

    for shard in 1..=3 {
        backrank(&folder, &format!("{atlas} -o shard-{shard} --shard {shard}/3")).assert().success();
    }
    backrank(&folder, "merge shard-3 shard-1 shard-2 -o merged --quiet").assert().success().stderr("");
    for file in ["atlas.csv", "atlas.toml"] {
        assert_eq!(read(&folder, &format!("merged/{file}")), read(&folder, &format!("whole/{file}")));
    }
    let said = refusal(&folder, "merge shard-1 shard-3 -o less");
    assert!(
        said.contains("no shard has setups 20 to 39; the next shard, shard-3, begins after them"),
        "{said}"
    );
    let said = refusal(&folder, "merge shard-1 shard-1 -o less");
    assert!(said.contains("shard-1 begins with setup 0, which another shard has as well"), "{said}");

    let rows = folder.path().join("killed/atlas.csv");
    let lines = || std::fs::read_to_string(&rows).map_or(0, |rows| rows.lines().count());
    for least in [3, 20] {
        let mut run = backrank(&folder, &format!("{atlas} -o killed --threads 2")).spawn().unwrap();
        while lines() < least && run.try_wait().unwrap().is_none() {
            std::thread::sleep(Duration::from_millis(1));
        }
        run.kill().unwrap();
        run.wait().unwrap();
    }
    // As if the machine had stopped in the middle of a row.
    let torn = std::fs::read(&rows).unwrap();
    std::fs::write(&rows, &torn[..torn.len() - 7]).unwrap();
    backrank(&folder, "atlas killed --quiet").assert().success().stderr("");
    assert!(read(&folder, "killed/atlas.csv") == whole);
}

/// A setup that is drawn twice is judged once, and rows are in the order of ids.
#[test]
fn setups_are_chosen_and_kept_in_order() {
    let folder = folder();
    backrank(&folder, "atlas mini.toml -o drawn --setups random:90 --nodes 50").assert().success();
    let ids: Vec<u32> = columns(&read(&folder, "drawn/atlas.csv"), ["setup"])
        .into_iter()
        .map(|[id]| id.parse().unwrap())
        .collect();
    assert!(ids.is_sorted_by(|one, other| one < other) && (20..60).contains(&ids.len()), "{ids:?}");
    std::fs::write(folder.path().join("ids"), "7\n3\n7\n").unwrap();
    backrank(&folder, "atlas mini.toml -o listed --setups ids --nodes 50").assert().success();
    assert_eq!(columns(&read(&folder, "listed/atlas.csv"), ["setup"]), [["3"], ["7"]]);
    backrank(&folder, "atlas mini.toml -o narrowed --where fixed=K.... --nodes 50").assert().success();
    let ranks = columns(&read(&folder, "narrowed/atlas.csv"), ["white_rank"]);
    assert!(ranks.len() == 12 && ranks.iter().all(|[rank]| rank.starts_with('K')), "{ranks:?}");
}

#[test]
fn columns_of_an_atlas_agree_with_each_other() {
    let folder = folder();
    backrank(&folder, "atlas pmrc -o pmrc --setups random:12 --seed 3 --nodes 2000").assert().success();
    let csv = read(&folder, "pmrc/atlas.csv");
    let bits = |gaps: &str, first: usize| -> f64 {
        let gaps = gaps.split(' ').skip(first).step_by(2).filter(|&gap| gap != "-");
        gaps.map(|gap| (1.0 + (-gap.parse::<f64>().unwrap() / 10.0).exp()).log2()).sum()
    };
    let names = ["gaps", "complexity_white", "complexity_black", "complexity", "asymmetry"];
    for [gaps, numbers @ ..] in columns(&csv, names) {
        let numbers = numbers.map(|number| number.parse::<f64>().unwrap());
        let (white, black) = (bits(&gaps, 0), bits(&gaps, 1));
        for (number, expected) in numbers.into_iter().zip([white, black, white + black, black - white]) {
            assert!((number - expected).abs() < 2e-4, "{number} {expected}");
        }
    }
    let mut with_rule = 0;
    for [white, without, adjustments] in columns(&csv, ["white_rank", "without_adjustment_cp", "adjustments"])
    {
        let bishops: Vec<usize> = white.match_indices('B').map(|(file, _)| file).collect();
        let one_colour = (bishops[1] - bishops[0]).is_multiple_of(2);
        assert_eq!(without.is_empty(), !one_colour, "{white}");
        assert!(one_colour || adjustments.is_empty(), "{white} {adjustments}");
        with_rule += usize::from(one_colour);
    }
    assert!((1..12).contains(&with_rule), "{with_rule}");
    for [best, best_moves, line, scores] in columns(&csv, ["best_move", "best_moves", "line", "line_scores"])
    {
        assert_eq!((best_moves.split(' ').count(), line.split(' ').count()), (4, 20), "{best_moves} {line}");
        let score = scores.split(' ').next().unwrap();
        assert!(best_moves.starts_with(&format!("{best}/{score} ")) && line.starts_with(&best));
        let moves: Vec<i32> =
            best_moves.split(' ').map(|text| text.split_once('/').unwrap().1.parse().unwrap()).collect();
        assert!(moves.is_sorted_by(|one, other| one >= other), "{best_moves}");
    }
}

/// The evaluation favours the side to move, and with it every second depth.
#[test]
fn a_score_is_the_mean_of_the_last_two_depths() {
    let folder = folder();
    backrank(&folder, "atlas pmrc -o pmrc --setups random:3 --seed 3 --nodes 3000").assert().success();
    let csv = read(&folder, "pmrc/atlas.csv");
    let mut client = Client::playing("pmrc");
    client.set("MultiPV", "4");
    // As atlases are made.
    client.set("NetFile", "none");
    for [setup, score, quarter, depth] in columns(&csv, ["setup", "score_cp", "quarter_cp", "depth"]) {
        client.send("ucinewgame");
        let fen = String::from_utf8(
            backrank(&folder, &format!("show pmrc {setup} --fen"))
                .assert()
                .success()
                .get_output()
                .stdout
                .clone(),
        )
        .unwrap();
        client.send(&format!("position fen {}", fen.trim()));
        client.send("go nodes 3000");
        let mut lines = client.until("bestmove");
        // If the last depth was not finished, a line without `seldepth` gives what was found.
        lines.retain(|line| line.contains("seldepth"));
        let number = |line: &str, name: &str| -> i64 { number_after(line, name).unwrap() };
        // The best move's score, and the nodes after the fourth move's.
        let depths: Vec<(i64, i64, i64)> = lines
            .chunk_by(|one, other| number_after(one, "depth") == number_after(other, "depth"))
            .filter(|lines| lines.len() == 4)
            .map(|lines| {
                let best = lines.iter().map(|line| number(line, "cp")).max().unwrap();
                (number(&lines[0], "depth"), best, number(&lines[3], "nodes"))
            })
            .collect();
        let mean = |depths: &[(i64, i64, i64)]| match depths {
            [.., before, last] => (before.1 + last.1) / 2,
            [only] => only.1,
            [] => panic!("no depth was finished"),
        };
        assert_eq!(score, mean(&depths).to_string(), "{lines:#?}");
        assert_eq!(depth, depths.last().unwrap().0.to_string(), "{lines:#?}");
        let quarters: Vec<_> = depths.iter().copied().filter(|&(_, _, nodes)| nodes <= 750).collect();
        assert_eq!(quarter, mean(&quarters).to_string(), "{lines:#?}");
    }
}

/// Castling in P-MRC is the same from either side, in Chess960 it is not.
#[test]
fn the_column_reflection_is_filled_where_the_reflection_is_the_same_game() {
    let folder = folder();
    backrank(&folder, "atlas pmrc -o pmrc --setups 0..4 --nodes 100").assert().success();
    for [white, reflection] in columns(&read(&folder, "pmrc/atlas.csv"), ["white_rank", "reflection"]) {
        let found = backrank(&folder, &format!("index pmrc {}", white.chars().rev().collect::<String>()));
        let found = String::from_utf8({ found }.output().unwrap().stdout).unwrap();
        assert!(found.split_whitespace().any(|word| word.replace(',', "") == reflection), "{found}");
    }
    backrank(&folder, "atlas chess960 -o chess960 --setups 0..4 --nodes 100").assert().success();
    let reflections = columns(&read(&folder, "chess960/atlas.csv"), ["reflection"]);
    assert!(reflections.iter().all(|[id]| id.is_empty()), "{reflections:?}");
}

#[test]
fn a_compressed_atlas_is_read_and_not_continued() {
    let folder = folder();
    backrank(&folder, "atlas mini.toml -o atlas --setups 0..8 --nodes 100").assert().success();
    let (plain, packed) = (folder.path().join("atlas/atlas.csv"), folder.path().join("atlas/atlas.csv.gz"));
    let said = backrank(&folder, "atlas atlas").assert().success().get_output().stdout.clone();
    let rows = std::fs::read(&plain).unwrap();
    let pack = |rows: &[u8]| {
        use std::io::Write;
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
        encoder.write_all(rows).unwrap();
        std::fs::write(&packed, encoder.finish().unwrap()).unwrap();
    };
    pack(&rows);
    assert!(refusal(&folder, "atlas atlas").contains("atlas.csv.gz both exist"));
    std::fs::remove_file(&plain).unwrap();
    assert_eq!(backrank(&folder, "atlas atlas").assert().success().get_output().stdout, said);
    pack(&rows[..rows.len() / 2]);
    assert!(refusal(&folder, "atlas atlas").contains("atlas.csv.gz is compressed, so no row can be added"));
}

#[test]
fn the_summary_agrees_with_the_rows() {
    let folder = folder();
    let atlas = "atlas pmrc -o pmrc --setups 0..40 --nodes 500";
    let json = backrank(&folder, &format!("{atlas} --json --top 2")).output().unwrap().stdout;
    let json: serde_json::Value = serde_json::from_slice(&json).unwrap();
    let rows = columns(
        &read(&folder, "pmrc/atlas.csv"),
        ["score_cp", "complexity", "without_adjustment_cp", "setup"],
    );
    let mean = |column: usize| rows.iter().map(|row| row[column].parse::<f64>().unwrap()).sum::<f64>() / 40.0;
    let measure = |name: &str| {
        json["measures"].as_array().unwrap().iter().find(|found| found["measure"] == name).unwrap()["mean"]
            .clone()
    };
    for (name, column) in [("score_cp", 0), ("complexity", 1)] {
        let found = measure(name);
        assert!((found["value"].as_f64().unwrap() - mean(column)).abs() < 1e-9, "{found}");
        assert!(
            found["low"].as_f64() < found["value"].as_f64()
                && found["value"].as_f64() < found["high"].as_f64()
        );
    }
    assert_eq!(
        (&json["setups"], &json["nodes"], &json["variant"]),
        (&40.into(), &500.into(), &"pmrc".into())
    );
    assert_eq!(json["adjustments"]["could"], rows.iter().filter(|row| !row[2].is_empty()).count());
    let most = &json["extremes"][0];
    assert_eq!((&most["what"], most["setups"].as_array().unwrap().len()), (&"most complex".into(), 2));
    let largest = rows.iter().map(|row| row[1].parse::<f64>().unwrap()).fold(0.0, f64::max);
    assert_eq!(most["setups"][0]["complexity"]["value"], largest);
    assert_eq!(
        json["reliability"].as_array().unwrap().len(),
        0,
        "none of these setups has its mirror image here"
    );
    let printed = backrank(&folder, "atlas pmrc --top 2").output().unwrap();
    let printed = String::from_utf8(printed.stdout).unwrap();
    for says in [
        "40 setups, each searched with 500 nodes",
        "\nmost complex\n",
        "features associated with asymmetry",
        "nothing was searched twice",
        "FDR",
    ] {
        assert!(printed.contains(says), "{printed}");
    }
}

/// Two searches of the same game are averaged and drawn to the mean, and what only noise would order is not.
#[test]
fn mirror_images_and_repeats_show_what_is_noise() {
    let folder = folder();
    let json = |line: &str| -> serde_json::Value {
        serde_json::from_slice(&backrank(&folder, line).assert().success().get_output().stdout).unwrap()
    };
    // Without castling, every setup and its mirror image are the same game.
    let mirrored = json("atlas mini.toml -o atlas --nodes 300 --json --top 100");
    let found = mirrored["reliability"].as_array().unwrap();
    assert_eq!(found.len(), 6, "{mirrored}");
    for reliability in found {
        assert_eq!((&reliability["by"], &reliability["pairs"]), (&"mirror".into(), &30.into()));
        let (one, shown) = (&reliability["of_one"]["value"], reliability["of_shown"].as_f64().unwrap());
        let one = one.as_f64().unwrap().max(0.0);
        assert!((shown - 2.0 * one / (1.0 + one)).abs() < 1e-9, "{reliability}");
        let measure = reliability["measure"].as_str().unwrap();
        let is_listed = mirrored["extremes"][0]["setups"][0].get(measure).is_some();
        let why =
            mirrored["not_ranked"].as_array().unwrap().iter().any(|left_out| left_out["measure"] == measure);
        assert_eq!((is_listed, why), (shown >= 0.2, shown < 0.2), "{reliability}");
    }
    for list in mirrored["extremes"].as_array().unwrap() {
        assert_eq!(list["setups"].as_array().unwrap().len(), 30, "one of two mirror images is listed");
    }

    backrank(&folder, "atlas chess960 -o chess960 --setups 0..40 --nodes 300").assert().success();
    backrank(&folder, "atlas chess960 -o chess960/repeat --setups 10..30 --nodes 200").assert().success();
    let repeated = json("atlas chess960 --json");
    assert_eq!(
        (&repeated["reliability"][0]["by"], &repeated["reliability"][0]["pairs"]),
        (&"repeat".into(), &20.into())
    );
    backrank(&folder, "explore chess960 -o page.html").assert().success();
    std::fs::remove_dir_all(folder.path().join("chess960/repeat")).unwrap();
    backrank(&folder, "atlas chess960 -o chess960/repeat --setups 10..30 --nodes 300").assert().success();
    let said = refusal(&folder, "atlas chess960");
    assert!(said.contains("nodes, hash and best_moves are the same, so it finds the same again"), "{said}");
}

/// Our own engine, asked by UCI: it has no net of this game, so that it judges as it does without UCI.
#[test]
fn another_engine_judges_the_same_with_any_number_of_threads() {
    let folder = folder();
    let judge = |line: &str, threads: &str| {
        let mut command = backrank(&folder, line);
        command.args(["--engine", concat!(env!("CARGO_BIN_EXE_backrank"), " uci"), "--threads", threads]);
        command
    };
    let atlas = "atlas mini.toml --setups 0..12 --nodes 4000 --best-moves 3";
    judge(&format!("{atlas} -o one"), "1").assert().success();
    judge(&format!("{atlas} -o three"), "3").assert().success();
    assert_eq!(read(&folder, "one/atlas.csv"), read(&folder, "three/atlas.csv"));
    let toml = read(&folder, "one/atlas.toml");
    assert!(
        toml.contains("\n[engine]\n")
            && toml.contains("reported = \"backrank ")
            && !toml.contains("fingerprint"),
        "{toml}"
    );
    backrank(&folder, &format!("{atlas} -o own")).assert().success();
    let scores = |path: &str| columns(&read(&folder, path), ["setup", "score_cp", "quarter_cp"]);
    assert_eq!(scores("one/atlas.csv"), scores("own/atlas.csv"));
    assert!(
        String::from_utf8(backrank(&folder, "atlas one").output().unwrap().stdout)
            .unwrap()
            .contains("nodes by backrank ")
    );

    // A file alone starts no program.
    let rows = read(&folder, "one/atlas.csv");
    let begun: String = rows.lines().take(4).map(|line| format!("{line}\n")).collect();
    std::fs::write(folder.path().join("one/atlas.csv"), begun).unwrap();
    let _ = std::fs::remove_file(folder.path().join("one/atlas.csv.sha256"));
    let said = refusal(&folder, "atlas one");
    assert!(said.contains("names a program that would be run on this machine"), "{said}");
    judge("atlas one --quiet", "2").assert().success();
    assert_eq!(read(&folder, "one/atlas.csv"), rows);
    for (line, says) in [
        ("atlas mini.toml -o x --engine no-such-engine", "no-such-engine"),
        ("atlas chess960 -o x --engine uci --net", "cannot be used with"),
        ("atlas chess960 -o x --option Hash=3", "--engine <PLAYER>"),
    ] {
        let said = refusal(&folder, line);
        assert!(said.contains(says), "{line}: {said}");
        assert!(!folder.path().join("x").exists(), "{line}");
    }
}

/// Scores of games beside those of an atlas, which a study of another numbering finds by their ranks.
#[test]
fn games_are_held_against_an_atlas() {
    let folder = folder();
    backrank(&folder, "atlas mini.toml -o atlas --nodes 200").assert().success();
    backrank(&folder, "play mini.toml -o study --games 4 --nodes 20").assert().success();
    let setups = "setups study --permutations 99 --atlas atlas";
    let json = backrank(&folder, &format!("{setups} --json --csv setups.csv")).output().unwrap().stdout;
    let json: serde_json::Value = serde_json::from_slice(&json).unwrap();
    assert_eq!((&json["atlas"]["setups"], &json["atlas"]["games"]), (&60.into(), &json["games"]));
    let judged = columns(&read(&folder, "atlas/atlas.csv"), ["white_rank", "score_cp", "complexity"]);
    let joined = columns(&read(&folder, "setups.csv"), ["white_rank", "score_cp", "complexity"]);
    assert_eq!(judged.len(), joined.len());
    // Mirror images are the same game, and have one judgement.
    for [rank, measures @ ..] in &joined {
        let mirror: String = rank.chars().rev().collect();
        assert!(joined.iter().any(|[other, same @ ..]| *other == mirror && same == measures), "{rank}");
    }
    let printed = String::from_utf8(backrank(&folder, setups).output().unwrap().stdout).unwrap();
    assert!(printed.contains("\natlas        expects "), "{printed}");
    backrank(&folder, "play chess -o other --games 2 --nodes 20").assert().success();
    let said = refusal(&folder, "setups other --permutations 99 --atlas atlas");
    assert!(said.contains("this is an atlas of mini, but the studies are of chess"), "{said}");
    let said = refusal(&folder, "setups study --permutations 99 --atlas study");
    assert!(said.contains("study holds no atlas: there is no atlas.toml"), "{said}");
}

#[test]
fn wrong_input_is_refused_in_a_sentence() {
    let folder = folder();
    backrank(&folder, "atlas mini.toml -o atlas --setups 0..4 --nodes 100").assert().success();
    backrank(&folder, "play mini.toml -o study --setups 0..2 --nodes 10").assert().success();
    for (line, says) in [
        ("atlas chess99 -o x", "is counted and listed only"),
        ("atlas mini.toml", "a new atlas needs a directory: -o DIR"),
        ("atlas study", "study holds no atlas to continue"),
        ("atlas mini.toml -o x --setups 50..70", "go past the end: the ids of mini are 0 to 59"),
        ("atlas mini.toml -o x --where fixed=QQQQQ", "mini has no setups"),
        ("atlas mini.toml -o x --nodes 0", "0 is not in 1.."),
        ("atlas atlas --nodes 50", "nodes: begun with 100, now 50"),
        ("atlas chess -o atlas", "holds an atlas that was begun with other options"),
        ("merge atlas study -o x", "atlas holds no study"),
    ] {
        let said = refusal(&folder, line);
        assert!(said.contains(says), "{line}: {said}");
        assert!(!folder.path().join("x").exists(), "{line}");
    }
    let (toml, csv) = ("atlas/atlas.toml", "atlas/atlas.csv");
    let (question, rows) = (read(&folder, toml), read(&folder, csv));
    let write = |path: &str, text: &str| std::fs::write(folder.path().join(path), text).unwrap();
    for (path, whole, from, to, says) in [
        (toml, &question, "best_moves = 4", "best_moves = 1", "it must be from 2 to 1000"),
        (toml, &question, "nodes = 100", "knots = 100", "unknown field `knots`"),
        (toml, &question, "Mini shuffle", "Mini ruffle", "is not that of its text"),
        (csv, &rows, "setup,white", "white,setup", "line 1: "),
        (csv, &rows, "\n1,", "\n2,", "line 3: setup is 2, but should be 1"),
        (csv, &rows, "\n1,K", "\n1,Q", "line 3: white_rank is "),
        (csv, &rows, "\n3,", "\n3,,", "line 5: "),
    ] {
        assert!(whole.contains(from), "{from}");
        write(path, &whole.replacen(from, to, 1));
        let said = refusal(&folder, "atlas atlas");
        assert!(said.contains(says), "{from}: {said}");
        write(path, whole);
    }
    assert_eq!((read(&folder, toml), read(&folder, csv)), (question.clone(), rows.clone()));
    // Another engine's atlas can be read, but no row can be added.
    write(toml, &question.replacen("fingerprint = \"", "fingerprint = \"0", 1));
    backrank(&folder, "atlas atlas").assert().success();
    write(csv, rows.lines().take(3).map(|line| format!("{line}\n")).collect::<String>().as_str());
    let said = refusal(&folder, "atlas atlas");
    assert!(
        said.contains("was begun by another engine") && said.contains("atlas cannot mix two engines"),
        "{said}"
    );
    write(toml, &question);
    backrank(&folder, "atlas atlas --quiet").assert().success();
    assert_eq!(read(&folder, csv), rows);
    let said = refusal(&folder, "list chess -o atlas/atlas.csv");
    assert!(said.contains("belongs to the atlas in ") && Path::new(&read(&folder, csv)) == Path::new(&rows));
    backrank(&folder, "atlas atlas --quiet").assert().success().stderr("");
}

#[test]
fn an_atlas_by_the_net_is_not_continued_by_the_weights() {
    let folder = folder();
    let atlas = "atlas chess8400 --setups 0..3 --nodes 800";
    backrank(&folder, &format!("{atlas} -o weights")).assert().success();
    backrank(&folder, &format!("{atlas} -o net --net")).assert().success();
    assert!(!read(&folder, "weights/atlas.toml").contains("net = "));
    assert!(read(&folder, "net/atlas.toml").contains("\nnet = true\n"));
    assert_ne!(read(&folder, "weights/atlas.csv"), read(&folder, "net/atlas.csv"));
    backrank(&folder, "atlas net").assert().success();
    let says = refusal(&folder, &format!("{atlas} -o net"));
    assert!(says.contains("\n  net: begun with true, now nothing\n"), "{says}");
}
