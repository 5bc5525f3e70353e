//! Games and openings as people bring them: every game is imported or counted, none is lost or glued to another.

mod books;
mod cases;
mod divided;
mod mutated;
mod packed;

use std::io::Cursor;

use backrank_rules::Variant;
use backrank_selfplay::import::{ImportCounts, ImportError, ImportOptions, Importer};
use backrank_selfplay::study::GameRecord;

fn importer(key: &str) -> Importer {
    Importer::new(&Variant::find(key).unwrap(), ImportOptions::default()).unwrap()
}

/// Reads an archive. Whatever it holds, no game may be lost.
fn read(importer: &Importer, bytes: &[u8]) -> Result<(Vec<GameRecord>, ImportCounts), ImportError> {
    let (records, imported) = importer.read(Cursor::new(bytes.to_vec()))?;
    let left_out: u64 = imported.left_out.values().map(|left_out| left_out.games).sum();
    assert_eq!(imported.read, imported.games + left_out + imported.below_min_elo);
    assert_eq!(imported.games, records.len() as u64);
    assert!(imported.left_out.values().all(|left_out| left_out.line > 0 && !left_out.problem.is_empty()));
    Ok((records, imported))
}

/// The games of a text: of each its moves, its result and how it ended, and then the reasons for which others were left out.
fn told(key: &str, bytes: &[u8]) -> Vec<String> {
    let (records, imported) = match read(&importer(key), bytes) {
        Ok(read) => read,
        Err(error) => return vec![error.to_string()],
    };
    let game =
        |record: &GameRecord| format!("{} {} {}", record.moves, record.result_text(), record.termination);
    let left_out = imported.left_out.iter().map(|(why, left_out)| format!("{why}: {}", left_out.games));
    records.iter().map(game).chain(left_out).collect()
}
