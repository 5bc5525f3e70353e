//! No case of insufficient material is wrong: every position with such pieces is looked at, and none is checkmate.

use backrank_rules::{Position, Rules, Side, Termination, Variant};

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

/// What is found among all positions of some pieces.
#[derive(Default)]
struct Found {
    positions: usize,
    insufficient: usize,
    /// The pieces but the kings stand on squares of one colour.
    on_one_colour: usize,
    checkmates: usize,
    insufficient_checkmates: usize,
    insufficient_on_two_colours: usize,
}

fn look(rules: &Rules, pieces: &[char]) -> Found {
    let mut found = Found::default();
    let dark = rules.board().dark_squares();
    all(rules, pieces, |position| {
        let kings = position.king(Side::White).bitboard() | position.king(Side::Black).into();
        let others = position.occupied() & !kings;
        let on_one_colour = others.is_disjoint(dark) || others.is_disjoint(!dark);
        let insufficient = position.is_insufficient_material();
        let checkmate =
            position.outcome().is_some_and(|outcome| outcome.termination == Termination::Checkmate);
        found.positions += 1;
        found.insufficient += usize::from(insufficient);
        found.on_one_colour += usize::from(on_one_colour);
        found.checkmates += usize::from(checkmate);
        found.insufficient_checkmates += usize::from(insufficient && checkmate);
        found.insufficient_on_two_colours += usize::from(insufficient && !on_one_colour);
    });
    found
}

#[test]
fn one_piece_that_attacks_one_colour_never_mates() {
    for size in [4, 5, 6] {
        let rules = rules(size);
        for piece in ['B', 'N', 'W', 'F', 'D', 'C', 'J'] {
            let found = look(&rules, &['k', 'K', piece]);
            assert_eq!(found.checkmates, 0, "{piece} on {size}×{size}");
            assert!(found.positions > 0);
            assert_eq!(found.insufficient, found.positions, "{piece} on {size}×{size}");
        }
    }
}

#[test]
fn other_pieces_do_and_are_not_taken_for_such() {
    let rules = rules(6);
    for piece in ['R', 'A'] {
        let found = look(&rules, &['k', 'K', piece]);
        assert!(found.checkmates > 0, "{piece}");
        assert_eq!(found.insufficient, 0, "{piece}");
    }
}

#[test]
fn pieces_bound_to_one_colour_in_all_never_mate_and_on_two_they_may() {
    let rules = rules(5);
    for pair in [['B', 'b'], ['B', 'B'], ['B', 'F'], ['D', 'f']] {
        let found = look(&rules, &['k', 'K', pair[0], pair[1]]);
        assert!(found.checkmates > 0, "{pair:?}");
        assert_eq!(found.insufficient_checkmates, 0, "{pair:?}");
        assert!(found.on_one_colour > 0, "{pair:?}");
        assert_eq!(found.insufficient, found.on_one_colour, "{pair:?}");
        assert_eq!(found.insufficient_on_two_colours, 0, "{pair:?}");
    }
}

#[test]
fn two_pieces_that_change_colour_may_mate() {
    let rules = rules(5);
    for pair in [['N', 'n'], ['N', 'b']] {
        let found = look(&rules, &['k', 'K', pair[0], pair[1]]);
        assert!(found.checkmates > 0, "{pair:?}");
        assert_eq!(found.insufficient, 0, "{pair:?}");
    }
}
