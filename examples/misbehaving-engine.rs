//! A UCI engine that plays any legal move, and misbehaves on demand. The tests of `backrank play` use it; a harness of
//! your own can be tried with it, too.
//!
//!     misbehaving-engine [MANNER [EVERY]]
//!     misbehaving-engine script FILE
//!
//! In about one of EVERY positions (default 40) it does what MANNER says: `crash`, `hang`, `lie` (a move that is not
//! legal), `babble` (no move at all), `flood` (lines without an end), `none` (`bestmove (none)`). `slow` takes a second to
//! start, `deaf` never does, `late` takes a second for a move. `orthodox` knows chess alone: it castles whenever it can, and writes that as
//! the king's move to where it lands. Which positions these are depends on the positions alone. With `script` it plays the moves in
//! FILE, White's and Black's in turn from move 1, legal or not; `late` there is any legal move after a second.

use std::io::{BufRead, Write};
use std::path::Path;
use std::time::Duration;

use backrank_rules::{Position, Rules, Side, Variant};

fn main() {
    let mut arguments = std::env::args().skip(1);
    let manner = arguments.next().unwrap_or_default();
    let mut every = 40;
    let mut script = None;
    match arguments.next() {
        Some(file) if manner == "script" => {
            let text = std::fs::read_to_string(file).expect("a file of moves");
            script = Some(text.split_whitespace().map(str::to_string).collect::<Vec<_>>());
        }
        Some(number) => every = number.parse().expect("EVERY is a number"),
        None => (),
    }
    let mut rules = Rules::new(&Variant::find("chess960").expect("a game of the catalogue"));
    let mut question = String::new();
    for line in std::io::stdin().lock().lines() {
        let line = line.expect("the input is text");
        let mut words = line.split(' ');
        match words.next() {
            Some("uci") => {
                match manner.as_str() {
                    "slow" => std::thread::sleep(Duration::from_secs(1)),
                    "deaf" => hang(),
                    _ => (),
                }
                println!("id name Misbehaving Engine");
                println!("option name Hash type spin default 16 min 1 max 64");
                if manner == "orthodox" {
                    rules = Rules::new(&Variant::find("chess").expect("a game of the catalogue"));
                } else {
                    println!("option name BishopAdjustment type check default true");
                    println!("option name VariantFile type string default <empty>");
                }
                println!("uciok");
            }
            Some("setoption") => {
                if let Some(path) = line.strip_prefix("setoption name VariantFile value ") {
                    rules = Rules::new(&Variant::open(Path::new(path)).expect("a variant file"));
                }
            }
            Some("isready") => println!("readyok"),
            Some("position") if manner == "orthodox" && takes_own_rook(&line) => {
                panic!("no such move: {line}")
            }
            Some("position") => question = line,
            Some("go") => {
                let position = position(&rules, &question);
                match &script {
                    Some(script) if script[plies(&position)] == "late" => {
                        std::thread::sleep(Duration::from_secs(1));
                        answer(&position, "", 1);
                    }
                    Some(script) => println!("bestmove {}", script[plies(&position)]),
                    None => answer(&position, &manner, every),
                }
            }
            Some("quit") => return,
            _ => (),
        }
        std::io::stdout().flush().expect("somebody listens");
    }
}

/// What a `position fen` command means.
fn position<'r>(rules: &'r Rules, question: &str) -> Position<'r> {
    let text = question.strip_prefix("position fen ").expect("a position command");
    let (fen, moves) = text.split_once(" moves ").unwrap_or((text, ""));
    let mut position = Position::from_fen(rules, fen).expect("a legal position");
    for text in moves.split_ascii_whitespace() {
        position.play(position.parse_uci(text).expect("a legal move"));
    }
    position
}

/// The plies before a position.
fn plies(position: &Position<'_>) -> usize {
    2 * (position.fullmove_number() as usize - 1) + usize::from(position.side_to_move() == Side::Black)
}

fn answer(position: &Position<'_>, manner: &str, every: u64) {
    let mut moves: Vec<String> =
        position.legal_moves().into_iter().map(|played| played.uci(position.board())).collect();
    moves.sort_unstable();
    println!("info depth 1 score cp 0 nodes 1");
    if (position.key() >> 8).is_multiple_of(every) {
        match manner {
            "crash" => {
                eprintln!("thread 'search' panicked");
                std::process::exit(101);
            }
            "hang" => hang(),
            "lie" => return println!("bestmove a1a1"),
            "babble" => return println!("bestmove of all is none"),
            "none" => return println!("bestmove (none)"),
            "late" => std::thread::sleep(Duration::from_secs(1)),
            "flood" => loop {
                println!("info string and another thing");
            },
            _ => (),
        }
    }
    let castles = |text: &&&str| moves.contains(&text[..4].to_string());
    match CASTLINGS.iter().find(castles).filter(|_| manner == "orthodox") {
        Some(castling) => println!("bestmove {}{}", &castling[..2], &castling[4..]),
        None => println!("bestmove {}", moves[position.key() as usize % moves.len()]),
    }
}

/// The king's square, its rook's, and where it lands, for each castling of orthodox chess.
const CASTLINGS: [&str; 4] = ["e1h1g1", "e1a1c1", "e8h8g8", "e8a8c8"];

/// Whether a `position` command castles by the king taking its rook. In the test no other piece stands on these squares.
fn takes_own_rook(question: &str) -> bool {
    let moves = question.split_once(" moves ").map_or("", |(_, moves)| moves);
    CASTLINGS.iter().any(|castling| moves.contains(&castling[..4]))
}

fn hang() {
    loop {
        std::thread::sleep(Duration::from_secs(3600));
    }
}
