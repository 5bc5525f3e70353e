//! Games that start from a book of openings.

use super::*;

const QUICK: [&str; 4] = ["--nodes", "10", "--max-plies", "12"];

/// Positions of chess, in each form that a line can have.
const LINES: &str = "\
# three openings
rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1

rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - hmvc 0; fmvn 2; id \"king's pawn; open\";
rnbqkbnr/ppp1pppp/8/3p4/3P4/8/PPP1PPPP/RNBQKBNR w KQkq -
";

const FENS: [&str; 3] = [
    "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1",
    "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2",
    "rnbqkbnr/ppp1pppp/8/3p4/3P4/8/PPP1PPPP/RNBQKBNR w KQkq - 0 1",
];

const GAMES: &str = "\
[Event \"one\"]

1. e4 {a comment} e5 (1... c5 2. Nf3) 2. Nf3 $1 Nc6 3. Bb5 1-0

[Event \"another\"]
[SetUp \"1\"]
[FEN \"rnbqkbnr/ppp1pppp/8/3p4/3P4/8/PPP1PPPP/RNBQKBNR w KQkq - 0 2\"]

2. c4 e6 3. Nc3 *
";

/// A file of a name in a folder.
fn file(folder: &Path, name: &str, text: &str) -> String {
    let path = folder.join(name);
    std::fs::write(&path, text).unwrap();
    path.to_str().unwrap().to_string()
}

fn chess<'a>(book: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    [&["chess", "--openings", book][..], &QUICK, more].concat()
}

#[test]
fn each_opening_of_a_book_is_played_once_or_by_both_players() {
    let (folder, one, other) = twice();
    let book = file(folder.path(), "book.epd", LINES);
    let played = games(&one, &chess(&book, &[]));
    assert_eq!(column(&played, "fen"), FENS);
    assert_eq!(column(&played, "setup"), ["0", "1", "2"]);
    assert!(column(&played, "white_rank").iter().all(String::is_empty));
    assert!(column(&played, "opening_plies").iter().all(|plies| plies == "0"), "no ply is drawn");
    let question = std::fs::read_to_string(one.join("study.toml")).unwrap();
    for part in ["setups = \"openings\"\n", "[book]\npath = \"", "openings = 3\norder = \"sequential\"\n"] {
        assert!(question.contains(part), "{question}");
    }
    let played = games(&other, &chess(&book, &["--pairs", "--black", &engine(""), "--games", "8"]));
    let twice_each: Vec<&str> = FENS.iter().chain(&FENS[..1]).flat_map(|fen| [*fen; 2]).collect();
    assert_eq!(column(&played, "fen"), twice_each, "after the last the first comes again");
    assert_eq!(column(&played, "white"), ["builtin", "misbehaving-engine"].repeat(4));
}

#[test]
fn games_of_a_pgn_are_played_to_their_end_or_to_a_ply() {
    let (folder, one, other) = twice();
    let book = file(folder.path(), "book.PGN", GAMES);
    let played = games(&one, &chess(&book, &[]));
    assert_eq!(
        column(&played, "fen"),
        [
            "r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3",
            "rnbqkbnr/ppp2ppp/4p3/3p4/2PP4/2N5/PP2PPPP/R1BQKBNR b KQkq - 1 3",
        ]
    );
    let played = games(&other, &chess(&book, &["--opening-plies", "2"]));
    assert_eq!(
        column(&played, "fen"),
        [
            "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2",
            "rnbqkbnr/ppp2ppp/4p3/3p4/2PP4/8/PP2PPPP/RNBQKBNR w KQkq - 0 3",
        ]
    );
    // What a study exports is a book for another, on any board.
    games(&folder.path().join("own"), &["mrc", "--setups", "random:3", "--nodes", "5", "--max-plies", "9"]);
    for (format, name) in [("pgn", "own.pgn"), ("epd", "own.epd")] {
        let path = folder.path().join(name);
        let mut export = Command::new(env!("CARGO_BIN_EXE_backrank"));
        export.args(["export", "--format", format, "-o"]).args([&path, &folder.path().join("own")]);
        export.assert().success();
        let studied = folder.path().join(format!("from-{format}"));
        let played = games(&studied, &[&["mrc", "--openings", path.to_str().unwrap()][..], &QUICK].concat());
        assert_eq!(column(&played, "fen").len(), 3);
    }
}

#[test]
fn openings_are_shuffled_by_the_seed() {
    let folder = tempfile::tempdir().unwrap();
    let moves: Vec<String> = (b'a'..=b'h').map(|file| format!("1. {}4 *\n\n", file as char)).collect();
    let book = file(folder.path(), "book.pgn", &moves.concat());
    let order = |name: &str, options: &[&str]| {
        column(&games(&folder.path().join(name), &chess(&book, options)), "setup")
    };
    let first = order("first", &["--openings-order", "random"]);
    assert_eq!(first, order("again", &["--openings-order", "random", "--threads", "3"]));
    assert_ne!(first, order("other", &["--openings-order", "random", "--seed", "1"]));
    let mut sorted = first.clone();
    sorted.sort_unstable();
    assert_eq!(sorted, order("sequential", &[]));
    assert_ne!(first, sorted);
}

#[test]
fn a_study_from_a_book_is_played_in_parts_and_continued_only_with_the_same_book() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let book = file(folder.path(), "book.epd", LINES);
    let study = chess(&book, &["--pairs", "--games", "12", "--openings-order", "random"]);
    let whole = games(&path("whole"), &study);
    let shards: Vec<String> = (1..=2).map(|shard| path(&format!("s{shard}")).display().to_string()).collect();
    for (shard, directory) in (1..=2).zip(&shards) {
        games(Path::new(directory), &[&study[..], &["--shard", &format!("{shard}/2")]].concat());
    }
    let mut merge = Command::new(env!("CARGO_BIN_EXE_backrank"));
    merge.arg("merge").args(&shards).arg("-o").arg(path("merged")).assert().success();
    assert!(std::fs::read(path("merged").join("games.csv")).unwrap() == whole);

    // It is continued after a crash.
    let directory = path("whole").display().to_string();
    std::fs::write(path("whole").join("games.csv"), &whole[..whole.len() * 2 / 3]).unwrap();
    play(&[&directory]).assert().success();
    assert!(std::fs::read(path("whole").join("games.csv")).unwrap() == whole);
    // Only what is in the file counts, not where it is.
    let moved = file(folder.path(), "moved.epd", LINES);
    std::fs::remove_file(&book).unwrap();
    play(&[&directory, "--openings", &moved]).assert().success();
    let gone = play(&[&directory]).assert().code(1).get_output().clone();
    assert!(stderr(&gone).contains("cannot read the openings"), "{}", stderr(&gone));
    file(folder.path(), "book.epd", &LINES.replace("three", "four"));
    let refused = refusal(&[&directory]);
    assert!(refused.contains("these are not the openings that the study was begun with"), "{refused}");
    let refused = refusal(&[&directory, "--openings", &moved, "--openings-order", "sequential"]);
    assert!(refused.contains("book.order: begun with random, now sequential"), "{refused}");
    let refused = refusal(&[&directory, "--openings", &moved, "--games", "6"]);
    assert!(refused.contains("number_of_setups: begun with 6, now 3"), "{refused}");
    // Reading needs no book; an opening is no setup.
    let backrank =
        |command: &str| Command::new(env!("CARGO_BIN_EXE_backrank")).args([command, &directory]).output();
    assert!(backrank("values").unwrap().status.success());
    assert_eq!(backrank("setups").unwrap().status.code(), Some(2));
}

#[test]
fn a_match_from_a_book_ends_when_it_is_decided() {
    let (folder, one, _) = twice();
    let book = file(folder.path(), "book.epd", LINES);
    let weak = engine("");
    let asked = ["chess", "--openings", &book, "--nodes", "300", "--black", &weak, "--sprt", "0,200"];
    let played = games(&one, &asked);
    let rows = column(&played, "result").len();
    assert!(rows.is_multiple_of(2) && (4..80).contains(&rows), "{rows} games");
}

#[test]
fn a_wrong_line_of_a_book_is_refused_with_its_number() {
    let folder = tempfile::tempdir().unwrap();
    let output = folder.path().join("study");
    let output = output.to_str().unwrap();
    for (name, text, says) in [
        (
            "bad.epd",
            LINES.replace("/8/8/4P3", "/8/9/4P3"),
            "bad.epd, line 2: field 1, pieces: rank 5 is 1 too long",
        ),
        ("open.epd", LINES.replace("open\";", "open\""), "open.epd, line 4: the operation `id"),
        (
            "mate.fen",
            "7k/6Q1/6K1/8/8/8/8/8 b - -\n".to_string(),
            "line 1: the opening leaves nothing to play: the game is over, 1-0",
        ),
        ("bad.pgn", GAMES.replace("3. Bb5", "3.\nBb6"), "bad.pgn, line 4: "),
        ("tag.pgn", GAMES.replace("\"another\"", "another"), "line 5: a tag is written as [Name \"value\"]"),
        (
            "comment.pgn",
            GAMES.replace("comment}", "comment"),
            "line 3: the comment that begins here has no `}`",
        ),
        ("empty.epd", "# nothing\n".to_string(), "empty.epd: there is no opening in it"),
        (
            "other.pgn",
            format!("{GAMES}\n[Variant \"Atomic\"]\n\n1. e4 e5 *\n"),
            "line 11: the game's variant is `Atomic`; the openings are those of chess",
        ),
        (
            "chess960.epd",
            "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w HFhf - 0 1;\n".to_string(),
            "line 1: field 3, castling rights: `H`, but in this game White castles only from Ke1, Ra1, Rh1",
        ),
        ("book.txt", LINES.to_string(), "a file whose name ends in .epd, .fen or .pgn"),
    ] {
        let refused = refusal(&["chess", "-o", output, "--openings", &file(folder.path(), name, &text)]);
        assert!(refused.contains(says), "{name}: {refused}");
        assert!(!Path::new(output).exists());
    }
    let (lines, games) = (file(folder.path(), "book.epd", LINES), file(folder.path(), "book.pgn", GAMES));
    for (arguments, says) in [
        (&["chess960", "--openings", &games][..], "has no FEN tag, and chess960 has 960 setups"),
        (&["pmrc", "--openings", &lines], "line 2: field 1, pieces: 8 ranks; the board has 9"),
        (&["chess", "--openings", &lines, "--opening-plies", "4"], "its openings are positions"),
        (&["chess", "--openings", &lines, "--pairs", "--games", "3"], "so --games must be even, not 3"),
        (&["chess", "--openings", &lines, "--setups", "all"], "cannot be used with"),
        (&["chess", "--openings", &lines, "--odds", "P:-"], "cannot be used with"),
        (
            &["chess", "--openings", &lines, "--openings-order", "backwards"],
            "in sequential or in random order",
        ),
        (&["chess", "--openings-order", "random"], "--openings <FILE>"),
    ] {
        let refused = refusal(&[&["-o", output][..], arguments].concat());
        assert!(refused.contains(says), "{arguments:?}: {refused}");
    }
}
