//! Any bytes as what a UCI engine writes to `play`: no panic; it is a legal move, which its row can hold, or it loses with its
//! reason.
//!
//! The first line of the input is the key of a variant, the second an option to set, as in `Hash=16`, or nothing; the rest is
//! what the engine writes, from its name to `bestmove`.
#![no_main]

mod variants;

use backrank_rules::{Game, Position, Setup};
use backrank_selfplay::player::{Player, PlayerSpec, UciOption};
use backrank_selfplay::study::MoveScore;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &[u8]| {
    let mut lines = input.splitn(3, |&byte| byte == b'\n');
    let mut line = || lines.next().unwrap_or_default();
    let (key, option, output) = (line(), line(), line());
    let rules = variants::rules(std::str::from_utf8(key).unwrap_or(""));
    let army = rules.variant().armies[0];
    let start = Position::new(rules, &Setup { white: army, black: army });
    let game = Game::new(start.expect("the army of a variant makes a start"));
    let option = String::from_utf8_lossy(option);
    let option =
        option.split_once('=').map(|(name, value)| UciOption { name: name.into(), value: value.into() });
    let spec = PlayerSpec { options: option.into_iter().collect(), ..PlayerSpec::default() };
    match Player::heard(&spec, &game, output) {
        Err(error) => assert!(!error.to_string().is_empty()),
        Ok((name, choice)) => {
            assert!(game.position().is_legal(choice.played));
            assert!(name.chars().count() <= 200);
            if let Some(score) = choice.score {
                let score = MoveScore { score, depth: choice.depth };
                assert_eq!(score.to_string().parse(), Ok(score));
            }
        }
    }
});
