//! What is said of a piece's moves: in words, in one way of writing, in pictures, and by name.

use backrank_rules::{Betza, Board, KnownPiece, MoveDiagram, Passage, Ray};
use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Moves, in one way of writing and in words.
const PIECES: &[(&str, &str, &str)] = &[
    ("N", "N", "Leaps as a knight."),
    ("WF", "K", "Steps one square in any direction."),
    ("BN", "BN", "Slides diagonally, or leaps as a knight."),
    ("WR", "R", "Slides orthogonally."),
    ("KR", "RF", "Slides orthogonally, or steps one square diagonally."),
    ("W3", "R3", "Slides up to 3 squares orthogonally."),
    ("FAD", "FDA", "Steps one square diagonally, or leaps two squares in any direction."),
    ("HFD", "FDH", "Steps one square diagonally, or leaps two or three squares orthogonally."),
    ("L", "C", "Leaps as a camel (three squares and one)."),
    ("NN", "NN", "Leaps as a knight, again and again in one direction."),
    (
        "fhNrlbK",
        "blrWbFfhN",
        "Steps one square sideways, straight backwards or diagonally backwards, or leaps forwards as a knight.",
    ),
    (
        "frlRrlbK",
        "flrRbK",
        "Slides sideways or straight forwards, or steps one square straight backwards or diagonally backwards.",
    ),
    (
        "fbNF",
        "FvN",
        "Steps one square diagonally, or leaps two squares straight forwards or backwards and one to either side.",
    ),
    (
        "flbrF",
        "flbrF",
        "Steps one square diagonally forwards to the left or diagonally backwards to the right.",
    ),
    ("fsN", "fsN", "Leaps two squares sideways and one forwards."),
    (
        "mfWcfFimfW2",
        "mfWcfFimfR2",
        "Without capturing, steps one square straight forwards. To capture, steps one square diagonally forwards. \
         On its first move, without capturing, also slides up to 2 squares straight forwards.",
    ),
    (
        "cpRmR",
        "mRcpR",
        "Without capturing, slides orthogonally. To capture, slides orthogonally over exactly one piece.",
    ),
    ("mWB", "BmW", "Slides diagonally. Without capturing, also steps one square orthogonally."),
    ("mFcF", "F", "Steps one square diagonally."),
    (
        "FfWiAiD",
        "fWFiDiA",
        "Steps one square straight forwards or diagonally. On its first move, also leaps two squares in any direction.",
    ),
    ("KiW", "K", "Steps one square in any direction."),
    ("nN", "nN", "Goes as a knight if nothing stands on the way, straight first and then diagonally."),
    ("nA", "nA", "Goes two squares diagonally if nothing stands in between."),
    (
        "nNN",
        "nNN",
        "Goes as a knight, again and again in one direction, if nothing stands on the way, straight first and then diagonally.",
    ),
    ("AnA", "A", "Leaps two squares diagonally."),
    ("jD", "jD", "Leaps two squares orthogonally if something stands in between."),
    ("gQ", "gQ", "Hops in any direction over one piece and lands right behind it."),
    ("gB3", "gB3", "Hops diagonally over one piece and lands right behind it, at most 3 squares away."),
    ("pRgR", "pR", "Slides orthogonally over exactly one piece."),
    ("t[FR]", "t[FR]", "Steps one square diagonally and may slide on orthogonally outwards."),
    ("t[WB]W", "t[WB]", "Steps one square orthogonally and may slide on diagonally outwards."),
];

#[test]
fn moves_in_one_way_of_writing_and_in_words() {
    for (text, canonical, words) in PIECES {
        let betza: Betza = text.parse().unwrap();
        assert_eq!(betza.canonical(), *canonical, "{text}");
        assert_eq!(betza.in_words(), *words, "{text}");
    }
}

#[test]
fn known_pieces_have_a_text_of_their_own() {
    for piece in KnownPiece::all() {
        check(&piece.betza);
        assert!(!piece.source.is_empty() && !piece.name.is_empty());
    }
    let sailor: Betza = "KR".parse().unwrap();
    assert_eq!(KnownPiece::moving_like(&sailor, false).unwrap().name, "dragon king");
}

/// Any text: an error, or moves of which everything can be said on any board.
#[test]
fn whatever_is_read_can_be_written_said_and_drawn() {
    let mut random = ChaCha8Rng::seed_from_u64(41);
    let mut read = 0;
    for _ in 0..4_000 {
        if let Ok(betza) = text(&mut random).parse::<Betza>() {
            check(&betza);
            read += 1;
        }
    }
    assert!(read > 400, "{read} texts are moves");
}

/// A text that often is a piece's moves.
fn text(random: &mut impl Rng) -> String {
    const MODIFIERS: [&str; 16] =
        ["", "f", "b", "l", "r", "s", "v", "fh", "fl", "rf", "hr", "m", "c", "i", "n", "p"];
    const ATOMS: [&str; 20] = [
        "W", "F", "D", "N", "A", "H", "C", "Z", "G", "K", "R", "B", "Q", "R4", "NN", "B3", "gQ", "jN",
        "t[FR]", "t[WB2]",
    ];
    let mut text = String::new();
    for _ in 0..random.random_range(1..4) {
        for _ in 0..random.random_range(0..4) {
            text += MODIFIERS[random.random_range(0..MODIFIERS.len())];
        }
        text += ATOMS[random.random_range(0..ATOMS.len())];
    }
    text
}

fn check(betza: &Betza) {
    let canonical = betza.canonical();
    let again: Betza = canonical.parse().unwrap_or_else(|error| panic!("{betza}: {error}"));
    assert!(again.moves_like(betza), "{betza} is not {canonical}");
    assert_eq!(again.canonical(), canonical, "{betza}");
    assert_eq!(again.warnings(), [], "{betza}: {canonical} is read alike everywhere");
    assert_eq!(again.in_words(), betza.in_words(), "{betza}");
    assert_eq!(again.is_symmetric(), betza.is_symmetric(), "{betza}");
    assert!(
        betza.in_words().ends_with('.') && !betza.in_words().contains("  "),
        "{betza}: {}",
        betza.in_words()
    );
    let empty = |ray: &Ray| !matches!(ray.passage, Passage::Jump | Passage::Hop | Passage::Grasshopper);
    for (files, ranks) in [(2, 4), (8, 8), (16, 8)] {
        let board = Board::new(files, ranks).unwrap();
        let from = MoveDiagram::centre(board);
        let diagram = MoveDiagram::new(board, from, betza);
        let (shown, svg) = (diagram.to_string(), diagram.to_svg());
        assert_eq!(shown.lines().position(str::is_empty), Some(ranks + 1), "{betza}");
        assert!(
            svg.starts_with("<svg ")
                && svg.ends_with("</svg>\n")
                && diagram.to_board_svg().contains("<title>")
        );
        let reach = betza.squares_in_reach(board, from);
        for ray in betza.rays().iter().filter(|ray| empty(ray) && !ray.first_move_only) {
            for square in ray.reached(board, from, Default::default()) {
                assert!(reach.contains(square), "{betza}");
            }
        }
        for density in [0.0, 0.3] {
            let mobility = betza.mean_mobility(board, density);
            assert!(
                mobility.iter().all(|mean| (0.0..=board.squares() as f64 * 4.0).contains(mean)),
                "{betza}"
            );
        }
    }
}
