//! Any text as a move, in UCI and in the games' notation: refused, or a legal move that its own texts name again.
//!
//! The first line of the input is the key of a variant, the second a position, the third the text of the move. Where
//! the position is none, it is the start of the game.
#![no_main]

mod variants;

use backrank_rules::{Move, MoveError, Position, Setup};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &str| {
    let mut lines = input.splitn(3, '\n');
    let mut line = || lines.next().unwrap_or_default();
    let rules = variants::rules(line());
    let army = rules.variant().armies[0];
    let position = Position::from_fen(rules, line())
        .or_else(|_| Position::new(rules, &Setup { white: army, black: army }))
        .expect("the army of a variant makes a start");
    let text = line();
    check(&position, position.parse_move(text));
    check(&position, position.parse_uci(text));
    check(&position, position.parse_notation(text));
});

fn check(position: &Position, read: Result<Move, MoveError>) {
    match read {
        Err(error) => assert!(!error.to_string().is_empty()),
        Ok(played) => {
            assert!(position.is_legal(played), "{} {played:?}", position.to_fen());
            assert_eq!(position.parse_uci(&played.uci(position.board())), Ok(played));
            assert_eq!(position.parse_notation(&position.notation(played)), Ok(played));
            let next = position.after(played);
            assert_eq!(next.to_fen(), Position::from_fen(position.rules(), &next.to_fen()).unwrap().to_fen());
        }
    }
}
