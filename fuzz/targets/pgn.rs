//! Any bytes as an archive of games: every game is recorded or counted, and what is recorded is played again.
//!
//! The first line of the input is the key of a variant, the rest the archive.
#![no_main]

mod variants;

use std::io::Cursor;

use backrank_selfplay::{ImportError, ImportOptions, Importer};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &[u8]| {
    let end = input.iter().position(|&byte| byte == b'\n').unwrap_or(0);
    let (key, archive) = (&input[..end], input.get(end + 1..).unwrap_or_default());
    let rules = variants::rules(std::str::from_utf8(key).unwrap_or(""));
    let Ok(importer) = Importer::new(rules.variant(), ImportOptions::default()) else { return };
    let (records, imported) = match importer.read(Cursor::new(archive.to_vec())) {
        Ok(read) => read,
        Err(ImportError::Damaged { .. }) => return,
        Err(error) => panic!("{error}"),
    };
    let left_out: u64 = imported.left_out.values().map(|left_out| left_out.games).sum();
    assert_eq!(imported.read, imported.games + left_out);
    assert_eq!(imported.games, records.len() as u64);
    assert!(imported.left_out.values().all(|left_out| left_out.line > 0 && !left_out.problem.is_empty()));
    for record in &records {
        let game = record.replay(rules).expect("its moves are legal");
        assert_eq!(game.moves().len(), record.plies as usize);
    }
});
