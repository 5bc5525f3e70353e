//! What a search gives when it has little time, when the board is full of captures, and when more than one line is wanted.

use std::cmp::Reverse;
use std::sync::atomic::{AtomicBool, Ordering};

use backrank_engine::{Limits, Score};
use backrank_rules::{Game, Move, Position, Rules, Variant};

use crate::{engine, playable, position, rules, search};

/// Every piece can take several others, so that lines of captures branch without end.
const FULL_OF_QUEENS: [&str; 3] = [
    "qqqqkqqqq/9/9/9/9/9/9/9/QQQQKQQQQ w - - 0 1 -",
    "qqqqkqqqq/qqqqqqqqq/9/9/9/9/9/QQQQQQQQQ/QQQQKQQQQ w - - 0 1 -",
    "rqqqkqqqr/qmqmqmqmq/9/1q1q1q1q1/9/9/9/QMQMQMQMQ/RQQQKQQQR w - - 0 1 -",
];

#[test]
fn a_ply_deep_is_a_few_hundred_nodes_a_move_however_many_captures_there_are() {
    let rules = rules("pmrc");
    for fen in FULL_OF_QUEENS {
        let root = position(&rules, fen);
        let found = search(&Game::new(root), &Limits::of_depth(1));
        let moves = root.legal_moves().len() as u64;
        assert!(found.nodes < 400 * moves, "{fen}: {} nodes for {moves} moves", found.nodes);
    }
}

#[test]
fn a_search_without_time_gives_a_sensible_move() {
    let rules = rules("chess");
    let best = |fen: &str| {
        let root = position(&rules, fen);
        let found = search(&Game::new(root), &Limits::of_nodes(1));
        (root.notation(found.best.unwrap()), found)
    };
    // The first legal moves are of the king, or lose the queen.
    assert_eq!(best("6k1/5ppp/8/8/8/8/8/K3R3 w - - 0 1").0, "Re8#");
    assert_eq!(best("k7/8/8/3q4/8/8/8/K2R4 w - - 0 1").0, "Rxd5");
    let (text, found) = best("3rk3/8/8/8/8/8/8/K2Q4 w - - 0 1");
    assert_eq!(found.depth, 0);
    assert_ne!(text, "Qxd8+", "the rook is protected");
}

/// Whether it is to stop is looked up every 1,024 nodes.
#[test]
fn a_search_that_is_told_to_stop_ends_within_1024_nodes() {
    for variant in playable() {
        let rules = Rules::new(&variant);
        let root = Position::new(&rules, &variant.written_setup()).unwrap();
        let stop = AtomicBool::new(false);
        let mut before = None;
        let mut engine = engine(&rules);
        let found = engine.search(&Game::new(root), &Limits::default(), &stop, |progress| {
            if progress.depth >= 4 && before.is_none() {
                before = Some(progress.nodes);
                stop.store(true, Ordering::Relaxed);
            }
        });
        let after = found.nodes - before.unwrap();
        assert!(after <= 1_024, "{}: {after} nodes", variant.key);
    }
}

#[test]
fn every_game_has_a_move_after_one_node() {
    for variant in playable() {
        let rules = Rules::new(&variant);
        let setup = variant.written_setup();
        let root = Position::new(&rules, &setup).unwrap();
        let found = search(&Game::new(root), &Limits::of_nodes(1));
        assert!(root.legal_moves().contains(&found.best.unwrap()), "{}", variant.key);
    }
}

#[test]
fn lines_begin_with_different_moves_and_go_from_best_to_worst() {
    let rules = rules("chess");
    let root = position(&rules, "6k1/5ppp/8/8/8/8/5PPP/1R2R1K1 w - - 0 1");
    let game = Game::new(root);
    let limits = Limits { lines: 4, ..Limits::of_depth(6) };
    let found = search(&game, &limits);
    let firsts: Vec<Move> = found.others.iter().map(|line| line.moves[0]).collect();
    assert_eq!(firsts.len(), 3);
    assert_eq!(found.score, Score::mate_in(1), "two rooks can mate at once");
    assert_eq!(found.others[0].score, Score::mate_in(1), "the other rook, too");
    let mut scores = vec![found.score];
    scores.extend(found.others.iter().map(|line| line.score));
    assert!(scores.is_sorted_by(|better, worse| better >= worse), "{scores:?}");
    let mut all = firsts.clone();
    all.push(found.best.unwrap());
    all.sort();
    all.dedup();
    assert_eq!(all.len(), 4, "{firsts:?}");
    // As many as there are moves, and no more.
    let few = position(&rules, "k7/8/8/8/8/8/8/K6R b - - 0 1");
    let found = search(&Game::new(few), &Limits { lines: 50, ..Limits::of_depth(4) });
    assert_eq!(found.others.len() + 1, few.legal_moves().len());
}

/// Nodes that end in the middle of a depth, after some of its lines.
#[test]
fn lines_are_those_of_the_last_depth_that_was_finished() {
    let rules = rules("pmrc");
    let variant = Variant::find("pmrc").unwrap();
    let setup = variant.written_setup();
    let game = Game::new(Position::new(&rules, &setup).unwrap());
    let mut cut_short = 0;
    for nodes in (2_000..12_000).step_by(500) {
        let limits = Limits { lines: 3, ..Limits::of_nodes(nodes) };
        let (mut finished, mut begun) = ((0, Vec::new()), Vec::new());
        let found = engine(&rules).search(&game, &limits, &AtomicBool::new(false), |progress| {
            if progress.rank == 1 {
                begun.clear();
            }
            begun.push(progress.score);
            if begun.len() == 3 {
                begun.sort_by_key(|&score| Reverse(score));
                finished = (progress.depth, std::mem::take(&mut begun));
            }
        });
        cut_short += usize::from(!begun.is_empty());
        let scores: Vec<Score> =
            std::iter::once(found.score).chain(found.others.iter().map(|line| line.score)).collect();
        assert_eq!((found.depth, scores), finished, "{nodes} nodes");
    }
    assert!(cut_short > 5, "{cut_short}");
}

#[test]
fn the_best_of_several_lines_is_that_of_one() {
    let rules = rules("pmrc");
    let root = position(&rules, "1nbqkm1nr/1ppppppp1/9/r8/9/4P4/3P5/PPP2PPPP/RNBQKMBNR w IAi - 0 5 -");
    let game = Game::new(root);
    let one = search(&game, &Limits::of_depth(5));
    let several = search(&game, &Limits { lines: 3, ..Limits::of_depth(5) });
    assert!((several.score.as_centipawns().unwrap() - one.score.as_centipawns().unwrap()).abs() < 60);
    assert_eq!(several.others.len(), 2);
}

/// Three files shelter a king; a board may have only two.
#[test]
fn the_narrowest_board_is_searched() {
    let text = r#"
        name = "Narrow chess"
        source = "this test"
        [board]
        files = 2
        ranks = 8
        [pieces]
        K = { name = "king", betza = "K", royal = true }
        R = { name = "rook", betza = "R" }
        [setup]
        first_rank = "KR"
        symmetry = "mirror"
        constraints = [{ fixed = "KR" }]
    "#;
    let rules = Rules::new(&Variant::parse("narrow", "this test", text).unwrap());
    let position = position(&rules, "kr/pp/2/2/2/2/PP/KR w - - 0 1");
    assert!(search(&Game::new(position), &Limits::of_nodes(1_000)).best.is_some());
}
