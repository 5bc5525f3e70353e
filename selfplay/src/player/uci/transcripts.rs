//! What engines might write, and how it is read.

use std::cmp::Ordering::{Equal, Greater, Less};
use std::io::{self, Read};

use backrank_rules::{Game, Position, Rules, Variant};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::*;
use crate::player::UciOption;
use crate::study::MoveScore;

/// What an engine says before it is asked for a move.
const GREETING: &str = "id name Tester 1\nid author A. N. Other\noption name Hash type spin default 16 min 1 max 1024\noption name UCI_Chess960 type check default false\noption name Style of play type combo default Solid var Solid var Risky\nuciok\nreadyok\nreadyok\n";

/// A search, whose move is legal in [`POSITION`].
const SEARCH: &str = "info string NNUE evaluation using none\ninfo depth 1 seldepth 2 multipv 1 score cp 31 nodes 20 nps 20000 hashfull 0 time 1 pv e1g1\ninfo depth 2 score mate -3 upperbound nodes 99\ninfo depth 2 seldepth 4 score mate 4 nodes 350 pv a2a1q e1d2\ninfo depth 3 currmove a2b1n currmovenumber 2\nbestmove a2a1q ponder e1d2\n";

/// A position with a promotion.
const POSITION: &str = "4k3/8/8/8/8/8/p7/4K3 b - - 0 1";

fn spec(options: &[(&str, &str)]) -> PlayerSpec {
    let option = |&(name, value): &(&str, &str)| UciOption { name: name.into(), value: value.into() };
    PlayerSpec { options: options.iter().map(option).collect(), ..PlayerSpec::default() }
}

fn with_game<T>(of: impl FnOnce(&Game<'_>) -> T) -> T {
    let rules = Rules::new(&Variant::find("chess").unwrap());
    of(&Game::new(Position::from_fen(&rules, POSITION).unwrap()))
}

#[test]
fn answers_are_moves_or_lose_with_their_reason() {
    with_game(|game| {
        let answer = |search: &str| {
            heard(format!("{GREETING}{search}").as_bytes(), &spec(&[]), game).map(|(_, choice)| choice)
        };
        let choice = answer(SEARCH).unwrap();
        assert_eq!(choice.played.uci(game.position().board()), "a2a1q");
        assert_eq!((choice.score, choice.depth, choice.nodes), (Some(Score::mate_in(7)), 2, 350));
        for (search, problem) in [
            ("", "it ended before it said `bestmove`"),
            ("bestmove", "it said `bestmove`, which is no move, though there are legal ones in 4k3/"),
            ("bestmove 0000", "it said `bestmove 0000`, which is no move"),
            ("bestmove (none)", "it said `bestmove (none)`, which is no move"),
            ("bestmove NULL", "it said `bestmove NULL`, which is not UCI"),
            ("bestmove a2", "it said `bestmove a2`, which is not UCI"),
            ("bestmove Kd7", "it said `bestmove Kd7`, which is not UCI"),
            ("bestmove a2a1", "it said `bestmove a2a1`, which is not legal in 4k3/"),
            ("bestmove a2a1k", "it said `bestmove a2a1k`, which is not legal in 4k3/"),
            ("bestmove e8e6", "it said `bestmove e8e6`, which is not legal in 4k3/"),
            ("bestmove e1e2", "it said `bestmove e1e2`, which is not legal in 4k3/"),
            ("bestmove i9i10", "it said `bestmove i9i10`, which is not legal in 4k3/"),
            ("bestmove e8\u{301}", "it said `bestmove e8\u{301}`, which is not UCI"),
            ("Bestmove a2a1q", "it ended before it said `bestmove`"),
        ] {
            let error = answer(search).unwrap_err().to_string();
            assert!(error.starts_with(problem), "{search}: {error}");
        }
        for long in ["1".repeat(1 << 20), "x ".repeat(1 << 20)] {
            let error = answer(&format!("bestmove a2a{long}")).unwrap_err().to_string();
            assert!(error.len() < 1000, "{error}");
        }
    });
}

#[test]
fn numbers_of_any_size_are_read() {
    with_game(|game| {
        let most = u64::MAX;
        for (said, score, depth, nodes) in [
            ("score cp 2147483647 depth 4294967295 nodes 18446744073709551615", Greater, u32::MAX, most),
            ("score cp -2147483648 depth 1", Less, 1, 0),
            ("score cp 2147483648 depth 7 nodes -1", Equal, 0, 0),
            ("score mate 2147483647", Greater, 0, 0),
            ("score mate -2147483648", Less, 0, 0),
            ("score cp nan nodes 1e9", Equal, 0, 0),
            ("depth score cp", Equal, 0, 0),
        ] {
            let output = format!("{GREETING}info {said}\nbestmove e8d8\n");
            let (_, choice) = heard(output.as_bytes(), &spec(&[]), game).unwrap();
            assert_eq!(choice.score.unwrap_or(Score::DRAW).cmp(&Score::DRAW), score, "{said}");
            assert_eq!((choice.depth, choice.nodes), (depth, nodes), "{said}");
            is_recorded(&choice);
        }
    });
}

/// Whether a row of scores can hold what was said.
fn is_recorded(choice: &Choice) {
    if let Some(score) = choice.score {
        let score = MoveScore { score, depth: choice.depth };
        assert_eq!(score.to_string().parse(), Ok(score));
    }
}

#[test]
fn output_without_an_end_is_not_kept() {
    /// The same line again and again, as often as some megabytes hold it.
    struct Again(&'static [u8], usize);

    impl Read for Again {
        fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
            for byte in bytes.iter_mut() {
                *byte = self.0[self.1 % self.0.len()];
                self.1 += 1;
            }
            Ok(bytes.len())
        }
    }

    with_game(|game| {
        for (line, problem) in [
            (&b"option name A type combo var B var C\n"[..], "builtin has more options than can be kept"),
            (b"option\n", "builtin has more options than can be kept"),
            (b"info string \xff\xfe\n", "it ended before it said `uciok`"),
            (b"\0", "it ended before it said `uciok`"),
            (b"uciok ", "it ended before it said `readyok`"),
        ] {
            let error = heard(Again(line, 0).take(32 << 20), &spec(&[]), game).unwrap_err().to_string();
            assert!(error.starts_with(problem), "{error}");
        }
        let name =
            format!("id name {}\n{GREETING}{SEARCH}", "é".repeat(1 << 20)).replace("id name T", "id nameT");
        let (reported, _) = heard(name.as_bytes(), &spec(&[]), game).unwrap();
        assert_eq!(reported.chars().count(), LONGEST_NAME);
    });
}

/// Changes a text in one of the ways in which programs break: parts are lost, repeated, exchanged or overwritten.
fn mutated(text: &mut Vec<u8>, random: &mut ChaCha8Rng) {
    const WORDS: [&str; 16] = [
        "bestmove",
        "info",
        "option name",
        "type",
        "var",
        "min",
        "default",
        "score mate",
        "cp",
        "nodes",
        "multipv 2",
        "\n",
        "-1",
        "99999999999999999999",
        "\u{fffd}",
        "e1g1",
    ];
    let mut place = |text: &Vec<u8>| random.random_range(0..=text.len());
    let (a, b) = (place(text), place(text));
    let (from, to) = (a.min(b), a.max(b).min(a.min(b) + 40));
    match random.random_range(0..5) {
        0 => drop(text.drain(from..to)),
        1 => text.extend_from_within(from..to),
        2 => text.truncate(to),
        3 => text.splice(from..from, WORDS[random.random_range(0..WORDS.len())].bytes()).for_each(drop),
        _ => text[from..to].iter_mut().for_each(|byte| *byte = random.random()),
    }
}

#[test]
fn mutated_output_is_a_legal_move_or_an_error() {
    with_game(|game| {
        let mut random = ChaCha8Rng::seed_from_u64(39);
        let mut moves = 0;
        for _ in 0..20_000 {
            let mut output = format!("{GREETING}{SEARCH}").into_bytes();
            for _ in 0..random.random_range(1..5) {
                mutated(&mut output, &mut random);
            }
            let options: &[(&str, &str)] = if random.random() { &[("Hash", "16")] } else { &[] };
            match heard(output.as_slice(), &spec(options), game) {
                Ok((reported, choice)) => {
                    assert!(
                        game.position().is_legal(choice.played) && reported.chars().count() <= LONGEST_NAME
                    );
                    is_recorded(&choice);
                    moves += 1;
                }
                Err(error) => assert!(!error.to_string().is_empty()),
            }
        }
        assert!((1_000..19_000).contains(&moves), "{moves} moves");
    });
}
