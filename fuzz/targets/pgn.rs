//! Any bytes as an archive of games: every game is recorded or counted, and what is recorded is played again.
//!
//! The first line of the input is the key of a variant, the rest the archive.
#![no_main]

mod importers;
mod variants;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &[u8]| {
    let end = input.iter().position(|&byte| byte == b'\n').unwrap_or(0);
    let (key, archive) = (&input[..end], input.get(end + 1..).unwrap_or_default());
    let key = std::str::from_utf8(key).unwrap_or("");
    let Some((records, _)) = importers::read(key, archive, true) else { return };
    let rules = variants::rules_or(key, "chess");
    for record in &records {
        let game = record.replay(rules).expect("its moves are legal");
        assert_eq!(game.moves().len(), record.plies as usize);
    }
});
