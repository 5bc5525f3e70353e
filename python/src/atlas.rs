//! Atlases: judging every setup by search, and reading what was found.

use std::path::PathBuf;

use backrank_analysis::AnalysisError;
use backrank_analysis::atlas::{AtlasStatistics, Judgements, write_agreements, write_measures};
use backrank_analysis::setups::write_features;
use backrank_selfplay::atlas::{Atlas, AtlasDirectory, AtlasProgress, AtlasRecorder, AtlasRun};
use backrank_selfplay::store::{DirectoryKind, StoreError};
use pyo3::prelude::*;

use crate::errors::{failed, of_analysis, of_study, wrong};
use crate::study::{Progress, SetupsArg, csv, tell};
use crate::variant::{PyVariant, VariantArg, rules_of};
use crate::work::work;

/// The options of an atlas that `atlas` takes by name.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct AtlasOptions {
    setups: SetupsArg,
    #[pyo3(item("where"))]
    constraints: Vec<String>,
    nodes: u64,
    seed: u64,
}

/// Judges the setups of an atlas that have no row yet.
#[pyfunction]
pub fn make_atlas(
    py: Python<'_>,
    variant: VariantArg,
    directory: PathBuf,
    options: AtlasOptions,
    threads: usize,
    progress: Progress,
) -> PyResult<()> {
    let variant = variant.find()?;
    rules_of(&variant, true)?;
    if options.nodes == 0 {
        return Err(wrong("a search needs nodes: 1 or more"));
    }
    let mut atlas = Atlas::new(&variant, options.nodes).map_err(wrong)?;
    atlas.seed = options.seed;
    if !options.constraints.is_empty() {
        atlas.constraints = options.constraints;
        atlas.numbering = atlas.space().map_err(wrong)?.default_numbering().name().to_string();
    }
    atlas.choose_setups(&options.setups.choice()?);
    let run = AtlasRun::new(atlas).map_err(wrong)?;
    work(py, threads, |stop| {
        let mut recorder = AtlasRecorder::resume(&directory, &run).map_err(of_study)?;
        let show = |[done, all]: [u64; 2]| tell(&progress, done, all);
        show(recorder.done());
        let threads = if threads == 0 { rayon::current_num_threads() } else { threads };
        let result = run.judge(recorder.rest(), threads, stop, |row| {
            let next = recorder.add(&row);
            show(recorder.done());
            next
        });
        let finished = recorder.finish();
        result.map_err(failed)?;
        finished.map_err(of_study)
    })?
}

/// The game of an atlas, what its `atlas.toml` says, as JSON, the file with the rows, how many bytes of it are whole rows, and
/// whether all are there.
#[pyfunction]
pub fn read_atlas(py: Python<'_>, directory: PathBuf) -> PyResult<(PyVariant, String, PathBuf, u64, bool)> {
    py.detach(|| {
        let atlas = AtlasDirectory::read(&directory).map_err(of_study)?;
        let definition = serde_json::to_string(&atlas).map_err(failed)?;
        let AtlasProgress { file, next, end } = AtlasProgress::read(&directory, &atlas).map_err(of_study)?;
        let file =
            file.ok_or_else(|| of_study(StoreError::NoRows { what: DirectoryKind::Atlas, path: directory }))?;
        let run = AtlasRun::new(atlas).map_err(wrong)?;
        let variant = PyVariant(run.rules().variant().clone().into());
        Ok((variant, definition, file, end, next == run.range().end))
    })
}

/// Texts of CSV: how the measures of an atlas are distributed, how far judgements of the same thing agree, and what goes with each
/// measure.
type AtlasTables = (String, String, Vec<(String, String)>);

/// What the rows of an atlas say together.
#[pyfunction]
pub fn atlas_statistics(py: Python<'_>, directory: PathBuf) -> PyResult<AtlasTables> {
    let found = work(py, 0, |_| {
        let atlas = AtlasDirectory::read(&directory)?;
        let judgements = Judgements::read(&directory, &atlas)?;
        let variant = atlas.variant().map_err(|error| StoreError::Definition {
            what: DirectoryKind::Atlas,
            path: directory.join("atlas.toml"),
            problem: error.to_string(),
        })?;
        Ok::<_, AnalysisError>(AtlasStatistics::of(&variant, &judgements))
    })?;
    let found = found.map_err(of_analysis)?;
    let features = found.features.iter().map(|found| {
        let table = csv(|out| write_features(&found.features, out))?;
        Ok((found.measure.column().to_string(), table))
    });
    let features = features.collect::<PyResult<_>>()?;
    Ok((csv(|out| write_measures(&found, out))?, csv(|out| write_agreements(&found, out))?, features))
}
