//! Any lines as what a program says to the engine: no panic, no more best moves than were asked for, and every line of the
//! answer is one of UCI's.
//!
//! Lines that name a file, ask for much memory, or count positions without an end are left out. The tables of endgames are
//! switched off, and the transposition table is small: making them takes longer than everything else.
#![no_main]

use backrank_engine::uci;
use libfuzzer_sys::fuzz_target;

/// What a line of UCI begins with; a board of `d` and the lines of perft are told apart below.
const WORDS: [&str; 9] =
    ["id ", "option ", "uciok", "readyok", "bestmove ", "info ", "Nodes searched: ", "Variant: ", "Fen: "];

/// What is sent first.
const QUICK: &[u8] = b"setoption name EndgameTables value false\nsetoption name Hash value 1\n";

/// Whether a line may be sent.
fn is_sent(line: &[u8]) -> bool {
    let line = String::from_utf8_lossy(line).to_lowercase();
    !["file", "hash", "perft", "endgametables"].iter().any(|word| line.contains(word))
}

fuzz_target!(|input: &[u8]| {
    let lines: Vec<&[u8]> =
        input.split(|&byte| byte == b'\n').filter(|line| is_sent(line)).take(50).collect();
    let asked = lines.iter().filter(|line| line.trim_ascii_start().starts_with(b"go")).count();
    let mut said = Vec::new();
    let start = |variant: &backrank_rules::Variant| Ok(variant.written_setup());
    let sent = [QUICK, &lines.join(&b'\n'), b"\nquit\n"].concat();
    uci::serve(std::io::Cursor::new(sent), &mut said, start).expect("everything it says is kept");
    let said = String::from_utf8(said).expect("it says text");
    assert!(said.lines().filter(|line| line.starts_with("bestmove ")).count() <= asked, "{said}");
    for line in said.lines() {
        let is_board = line.starts_with(|first: char| first.is_ascii_digit()) || line.starts_with("   ");
        assert!(line.is_empty() || is_board || WORDS.iter().any(|word| line.starts_with(word)), "{line}");
    }
});
