//! Experiments: what `backrank study` plays, and what it finds.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use backrank_analysis::findings::{Findings, FindingsOptions};
use backrank_analysis::games::Studies;
use backrank_analysis::setups::write_setups;
use backrank_analysis::values::{Unit, write_values};
use backrank_experiment::ExperimentError;
use backrank_experiment::design::Design;
use backrank_experiment::options::ExperimentOptions;
use backrank_experiment::plan::PlanSize;
use backrank_experiment::play::{Experiment, PlaySettings, TIMES, end_of_playing, plan_of};
use backrank_experiment::studies::find_studies;
use backrank_rules::Rules;
use backrank_selfplay::store::durable::Unpublished;
use backrank_selfplay::study::StudyDirectory;
use pyo3::prelude::*;

use crate::errors::{of_analysis, of_experiment, of_study, wrong};
use crate::statistics::unit_of;
use crate::study::{Progress, csv, report_of, rows_of, tell};
use crate::variant::{PyVariant, VariantArg, rules_of};
use crate::work::work;

/// The options of an experiment that `study` takes by name.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct StudyOptions {
    time: Option<f64>,
    games: Option<u64>,
    rounds: u64,
    nodes: Option<u64>,
    seed: Option<u64>,
    #[pyo3(item("where"))]
    constraints: Option<Vec<String>>,
    unit: Option<String>,
}

/// The game of the experiment in a directory; none where there is none.
#[pyfunction]
pub fn begun_variant(directory: PathBuf) -> PyResult<Option<PyVariant>> {
    if !StudyDirectory::holds(&directory).map_err(of_study)? {
        return Ok(None);
    }
    let study = StudyDirectory::read(&directory).map_err(of_study)?;
    Ok(Some(PyVariant(study.variant().map_err(wrong)?.into())))
}

/// The studies with games in directories and in the folders below them.
#[pyfunction]
pub fn studies_within(directories: Vec<PathBuf>) -> Vec<PathBuf> {
    find_studies(&directories)
}

/// Plays an experiment, or continues it, and writes what it finds beside its games.
#[pyfunction]
pub fn study(
    py: Python<'_>,
    variant: VariantArg,
    directory: PathBuf,
    options: StudyOptions,
    command: String,
    threads: usize,
    progress: Progress,
) -> PyResult<()> {
    let start = Instant::now();
    let variant = variant.find()?;
    let rules = rules_of(&variant, true)?;
    let StudyOptions { time, games, rounds, nodes, seed, constraints, unit } = options;
    let in_range = |time: f64| Duration::try_from_secs_f64(time).is_ok_and(|time| TIMES.contains(&time));
    if let Some(time) = time.filter(|&time| !in_range(time)) {
        return Err(wrong(format!("an experiment takes from 1 second to 366 days, not {time} seconds")));
    }
    let unit = unit_of(&variant, unit)?;
    let asked = ExperimentOptions { constraints, nodes, seed, games, ..ExperimentOptions::default() };
    let plan = games.map(|games| PlanSize { games, rounds, tasks: 0 });
    let end = end_of_playing(start, Duration::from_secs_f64(time.unwrap_or(0.0)));
    let run = |stop: &AtomicBool| {
        let threads = if threads == 0 { rayon::current_num_threads() } else { threads };
        let studies = play(&directory, rules, &asked, plan, unit, end, threads, stop, &progress);
        let studies = studies.map_err(of_experiment)?;
        if stop.load(Ordering::Relaxed) {
            // The exception of Ctrl-C follows.
            return Ok(());
        }
        if studies.is_empty() {
            return Err(wrong("no game was finished in this time; give it more time or fewer nodes"));
        }
        evaluate(&directory, &studies, unit, command)
    };
    work(py, threads, run)?
}

/// Plays, and returns the directories of the studies that have games.
#[expect(clippy::too_many_arguments, reason = "they are those of `study`")]
#[expect(clippy::result_large_err, reason = "it is returned once, after minutes of play")]
fn play(
    path: &Path,
    rules: &Rules,
    asked: &ExperimentOptions,
    size: Option<PlanSize>,
    unit: Unit,
    end: Instant,
    threads: usize,
    stop: &AtomicBool,
    progress: &Progress,
) -> Result<Vec<PathBuf>, ExperimentError> {
    let settings = PlaySettings::new(rules, threads);
    let begun = StudyDirectory::holds(path)?.then(|| StudyDirectory::read(path)).transpose()?;
    let design = Design::new(rules, asked.first_study(rules, begun.as_ref())?, unit);
    let plan = plan_of(path, &design, begun.as_ref(), size)?;
    let mut experiment = Experiment::open(path, design, &settings)?;
    experiment.begin()?;
    let begin = Instant::now();
    let seconds = end.saturating_duration_since(begin).as_secs();
    let mut told = None;
    let played = match &plan {
        Some(plan) => experiment.play_plan(stop, &mut |now| tell(progress, now.games, plan.games)),
        None => experiment.play_until(end, stop, &mut |now| {
            let done = now.elapsed.as_secs().min(seconds);
            if told.replace(done) != Some(done) {
                tell(progress, done, seconds);
            }
        }),
    };
    let finished = experiment.finish();
    played?;
    finished?;
    // In the order in which the methods of the study find them, so that they say the same to the last digit.
    Ok(find_studies(&[path.to_path_buf()]))
}

/// Writes `values.csv`, `setups.csv` and `report.html`.
fn evaluate(path: &Path, studies: &[PathBuf], unit: Unit, command: String) -> PyResult<()> {
    let studies = Studies::open(studies).map_err(of_analysis)?;
    let found = Findings::of(studies, FindingsOptions::new(unit), &mut |_| (), &|_| ());
    let found = found.map_err(of_analysis)?;
    write(path, "values.csv", &csv(|out| write_values(&rows_of(&found), out))?)?;
    if let Some(setups) = &found.setups {
        write(path, "setups.csv", &csv(|out| write_setups(setups, out))?)?;
    }
    write(path, "report.html", &report_of(&found, command))
}

fn write(directory: &Path, name: &str, text: &str) -> PyResult<()> {
    let path = directory.join(name);
    let mut file = Unpublished::beside(&path)?;
    file.write_all(text.as_bytes())?;
    Ok(file.publish(&path)?)
}
