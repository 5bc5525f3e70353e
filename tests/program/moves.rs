//! The moves of a piece: drawn, in words, in numbers, and what is said of a piece that nobody knows.

use std::path::Path;

use insta::assert_snapshot;
use serde_json::Value;

use crate::common::{backrank, refusal, stdout, stdout_beside_notes};

/// What a command writes as SVG.
fn svg(arguments: &[&str]) -> String {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("picture.svg");
    stdout_beside_notes(&[arguments, &["--svg", file.to_str().unwrap()]].concat());
    std::fs::read_to_string(file).unwrap()
}

fn json(arguments: &[&str]) -> Value {
    serde_json::from_str(&stdout_beside_notes(&[&["moves"], arguments, &["--json"]].concat())).unwrap()
}

#[test]
fn a_piece_is_drawn_and_described() {
    assert_snapshot!(stdout(&["moves", "fhNrlbK", "--on", "9x9"]));
    assert_snapshot!(stdout(&["moves", "P", "--on", "chess"]));
    assert_snapshot!(stdout(&["moves", "xiangqi cannon", "--on", "9×10"]));
}

#[test]
fn a_piece_as_svg() {
    assert_snapshot!(svg(&["moves", "mao", "--on", "5x5"]));
    assert_snapshot!(svg(&["moves", "mRcpRimB2", "--on", "5x5"]));
}

#[test]
fn a_piece_in_json() {
    let knight = json(&["knight"]);
    assert_eq!((&knight["from"], knight["moves"].as_array().unwrap().len()), (&"d4".into(), 8));
    assert_eq!(knight["moves"], knight["captures"]);
    assert_eq!(
        (&knight["mobility_empty"]["captures"], &knight["changes_colour"]),
        (&5.25.into(), &true.into())
    );
    let pawn = json(&["P", "--on", "pmrc"]);
    let squares = ["moves", "captures", "first_moves", "first_captures"].map(|key| &pawn[key]);
    assert_eq!(squares.map(Value::to_string), [r#"["e6"]"#, r#"["d6","f6"]"#, r#"["e7"]"#, "[]"]);
    let charging = json(&["fhNrlbK"]);
    assert_eq!(
        (&charging["name"], &charging["warnings"][0]["alike"]),
        (&"charging knight".into(), &"blrWbF".into())
    );
    let alfil = json(&["alfil"]);
    assert_eq!((&alfil["squares_in_reach"], &alfil["colour_bound"]), (&8.into(), &true.into()));
    assert_eq!(json(&["flbrF"])["symmetric"], false);
}

#[test]
fn letters_of_a_game_come_before_betzas() {
    for (piece, board, heading) in [
        ("M", "modern", "prime minister of Modern Chess: BN"),
        ("K", "modern", "king of Modern Chess: K, royal"),
        ("M", "mmcc", "minister of Modern Ministers Courier Chess: K"),
        ("C", "capablanca-random", "chancellor of Capablanca Random Chess: RN"),
        ("C", "9x9", "camel: C"),
        ("KNIGHT", "8x8", "knight: N"),
        ("Half Duck", "8x8", "half-duck: HFD"),
        ("Xiangqi Cannon", "8x8", "xiangqi cannon: mRcpR"),
        ("WDNA", "8x8", "WDNA"),
    ] {
        let output = backrank(&["moves", piece, "--on", board]).output().unwrap();
        let (said, noted) =
            [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap()).into();
        assert_eq!(said.lines().next().unwrap(), heading);
        let is_noted = noted.contains("is the chancellor of Capablanca Random Chess here, not Betza's C");
        assert_eq!(is_noted, board == "capablanca-random", "{noted}");
    }
}

#[test]
fn wrong_pieces_and_boards() {
    for (piece, board, sentence) in [
        ("nightridr", "8x8", "no piece is called `nightridr`; did you mean nightrider or knightrider?"),
        ("cannon", "8x8", "did you mean xiangqi cannon, janggi cannon or musketeer cannon?"),
        ("Pegasus", "8x8", "`Pegasus` is neither a known piece nor moves: Betza `Pegasus`, letter 1: "),
        ("fhX", "8x8", "Betza `fhX`, letter 3: `X` is not an atom"),
        ("Np", "8x8", "Betza `Np`, letter 2: a modifier without an atom after it"),
        ("", "8x8", "no moves; a knight is `N`, a queen `Q`"),
        ("X", "modern", "modern has the pieces B, K, M, N, Q, R and P"),
        ("N", "9x", "`9x` is not a board; a board is its files and ranks, such as 9x9"),
        ("N", "99x9", "a board of 99 files and 9 ranks: at least 2 files"),
        ("N", "modren", "no variant `modren`; did you mean modern?"),
    ] {
        let said = refusal(&["moves", piece, "--on", board]);
        assert!(said.contains(sentence), "{piece} {board}: {said}");
    }
}

/// The seeds of the fuzzer: what is read is shown, and what is not read is refused.
#[test]
fn every_seed_is_shown_or_refused() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/seeds/betza");
    let mut shown = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let text = std::fs::read_to_string(entry.unwrap().path()).unwrap();
        let output = backrank(&["moves", "--", &text]).output().unwrap();
        assert!(
            matches!(output.status.code(), Some(0 | 2)),
            "{text}: {}",
            String::from_utf8_lossy(&output.stderr)
        );
        shown += u32::from(output.status.success());
    }
    assert!(shown > 8, "{shown}");
}

#[test]
fn legal_marks_moves_in_its_picture() {
    let (dots, rings, arrows) = ("r=\"5.5\"", "r=\"20\"", "stroke-width=\"2.6\"");
    for (arguments, marks) in [
        // Eighteen moves of pawns and eight of knights, and four adjustments of two arrows each.
        (&["legal", "modern"][..], [24, 0, 8]),
        (&["legal", "chess", "--fen", "4k3/8/8/3p4/4P3/8/8/4K2R w K - 0 1"], [15, 1, 2]),
        (&["legal", "chess", "--fen", "3n1n2/4P3/8/8/8/8/k7/7K w - - 0 1"], [4, 2, 0]),
    ] {
        let svg = svg(arguments);
        assert_eq!([dots, rings, arrows].map(|mark| svg.matches(mark).count()), marks, "{arguments:?}");
    }
    // With a bede, the king of the Clobberers goes from e to b.
    let bedes = svg(&["legal", "cwda-clobberers-nutters", "--fen", "4k3/8/8/8/8/8/8/D3K3 w A - 0 1"]);
    assert!(bedes.contains("M224.5 324.5Q157 302.5 89.5 324.5"), "{bedes}");
}
