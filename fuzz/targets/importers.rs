//! Importers of the playable variants of the catalogue, each made once: a space takes longer than a small archive.

use std::collections::BTreeMap;
use std::io::Cursor;
use std::sync::LazyLock;

use backrank_rules::catalogue;
use backrank_selfplay::import::{ImportCounts, ImportError, ImportOptions, Importer};
use backrank_selfplay::study::GameRecord;

type Importers = LazyLock<BTreeMap<String, Importer>>;

static IMPORTERS: Importers = LazyLock::new(|| importers(None));
static SKIMMERS: Importers = LazyLock::new(|| importers(Some(u16::MAX)));

fn importers(min_elo: Option<u16>) -> BTreeMap<String, Importer> {
    let playable = catalogue().filter(|variant| !variant.count_only);
    let importer = |variant| Importer::new(&variant, ImportOptions { min_elo, ..ImportOptions::default() });
    playable.filter_map(|variant| Some((variant.key.clone(), importer(variant).ok()?))).collect()
}

/// Reads an archive of games of a variant (of chess where there is no such key), with their moves or without. No game is
/// lost. `None` for an archive that is refused.
pub fn read(key: &str, archive: &[u8], with_moves: bool) -> Option<(Vec<GameRecord>, ImportCounts)> {
    let importers = if with_moves { &IMPORTERS } else { &SKIMMERS };
    let importer = importers.get(key).unwrap_or(&importers["chess"]);
    let (records, imported) = match importer.read(Cursor::new(archive.to_vec())) {
        Ok(read) => read,
        Err(ImportError::Damaged { .. } | ImportError::NotPgn { .. }) => return None,
        Err(error) => panic!("{error}"),
    };
    let left_out: u64 = imported.left_out.values().map(|left_out| left_out.games).sum();
    assert_eq!(imported.read, imported.games + left_out + imported.below_min_elo);
    assert_eq!(imported.games, records.len() as u64);
    assert!(imported.left_out.values().all(|left_out| left_out.line > 0 && !left_out.problem.is_empty()));
    Some((records, imported))
}
