//! Games by which the values of common pieces are known before a new piece is measured.

use backrank_rules::{Board, Letter, Rules};
use backrank_selfplay::study::Odds;

use super::Imbalances;
use crate::games::Material;

/// Matches of one game on one board.
struct Reference {
    /// Files and ranks.
    board: (usize, usize),
    /// What neither side has in any of them, as [`Odds::side_text`] writes it; `-` for nothing.
    without: &'static str,
    /// The pieces in them besides pawns, each with its moves.
    pieces: &'static [(Letter, &'static str)],
    /// What [`Imbalances::write_pairs`] wrote of them.
    pairs: &'static str,
    source: &'static str,
}

/// The number of nodes for each move in them.
const NODES: u64 = 1000;

const ALL: [Reference; 4] = [
    Reference {
        board: (8, 8),
        without: "-",
        pieces: &[(Letter::N, "N"), (Letter::B, "B"), (Letter::R, "R"), (Letter::Q, "Q")],
        pairs: include_str!("chess.csv"),
        source: "the network of chess in data/pmrc-2026/controls",
    },
    Reference {
        board: (8, 8),
        without: "B+N+R+2P",
        pieces: &[(Letter::N, "N"), (Letter::B, "B"), (Letter::R, "R"), (Letter::Q, "Q")],
        pairs: include_str!("chess960-later.csv"),
        source: "the network of Chess960 without B+N+R+2P, data/pieces-2026/anchor.csv",
    },
    Reference {
        board: (10, 8),
        without: "-",
        pieces: &[
            (Letter::N, "N"),
            (Letter::B, "B"),
            (Letter::R, "R"),
            (Letter::Q, "Q"),
            (Letter::A, "BN"),
            (Letter::C, "RN"),
        ],
        pairs: include_str!("capablanca-random.csv"),
        source: "the network of Capablanca Random Chess in data/pmrc-2026/controls",
    },
    Reference {
        board: (9, 9),
        without: "-",
        pieces: &[(Letter::N, "N"), (Letter::B, "B"), (Letter::R, "R"), (Letter::Q, "Q"), (Letter::M, "BN")],
        pairs: include_str!("pmrc.csv"),
        source: "the network of P-MRC in data/pmrc-2026/network",
    },
];

impl Imbalances {
    /// The games that come with the program for the pieces of a game on its board, at this number of nodes a move and `without` some
    /// pieces on both sides, and where they are from; `None` if there are none. The pawns must be those of chess.
    pub fn reference(rules: &Rules, nodes: Option<u64>, without: &[Letter]) -> Option<(Self, &'static str)> {
        let variant = rules.variant();
        let has = |&(letter, betza): &(Letter, &str)| {
            variant.piece(letter).is_some_and(|piece| piece.betza.to_string() == betza)
        };
        let without = Odds::side_text(without);
        let is_for = |reference: &&Reference| {
            let board: Board = variant.board;
            (board.files(), board.ranks(), without.as_str())
                == (reference.board.0, reference.board.1, reference.without)
                && reference.pieces.iter().all(has)
        };
        if nodes != Some(NODES) || !variant.pawn.is_orthodox() {
            return None;
        }
        let reference = ALL.iter().find(is_for)?;
        let mut known = Self::new(&Material::of(rules));
        known.add_written(reference.pairs).ok()?;
        Some((known, reference.source))
    }
}

#[cfg(test)]
mod tests {
    use backrank_rules::Variant;

    use super::*;

    #[test]
    fn there_are_games_for_three_boards() {
        for (key, matches, has) in [
            ("chess960", 13, true),
            ("capablanca-random", 16, true),
            ("pmrc", 182, true),
            ("berolina960", 0, false),
            ("grand", 0, false),
        ] {
            let rules = Rules::new(&Variant::find(key).unwrap());
            let found = Imbalances::reference(&rules, Some(NODES), &[]);
            assert_eq!(found.is_some(), has, "{key}");
            assert!(Imbalances::reference(&rules, Some(NODES + 1), &[]).is_none());
            if let Some((found, source)) = found {
                let values = found.values("R=5".parse().unwrap());
                assert!(source.contains("data/pmrc-2026"));
                assert_eq!(values.imbalances.len(), matches, "{key}");
                let knight = values.pieces.iter().find(|piece| piece.piece.to_string() == "N").unwrap();
                let knight = knight.value.unwrap();
                assert!((2.5..4.0).contains(&knight.value), "{key}: {knight:?}");
            }
        }
    }

    #[test]
    fn a_later_stage_has_games_of_its_own() {
        let rules = Rules::new(&Variant::find("chess960").unwrap());
        let without = |text| Odds::side_letters(text).unwrap();
        assert!(Imbalances::reference(&rules, Some(NODES), &without("Q")).is_none());
        let (found, _) = Imbalances::reference(&rules, Some(NODES), &without("R+N+B+2P")).unwrap();
        let values = found.values("N=3.25".parse().unwrap());
        let of = |letter: &str| {
            let found = values.pieces.iter().find(|value| value.piece.to_string() == letter).unwrap();
            found.value.unwrap().value
        };
        assert!((5.0..6.5).contains(&of("R")) && (3.0..4.0).contains(&of("B")), "{values:?}");
    }

    #[test]
    fn what_is_written_is_read_again() {
        let rules = Rules::new(&Variant::find("chess960").unwrap());
        let (known, _) = Imbalances::reference(&rules, Some(NODES), &[]).unwrap();
        let mut text = Vec::new();
        known.write_pairs(&mut text).unwrap();
        assert_eq!(String::from_utf8(text).unwrap(), include_str!("chess.csv"));
        let mut again = Imbalances::new(&Material::of(&rules));
        for (text, says) in [
            ("", "line 1"),
            ("odds,ll,ld,lw,dl,dd,dw,wl,wd,ww\nN:B,1", "line 2"),
            (
                "odds,ll,ld,lw,dl,dd,dw,wl,wd,ww\nM:R,0,0,0,0,0,0,0,0,0",
                "line 2: M:R, but the game has no piece M",
            ),
            ("odds,ll,ld,lw,dl,dd,dw,wl,wd,ww\nN:,0,0,0,0,0,0,0,0,0", "line 2"),
        ] {
            assert!(again.add_written(text).unwrap_err().starts_with(says), "{text}");
        }
    }
}
