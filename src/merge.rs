use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use backrank_analysis::thousands;
use backrank_rules::Rules;
use backrank_selfplay::{Recorded, Run, Study, StudyDirectory, StudyError, StudyStarts};
use clap::Args;

use crate::failure::Failure;
use crate::notes::note;

/// Put the shards of a study together, with the same bytes as if it had been played in one piece
#[derive(Args)]
#[command(after_help = examples!(
    "backrank merge runs/shard-1 runs/shard-2 runs/shard-3 -o runs/whole",
))]
pub struct MergeCommand {
    /// The directories of all the shards, in any order
    #[arg(required = true, value_name = "DIR")]
    shards: Vec<PathBuf>,

    /// The directory that the whole study is written to
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
    /// Likewise of its scores.
    scores_end: u64,
}

impl PlayedShard {
    /// The reports of its players' failures.
    fn failures(&self) -> Result<String, Failure> {
        let log = self.path.join("failures.log");
        match std::fs::read(&log) {
            Ok(bytes) => Ok(String::from_utf8_lossy(&bytes).into_owned()),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(String::new()),
            Err(error) => Err(Failure::Other(format!("cannot read {}: {error}", log.display()))),
        }
    }
}

impl MergeCommand {
    pub fn run(self) -> Result<(), Failure> {
        let mut parts = self.shards.iter().map(|path| read(path)).collect::<Result<Vec<PlayedShard>, _>>()?;
        parts.sort_by_key(|part| (part.study.range().start, part.study.range().end));
        let Some(first) = parts.first() else { unreachable!("clap asks for one") };
        let whole = Study { shard: None, ..first.study.clone() };
        check_parts(&parts, &whole)?;
        let failures: Result<Vec<String>, Failure> = parts.iter().map(PlayedShard::failures).collect();
        let written =
            StudyDirectory::create_played(&self.output, &whole, &failures?.concat(), |games, scores| {
                parts.iter().try_for_each(|part| games.append(&part.games, part.end, 0).map(|_| ()))?;
                let Some(scores) = scores else { return Ok(whole.clone()) };
                parts.iter().try_for_each(|part| {
                    scores.append(&StudyDirectory::scores(&part.path), part.scores_end, 0).map(|_| ())
                })?;
                Ok::<_, StudyError>(whole.clone())
            });
        written.map_err(|error| match Failure::from(error) {
            Failure::Other(problem) => Failure::Other(format!(
                "{problem}; nothing was merged, and the same command can be run again"
            )),
            failure => failure,
        })?;
        note(format_args!("{} games of {} shards", thousands(whole.all_games()), parts.len()));
        Ok(())
    }
}

/// Checks that shards belong to one study and make up the whole of it, with each game once.
fn check_parts(parts: &[PlayedShard], whole: &Study) -> Result<(), Failure> {
    let mut due = 0;
    for part in parts {
        let path = part.path.display();
        let other = Study { shard: None, ..part.study.clone() };
        if let Some([name, ours, theirs]) = whole.differences(&other).first() {
            let first = parts[0].path.display();
            return Err(Failure::Input(format!(
                "{first} and {path} are not of one study: they differ in {name}: {ours} and {theirs}"
            )));
        }
        let games = part.study.range();
        if games.start > due {
            return Err(Failure::Input(format!(
                "no shard has games {due} to {}; the next, {path}, begins after them",
                games.start - 1
            )));
        }
        if games.start < due {
            return Err(Failure::Input(format!(
                "{path} begins with game {}, which another shard has",
                games.start
            )));
        }
        due = games.end;
    }
    if due < whole.all_games() {
        return Err(Failure::Input(format!("no shard has games {due} to {}", whole.all_games() - 1)));
    }
    Ok(())
}

/// Reads a shard. All its games must be there, and every row must be one that the study allows.
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
        let path = path.display();
        return Err(Failure::Input(format!(
            "{path} is not played to its end: game {} is the next of {}; `backrank play {path}` continues it",
            recorded.next, all.end
        )));
    }
    let Recorded { end, scores_end, .. } = recorded;
    Ok(PlayedShard { path: path.to_path_buf(), study, games, end, scores_end })
}
