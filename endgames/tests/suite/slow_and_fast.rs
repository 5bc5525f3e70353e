//! Tables against the slow solver, position for position.

use backrank_endgames::{Endgame, EndgameTables};
use backrank_rules::{Rules, Side};

use crate::slow::Slow;
use crate::{pieces, rules};

/// Compares every position of some endgames, and how many of them there are.
pub fn compare(rules: &Rules, endgames: &[&str]) {
    for text in endgames {
        let endgame = Endgame::parse(text, rules).unwrap();
        let tables = EndgameTables::build(rules, std::slice::from_ref(&endgame), 1 << 30, |_| ()).unwrap();
        let slow = Slow::solve(rules, text);
        let mut counts = [[0; 3]; 2];
        let mut longest = [None; 2];
        for (position, value) in slow.with_all_men() {
            assert_eq!(tables.probe(position), Some(value), "{text}: {position}");
            let side = position.side_to_move();
            let column = match value.winner(side) {
                Some(Side::White) => 0,
                None => 1,
                Some(Side::Black) => 2,
            };
            counts[side as usize][column] += 1;
            if let Some(winner) = value.winner(side) {
                longest[winner as usize] = longest[winner as usize].max(value.moves());
            }
        }
        let table = tables.get(&endgame).unwrap();
        for side in Side::BOTH {
            let count = table.count(side);
            assert_eq!([count.won, count.drawn, count.lost], counts[side as usize], "{text}: {side} to move");
            let found = table.longest_win(side);
            assert_eq!(found.map(|longest| longest.moves), longest[side as usize], "{text}: {side} wins");
            for position in table.hardest(rules, side, 20) {
                let value = tables.probe(&position).unwrap();
                assert_eq!(value.winner(position.side_to_move()), Some(side), "{text}: {position}");
                assert_eq!(value.moves(), longest[side as usize], "{text}: {position}");
                let line = tables.line(&position);
                assert_eq!(line.len(), usize::from(value.plies().unwrap()), "{text}: {position}");
            }
        }
        assert_ne!(counts, [[0; 3]; 2], "{text}: no positions");
    }
}

#[test]
fn orthodox_pieces() {
    let rules = rules(5, 5, &pieces("Q=Q R=R B=B N=N"), "");
    compare(&rules, &["KvK", "KQvK", "KRvK", "KBvK", "KNvK", "KPvK", "KvKQ", "KvKP"]);
}

#[test]
fn boards_that_are_not_square() {
    for (files, ranks) in [(3, 6), (6, 4), (2, 7), (4, 5)] {
        compare(&rules(files, ranks, &pieces("Q=Q R=R M=BN"), ""), &["KQvK", "KRvK", "KMvK", "KPvK"]);
    }
}

#[test]
fn four_men() {
    let rules = rules(4, 4, &pieces("Q=Q R=R B=B N=N"), "");
    compare(&rules, &["KQvKR", "KRvKR", "KRvKQ", "KBNvK", "KBBvK", "KNNvK", "KvKBN", "KRvKP", "KPvKR"]);
}

#[test]
fn pawns_that_pass_each_other() {
    let tall = rules(3, 6, &pieces("R=R"), "");
    compare(&tall, &["KPvKP", "KPPvK", "KPvKR"]);
    let wide = rules(4, 5, &pieces("N=N"), "");
    compare(&wide, &["KPvKP"]);
    let without_double_step = rules(3, 5, &pieces("R=R"), "[pawn]\ndouble_step = false");
    compare(&without_double_step, &["KPvKP"]);
}

#[test]
fn pawns_that_go_diagonally() {
    let rules = rules(3, 6, &pieces("R=R"), "[pawn]\nmoves = \"berolina\"\ndouble_step = false");
    compare(&rules, &["KPvK", "KPvKP", "KPPvK", "KPvKR"]);
}

#[test]
fn pawns_that_start_further_up() {
    let text = "name = \"t\"\nsource = \"t\"\n[board]\nfiles = 3\nranks = 7\nfirst_rank = 2\n[pieces]\n";
    let text = format!("{text}{}[setup]\nfirst_rank = \".K.\"\n", pieces("R=R"));
    let rules = Rules::new(&backrank_rules::Variant::parse("t", "t.toml", &text).unwrap());
    compare(&rules, &["KPvK", "KPvKP"]);
}

#[test]
fn a_bare_king_loses() {
    let rules = rules(4, 4, &pieces("R=R N=N"), "[endings]\nbare_king = true");
    compare(&rules, &["KvK", "KRvK", "KNvK", "KPvK", "KRvKN", "KRvKR", "KRNvK", "KPvKN"]);
}

#[test]
fn promotion_lists() {
    let rook_only = rules(4, 5, &pieces("Q=Q R=R N=N"), "[pawn]\npromotes_to = \"R\"");
    compare(&rook_only, &["KPvK"]);
    let knight_only = rules(4, 5, &pieces("Q=Q R=R N=N"), "[pawn]\npromotes_to = \"N\"");
    compare(&knight_only, &["KPvK"]);
}
