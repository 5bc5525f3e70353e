//! Reading the games of archives in parallel, and writing them in their order.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use backrank_enumerate::Space;
use backrank_rules::{Rules, Variant};
use rayon::prelude::*;

use super::archive::{Archive, unreadable};
use super::counts::{ImportCounts, RejectedGames};
use super::error::ImportError;
use super::game::{PgnGame, PgnGameReader, StartsByFen};
use super::rejection::Rejection;
use crate::pgn::tags::VariantNames;
use crate::pgn::{PgnBatch, PgnPlace};
use crate::study::{
    GameRecord, GameScores, ImportedGames, SetupsError, Starts, Study, StudyDirectory, StudySpec,
};

/// Which games of archives are imported.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ImportOptions {
    /// The lowest rating that both players must have.
    pub min_elo: Option<u16>,
    /// The number of games after which the import stops.
    pub limit: Option<u64>,
    /// The numbering of the ids; `None` for the space's default.
    pub numbering: Option<String>,
}

/// Imports the games of PGN archives, plain or compressed by gzip or zstd, as a study.
///
/// Only some megabytes are in memory at a time, whatever the size of an archive. Its games are read in parallel and
/// written in their order.
///
/// ```
/// use std::sync::atomic::AtomicBool;
///
/// use backrank_rules::Variant;
/// use backrank_selfplay::import::{ImportOptions, Importer};
/// use backrank_selfplay::study::StudyDirectory;
///
/// let folder = tempfile::tempdir()?;
/// let archive = folder.path().join("games.pgn");
/// std::fs::write(&archive, "[White \"Reti\"]\n[Black \"Tartakower\"]\n\n1. e4 c6 2. d4 d5 3. Nc3 dxe4 1-0\n")?;
/// let importer = Importer::new(&Variant::find("chess")?, ImportOptions::default())?;
/// let study = folder.path().join("study");
/// let imported = importer.import(&[archive], &study, &AtomicBool::new(false), |_bytes, _imported| ())?;
/// assert_eq!((imported.games, imported.read), (1, 1));
/// let games = StudyDirectory::read_games(&study, &StudyDirectory::read(&study)?)?;
/// assert_eq!(games.map(|game| game.unwrap().termination.to_string()).collect::<Vec<_>>(), ["resignation"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Importer {
    rules: Rules,
    space: Space,
    /// What the variant is called in archives.
    names: VariantNames,
    options: ImportOptions,
    study: Study,
}

/// The games of a batch that are imported, in their order.
#[derive(Default)]
struct ReadGames {
    records: Vec<GameRecord>,
    /// The scores of each; `None` for a game without any.
    scores: Vec<Option<GameScores>>,
}

impl ReadGames {
    /// Whether any game has a score.
    fn have_scores(&self) -> bool {
        self.scores.iter().any(Option::is_some)
    }

    /// A row of scores for each game.
    fn into_scores(self) -> Vec<GameScores> {
        let row = |(record, scores): (&GameRecord, Option<GameScores>)| GameScores {
            game: record.game,
            scores: scores.map_or_else(|| GameScores::none(record.plies.into()), |scores| scores.scores),
        };
        self.records.iter().zip(self.scores).map(row).collect()
    }
}

impl Importer {
    /// Prepares to import games of a variant.
    ///
    /// # Errors
    ///
    /// When the variant has no space, or not the numbering.
    pub fn new(variant: &Variant, options: ImportOptions) -> Result<Self, ImportError> {
        let space = Space::new(variant).map_err(SetupsError::from)?;
        let numbering = match &options.numbering {
            None => space.default_numbering().name().to_string(),
            Some(name) => name.clone(),
        };
        let starts = Starts::Imported(ImportedGames::default());
        let mut spec = StudySpec::new(variant, starts, &numbering, 0);
        spec.numbering_of(&space)?;
        spec.import(ImportedGames::default(), 0);
        let study = Study::new(spec)?;
        let names = VariantNames::of(variant);
        Ok(Self { rules: Rules::new(variant), space, names, options, study })
    }

    /// Reads archives and writes a study into a directory that holds none. `progress` is called after each batch with
    /// the number of bytes read so far, and the numbers of games.
    ///
    /// # Errors
    ///
    /// When an archive cannot be read, or has no game to import; when the study cannot be written, or when `stop` is set.
    /// Then the directory holds no study, unless the same import has written it before.
    pub fn import(
        &self,
        archives: &[PathBuf],
        directory: &Path,
        stop: &AtomicBool,
        mut progress: impl FnMut(u64, &ImportCounts),
    ) -> Result<ImportCounts, ImportError> {
        let mut imported = ImportCounts::default();
        let study = self.study.changed(|spec| spec.scores = true)?;
        let is_same = |begun: &Study| {
            let is_same = |import: &ImportedGames| {
                import.files == archives
                    && (import.min_elo, import.limit) == (self.options.min_elo, self.options.limit)
            };
            begun.starts.imported().is_some_and(is_same)
                && (&begun.variant, &begun.numbering) == (&study.variant, &study.numbering)
        };
        StudyDirectory::create_played(directory, &study, is_same, "", |games, scores| {
            let scores = scores.expect("the study asks for scores");
            let reader = self.reader()?;
            let mut has_scores = false;
            let mut bytes = 0;
            for path in archives {
                let mut archive = Archive::open(path)?;
                while let Some(read) = self.read_batch(&reader, &mut archive, &mut imported)? {
                    if stop.load(Ordering::Relaxed) {
                        return Err(ImportError::Stopped);
                    }
                    let read = Self::numbered(read, &mut imported);
                    if !has_scores && read.have_scores() {
                        // Most archives have no scores, or have them from the first games on.
                        scores.write_none_for(games, &study)?;
                        has_scores = true;
                    }
                    games.write_all(&read.records)?;
                    if has_scores {
                        scores.write_all(&read.into_scores())?;
                    }
                    progress(bytes + archive.bytes(), &imported);
                    if self.is_full(&imported) {
                        break;
                    }
                }
                bytes += archive.bytes();
                imported.left_over_bytes += archive.stream.left_over();
            }
            if imported.games == 0 {
                return Err(ImportError::NoGames(Box::new(imported.clone())));
            }
            let rejected =
                imported.left_out.iter().map(|(why, left_out)| (why.to_string(), left_out.games)).collect();
            let import = ImportedGames {
                files: archives.to_vec(),
                min_elo: self.options.min_elo,
                limit: self.options.limit,
                read: imported.read,
                below_min_elo: imported.below_min_elo,
                rejected,
            };
            Ok(self.study.changed(|spec| {
                spec.scores = has_scores;
                spec.import(import, imported.games);
            })?)
        })?;
        Ok(imported)
    }

    /// Reads the games of a source of bytes, plain or compressed, without writing them anywhere.
    ///
    /// # Errors
    ///
    /// When the source cannot be read to its end.
    pub fn read(
        &self,
        source: impl Read + Send + 'static,
    ) -> Result<(Vec<GameRecord>, ImportCounts), ImportError> {
        let mut imported = ImportCounts::default();
        let mut archive = Archive::of(Path::new("the games"), source)?;
        let mut records = Vec::new();
        let reader = self.reader()?;
        while let Some(read) = self.read_batch(&reader, &mut archive, &mut imported)? {
            records.append(&mut Self::numbered(read, &mut imported).records);
        }
        imported.left_over_bytes = archive.stream.left_over();
        Ok((records, imported))
    }

    fn is_full(&self, imported: &ImportCounts) -> bool {
        self.options.limit.is_some_and(|limit| imported.games >= limit)
    }

    fn reader(&self) -> Result<PgnGameReader<'_>, ImportError> {
        Ok(PgnGameReader {
            rules: &self.rules,
            space: &self.space,
            numbering: self.study.numbering_of(&self.space)?,
            names: &self.names,
            min_elo: self.options.min_elo,
            starts: StartsByFen::default(),
        })
    }

    /// Reads the games of the next batch, while the batch after it is read from the archive. `None` at the end.
    fn read_batch(
        &self,
        reader: &PgnGameReader<'_>,
        archive: &mut Archive,
        imported: &mut ImportCounts,
    ) -> Result<Option<Vec<PgnGame>>, ImportError> {
        let Some(batch) = archive.next.take() else { return Ok(None) };
        let PgnBatch { text, games } = &batch;
        let (read, following) = rayon::join(
            || games.par_iter().map(|place| read_games(reader, text, place)).collect::<Vec<Vec<PgnGame>>>(),
            || archive.stream.next_batch(),
        );
        archive.games += read.iter().map(|games| games.len() as u64).sum::<u64>();
        archive.next = following.map_err(|error| unreadable(&archive.path, archive.games, error))?;
        let mut kept = Vec::with_capacity(read.len());
        for game in read.into_iter().flatten() {
            if self.options.limit.is_some_and(|limit| imported.games + kept.len() as u64 >= limit) {
                break;
            }
            imported.read += 1;
            match game {
                PgnGame::Recorded(..) => kept.push(game),
                PgnGame::BelowRating => imported.below_min_elo += 1,
                PgnGame::Rejected(why, line, problem) => {
                    let first = || RejectedGames { games: 0, path: archive.path.clone(), line, problem };
                    imported.left_out.entry(why).or_insert_with(first).games += 1;
                }
            }
        }
        Ok(Some(kept))
    }

    /// Numbers the games of a batch.
    fn numbered(read: Vec<PgnGame>, imported: &mut ImportCounts) -> ReadGames {
        let mut numbered = ReadGames::default();
        for game in read {
            let PgnGame::Recorded(mut record, scores) = game else { continue };
            record.game = imported.games;
            imported.games += 1;
            numbered.scores.push(scores);
            numbered.records.push(*record);
        }
        numbered
    }
}

/// Reads the games in a place of a text.
fn read_games(reader: &PgnGameReader<'_>, text: &[u8], place: &PgnPlace) -> Vec<PgnGame> {
    if place.range.is_empty() {
        return vec![PgnGame::Rejected(Rejection::TooLong, place.line, "the game is too long".to_string())];
    }
    reader.read(&text[place.range.clone()], place.line)
}
