//! Games at odds: which pieces are missing, and how that is written.

use super::*;

/// The files on which a side has no pawn, in a FEN of nine files.
fn files_without_pawn(fen: &str, rank: usize, pawn: char) -> String {
    let text = fen.split('/').nth(rank).unwrap();
    let squares: String = text
        .chars()
        .map(|c| c.to_digit(10).map_or(c.to_string(), |empty| " ".repeat(empty as usize)))
        .collect();
    ('a'..='i').zip(squares.chars()).filter(|&(_, square)| square != pawn).map(|(file, _)| file).collect()
}

const QUICK: [&str; 6] = ["--nodes", "5", "--max-plies", "10", "--opening-plies", "2"];

#[test]
fn odds_are_read_as_people_write_them_and_written_in_one_way() {
    let (_folder, one, other) = twice();
    let ask = |text| [&["pmrc", "--odds", text, "--games", "8"][..], &QUICK].concat();
    let played = games(&one, &ask("Q:N+4P+N"));
    let question = std::fs::read_to_string(one.join("study.toml")).unwrap();
    assert!(question.contains("\nodds = \"Q:2N+4P\"\npawns_in_turn = true\n"), "{question}");
    assert_eq!(column(&played, "odds"), ["Q:2N+4P", "2N+4P:Q"].repeat(4));
    assert!(games(&other, &ask("Q:2N+4P")) == played);
    // The same question in other words goes on with the study.
    play(&[one.to_str().unwrap(), "--odds", "Q:4P+2N"]).assert().success();
    let refused = refusal(&[one.to_str().unwrap(), "--odds", "Q:2N+3P"]);
    assert!(refused.contains("odds: begun with Q:2N+4P, now Q:2N+3P"), "{refused}");
    for (odds, says) in [
        ("Q:2N4P", "odds are written as M:Q, Q:2N+4P or P:-, with capital letters"),
        ("-:-", "odds must name at least one piece"),
        ("3N:-", "--odds 3N:-: a side of pmrc has only 2 N"),
        ("K+P:-", "no side can start without K, the king"),
    ] {
        let refused = refusal(&["pmrc", "-o", "nowhere", "--odds", odds]);
        assert!(refused.contains(says), "{refused}");
    }
}

#[test]
fn pawns_are_taken_from_each_file_in_turn_also_in_shards() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let study = [&["pmrc", "--odds", "2P:-", "--games", "36", "--seed", "3"][..], &QUICK].concat();
    let whole = games(&path("whole"), &study);
    let fens = column(&whole, "fen");
    for round in fens.chunks(18) {
        let mut missing = String::new();
        for pair in round.chunks(2) {
            let white = files_without_pawn(&pair[0], 7, 'P');
            assert_eq!(white, files_without_pawn(&pair[1], 1, 'p'), "both sides lack the same ones");
            missing += &white;
        }
        let mut files: Vec<char> = missing.chars().collect();
        files.sort_unstable();
        assert_eq!(files.iter().collect::<String>(), "aabbccddeeffgghhii");
    }
    let shards: Vec<String> = (1..=3).map(|shard| path(&format!("s{shard}")).display().to_string()).collect();
    for (shard, directory) in (1..=3).zip(&shards) {
        games(Path::new(directory), &[&study[..], &["--shard", &format!("{shard}/3")]].concat());
    }
    let mut merge = Command::new(env!("CARGO_BIN_EXE_backrank"));
    merge.arg("merge").args(&shards).arg("-o").arg(path("merged")).assert().success();
    assert!(std::fs::read(path("merged").join("games.csv")).unwrap() == whole);
}

#[test]
fn older_studies_are_read_and_continued_as_they_were_begun() {
    let (_folder, one, _) = twice();
    let played = games(&one, &[&["pmrc", "--odds", "B+P:M", "--games", "6"][..], &QUICK].concat());
    let directory = one.to_str().unwrap();
    let (file, table) = (one.join("study.toml"), one.join("games.csv"));
    // A study that drew each pawn, and wrote its odds in another order.
    let question = std::fs::read_to_string(&file).unwrap().replace("pawns_in_turn = true\n", "");
    std::fs::write(&file, question.replace("B+P:M", "P+B:M")).unwrap();
    let refused = refusal(&[directory]);
    assert!(refused.contains("games.csv, line 2: fen is "), "the other way of drawing: {refused}");
    std::fs::remove_file(&table).unwrap();
    play(&[directory]).assert().success();
    let drawn = std::fs::read(&table).unwrap();
    assert_ne!(column(&drawn, "fen"), column(&played, "fen"));
    let text = String::from_utf8(drawn).unwrap().replace("B+P:M", "P+B:M").replace("M:B+P", "M:P+B");
    std::fs::write(&table, &text).unwrap();
    // Which had no checksums either.
    std::fs::remove_file(one.join("games.csv.sha256")).unwrap();
    play(&[directory]).assert().success();
    assert_eq!(std::fs::read_to_string(&table).unwrap(), text, "what was recorded stays as it is");
    let mut values = Command::new(env!("CARGO_BIN_EXE_backrank"));
    let output = values.args(["values", directory]).assert().success().get_output().stdout.clone();
    let output = String::from_utf8(output).unwrap();
    assert!(output.contains("B+P") && !output.contains("P+B"), "{output}");
}

#[test]
fn games_at_odds_without_moves_have_the_same_values() {
    let (folder, with, without) = twice();
    let asked = ["pmrc", "--odds", "N:3P", "--setups", "random:6", "--nodes", "50"];
    let full = games(&with, &asked);
    let short = games(&without, &[&asked[..], &["--no-moves"]].concat());
    assert!(column(&short, "moves").iter().all(String::is_empty));
    for name in ["fen", "result", "termination", "plies", "opening_plies", "odds"] {
        assert_eq!(column(&short, name), column(&full, name), "{name}");
    }
    let backrank = |command: &str, directory: &Path, more: &[&str]| {
        let mut process = Command::new(env!("CARGO_BIN_EXE_backrank"));
        process.arg(command).arg(directory).args(more).output().unwrap()
    };
    let values = |directory: &Path| backrank("values", directory, &["--json"]).stdout;
    assert!(!values(&without).is_empty());
    assert_eq!(values(&without), values(&with));
    let of_both: serde_json::Value = serde_json::from_slice(&values(folder.path())).unwrap();
    assert_eq!(of_both["games"], 24, "the studies in the folder");

    // It goes on after an interruption.
    std::fs::write(without.join("games.csv"), &short[..short.len() / 2]).unwrap();
    play(&[without.to_str().unwrap()]).assert().success();
    assert!(std::fs::read(without.join("games.csv")).unwrap() == short);

    let refused = backrank("export", &without, &["--format", "pgn"]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(
        stderr(&refused).contains("line 2: the moves of this study were not recorded"),
        "{}",
        stderr(&refused)
    );
    let refused = backrank("values", &without, &["--regress-odds"]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(stderr(&refused).contains("--regress-odds needs the moves"), "{}", stderr(&refused));
    std::fs::write(without.join("games.csv"), &full).unwrap();
    assert!(refusal(&[without.to_str().unwrap()]).contains("moves, but the study is without_moves"));
}
