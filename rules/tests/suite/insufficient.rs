//! No case of insufficient material is wrong: every position with such pieces is looked at, and none is checkmate.

use crate::common::fen;
use backrank_rules::{Position, Rules, Termination, Variant};

fn rules(size: usize) -> Rules {
    let empty = ".".repeat(size - 1);
    let text = format!(
        r#"
        name = "t"
        source = "t"
        [board]
        files = {size}
        ranks = {size}
        [pieces]
        K = {{ name = "king", betza = "K", royal = true }}
        B = {{ name = "bishop", betza = "B" }}
        N = {{ name = "knight", betza = "N" }}
        R = {{ name = "rook", betza = "R" }}
        W = {{ name = "wazir", betza = "W" }}
        F = {{ name = "ferz", betza = "F" }}
        D = {{ name = "dabbaba rider", betza = "DD" }}
        C = {{ name = "camel", betza = "C" }}
        J = {{ name = "zebra", betza = "ZN" }}
        A = {{ name = "archbishop", betza = "BN" }}
        [setup]
        first_rank = "K{empty}"
        "#
    );
    Rules::new(&Variant::parse("t", "t.toml", &text).unwrap_or_else(|error| panic!("{error}")))
}

/// Every legal position of some pieces, Black to move.
fn all(rules: &Rules, pieces: &[char], mut see: impl FnMut(&Position)) {
    let size = rules.board().files();
    let squares = size * size;
    let mut places = vec![0; pieces.len()];
    loop {
        let mut board = vec!['1'; squares];
        let apart = pieces
            .iter()
            .zip(&places)
            .all(|(&piece, &place)| std::mem::replace(&mut board[place], piece) == '1');
        if apart {
            let rows: Vec<String> = board
                .chunks(size)
                .map(|row| row.iter().collect::<String>().replace('1', " "))
                .map(|row| digits(&row))
                .collect();
            if let Ok(position) = Position::from_fen(rules, &format!("{} b - - 0 1", rows.join("/"))) {
                see(&position);
            }
        }
        let mut next = 0;
        while next < places.len() {
            places[next] += 1;
            if places[next] < squares {
                break;
            }
            places[next] = 0;
            next += 1;
        }
        if next == places.len() {
            return;
        }
    }
}

/// A row with its empty squares counted.
fn digits(row: &str) -> String {
    let mut text = String::new();
    let mut empty = 0;
    for letter in row.chars().chain(['/']) {
        if letter == ' ' {
            empty += 1;
            continue;
        }
        if empty > 0 {
            text += &empty.to_string();
        }
        empty = 0;
        if letter != '/' {
            text.push(letter);
        }
    }
    text
}

fn checkmates(rules: &Rules, pieces: &[char]) -> (usize, usize) {
    let (mut mates, mut insufficient_mates) = (0, 0);
    all(rules, pieces, |position| {
        if position.outcome().is_some_and(|outcome| outcome.termination == Termination::Checkmate) {
            mates += 1;
            insufficient_mates += usize::from(position.is_insufficient_material());
        }
    });
    (mates, insufficient_mates)
}

#[test]
fn one_piece_that_attacks_one_colour_never_mates() {
    for size in [4, 5, 6] {
        let rules = rules(size);
        for piece in ['B', 'N', 'W', 'F', 'D', 'C', 'J'] {
            assert_eq!(checkmates(&rules, &['k', 'K', piece]), (0, 0), "{piece} on {size}×{size}");
        }
    }
}

#[test]
fn other_pieces_do_and_are_not_taken_for_such() {
    let rules = rules(6);
    for piece in ['R', 'A'] {
        let (mates, wrong) = checkmates(&rules, &['k', 'K', piece]);
        assert!(mates > 0, "{piece}");
        assert_eq!(wrong, 0, "{piece}");
    }
}

#[test]
fn pieces_bound_to_one_colour_in_all_never_mate_and_others_may() {
    let rules = rules(5);
    for (pair, can) in [
        (['B', 'b'], true),
        (['B', 'B'], true),
        (['B', 'F'], true),
        (['D', 'f'], true),
        (['N', 'n'], true),
        (['N', 'b'], true),
    ] {
        let (mates, wrong) = checkmates(&rules, &['k', 'K', pair[0], pair[1]]);
        assert_eq!(wrong, 0, "{pair:?}");
        assert_eq!(mates > 0, can, "{pair:?}");
    }
    assert!(fen(&rules, "k4/5/1B3/2b2/K2F1 w - - 0 1").is_insufficient_material());
    assert!(!fen(&rules, "k4/5/1B3/3b1/K4 w - - 0 1").is_insufficient_material());
}
