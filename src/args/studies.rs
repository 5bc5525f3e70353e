//! What commands that analyse studies share: the studies, the sampled positions, and progress.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use backrank_analysis::fit::Clustering;
use backrank_analysis::games::{GamesRead, ReplayedGame, Sampling, Studies};
use backrank_analysis::table::thousands;
use backrank_rules::printable_line;
use clap::{Args, ValueEnum};
use indicatif::{ProgressBar, ProgressStyle};

use crate::terminal::failure::Failure;
use crate::terminal::notes::{note, show_bars};
use crate::terminal::output::Output;

/// The positions that are sampled.
#[derive(Args, Clone, Copy)]
pub struct SamplingArgs {
    /// A position is quiet if there is no capture and no promotion in this many plies before and after it
    #[arg(long, value_name = "PLIES", default_value_t = Sampling::default().quiet_plies, value_parser = clap::value_parser!(u32).range(..=1000))]
    quiet_plies: u32,

    /// The first position that is sampled is the one after this many plies
    #[arg(long, value_name = "PLY", default_value_t = Sampling::default().from_ply, value_parser = clap::value_parser!(u32).range(..=100_000))]
    from_ply: u32,
}

impl Default for SamplingArgs {
    fn default() -> Self {
        let Sampling { quiet_plies, from_ply } = Sampling::default();
        Self { quiet_plies, from_ply }
    }
}

impl SamplingArgs {
    pub fn sampling(self) -> Sampling {
        Sampling { quiet_plies: self.quiet_plies, from_ply: self.from_ply }
    }
}

/// The observations that are correlated.
#[derive(Clone, Copy, ValueEnum)]
pub enum ClusterArg {
    /// The positions of a game
    Game,
    /// The games of a setup
    Setup,
}

impl From<ClusterArg> for Clustering {
    fn from(cluster: ClusterArg) -> Self {
        match cluster {
            ClusterArg::Game => Self::Game,
            ClusterArg::Setup => Self::Setup,
        }
    }
}

/// Opens studies, which must all be of one variant.
pub fn open(paths: &[PathBuf]) -> Result<Studies, Failure> {
    Ok(Studies::open(paths)?)
}

/// Reads and replays the games, different ones only, with a progress bar.
pub fn read(
    studies: &Studies,
    sampling: Sampling,
    mut each: impl FnMut(ReplayedGame),
) -> Result<GamesRead, Failure> {
    let bar = Bar::new("reading", studies.bytes());
    let read = studies.read(sampling, &mut |bytes| bar.set(bytes), &mut each);
    bar.finish();
    Ok(read?)
}

/// Prints the numbers of games, and which studies were not played to their end.
pub fn print_games(out: &mut Output, studies: &Studies, read: &GamesRead) -> Result<(), Failure> {
    let [games, different] = [read.games, read.different].map(thousands);
    let name = &studies.rules.variant().name;
    out.say(format_args!("{name}: {games} games, {different} of them different"))?;
    if read.unfinished > 0 {
        out.say(format_args!("{} of them left out, as they were not finished", thousands(read.unfinished)))?;
    }
    let unfinished = studies.unfinished(read);
    let of = |(path, games, all): (&Path, u64, u64)| {
        format!("{} ({} of {} games)", path.display(), thousands(games), thousands(all))
    };
    if !unfinished.is_empty() {
        // An experiment has dozens of parts, of which each goes on for as long as it is asked to.
        let others = unfinished.len().saturating_sub(NAMED);
        let list: Vec<String> = unfinished.into_iter().take(NAMED).map(of).collect();
        let more = match others {
            0 => String::new(),
            1 => " and one other study".to_string(),
            number => format!(" and {} other studies", thousands(number as u64)),
        };
        out.say(format_args!("not played to the end: {}{more}", list.join(", ")))?;
    }
    for (what, values) in studies.unlike() {
        out.say(format_args!("games of different {what} are taken together: {}", values.join("; ")))?;
    }
    Ok(())
}

/// The number of studies that were not played to the end and are named.
const NAMED: usize = 3;

/// Progress on stderr: a bar on a terminal, and a line now and then elsewhere.
pub struct Bar {
    what: &'static str,
    bar: Option<ProgressBar>,
    all: u64,
    done: std::sync::atomic::AtomicU64,
    /// The time of the last line, and what it says besides.
    line: std::sync::Mutex<(Instant, String)>,
}

const BETWEEN_LINES: Duration = Duration::from_secs(10);

impl Bar {
    pub fn new(what: &'static str, all: u64) -> Self {
        let bar = show_bars().then(|| {
            let style =
                ProgressStyle::with_template("{prefix:9} {bar:20} {percent:>3} % {eta} left  {wide_msg}");
            ProgressBar::new(all).with_style(style.expect("a style that indicatif knows")).with_prefix(what)
        });
        let line = std::sync::Mutex::new((Instant::now(), String::new()));
        Self { what, bar, all, done: 0.into(), line }
    }

    /// Sets how much is done.
    pub fn set(&self, done: u64) {
        self.done.store(done, std::sync::atomic::Ordering::Relaxed);
        self.show(done);
    }

    /// Adds to what is done.
    pub fn add(&self, more: u64) {
        self.show(self.done.fetch_add(more, std::sync::atomic::Ordering::Relaxed) + more);
    }

    /// Sets how much is done, and a remark.
    pub fn tell(&self, done: u64, what: String) {
        if let Some(bar) = &self.bar {
            bar.set_message(printable_line(&what).into_owned());
        } else if let Ok(mut line) = self.line.lock() {
            line.1 = format!(", {what}");
        }
        self.set(done);
    }

    fn show(&self, done: u64) {
        if let Some(bar) = &self.bar {
            bar.set_position(done);
        } else if let Ok(mut line) = self.line.try_lock()
            && line.0.elapsed() >= BETWEEN_LINES
        {
            line.0 = Instant::now();
            let percent = 100 * done / self.all.max(1);
            note(format_args!("{}: {percent} %{}", self.what, line.1));
        }
    }

    /// Removes the bar.
    pub fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
