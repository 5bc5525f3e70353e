//! Studies: playing and importing games, and what they show.

use std::path::PathBuf;
use std::sync::OnceLock;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use backrank_analysis::AnalysisError;
use backrank_analysis::findings::{Findings, FindingsOptions};
use backrank_analysis::fit::Clustering;
use backrank_analysis::games::{GamesRead, Studies};
use backrank_analysis::setups::{
    SetupGames, SetupOptions, write_adjustments, write_features, write_histogram, write_setups,
};
use backrank_analysis::values::{
    ValueRow, compare_values as compared, write_compared_values, write_imbalances, write_values,
};
use backrank_enumerate::Space;
use backrank_experiment::studies::find_studies;
use backrank_rules::{Letter, Rules, Variant};
use backrank_selfplay::import::{ImportOptions, Importer};
use backrank_selfplay::play::{Recorder, Run};
use backrank_selfplay::player::{Player, PlayerError, PlayerSpec, fingerprint};
use backrank_selfplay::study::{
    MoveLimits, SetupChoice, Study, StudyDirectory, StudyFile, StudySetups, StudySpec, StudyStarts,
};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::errors::{failed, of_analysis, of_import, of_study, wrong};
use crate::statistics::{PyEstimate, unit_of};
use crate::variant::{PyVariant, VariantArg};
use crate::work::work;

/// How long an engine may take to answer beyond its time for a move.
const TIMEOUT: Duration = Duration::from_secs(30);

/// The proportion of occupied squares, for values by mobility.
const DENSITY: f64 = 0.3;

/// A function that is called with the amount of work done and the total.
pub type Progress = Option<Py<PyAny>>;

/// Reports progress. An exception in the callback is printed, because nothing else can be done about it.
pub fn tell(progress: &Progress, done: u64, all: u64) {
    let Some(progress) = progress else { return };
    Python::attach(|py| {
        if let Err(error) = progress.call1(py, (done, all)) {
            error.print(py);
        }
    });
}

/// The choice of setups: as on the command line, a number, or a list of ids.
#[derive(FromPyObject)]
pub enum SetupsArg {
    Text(String),
    Id(u64),
    Ids(Vec<u64>),
}

impl SetupsArg {
    pub fn choice(self) -> PyResult<SetupChoice> {
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
    /// What is swapped within pairs, `players` or `sides`, where that is said.
    swap: Option<String>,
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
        let mut study = StudySpec::new(variant, SetupChoice::All.into(), &numbering, 0);
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
            let odds: backrank_selfplay::study::Odds = odds.parse().map_err(wrong)?;
            odds.check(variant).map_err(wrong)?;
            study.give_odds(odds);
        }
        study.swap_sides = match self.swap.as_deref() {
            None => study.pairs && study.odds.is_none() && variant.sides_differ(),
            Some("players") => false,
            Some("sides") => true,
            Some(other) => return Err(wrong(format!("pairs swap `players` or `sides`, not `{other}`"))),
        };
        study.opening.plies = self.opening_plies.unwrap_or(study.opening.plies);
        study.adjudication.max_plies = self.max_plies;
        if let Some(command) = self.black {
            study.black = PlayerSpec { name: command.clone(), command, ..study.black };
        }
        if !self.constraints.is_empty() {
            study.constraints = self.constraints;
            study.numbering = study.space().map_err(wrong)?.default_numbering().name().to_string();
        }
        study.starts = self.setups.choice()?.into();
        study.number_of_setups = StudySetups::of(&study).map_err(wrong)?.len();
        if study.pairs && study.games % 2 == 1 {
            return Err(wrong(format!(
                "pairs need an even number of games from each setup, not {}",
                study.games
            )));
        }
        Study::new(study).map_err(wrong)
    }
}

/// Plays a study to its end, or continues it.
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
    study
        .set_reported(|player| {
            let started = Player::start(player, &rules, TIMEOUT, stop)?;
            Ok::<_, PlayerError>(started.reported().map(str::to_string))
        })
        .map_err(wrong)?;
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
        Ok::<_, backrank_selfplay::play::RecordError>(next)
    });
    let finished = recorder.finish();
    result.map_err(failed)?;
    finished.map_err(of_study)
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

/// The game of a study, what its `study.toml` says, as JSON, and the file with its games; none without games.
#[pyfunction]
pub fn read_study(directory: PathBuf) -> PyResult<(PyVariant, String, Option<PathBuf>)> {
    let study = StudyDirectory::read(&directory).map_err(of_study)?;
    let variant = study.variant().map_err(wrong)?;
    let definition = serde_json::to_string(&StudyFile::from(&*study)).map_err(failed)?;
    let file = StudyDirectory::recorded(&directory).map_err(of_study)?;
    Ok((PyVariant(variant.into()), definition, file))
}

/// Opens the studies in some directories, and those in the folders below them if `with_parts` is set.
fn open(paths: &[PathBuf], with_parts: bool, unit: Option<String>) -> PyResult<(Studies, FindingsOptions)> {
    let studies = if with_parts { Studies::open(&find_studies(paths)) } else { Studies::open(paths) };
    let studies = studies.map_err(of_analysis)?;
    let unit = unit_of(studies.rules.variant(), unit)?;
    Ok((studies, FindingsOptions::new(unit)))
}

/// The text of a table in CSV.
pub fn csv(write: impl FnOnce(&mut dyn std::io::Write) -> std::io::Result<()>) -> PyResult<String> {
    let mut text = Vec::new();
    write(&mut text).map_err(failed)?;
    String::from_utf8(text).map_err(failed)
}

/// What pieces are worth, as the text of `values.csv`, and the matches at odds.
#[pyfunction]
pub fn values(
    py: Python<'_>,
    directories: Vec<PathBuf>,
    unit: Option<String>,
    bootstrap: u32,
    cluster_by_setup: bool,
    seed: u64,
    rating_error: Option<f64>,
) -> PyResult<(String, Option<String>)> {
    let (studies, options) = open(&directories, true, unit)?;
    let clustering = if cluster_by_setup { Clustering::Setup } else { Clustering::Game };
    let options = FindingsOptions { replicates: bootstrap, clustering, seed, rating_error, ..options };
    let found = work(py, 0, |_| Findings::of(studies, options, &mut |_| (), &|_| ()))?;
    let found = found.map_err(of_analysis)?;
    let imbalances = found.imbalances.as_ref().map(|found| csv(|out| write_imbalances(found, out)));
    let rows = rows_of(&found);
    Ok((csv(|out| write_values(&rows, out))?, imbalances.transpose()?))
}

/// Two measurements of the same pieces, each from the studies in some directories, as the text of a CSV file.
#[pyfunction]
pub fn compare_values(
    py: Python<'_>,
    directories: Vec<PathBuf>,
    against: Vec<PathBuf>,
    unit: Option<String>,
) -> PyResult<String> {
    let rows = |directories: &[PathBuf]| {
        let (studies, options) = open(directories, true, unit.clone())?;
        let found = work(py, 0, |_| Findings::of(studies, options, &mut |_| (), &|_| ()))?;
        Ok::<_, PyErr>(rows_of(&found.map_err(of_analysis)?))
    };
    let compared = compared(&rows(&directories)?, &rows(&against)?);
    csv(|out| write_compared_values(&compared, out))
}

/// The games of studies by their setups, their game, and how many were read.
fn setup_games(py: Python<'_>, directories: &[PathBuf]) -> PyResult<(SetupGames, Variant, GamesRead)> {
    let (studies, options) = open(directories, false, None)?;
    let found = work(py, 0, |_| {
        let mut games = SetupGames::default();
        let read = studies.read(options.sampling, &mut |_| (), &mut |game| games.add(&game))?;
        Ok::<_, AnalysisError>((games, read))
    })?;
    let (games, read) = found.map_err(of_analysis)?;
    Ok((games, studies.rules.variant().clone(), read))
}

/// What games say of their setups: numbers, and tables as the texts of CSV files.
#[pyfunction]
pub fn setup_statistics<'py>(
    py: Python<'py>,
    directories: Vec<PathBuf>,
    placement: Option<String>,
    permutations: u32,
    seed: u64,
    steps: usize,
) -> PyResult<Bound<'py, PyDict>> {
    let (mut games, variant, read) = setup_games(py, &directories)?;
    if steps == 0 {
        return Err(wrong("a histogram has steps: 1 or more"));
    }
    if let Some(pieces) = placement {
        let is_known =
            |letter: char| Letter::from_char(letter).is_some_and(|letter| variant.piece(letter).is_some());
        if let Some(letter) = pieces.chars().find(|&letter| !is_known(letter)) {
            let known: String = variant.pieces.iter().map(|piece| piece.letter).collect();
            return Err(wrong(format!("{} has no piece {letter}; its pieces are {known}", variant.key)));
        }
        games = games.by_placement(&pieces);
    }
    let options = SetupOptions { permutations, seed };
    let found =
        work(py, 0, |_| games.statistics(&variant, options))?.ok_or_else(|| wrong(read.why_no_setups()))?;
    let told = PyDict::new(py);
    told.set_item("games", found.games)?;
    told.set_item("results", found.results)?;
    told.set_item("score", PyEstimate::from(found.score))?;
    told.set_item(
        "dispersion",
        found.dispersion.map(|found| (found.statistic, found.expected, found.permutations, found.p_value)),
    )?;
    told.set_item("setups", csv(|out| write_setups(&found, out))?)?;
    told.set_item("histogram", csv(|out| write_histogram(&games.histogram(steps), out))?)?;
    told.set_item("features", csv(|out| write_features(&found.features, out))?)?;
    let adjustments = found.adjustments.as_ref().map(|found| csv(|out| write_adjustments(found, out)));
    told.set_item("adjustments", adjustments.transpose()?)?;
    Ok(told)
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
    let (studies, options) = open(&directories, true, unit)?;
    let options = FindingsOptions { replicates: bootstrap, ..options };
    let found = work(py, 0, |_| Findings::of(studies, options, &mut |_| (), &|_| ()))?;
    let found = found.map_err(of_analysis)?;
    Ok(report_of(&found, command))
}

/// The report as a page of HTML; `command` reproduces it.
pub fn report_of(found: &Findings, command: String) -> String {
    let dictionary = include_str!("../../data/README.md");
    found.report(DENSITY, command, dictionary, env!("CARGO_PKG_VERSION")).to_html()
}

/// What pieces are worth by every method.
pub fn rows_of(found: &Findings) -> Vec<ValueRow> {
    found.rows(DENSITY)
}
