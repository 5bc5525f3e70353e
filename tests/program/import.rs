//! Games in PGN, imported as a study.

use std::io::Write;
use std::path::{Path, PathBuf};

use assert_cmd::assert::OutputAssertExt;
use flate2::Compression;
use flate2::write::GzEncoder;

use crate::common::{backrank, refusal, stdout, stdout_beside_notes};

/// Games as Lichess writes them: a mate, a resignation, a loss on time, a draw that was agreed, one that was not finished,
/// one without moves and one of another variant.
const LICHESS: &str = include_str!("../games/lichess.pgn");

fn write(folder: &Path, name: &str, bytes: &[u8]) -> String {
    let path = folder.join(name);
    std::fs::write(&path, bytes).unwrap();
    path.to_str().unwrap().to_string()
}

fn column(study: &Path, name: &str) -> Vec<String> {
    let mut reader = csv::Reader::from_path(study.join("games.csv")).unwrap();
    let at = reader.headers().unwrap().iter().position(|column| column == name).unwrap();
    reader.records().map(|row| row.unwrap()[at].to_string()).collect()
}

/// Imports an archive of Chess960 that is right in some of its games. Returns the study and what was printed.
fn import(folder: &Path, archive: &str, more: &[&str]) -> (PathBuf, String) {
    let study = folder.join("study");
    let options = ["import", archive, "-o", study.to_str().unwrap(), "--variant", "chess960"];
    let printed = stdout_beside_notes(&[&options[..], more].concat());
    (study, printed)
}

#[test]
fn games_of_lichess_are_recorded_with_how_they_ended() {
    let folder = tempfile::tempdir().unwrap();
    let archive = write(folder.path(), "lichess.pgn", LICHESS.as_bytes());
    let (study, printed) = import(folder.path(), &archive, &[]);
    assert!(printed.starts_with("5 of 8 games imported into "), "{printed}");
    for left_out in ["another variant", "no moves", "an illegal move"] {
        assert!(printed.contains(left_out), "{printed}");
    }
    assert_eq!(
        column(&study, "termination"),
        ["checkmate", "resignation", "time", "agreement", "unfinished"]
    );
    assert_eq!(column(&study, "result"), ["0-1", "1-0", "0-1", "1/2-1/2", "*"]);
    assert_eq!(column(&study, "white")[1], "Zoë \"Z\"");
    assert_eq!(column(&study, "white_elo"), ["1500", "2100", "1800", "", "1700"]);
    assert_eq!(column(&study, "setup")[0], "518");
    let castling = &column(&study, "moves")[1];
    assert!(castling.contains("b1a1"), "the king takes its rook: {castling}");
    // What Lichess says of a move is White's score after it; ours is that of the side that moved.
    let scores = std::fs::read_to_string(study.join("scores.csv")).unwrap();
    assert_eq!(scores.lines().nth(1), Some("0,-20/0 -35/0 -1520/0 M1/0"));
    assert!(std::fs::read_to_string(study.join("study.toml")).unwrap().contains("[import.rejected]"));

    let study = study.to_str().unwrap();
    assert!(stdout_beside_notes(&["setups", study, "--permutations", "99"]).contains("4 of them different"));
    stdout_beside_notes(&["values", study, "--bootstrap", "10"]);
    let page = folder.path().join("report.html");
    stdout_beside_notes(&["report", study, "--bootstrap", "10", "-o", page.to_str().unwrap()]);
    assert!(std::fs::read_to_string(page).unwrap().contains("resignation"));
    assert!(refusal(&["play", study]).contains("imported"));
}

#[test]
fn games_before_the_first_score_have_rows_without_scores() {
    let folder = tempfile::tempdir().unwrap();
    let archive = |name: &str, games: &str| write(folder.path(), name, games.as_bytes());
    // More games than rows are written together.
    let without = archive("without.pgn", &"1. e4 e5 2. Nf3 *\n\n1. d4 1/2-1/2\n\n".repeat(600));
    let with = archive("with.pgn", "1. e4 { [%eval 0.3] } *\n\n1. c4 e5 *\n");
    let study = folder.path().join("study");
    let output = study.to_str().unwrap();
    stdout_beside_notes(&["import", &without, &with, &without, "-o", output, "--variant", "chess"]);
    let scores = std::fs::read_to_string(study.join("scores.csv")).unwrap();
    let rows: Vec<&str> = scores.lines().collect();
    assert_eq!(rows.len(), 1 + 1200 + 2 + 1200);
    assert_eq!(rows[..3], ["game,scores", "0,- - -", "1,-"]);
    assert_eq!(rows[1200..1205], ["1199,-", "1200,30/0", "1201,- -", "1202,- - -", "1203,-"]);
    // They are read as those of a study that was played.
    stdout_beside_notes(&[
        "export",
        output,
        "--format",
        "pgn",
        "-o",
        folder.path().join("x.pgn").to_str().unwrap(),
    ]);

    let plain = folder.path().join("plain");
    stdout_beside_notes(&["import", &without, "-o", plain.to_str().unwrap(), "--variant", "chess"]);
    assert!(plain.join("games.csv").exists() && !plain.join("scores.csv").exists());
}

#[test]
fn every_packing_gives_the_same_study() {
    let folder = tempfile::tempdir().unwrap();
    let text = LICHESS.repeat(3).into_bytes();
    let mut gzip = GzEncoder::new(Vec::new(), Compression::fast());
    gzip.write_all(&text).unwrap();
    let zstd = include_bytes!("../games/lichess.pgn.zst");
    let games = |name: &str, bytes: &[u8], more: &[&str]| {
        let inner = tempfile::tempdir().unwrap();
        let archive = write(folder.path(), name, bytes);
        let (study, _) = import(inner.path(), &archive, more);
        std::fs::read_to_string(study.join("games.csv")).unwrap()
    };
    let plain = games("plain.pgn", &text, &[]);
    assert_eq!(plain.lines().count(), 1 + 15);
    assert_eq!(games("packed.pgn.gz", &gzip.finish().unwrap(), &["--threads", "1"]), plain);
    // Three frames, with one between them that is to be skipped.
    assert_eq!(
        games(
            "packed.pgn.zst",
            &[&zstd[..], &[0x50, 0x2a, 0x4d, 0x18, 1, 0, 0, 0, 7], zstd, zstd].concat(),
            &[]
        ),
        plain
    );
    let crlf = String::from_utf8(text).unwrap().replace('\n', "\r\n");
    assert_eq!(games("crlf.pgn", crlf.as_bytes(), &[]), plain);
    let first =
        |games: &str, number: usize| games.lines().take(1 + number).map(String::from).collect::<Vec<_>>();
    assert_eq!(first(&games("plain.pgn", crlf.as_bytes(), &["--limit", "7"]), 99), first(&plain, 7));
    let strong = games("plain.pgn", crlf.as_bytes(), &["--min-elo", "2000"]);
    assert_eq!(strong.lines().count(), 1 + 3);
}

#[test]
fn wrong_games_are_counted_and_wrong_files_refused() {
    let folder = tempfile::tempdir().unwrap();
    let zstd = include_bytes!("../games/lichess.pgn.zst");
    let good = "[White \"x\"]\n\n1. e4 e5 1-0\n\n";
    let refused = |name: &str, bytes: &[u8]| {
        let archive = write(folder.path(), name, bytes);
        let study = folder.path().join("refused");
        let said = refusal(&["import", &archive, "-o", study.to_str().unwrap(), "--variant", "chess"]);
        assert!(!study.join("study.toml").exists() && !study.join("games.csv").exists(), "{name}");
        said
    };
    for (name, bytes, says) in [
        ("empty.pgn", b"".to_vec(), "there are no games"),
        ("picture.pgn", (0..=255).cycle().take(100_000).collect(), "no game could be imported"),
        ("text.pgn", b"Dear diary, (today) I played chess.".to_vec(), "an illegal move: 1, first"),
        ("cut.pgn.zst", zstd[..zstd.len() / 2].to_vec(), "damaged or truncated after 0 games"),
        ("cut.pgn.gz", vec![0x1f, 0x8b, 8, 0, 0], "damaged or truncated after 0 games"),
        ("comment.pgn", b"1. e4 {no end".to_vec(), "not PGN: 1"),
        ("zeros.pgn", vec![0; 1_000_000], "no game could be imported"),
        ("games.zip", b"PK\x03\x04\x14\0".to_vec(), "games.zip: this is a zip archive, not PGN"),
        ("wide.pgn", b"\xff\xfe1\0.\0".to_vec(), "this is text in UTF-16, not PGN as plain text; convert it"),
        // A zstd frame that asks for 4 GiB of memory.
        ("wide.zst", vec![0x28, 0xb5, 0x2f, 0xfd, 0, 22 << 3, 1, 0, 0], "asks for a window of 4096 MiB"),
    ] {
        let said = refused(name, &bytes);
        assert!(said.contains(says), "{name}: {said}");
    }
    // Beside a good game, each is a count.
    for (name, text, left_out) in [
        ("other", "[Variant \"Crazyhouse\"]\n\n1. e4 1-0\n", "another variant"),
        (
            "start",
            "[FEN \"nbbqkrrn/pppppppp/8/8/8/8/PPPPPPPP/NBBQKRRN w - - 0 1\"]\n\n1. e4 *\n",
            "not a setup",
        ),
        ("fen", "[FEN \"8/8 w - -\"]\n\n1. e4 *\n", "not a position"),
        ("move", "[Event \"?\"]\n\n1. e5 *\n", "an illegal move"),
        ("null", "[Event \"?\"]\n\n1. e4\0 *\n", "an illegal move"),
        ("result", "[Result \"1-0\"]\n\n1. f3 e5 2. g4 Qh4# 1-0\n", "a wrong result"),
        ("moves", "[Result \"1-0\"]\n\n1-0\n", "no moves"),
        ("tag", "[White here]\n\n1. e4 *\n", "not PGN"),
        ("long", &format!("[Event \"?\"]\n\n1. e4 {{{}\n", "x".repeat(1_000_000)), "not PGN"),
    ] {
        let archive = write(folder.path(), &format!("{name}.pgn"), format!("{good}{text}").as_bytes());
        let study = folder.path().join(name);
        let printed = stdout(&["import", &archive, "-o", study.to_str().unwrap(), "--variant", "chess"]);
        assert!(printed.starts_with("1 of 2 games imported"), "{name}: {printed}");
        assert!(printed.contains(left_out), "{name}: {printed}");
    }
    // So is what stands after the end of what is compressed.
    let mut gzip = GzEncoder::new(Vec::new(), Compression::fast());
    gzip.write_all(good.as_bytes()).unwrap();
    let archive = write(folder.path(), "more.pgn.gz", &[&gzip.finish().unwrap()[..], b"more"].concat());
    let study = folder.path().join("more");
    let printed = stdout(&["import", &archive, "-o", study.to_str().unwrap(), "--variant", "chess"]);
    assert!(printed.contains("4 bytes after the end of what is compressed were left out"), "{printed}");
    // A long comment is no harm, nor are variations, annotations and names in Latin-1.
    let comment = "x".repeat(1_000_000);
    let mut text =
        format!("[White \"x\"]\n\n1. e4! {{{comment}}} $1 (1. d4 (1. c4) d5) e5 ; rest\n 1/2-1/2\n")
            .into_bytes();
    text[8] = 0xfc;
    let archive = write(folder.path(), "latin.pgn", &text);
    let study = folder.path().join("latin");
    stdout(&["import", &archive, "-o", study.to_str().unwrap(), "--variant", "chess"]);
    assert_eq!(column(&study, "white"), ["ü"]);
    assert_eq!(column(&study, "moves"), ["e2e4 e7e5"]);
}

#[test]
fn a_study_that_was_exported_is_imported_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_string();
    // In every other game between two armies Black moves first.
    for variant in ["mmcc", "pmrc", "chess", "cwda-fide-nutters"] {
        let (played, pgn, again) = (path(variant), path("games.pgn"), path(&format!("{variant}-again")));
        let (setups, games): (_, &[&str]) = match variant {
            "pmrc" => ("random:12", &["--games", "3"]),
            "cwda-fide-nutters" => ("random:4", &["--pairs"]),
            _ => ("all", &["--games", "3"]),
        };
        let options = [&["--setups", setups, "--nodes", "40", "--scores", "-o", &played], games].concat();
        backrank(&[&["play", variant][..], &options].concat()).assert().success();
        let starts = column(Path::new(&played), "fen");
        assert_eq!(starts.iter().any(|fen| fen.contains(" b ")), games == ["--pairs"], "{starts:?}");
        let form = if variant == "pmrc" { "eval" } else { "cutechess" };
        stdout(&["export", &played, "--format", "pgn", "--comments", form, "-o", &pgn]);
        stdout(&["import", &pgn, "--variant", variant, "-o", &again]);
        for name in ["setup", "fen", "result", "termination", "moves", "white"] {
            let [one, other] = [&played, &again].map(|study| column(Path::new(study), name));
            assert_eq!(one, other, "{variant} {name}");
        }
        let scores = |study: &str| std::fs::read_to_string(Path::new(study).join("scores.csv")).unwrap();
        assert_eq!(scores(&played), scores(&again), "{variant}");
    }
}
