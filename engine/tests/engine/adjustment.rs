//! The Bishop Adjustment where it is the only good move: the engine plays it, and cannot where it is switched off.

use backrank_engine::{Limits, Score};
use backrank_rules::{Game, Move, MoveKind, Position, Rules};

use crate::solver::{is_lost_within, wins_within};
use crate::{position, rules, search, search_move};

/// The rook comes to the open file only by changing places with the bishop, and mates: the king stands between its own
/// rooks and pawns. Two pawns of the other side are about to promote.
const MATES: [(&str, &str, &str); 2] = [
    ("pmrc", "2rkr4/2p1p4/9/9/9/9/6p1p/4P4/K2BR4 w - - 0 1 DE", "d1e1"),
    ("mmcc", "k2br6/4p1P1P2/11/11/11/11/2P1P6/2RKR6 b - - 0 1 de", "d8e8"),
];

/// The queen on i3 mates on h2, unless the bishop of f1 comes to g1, where the rook stands; and the same for Black.
const STOPS_MATE: [(&str, &str, &str); 2] = [
    ("mrc", "6k2/9/9/9/9/9/6p1q/4P1P1P/5BRK1 w - - 0 1 FG", "f1g1"),
    ("pmrc", "5brk1/4p1p1p/6P1Q/9/9/9/9/9/6K2 b - - 0 1 fg", "f9g9"),
];

/// The knight on f3 takes the queen on e1, which has no other way out than the bishop's square.
const SAVES_THE_QUEEN: (&str, &str, &str) =
    ("mrc", "6k2/5ppp1/9/9/9/9/5n3/3PNP1PP/3BQR2K w - - 0 1 DE", "d1e1");

/// The swap, and all other moves.
fn swap_and_others(position: &Position<'_>, swap: &str) -> (Move, Vec<Move>) {
    let swap = position.parse_uci(swap).unwrap();
    assert_eq!(swap.kind, MoveKind::Adjustment);
    let others: Vec<Move> = position.legal_moves().into_iter().filter(|&played| played != swap).collect();
    assert!(others.len() >= 3, "{position}");
    (swap, others)
}

/// The same game and position, with nobody allowed to swap.
fn without_adjustment(rules: &Rules, fen: &str, check: impl FnOnce(&Game<'_>)) {
    let rules = rules.clone().without_adjustment();
    let position = position(&rules, fen);
    assert!(position.legal_moves().iter().all(|played| played.kind != MoveKind::Adjustment), "{fen}");
    check(&Game::new(position));
}

#[test]
fn a_swap_that_mates() {
    for (key, fen, swap) in MATES {
        let rules = rules(key);
        let position = position(&rules, fen);
        let (swap, others) = swap_and_others(&position, swap);
        let found = search(&Game::new(position), &Limits::of_depth(1));
        assert_eq!((found.best, found.score), (Some(swap), Score::mate_in(1)), "{fen}");
        // Nothing else mates within two moves.
        for other in others {
            assert_eq!(is_lost_within(&position.after(other), 1, &mut u64::MAX.clone()), Some(false));
        }
        without_adjustment(&rules, fen, |game| {
            let found = search(game, &Limits::of_depth(8));
            assert!(found.score < Score::DRAW, "{fen}: {}", found.score);
        });
    }
}

#[test]
fn a_swap_that_stops_mate() {
    for (key, fen, swap) in STOPS_MATE {
        let rules = rules(key);
        let position = position(&rules, fen);
        let (swap, others) = swap_and_others(&position, swap);
        // After it there is no mate within two moves, after anything else one in one.
        assert_eq!(wins_within(&position.after(swap), 2, &mut u64::MAX.clone()), Some(false), "{fen}");
        for other in others {
            assert_eq!(wins_within(&position.after(other), 1, &mut 10_000), Some(true), "{fen} {other:?}");
        }
        for depth in 2..10 {
            let found = search(&Game::new(position), &Limits::of_depth(depth));
            assert_eq!(found.best, Some(swap), "{fen} at depth {depth}");
            assert_eq!(found.score.as_plies_to_end(), None, "{fen} at depth {depth}");
        }
        without_adjustment(&rules, fen, |game| {
            assert_eq!(search(game, &Limits::of_depth(4)).score, Score::mated_in(2), "{fen}");
        });
    }
}

#[test]
fn a_swap_that_saves_the_queen() {
    let (key, fen, swap) = SAVES_THE_QUEEN;
    let rules = rules(key);
    let game = Game::new(position(&rules, fen));
    let (swap, others) = swap_and_others(game.position(), swap);
    let limits = Limits::of_depth(7);
    let found = search(&game, &limits);
    assert_eq!(found.best, Some(swap));
    let centipawns = |score: Score| score.as_centipawns().unwrap();
    let saved = centipawns(search_move(&game, swap, &limits).score);
    for other in others {
        let lost = centipawns(search_move(&game, other, &limits).score);
        assert!(lost < saved - 300, "{other:?} is worth {lost}, the swap {saved}");
    }
    without_adjustment(&rules, fen, |game| {
        let lost = centipawns(search(game, &limits).score);
        assert!(lost < saved - 300, "without the swap it is worth {lost}, with it {saved}");
    });
}
