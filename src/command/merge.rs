use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use backrank_analysis::table::thousands;
use backrank_rules::Rules;
use backrank_rules::files::{MAX_TEXT, read_file};
use backrank_selfplay::atlas::{Atlas, AtlasDirectory};
use backrank_selfplay::play::{Run, StudyProgress};
use backrank_selfplay::store::{Definition, StoreError};
use backrank_selfplay::study::{Study, StudyDirectory, StudyStarts};
use clap::Args;

use crate::terminal::failure::Failure;
use crate::terminal::notes::note;
use crate::terminal::reproduce::word;

/// Combine the shards of a study or an atlas into the same bytes as if it had been made in one piece
#[derive(Args)]
#[command(after_help = examples!(
    "backrank merge runs/shard-1 runs/shard-2 runs/shard-3 -o runs/whole",
))]
pub struct MergeCommand {
    /// The directories of all the shards, in any order
    #[arg(required = true, value_name = "DIR")]
    shards: Vec<PathBuf>,

    /// The directory to write the combined study or atlas to
    #[arg(short, long, value_name = "DIR")]
    output: PathBuf,
}

/// A shard that was read to its end.
struct PlayedShard {
    path: PathBuf,
    study: Study,
    /// The path of its games.
    games: PathBuf,
    /// The number of bytes in its complete rows.
    end: u64,
    /// The same for its scores.
    scores_end: u64,
}

impl PlayedShard {
    /// The log of its players' failures.
    fn failures(&self) -> Result<String, Failure> {
        let log = self.path.join("failures.log");
        match read_file(&log, MAX_TEXT) {
            Ok(bytes) => Ok(String::from_utf8_lossy(&bytes).into_owned()),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(String::new()),
            Err(error) => Err(Failure::Other(format!("cannot read {}: {error}", log.display()))),
        }
    }
}

/// A shard of an atlas that was read to its end.
struct JudgedShard {
    path: PathBuf,
    atlas: Atlas,
    /// The number of setups of the whole atlas.
    setups: u64,
    rows: PathBuf,
    /// The number of bytes in its complete rows.
    end: u64,
}

impl MergeCommand {
    pub fn run(self) -> Result<(), Failure> {
        if self.shards.iter().all(|path| AtlasDirectory::is_in(path)) {
            return self.merge_atlas();
        }
        let mut parts = self.shards.iter().map(|path| read(path)).collect::<Result<Vec<PlayedShard>, _>>()?;
        parts.sort_by_key(|part| (part.study.range().start, part.study.range().end));
        let Some(first) = parts.first() else { unreachable!("clap asks for one") };
        let whole = first.study.changed(|spec| spec.shard = None)?;
        let extents = parts.iter().map(|part| {
            let other = part.study.changed(|spec| spec.shard = None)?;
            Ok((part.path.as_path(), part.study.range(), whole.differences(&other)))
        });
        let extents = extents.collect::<Result<Vec<_>, Failure>>()?.into_iter();
        check_parts("study", "game", extents, whole.all_games())?;
        let failures: Result<Vec<String>, Failure> = parts.iter().map(PlayedShard::failures).collect();
        let (is_same, failures) = (|begun: &Study| *begun == whole, failures?.concat());
        let written =
            StudyDirectory::create_played(&self.output, &whole, is_same, &failures, |games, scores| {
                parts.iter().try_for_each(|part| games.append(&part.games, part.end, 0).map(|_| ()))?;
                let Some(scores) = scores else { return Ok(whole.clone()) };
                parts.iter().try_for_each(|part| {
                    scores.append(&StudyDirectory::scores(&part.path), part.scores_end, 0).map(|_| ())
                })?;
                Ok::<_, StoreError>(whole.clone())
            });
        written.map_err(not_merged)?;
        note(format_args!("{} games of {} shards", thousands(whole.all_games()), parts.len()));
        Ok(())
    }

    fn merge_atlas(&self) -> Result<(), Failure> {
        let read = |path: &PathBuf| read_atlas(path);
        let mut parts = self.shards.iter().map(read).collect::<Result<Vec<JudgedShard>, _>>()?;
        let range = |part: &JudgedShard| part.atlas.range(part.setups);
        parts.sort_by_key(|part| (range(part).start, range(part).end));
        let Some(first) = parts.first() else { unreachable!("clap asks for one") };
        let whole = Atlas { shard: None, ..first.atlas.clone() };
        let setups = first.setups;
        let extents = parts.iter().map(|part| {
            let other = Atlas { shard: None, ..part.atlas.clone() };
            (part.path.as_path(), range(part), whole.differences(&other))
        });
        check_parts("atlas", "setup", extents, setups)?;
        let written = AtlasDirectory::create_made(&self.output, &whole, |rows| {
            parts.iter().try_for_each(|part| rows.append(&part.rows, part.end, 0).map(|_| ()))
        });
        written.map_err(not_merged)?;
        note(format_args!("{} setups of {} shards", thousands(setups), parts.len()));
        Ok(())
    }
}

fn not_merged(error: StoreError) -> Failure {
    match Failure::from(error) {
        Failure::Other(problem) => {
            Failure::Other(format!("{problem}; nothing was merged, and the same command can be run again"))
        }
        failure => failure,
    }
}

/// Checks that shards belong to the same `whole`, such as a study, and cover each of its `items`, such as games,
/// exactly once. Each shard is given by its path, its range of items, and the differences of its definition from that
/// of the first shard.
fn check_parts<'p>(
    whole: &str,
    item: &str,
    parts: impl Iterator<Item = (&'p Path, Range<u64>, Vec<[String; 3]>)>,
    all: u64,
) -> Result<(), Failure> {
    let (mut due, mut first) = (0, None);
    for (path, items, differences) in parts {
        let (path, first) = (path.display(), first.get_or_insert(path).display());
        if let Some([name, ours, theirs]) = differences.first() {
            return Err(Failure::Input(format!(
                "{first} and {path} do not belong to the same {whole}: {name} is {ours} in one and {theirs} in the other"
            )));
        }
        if items.start > due {
            return Err(Failure::Input(format!(
                "no shard has {item}s {due} to {}; the next shard, {path}, begins after them",
                items.start - 1
            )));
        }
        if items.start < due {
            return Err(Failure::Input(format!(
                "{path} begins with {item} {}, which another shard has as well",
                items.start
            )));
        }
        due = items.end;
    }
    if due < all {
        return Err(Failure::Input(format!("no shard has {item}s {due} to {}", all - 1)));
    }
    Ok(())
}

/// Reads a shard of an atlas. All its rows must be there.
fn read_atlas(path: &Path) -> Result<JudgedShard, Failure> {
    let atlas = AtlasDirectory::read(path)?;
    let mut reader = AtlasDirectory::read_rows(path, &atlas)?;
    reader.by_ref().try_for_each(|row| row.map(|_| ()))?;
    let (setups, next) = (reader.all_setups(), reader.next_index());
    let end = atlas.range(setups).end;
    if next < end {
        let path = word(path);
        return Err(Failure::Input(format!(
            "{path} is not complete: its next setup is {next} of {end}; `backrank atlas {path}` continues it"
        )));
    }
    let (rows, end) = (reader.path().to_path_buf(), reader.end());
    Ok(JudgedShard { path: path.to_path_buf(), atlas, setups, rows, end })
}

/// Reads a shard. All its games must be there, and every row must be a valid one of the study.
fn read(path: &Path) -> Result<PlayedShard, Failure> {
    let study = StudyDirectory::read(path)?;
    let (rules, stop) = (Rules::new(&study.variant()?), AtomicBool::new(false));
    let starts = StudyStarts::of(&study, &rules)?;
    let run = Run {
        study: &study,
        rules: &rules,
        starts: &starts,
        tables: &OnceLock::new(),
        threads: 1,
        timeout: Duration::MAX,
        stop: &stop,
    };
    let reader = StudyDirectory::read_games(path, &study)?;
    let games = reader.path().to_path_buf();
    let recorded = run.read(reader, |_| ())?;
    let all = study.range();
    if recorded.next < all.end {
        let path = word(path);
        return Err(Failure::Input(format!(
            "{path} is not complete: its next game is {} of {}; `backrank play {path}` continues it",
            recorded.next, all.end
        )));
    }
    let StudyProgress { end, scores_end, .. } = recorded;
    Ok(PlayedShard { path: path.to_path_buf(), study, games, end, scores_end })
}
