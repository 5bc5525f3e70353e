//! The variant files that come with the toolkit.

use backrank_rules::{
    FirstRank, Letter, Position, Rules, Setup, SetupError, Side, StartFen, Variant, catalogue,
};

#[test]
fn every_file_is_a_variant() {
    let folder = std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/variants")).unwrap();
    assert_eq!(catalogue().count(), folder.count());
    for variant in catalogue() {
        assert_eq!(variant.piece(Letter::K).map(|king| king.royal), Some(true), "{}", variant.key);
    }
}

#[test]
fn case_and_hyphens_do_not_matter_in_a_key() {
    for name in ["pm-random", "pmrandom", "PM_Random"] {
        assert_eq!(Variant::find(name).unwrap().key, "pm-random");
    }
}

#[test]
fn rules_that_could_not_be_played_are_refused() {
    let text = Variant::find("mmcc").unwrap().text().to_string();
    for (from, to, problem) in [
        ("piece = \"B\"", "piece = \"E\"", "has no moves of its first move only"),
        ("piece = \"B\"", "piece = \"K\"", "is not the king"),
        ("[castling]", "[castling]\npartner = \"K\"", "the king castles with any piece but the king"),
        ("O-O-Oi", "O-O-Oc", "are both written `O-O-Oc`"),
        ("O-O-Oi", "", "castling is written as O-O or O-O-O"),
        ("O-O-Oi", "e4", "castling is written as O-O or O-O-O"),
        ("O-O-Oi", "O-O-Oii", "castling is written as O-O or O-O-O"),
        ("O-O-Oi", "O", "castling is written as O-O or O-O-O"),
        ("value = 560", "value = 2147483647", "a piece is worth 0 to 10000 centipawns"),
        ("value = 560", "value = -1", "a piece is worth 0 to 10000 centipawns"),
        ("first_rank = \"RNEBMKMBENR\"", "first_rank = \"...........\"", "no pieces on the first rank"),
    ] {
        assert!(text.contains(from), "{from}");
        let error = Variant::parse("t", "t.toml", &text.replace(from, to)).unwrap_err();
        assert!(error.problem.contains(problem), "{}", error.problem);
    }
}

/// The two ways a setup becomes a position agree, and so do the position and its text.
#[test]
fn setups_start_as_their_fen_says() {
    for variant in catalogue().filter(|variant| !variant.count_only) {
        let rules = Rules::new(&variant);
        let fen = StartFen::new(&variant);
        let mut letters = variant.armies[0];
        // Every rotation of the army, whatever the variant's constraints.
        for _ in 0..variant.armies[0].files() {
            for black in [letters, letters.reversed()] {
                let setup = Setup { white: letters, black };
                match Position::new(&rules, &setup) {
                    Ok(position) => assert_eq!(position.to_fen(), fen.of(&setup), "{}", variant.key),
                    Err(error) => assert_eq!(error, SetupError::NotToMoveInCheck { side: Side::Black }),
                }
            }
            letters = rotated(&letters);
        }
    }
}

/// Each piece on the file of the piece after it.
fn rotated(rank: &FirstRank) -> FirstRank {
    let mut pieces: Vec<_> = rank.pieces().collect();
    let files: Vec<_> = pieces.iter().map(|piece| piece.0).collect();
    pieces.rotate_left(1);
    let mut rotated = *rank;
    files.into_iter().zip(pieces).for_each(|(file, (_, letter))| rotated.set(file, letter));
    rotated
}
