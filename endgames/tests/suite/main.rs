//! Tables held against what is known and against a slow solver.

mod armies;
mod bare_king;
mod known;
mod misuse;
mod probing;
mod slow;
mod slow_and_fast;

use backrank_rules::{Rules, Variant};

/// The rules of a game on a board, with lines of `[pieces]` and more of its file.
pub fn rules(files: usize, ranks: usize, pieces: &str, more: &str) -> Rules {
    let king_file = files / 2;
    let first_rank: String = (0..files).map(|file| if file == king_file { 'K' } else { '.' }).collect();
    let text = format!(
        "name = \"test\"\nsource = \"test\"\n[board]\nfiles = {files}\nranks = {ranks}\n[pieces]\n{pieces}\n\
         [setup]\nfirst_rank = \"{first_rank}\"\n{more}\n"
    );
    Rules::new(&Variant::parse("test", "test.toml", &text).unwrap_or_else(|error| panic!("{error}\n{text}")))
}

/// Lines of `[pieces]`, given as `Q=Q M=BN`; the king is orthodox where it is not among them.
pub fn pieces(text: &str) -> String {
    let mut lines = String::new();
    for piece in text.split_whitespace() {
        let (letter, betza) = piece.split_once('=').expect("a letter and its moves");
        let royal = letter == "K";
        lines +=
            &format!("{letter} = {{ name = \"piece {letter}\", betza = \"{betza}\", royal = {royal} }}\n");
    }
    if !text.contains("K=") {
        lines += "K = { name = \"king\", betza = \"K\", royal = true }\n";
    }
    lines
}
