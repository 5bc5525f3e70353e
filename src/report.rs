use std::io::Write;
use std::path::PathBuf;

use backrank_analysis::{
    Model, OddsMatches, Report as Page, Sample, SetupGames, SetupOptions, mobility, published,
};
use clap::Args;

use crate::failure::Failure;
use crate::output::Output;
use crate::studies;
use crate::values::{RegressionArgs, read_share};

/// Everything about studies on one page: an HTML file that any browser opens, without a network
///
/// Piece values by each method, setups, endings and the Bishop Adjustment, with plots and tables. Studies with odds are
/// evaluated as matches, all others give values by regression and setups.
#[derive(Args)]
pub struct Report {
    /// The directories of studies, all of one game
    #[arg(value_name = "STUDY", required = true)]
    studies: Vec<PathBuf>,

    /// The file to write
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,

    #[command(flatten)]
    regression: RegressionArgs,

    /// By mobility: the share of the other squares that are taken
    #[arg(long, default_value_t = 0.3, value_parser = read_share)]
    density: f64,
}

impl Report {
    pub fn run(self) -> Result<(), Failure> {
        let studies = studies::open(&self.studies)?;
        let mut sample = Sample::new(&studies.material, self.regression.cluster.into());
        let mut odds = OddsMatches::default();
        let mut setups = SetupGames::default();
        let sampling = self.regression.sampling.sampling();
        let read = studies::read(&studies, sampling, |game| {
            if game.odds.is_empty() {
                sample.add(&game);
                setups.add(&game);
            } else {
                odds.add(&game);
            }
        })?;
        let regression = (setups.games() > 0).then(|| self.regression.values(&sample, Model::Ordered));
        let decided = regression.as_ref().is_some_and(|values| values.model == Model::Ordered);
        let variant = studies.rules.variant();
        let options = SetupOptions { seed: self.regression.seed, ..SetupOptions::default() };
        let lists = published();
        let near = lists.iter().any(|list| list.is_for(variant));
        let page = Page {
            variant,
            studies: studies
                .studies
                .iter()
                .map(|(path, study)| (path.display().to_string(), study))
                .collect(),
            read,
            sampling,
            regression,
            decided: decided.then(|| self.regression.values(&sample, Model::Decided)),
            odds: (!odds.is_empty()).then(|| odds.values()),
            mobility: (mobility(&studies.rules, self.density).unwrap_or_default(), self.density),
            published: lists.into_iter().filter(|list| !near || list.is_for(variant)).collect(),
            setups: setups.statistics(variant, options),
            command: self.command(),
            version: env!("CARGO_PKG_VERSION"),
        };
        let mut out = Output::open(Some(&self.output))?;
        out.write_all(page.to_html().as_bytes()).map_err(|error| Failure::writing(&self.output, &error))?;
        out.finish()?;
        let mut out = Output::stdout();
        writeln!(out, "{}", self.output.display())?;
        out.finish()
    }

    /// What makes the same page again.
    fn command(&self) -> String {
        let studies: Vec<String> = self.studies.iter().map(|path| path.display().to_string()).collect();
        let options: Vec<String> =
            std::env::args().skip(2).filter(|argument| !studies.contains(argument)).collect();
        format!("backrank report {} {}", studies.join(" "), options.join(" "))
    }
}
