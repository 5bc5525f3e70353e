//! Studies: playing and importing games, and what they show.

use std::path::PathBuf;
use std::sync::OnceLock;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use backrank_analysis::{
    AnalysisError, Clustering, Findings, FindingsOptions, SetupGames, SetupOptions, Studies, Unit,
    write_setups, write_values,
};
use backrank_enumerate::Space;
use backrank_rules::{Rules, Variant};
use backrank_selfplay::{
    ImportOptions, Importer, MoveLimits, Player, PlayerError, PlayerSpec, Recorder, Run, SetupChoice, Study,
    StudyDirectory, StudySetups, StudyStarts, fingerprint,
};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::errors::{failed, of_analysis, of_import, of_study, wrong};
use crate::variant::VariantArg;
use crate::work::work;

/// How long an engine may take to answer beyond its time for a move.
const TIMEOUT: Duration = Duration::from_secs(30);

/// The share of squares that are taken, for values by mobility.
const DENSITY: f64 = 0.3;

/// A function that is told how much is done, and of how much.
type Progress = Option<Py<PyAny>>;

/// Tells how much is done. What goes wrong in telling is printed, as nothing else can be done about it.
fn tell(progress: &Progress, done: u64, all: u64) {
    let Some(progress) = progress else { return };
    Python::attach(|py| {
        if let Err(error) = progress.call1(py, (done, all)) {
            error.print(py);
        }
    });
}

/// Which setups are played: as the command line writes it, a number, or a list of ids.
#[derive(FromPyObject)]
enum SetupsArg {
    Text(String),
    Id(u64),
    Ids(Vec<u64>),
}

impl SetupsArg {
    fn choice(self) -> PyResult<SetupChoice> {
        match self {
            Self::Text(text) => text.parse().map_err(wrong),
            Self::Id(id) => Ok(SetupChoice::Listed(vec![id])),
            Self::Ids(ids) => Ok(SetupChoice::Listed(ids)),
        }
    }
}

/// The options of a study that `play` takes by name.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct PlayOptions {
    setups: SetupsArg,
    #[pyo3(item("where"))]
    constraints: Vec<String>,
    games: u64,
    pairs: bool,
    odds: Option<String>,
    nodes: Option<u64>,
    depth: Option<u32>,
    time: Option<f64>,
    seed: u64,
    opening_plies: Option<u32>,
    max_plies: Option<u32>,
    scores: bool,
    black: Option<String>,
}

impl PlayOptions {
    fn study(self, variant: &Variant) -> PyResult<Study> {
        let numbering = Space::new(variant).map_err(wrong)?.default_numbering().name().to_string();
        let mut study = Study::new(variant, SetupChoice::All.to_string(), &numbering, 0);
        study.games = self.games;
        study.pairs = self.pairs;
        study.seed = self.seed;
        study.scores = self.scores;
        let time = self.time.map(|seconds| (1000.0 * seconds) as u64);
        study.limits = MoveLimits { nodes: self.nodes, depth: self.depth, time, clock: None };
        if study.limits == MoveLimits::default() {
            study.limits.nodes = Some(1000);
        }
        study.fit_hash();
        if let Some(odds) = self.odds {
            let odds: backrank_selfplay::Odds = odds.parse().map_err(wrong)?;
            odds.check(variant).map_err(wrong)?;
            study.give_odds(odds);
        }
        study.opening.plies = self.opening_plies.unwrap_or(study.opening.plies);
        study.adjudication.max_plies = self.max_plies;
        if let Some(command) = self.black {
            study.black = PlayerSpec { name: command.clone(), command, ..study.black };
        }
        if !self.constraints.is_empty() {
            study.constraints = self.constraints;
            study.numbering = study.space().map_err(wrong)?.default_numbering().name().to_string();
        }
        study.choose_setups(&self.setups.choice()?);
        study.number_of_setups = StudySetups::of(&study).map_err(wrong)?.len();
        if study.pairs && study.games % 2 == 1 {
            return Err(wrong(format!(
                "pairs need an even number of games from each setup, not {}",
                study.games
            )));
        }
        Ok(study)
    }
}

/// Plays a study to its end, or goes on with it.
#[pyfunction]
pub fn play(
    py: Python<'_>,
    variant: VariantArg,
    directory: PathBuf,
    options: PlayOptions,
    threads: usize,
    progress: Progress,
) -> PyResult<()> {
    let variant = variant.find()?;
    crate::variant::rules_of(&variant, true)?;
    let study = options.study(&variant)?;
    work(py, threads, |stop| play_study(study, &directory, threads, stop, &progress))?
}

fn play_study(
    mut study: Study,
    path: &std::path::Path,
    threads: usize,
    stop: &AtomicBool,
    progress: &Progress,
) -> PyResult<()> {
    let rules = Rules::new(&study.variant().map_err(wrong)?);
    let space = Space::new(rules.variant()).map_err(wrong)?;
    let starts = StudyStarts::of(&study, &rules).map_err(wrong)?;
    for player in [&mut study.white, &mut study.black] {
        let started = Player::start(player, &rules, TIMEOUT).map_err(wrong)?;
        player.reported = started.reported().map(str::to_string);
    }
    study
        .set_fingerprints(|player| {
            Ok::<_, PlayerError>(fingerprint(&rules, &space, &player.weights(&rules)?))
        })
        .map_err(wrong)?;
    let threads = if threads == 0 { rayon::current_num_threads() } else { threads };
    let tables = OnceLock::new();
    let run = Run {
        study: &study,
        rules: &rules,
        starts: &starts,
        tables: &tables,
        threads,
        timeout: TIMEOUT,
        stop,
    };
    let directory = StudyDirectory::create_or_open(path, &study).map_err(of_study)?;
    let mut recorder = Recorder::resume(directory, &run).map_err(of_study)?;
    let all = study.range();
    tell(progress, recorder.next() - all.start, all.end - all.start);
    if recorder.is_complete() {
        return Ok(());
    }
    let rest = recorder.next()..all.end;
    let result = run.play(rest, |played| {
        let next = recorder.add(&played)?;
        tell(progress, recorder.next() - all.start, all.end - all.start);
        Ok::<_, backrank_selfplay::RecordError>(next)
    });
    result.map_err(failed)
}

/// Imports archives in PGN as a study. Returns the numbers of games, and those left out.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "they are the options of `backrank import`")]
pub fn import_pgn<'py>(
    py: Python<'py>,
    archives: Vec<PathBuf>,
    directory: PathBuf,
    variant: VariantArg,
    min_elo: Option<u16>,
    limit: Option<u64>,
    threads: usize,
    progress: Progress,
) -> PyResult<Bound<'py, PyDict>> {
    let variant = variant.find()?;
    crate::variant::rules_of(&variant, true)?;
    let options = ImportOptions { min_elo, limit, numbering: None };
    let importer = Importer::new(&variant, options).map_err(of_import)?;
    let bytes = archives.iter().map(|path| std::fs::metadata(path).map_or(0, |data| data.len())).sum();
    let imported = work(py, threads, |stop| {
        importer.import(&archives, &directory, stop, |read, _| tell(&progress, read, bytes))
    })?;
    let imported = imported.map_err(of_import)?;
    let found = PyDict::new(py);
    found.set_item("games", imported.games)?;
    found.set_item("read", imported.read)?;
    found.set_item("below_min_elo", imported.below_min_elo)?;
    let left_out = PyDict::new(py);
    for (why, games) in imported.left_out {
        left_out.set_item(why.to_string(), (games.games, games.line, games.problem))?;
    }
    found.set_item("left_out", left_out)?;
    Ok(found)
}

/// The file with a study's games.
#[pyfunction]
pub fn games_file(directory: PathBuf) -> PyResult<PathBuf> {
    StudyDirectory::read(&directory).map_err(of_study)?;
    let file = StudyDirectory::recorded(&directory).map_err(of_study)?;
    file.ok_or_else(|| wrong(format!("{} has no games yet", directory.display())))
}

fn open(paths: &[PathBuf], unit: Option<String>) -> PyResult<(Studies, FindingsOptions)> {
    let studies = Studies::open(paths).map_err(of_analysis)?;
    let variant = studies.rules.variant();
    let unit = match unit {
        None => Unit::usual(variant),
        Some(text) => {
            let unit: Unit = text.parse().map_err(wrong)?;
            unit.check(variant).map_err(|problem| wrong(format!("unit {unit}: {problem}")))?;
            unit
        }
    };
    Ok((studies, FindingsOptions::new(unit)))
}

/// The text of a table in CSV.
fn csv(write: impl FnOnce(&mut dyn std::io::Write) -> std::io::Result<()>) -> PyResult<String> {
    let mut text = Vec::new();
    write(&mut text).map_err(failed)?;
    String::from_utf8(text).map_err(failed)
}

/// What pieces are worth, as the text of `values.csv`.
#[pyfunction]
pub fn values(
    py: Python<'_>,
    directories: Vec<PathBuf>,
    unit: Option<String>,
    bootstrap: u32,
    cluster_by_setup: bool,
    seed: u64,
) -> PyResult<String> {
    let (studies, options) = open(&directories, unit)?;
    let clustering = if cluster_by_setup { Clustering::Setup } else { Clustering::Game };
    let options = FindingsOptions { replicates: bootstrap, clustering, seed, ..options };
    let found = work(py, 0, |_| Findings::of(studies, options, &mut |_| (), &|_| ()))?;
    let rows = found.map_err(of_analysis)?.rows(DENSITY);
    csv(|out| write_values(&rows, out))
}

/// White's score from each setup, as the text of `setups.csv`.
#[pyfunction]
pub fn setups(py: Python<'_>, directories: Vec<PathBuf>, permutations: u32, seed: u64) -> PyResult<String> {
    let (studies, options) = open(&directories, None)?;
    let found = work(py, 0, |_| {
        let mut games = SetupGames::default();
        studies.read(options.sampling, &mut |_| (), &mut |game| games.add(&game))?;
        Ok::<_, AnalysisError>(games)
    })?;
    let games = found.map_err(of_analysis)?;
    let variant = studies.rules.variant();
    let found = work(py, 0, |_| games.statistics(variant, SetupOptions { permutations, seed }))?;
    let found = found.ok_or_else(|| wrong("none of these games starts from a setup"))?;
    csv(|out| write_setups(&found, out))
}

/// The report, a page of HTML.
#[pyfunction]
pub fn report(
    py: Python<'_>,
    directories: Vec<PathBuf>,
    unit: Option<String>,
    bootstrap: u32,
    command: String,
) -> PyResult<String> {
    let (studies, options) = open(&directories, unit)?;
    let options = FindingsOptions { replicates: bootstrap, ..options };
    let found = work(py, 0, |_| Findings::of(studies, options, &mut |_| (), &|_| ()))?;
    let found = found.map_err(of_analysis)?;
    let dictionary = include_str!("../../data/README.md");
    Ok(found.report(DENSITY, command, dictionary, env!("CARGO_PKG_VERSION")).to_html())
}
