//! The results of studies from one reading of their games, for the report and for `study`.

use std::io::Write;
use std::path::{Path, PathBuf};

use backrank_analysis::{
    GamesRead, ImbalanceValues, Imbalances, Mobility, Model, RegressionValues, Report, Sample, Sampling,
    SetupGames, SetupOptions, SetupStatistics, Studies, Unit, ValueRow, mobility, published,
};

use crate::failure::Failure;
use crate::output::Output;
use crate::studies;
use crate::values::{RegressionArgs, UnitArg};

/// Values and setups. Games at odds are a network of imbalances; all others are used for regression and setups.
pub struct Findings {
    pub studies: Studies,
    pub read: GamesRead,
    pub regression: Option<RegressionValues>,
    pub imbalances: Option<ImbalanceValues>,
    /// By the studies at odds that were fixed before they were played.
    pub confirmed: Option<ImbalanceValues>,
    pub unit: Unit,
    pub setups: Option<SetupStatistics>,
    decided: Option<RegressionValues>,
    sampling: Sampling,
}

impl Findings {
    /// Reads studies of one game and estimates everything.
    pub fn of(paths: &[PathBuf], options: &RegressionArgs, unit: &UnitArg) -> Result<Self, Failure> {
        let studies = studies::open(paths)?;
        let unit = unit.of(studies.rules.variant())?;
        let mut sample = Sample::new(&studies.material, options.cluster.into());
        let [mut odds, mut fixed] = [(); 2].map(|()| Imbalances::new(&studies.material));
        let mut setups = SetupGames::default();
        let sampling = options.sampling.sampling();
        let read = studies::read(&studies, sampling, |game| {
            if game.odds.is_empty() {
                sample.add(&game);
                setups.add(&game);
            } else {
                odds.add(&game);
                if is_fixed(&paths[game.study]) {
                    fixed.add(&game);
                }
            }
        })?;
        let regression =
            (setups.games() + sample.games() > 0).then(|| options.values(&sample, Model::Ordered, unit));
        // Without draws the regression is this one already.
        let drawn = regression.as_ref().is_some_and(|values| values.model == Model::Ordered);
        let decided = drawn.then(|| options.values(&sample, Model::Decided, unit));
        let [imbalances, confirmed] =
            [odds, fixed].map(|games| (!games.is_empty()).then(|| games.values(unit)));
        let setup_options = SetupOptions { seed: options.seed, ..SetupOptions::default() };
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

    /// Writes the report; `command` is the one that makes the same page again.
    pub fn write_report(self, path: &Path, density: f64, command: String) -> Result<(), Failure> {
        let variant = self.studies.rules.variant();
        let lists = published();
        let near = lists.iter().any(|list| list.is_for(variant));
        let page = Report {
            variant,
            studies: self
                .studies
                .studies
                .iter()
                .map(|(path, study)| (path.display().to_string(), study))
                .collect(),
            read: self.read,
            sampling: self.sampling,
            regression: self.regression,
            decided: self.decided,
            imbalances: self.imbalances,
            confirmed: self.confirmed,
            unit: self.unit,
            mobility: (mobility(&self.studies.rules, density, self.unit).unwrap_or_default(), density),
            published: lists.into_iter().filter(|list| !near || list.is_for(variant)).collect(),
            setups: self.setups,
            dictionary: include_str!("../data/README.md"),
            command,
            version: env!("CARGO_PKG_VERSION"),
        };
        let mut out = Output::open(Some(path))?;
        out.write_all(page.to_html().as_bytes()).map_err(|error| Failure::writing(path, &error))?;
        out.finish()
    }
}

/// The folder of a study below which are the imbalances that were fixed before they were played.
pub const FIXED: &str = "fixed";

fn is_fixed(path: &Path) -> bool {
    path.parent().is_some_and(|folder| folder.ends_with(FIXED))
}
