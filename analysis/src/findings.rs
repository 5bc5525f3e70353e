//! The results of studies from one reading of their games.

use std::path::Path;

use crate::error::AnalysisError;
use crate::fit::{Clustering, Model};
use crate::games::{GamesRead, Sampling, Studies};
use crate::report::Report;
use crate::setups::{SetupGames, SetupOptions, SetupStatistics};
use crate::tables::ValueRow;
use crate::values::{
    ImbalanceValues, Imbalances, Mobility, RegressionOptions, RegressionValues, Sample, Unit, mobility,
    published,
};

/// The folder of a study below which are the imbalances that were fixed before they were played.
pub const FIXED: &str = "fixed";

/// How results are estimated.
#[derive(Clone, Copy, Debug)]
pub struct FindingsOptions {
    /// Which positions are looked at.
    pub sampling: Sampling,
    /// What the errors of the regression are clustered by.
    pub clustering: Clustering,
    /// The number of replicates of the bootstrap.
    pub replicates: u32,
    /// The seed of the bootstrap and of permutations.
    pub seed: u64,
    /// What values are measured in.
    pub unit: Unit,
    /// The standard deviation of the error of a rating, in Elo, where the regression takes the difference of the players'
    /// ratings and leaves out games without; 0 corrects for no error.
    pub rating_error: Option<f64>,
}

impl FindingsOptions {
    /// The usual options, with values in a unit.
    pub fn new(unit: Unit) -> Self {
        let RegressionOptions { replicates, seed, .. } = RegressionOptions::default();
        let (sampling, clustering) = (Sampling::default(), Clustering::Game);
        Self { sampling, clustering, replicates, seed, unit, rating_error: None }
    }
}

/// Values and setups. Games at odds are a network of imbalances; all others are used for regression and setups.
///
/// ```no_run
/// use backrank_analysis::{Findings, FindingsOptions, Studies, Unit};
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
    /// How many games there were.
    pub read: GamesRead,
    /// By regression, where there are games without odds.
    pub regression: Option<RegressionValues>,
    /// By the network of imbalances, where there are games at odds.
    pub imbalances: Option<ImbalanceValues>,
    /// By the studies at odds that were fixed before they were played.
    pub confirmed: Option<ImbalanceValues>,
    /// What values are measured in.
    pub unit: Unit,
    /// Setups, where there are games without odds.
    pub setups: Option<SetupStatistics>,
    decided: Option<RegressionValues>,
    sampling: Sampling,
}

impl Findings {
    /// Reads studies and estimates everything. `reading` is told the number of bytes read so far, `bootstrap` that one more
    /// replicate is done.
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
        let [mut odds, mut fixed] = [(); 2].map(|()| Imbalances::new(&studies.material));
        let mut setups = SetupGames::default();
        let read = studies.read(sampling, reading, &mut |game| {
            if game.odds.is_empty() {
                sample.add(&game);
                setups.add(&game);
            } else {
                odds.add(&game);
                if is_fixed(&studies.studies[game.study].0) {
                    fixed.add(&game);
                }
            }
        })?;
        let values = |model| {
            let rating_error = rating_error.unwrap_or(0.0);
            sample.values(RegressionOptions { model, unit, replicates, seed, rating_error }, bootstrap)
        };
        let regression = (setups.games() + sample.games() > 0).then(|| values(Model::Ordered));
        // Without draws the regression is this one already.
        let drawn = regression.as_ref().is_some_and(|values| values.model == Model::Ordered);
        let decided = drawn.then(|| values(Model::Decided));
        let [imbalances, confirmed] =
            [odds, fixed].map(|games| (!games.is_empty()).then(|| games.values(unit)));
        let setup_options = SetupOptions { seed, ..SetupOptions::default() };
        let setups = setups.statistics(studies.rules.variant(), setup_options);
        Ok(Self { studies, read, regression, imbalances, confirmed, unit, setups, decided, sampling })
    }

    /// The values by imbalances, by regression and by mobility at a density, as rows.
    pub fn rows(&self, density: f64) -> Vec<ValueRow> {
        let mut rows: Vec<ValueRow> = self.imbalances.iter().flat_map(ImbalanceValues::rows).collect();
        rows.extend(self.imbalances.iter().flat_map(ImbalanceValues::rows_by_ply));
        rows.extend(self.regression.iter().flat_map(RegressionValues::rows));
        rows.extend(mobility(&self.studies.rules, density, self.unit).iter().flatten().map(Mobility::row));
        rows
    }

    /// The report, with mobility at a density; `command` is the one that makes the same page again, and `dictionary` the
    /// text of `data/README.md`.
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
        let studies = self.studies.studies.iter();
        Report {
            variant,
            studies: studies.map(|(path, study)| (path.display().to_string(), study)).collect(),
            read: self.read.clone(),
            sampling: self.sampling,
            regression: self.regression.clone(),
            decided: self.decided.clone(),
            imbalances: self.imbalances.clone(),
            confirmed: self.confirmed.clone(),
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

fn is_fixed(path: &Path) -> bool {
    path.parent().is_some_and(|folder| folder.ends_with(FIXED))
}
