mod summary;

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use backrank_rules::Variant;
use backrank_selfplay::{
    Atlas, AtlasDirectory, AtlasReader, AtlasRun, AtlasWriter, Shard, StudyError, available_mebibytes,
};
use clap::Args;

use crate::args::{Narrowing, NumberingArg, check_played};
use crate::failure::Failure;
use crate::play::setups::SetupsArg;
use crate::play::threads;
use crate::studies::Bar;

/// Judge every setup of a game by search: White's score, the best moves, and how much there is to decide
///
/// The directory gets atlas.toml, which holds everything that decides the rows, and atlas.csv, with a row for each setup in
/// the order of ids. The same atlas.toml gives the same rows on every machine, with any number of threads. Give the directory
/// instead of the variant to continue an atlas that was interrupted, or to see its summary again.
///
/// Of the 20 plies of the line of best play the first position is searched with all the nodes, and each later one with a
/// tenth; a game with the Bishop Adjustment is searched once more without it where the bishops stand on one colour. So a setup
/// takes about three times the nodes, or four.
#[derive(Args)]
#[command(after_help = examples!(
    "backrank atlas pmrc -o runs/sample --setups random:5 --nodes 1000",
    "backrank atlas chess960 -o runs/corner --where fixed=B....... --setups 0..4 --nodes 1000",
    "backrank atlas runs/atlas",
))]
pub struct AtlasCommand {
    /// A key that `backrank variants` lists, the path of a variant file, or the directory of an atlas
    #[arg(value_name = "VARIANT|DIR")]
    subject: String,

    /// The directory of the atlas; if it holds the same atlas already, that is continued
    #[arg(short, long, value_name = "DIR")]
    output: Option<PathBuf>,

    #[command(flatten)]
    options: AtlasOptions,

    /// The number of setups that are judged at a time [default: the number of processors]
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,

    /// The number of setups in each list of the summary
    #[arg(long, value_name = "SETUPS", default_value_t = 5)]
    top: usize,

    /// Print the summary as JSON
    #[arg(long)]
    json: bool,
}

/// The options that decide the rows. None has a default here, so that only what is given is compared with an atlas that was
/// begun.
#[derive(Args)]
struct AtlasOptions {
    /// The setups to judge: `all`, a range of ids such as `0..100`, some drawn at random as in `random:500`, or the path of
    /// a file with an id on each line [default: all]
    #[arg(long)]
    setups: Option<SetupsArg>,

    #[command(flatten)]
    narrowing: Narrowing,

    #[command(flatten)]
    numbering: NumberingArg,

    /// The nodes of the search of each setup [default: 200000]
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..=i64::MAX as u64))]
    nodes: Option<u64>,

    /// The seed that draws setups at random [default: 0]
    #[arg(long, value_parser = clap::value_parser!(u64).range(..=i64::MAX as u64))]
    seed: Option<u64>,

    /// Judge only one of several equal parts, such as 3/8; `backrank merge` puts them together
    #[arg(long, value_name = "N/OF")]
    shard: Option<Shard>,
}

/// The nodes of a search if none are given.
const NODES: u64 = 200_000;

impl AtlasOptions {
    /// Changes an atlas to what is asked.
    fn change(&self, atlas: &mut Atlas) -> Result<(), Failure> {
        atlas.nodes = self.nodes.unwrap_or(atlas.nodes);
        atlas.seed = self.seed.unwrap_or(atlas.seed);
        atlas.shard = self.shard.clone().or(atlas.shard.take());
        if let Some(SetupsArg(setups)) = &self.setups {
            atlas.choose_setups(setups);
        }
        let narrowed = self.narrowing.texts();
        let is_other = !narrowed.is_empty() && narrowed != atlas.constraints;
        if is_other {
            atlas.constraints = narrowed;
        }
        if is_other || self.numbering.is_given() {
            atlas.numbering = self.numbering.of(&atlas.space()?)?.name().to_string();
        }
        Ok(())
    }
}

/// What is asked, and where.
struct Asked {
    path: PathBuf,
    atlas: Atlas,
    /// How this program is not the one that began the atlas: it can be read all the same, but no rows can be added.
    other_program: Vec<[String; 3]>,
}

/// How much of an atlas there is.
struct RecordedRows {
    /// The file that holds its rows, compressed or not; none where there is none.
    file: Option<PathBuf>,
    /// The place of the next setup.
    next: u64,
    /// The bytes of the whole rows.
    end: u64,
}

impl AtlasCommand {
    pub fn run(self) -> Result<(), Failure> {
        let asked = self.asked()?;
        let run = AtlasRun::new(asked.atlas)?;
        let path = asked.path;
        if !AtlasDirectory::is_atlas(&path) || recorded(&path, run.atlas())?.next < run.range().end {
            refuse_changes(&path, &asked.other_program)?;
            make(&path, &run, threads(self.threads))?;
        }
        summary::print(&path, &run, self.top, self.json)
    }

    fn asked(&self) -> Result<Asked, Failure> {
        let subject = Path::new(&self.subject);
        if self.output.is_none() && AtlasDirectory::is_atlas(subject) {
            let begun = AtlasDirectory::read(subject)?;
            let mut atlas = begun.clone();
            self.options.change(&mut atlas)?;
            refuse_changes(subject, &begun.differences(&atlas))?;
            atlas.be_of_this_program()?;
            let other_program = begun.differences(&atlas);
            return Ok(Asked { path: subject.to_path_buf(), atlas: begun, other_program });
        }
        let Some(output) = &self.output else {
            return Err(Failure::Input(match subject.is_dir() {
                true => format!("{} holds no atlas to continue", subject.display()),
                false => "where to? a new atlas needs -o DIR".to_string(),
            }));
        };
        let variant = Variant::find(&self.subject)?;
        check_played(&variant)?;
        let mut atlas = Atlas::new(&variant, NODES)?;
        self.options.change(&mut atlas)?;
        if AtlasDirectory::is_atlas(output) {
            refuse_changes(output, &AtlasDirectory::read(output)?.differences(&atlas))?;
        }
        Ok(Asked { path: output.clone(), atlas, other_program: Vec::new() })
    }
}

/// Judges the setups that are left.
fn make(path: &Path, run: &AtlasRun, threads: usize) -> Result<(), Failure> {
    if !AtlasDirectory::is_atlas(path) {
        check_memory(run.atlas(), threads)?;
    }
    let _directory = begin(path, run.atlas())?;
    // No other run adds to it now.
    let RecordedRows { file, next, end } = recorded(path, run.atlas())?;
    let rows = AtlasDirectory::rows(path);
    if let Some(packed) = file.filter(|file| *file != rows) {
        return Err(Failure::Input(format!(
            "{} is compressed, and no row can be added to it; `gunzip` it to continue the atlas",
            packed.display()
        )));
    }
    let stop: &'static AtomicBool = Box::leak(Box::new(AtomicBool::new(false)));
    crate::signals::on_interrupt(move || stop.store(true, Ordering::Relaxed))
        .map_err(|error| Failure::Other(format!("cannot listen for Ctrl-C: {error}")))?;
    let mut writer = AtlasWriter::resume(&rows, end, run.atlas())?;
    let places = run.range();
    let all = places.end - places.start;
    let bar = Bar::new("judging", all);
    let mut done = next - places.start;
    bar.set(done);
    let result = run.judge(next..places.end, threads, stop, |row| {
        writer.write(&row)?;
        done += 1;
        bar.tell(done, format!("{} {:+}", row.white_rank, row.score_cp));
        Ok::<_, StudyError>(ControlFlow::Continue(()))
    });
    bar.finish();
    result.map_err(|error| Failure::Other(error.to_string()))?;
    if done < all {
        let path = path.display();
        return Err(Failure::Other(format!(
            "stopped after {done} of {all} setups; `backrank atlas {path}` continues it"
        )));
    }
    Ok(())
}

/// Reads the rows that there are.
fn recorded(path: &Path, atlas: &Atlas) -> Result<RecordedRows, Failure> {
    let Some(file) = AtlasDirectory::recorded(path)? else {
        return Ok(RecordedRows { file: None, next: atlas.range(atlas.setups()?.len()).start, end: 0 });
    };
    let mut reader = AtlasReader::open(&file, atlas)?;
    reader.by_ref().try_for_each(|row| row.map(|_| ()))?;
    Ok(RecordedRows { next: reader.next_place(), end: reader.end(), file: Some(file) })
}

/// The directory of an atlas: a new one, or one that holds the same atlas already.
fn begin(path: &Path, atlas: &Atlas) -> Result<AtlasDirectory, Failure> {
    if !AtlasDirectory::is_atlas(path) {
        return Ok(AtlasDirectory::create(path, atlas)?);
    }
    let (directory, begun) = AtlasDirectory::open(path)?;
    refuse_changes(path, &begun.differences(atlas))?;
    Ok(directory)
}

/// Refuses to continue an atlas that was begun with something else, and names what differs.
fn refuse_changes(path: &Path, differences: &[[String; 3]]) -> Result<(), Failure> {
    let path = path.display();
    let Some([_, was, is]) = differences.first() else { return Ok(()) };
    if differences.iter().all(|[name, ..]| name == "fingerprint") {
        return Err(Failure::Input(format!(
            "{path} was begun by another engine: this one has the fingerprint {is}, and it was begun by {was}; two engines are \
             not mixed in one atlas: go on with the build that began it, or begin another atlas with -o"
        )));
    }
    let lines: Vec<String> = differences
        .iter()
        .map(|[name, begun, now]| format!("\n  {name}: begun with {begun}, now {now}"))
        .collect();
    Err(Failure::Input(format!(
        "{path} holds an atlas that was begun with other options, and an atlas keeps its options{}\nTo continue it, give its \
         directory, no variant and no options. To begin another atlas, choose another directory with -o.",
        lines.concat()
    )))
}

/// Whether the transposition tables of all threads fit into memory.
fn check_memory(atlas: &Atlas, threads: usize) -> Result<(), Failure> {
    let engines = if atlas.variant()?.adjustment.is_some() { 2 } else { 1 };
    let needed = u64::from(atlas.hash) * engines * threads as u64;
    match available_mebibytes().filter(|&available| available < needed) {
        None => Ok(()),
        Some(available) => Err(Failure::Other(format!(
            "the transposition tables take {needed} MiB on {threads} threads, and {available} MiB of memory are available; \
             choose fewer --threads"
        ))),
    }
}
