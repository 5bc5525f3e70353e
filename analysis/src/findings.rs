//! The results of studies from one reading of their games: [`Findings`] are piece values and statistics of setups, and make the
//! [report](crate::report).

use std::ffi::OsString;
use std::path::{Component, Path, PathBuf};

use crate::error::AnalysisError;
use crate::fit::{Clustering, Model};
use crate::games::{GamesRead, Sampling, Studies};
use crate::report::Report;
use crate::setups::{SetupGames, SetupOptions, SetupStatistics};
use crate::values::{
    ImbalanceValues, Imbalances, RegressionOptions, RegressionValues, Sample, Unit, ValueRow, mobility,
    published, value_rows,
};

/// The folder in a study's directory that holds the confirmatory sample of imbalances.
pub const CONFIRMATORY: &str = "fixed";

/// Options of the estimates.
#[derive(Clone, Copy, Debug)]
pub struct FindingsOptions {
    /// Which positions are sampled.
    pub sampling: Sampling,
    /// The clusters for the standard errors of the regression.
    pub clustering: Clustering,
    /// The number of replicates of the bootstrap.
    pub replicates: u32,
    /// The seed of the bootstrap and of the permutation test.
    pub seed: u64,
    /// The unit of the values.
    pub unit: Unit,
    /// The standard deviation of the error of a rating, in Elo, where the regression takes the difference of the players'
    /// ratings and leaves out games without; 0 corrects for no error.
    pub rating_error: Option<f64>,
}

impl FindingsOptions {
    /// The default options, with values in this unit.
    pub fn new(unit: Unit) -> Self {
        let RegressionOptions { replicates, seed, .. } = RegressionOptions::default();
        let (sampling, clustering) = (Sampling::default(), Clustering::Game);
        Self { sampling, clustering, replicates, seed, unit, rating_error: None }
    }
}

/// Piece values and statistics of setups. Games at odds form a network of imbalances; all other games are used for the
/// regression and for setups.
///
/// ```no_run
/// use backrank_analysis::findings::{Findings, FindingsOptions};
/// use backrank_analysis::games::Studies;
/// use backrank_analysis::values::Unit;
///
/// let studies = Studies::open(&["runs/all".into()])?;
/// let unit = Unit::usual(studies.rules.variant());
/// let findings = Findings::of(studies, FindingsOptions::new(unit), &mut |_bytes| (), &|_replicate| ())?;
/// println!("{} games, {} rows of values", findings.read.games, findings.rows(0.3).len());
/// # Ok::<(), backrank_analysis::AnalysisError>(())
/// ```
#[derive(Debug)]
pub struct Findings {
    /// The studies that were read.
    pub studies: Studies,
    /// The numbers of games that were read.
    pub read: GamesRead,
    /// Piece values by regression, if there are games without odds.
    pub regression: Option<RegressionValues>,
    /// Piece values by the network of imbalances, if there are games at odds.
    pub imbalances: Option<ImbalanceValues>,
    /// Piece values by the confirmatory sample of imbalances, if there is one.
    pub confirmatory: Option<ImbalanceValues>,
    /// The unit of the values.
    pub unit: Unit,
    /// The statistics of setups, if there are games without odds.
    pub setups: Option<SetupStatistics>,
    decided: Option<RegressionValues>,
    sampling: Sampling,
}

impl Findings {
    /// Reads studies and estimates everything. `reading` is called with the number of bytes read so far, `bootstrap`
    /// with 1 after each replicate.
    ///
    /// # Errors
    ///
    /// When a study cannot be read.
    pub fn of(
        studies: Studies,
        options: FindingsOptions,
        reading: &mut dyn FnMut(u64),
        bootstrap: &(dyn Fn(u64) + Sync),
    ) -> Result<Self, AnalysisError> {
        let FindingsOptions { sampling, clustering, replicates, seed, unit, rating_error } = options;
        let mut sample = Sample::new(&studies.material, clustering);
        if rating_error.is_some() {
            sample = sample.with_ratings();
        }
        let [mut odds, mut confirmatory] = [(); 2].map(|()| Imbalances::new(&studies.material));
        let mut setups = SetupGames::default();
        let read = studies.read(sampling, reading, &mut |game| {
            if game.odds.is_empty() {
                sample.add(&game);
                setups.add(&game);
            } else {
                odds.add(&game);
                if is_confirmatory(&studies.studies[game.study].0) {
                    confirmatory.add(&game);
                }
            }
        })?;
        let values = |model| {
            let rating_error = rating_error.unwrap_or(0.0);
            sample.values(RegressionOptions { model, unit, replicates, seed, rating_error }, bootstrap)
        };
        let regression = (setups.games() + sample.games() > 0).then(|| values(Model::Ordered));
        // Without draws the regression above is already this one.
        let drawn = regression.as_ref().is_some_and(|values| values.model == Model::Ordered);
        let decided = drawn.then(|| values(Model::Decided));
        let [imbalances, confirmatory] =
            [odds, confirmatory].map(|games| (!games.is_empty()).then(|| games.values(unit)));
        let setup_options = SetupOptions { seed, ..SetupOptions::default() };
        let setups = setups.statistics(studies.rules.variant(), setup_options);
        Ok(Self { studies, read, regression, imbalances, confirmatory, unit, setups, decided, sampling })
    }

    /// The values by imbalances, by regression, and by mobility with this density of occupied squares.
    pub fn rows(&self, density: f64) -> Vec<ValueRow> {
        let by_mobility = mobility(&self.studies.rules, density, self.unit).unwrap_or_default();
        value_rows(self.imbalances.as_ref(), self.regression.as_ref(), &by_mobility)
    }

    /// The report, with mobility at this density of occupied squares. `command` reproduces the page, and `dictionary`
    /// is the text of `data/README.md`.
    pub fn report<'a>(
        &'a self,
        density: f64,
        command: String,
        dictionary: &'a str,
        version: &'a str,
    ) -> Report<'a> {
        let variant = self.studies.rules.variant();
        let lists = published();
        let near = lists.iter().any(|list| list.is_for(variant));
        let paths: Vec<&Path> = self.studies.studies.iter().map(|(path, _)| path.as_path()).collect();
        let names = names_of(&paths).into_iter();
        Report {
            variant,
            studies: names.zip(&self.studies.studies).map(|(name, (_, study))| (name, study)).collect(),
            read: self.read.clone(),
            sampling: self.sampling,
            regression: self.regression.clone(),
            decided: self.decided.clone(),
            imbalances: self.imbalances.clone(),
            confirmatory: self.confirmatory.clone(),
            unit: self.unit,
            mobility: (mobility(&self.studies.rules, density, self.unit).unwrap_or_default(), density),
            published: lists.into_iter().filter(|list| !near || list.is_for(variant)).collect(),
            setups: self.setups.clone(),
            dictionary,
            command,
            version,
        }
    }
}

/// The names of studies on a page: their paths from the folder that they have in common, and that folder's own name. Where that
/// folder is on somebody's machine is nobody's business.
fn names_of(paths: &[&Path]) -> Vec<String> {
    let named = |part: Component<'_>| match part {
        Component::Normal(name) => Some(name.to_owned()),
        _ => None,
    };
    let all: Vec<Vec<OsString>> =
        paths.iter().map(|path| path.components().filter_map(named).collect()).collect();
    let first = all.first().map_or(&[][..], Vec::as_slice);
    let is_common = |length: &usize| all.iter().all(|parts| parts.get(..*length) == first.get(..*length));
    let common = (0..=first.len()).rev().find(is_common).unwrap_or(0);
    let name = |parts: &Vec<OsString>| {
        parts[common.saturating_sub(1)..].iter().collect::<PathBuf>().display().to_string()
    };
    all.iter().map(name).collect()
}

fn is_confirmatory(path: &Path) -> bool {
    path.parent().is_some_and(|folder| folder.ends_with(CONFIRMATORY))
}
