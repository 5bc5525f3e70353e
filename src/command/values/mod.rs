mod beside;
mod by_setup;
mod tables;

use std::io::Write;
use std::path::{Path, PathBuf};

use backrank_analysis::fit::Model;
use backrank_analysis::games::{GamesRead, Studies};
use backrank_analysis::table::thousands;
use backrank_analysis::values::{
    ImbalanceValues, Imbalances, RegressionOptions, RegressionValues, Sample, Unit, ValueRow, compare_values,
    mobility, mobility_table, value_rows, write_compared_values, write_positions, write_values,
};
use backrank_experiment::studies::find_studies;
use backrank_rules::{Rules, Variant};
use clap::Args;

use crate::args::studies::{self, Bar, ClusterArg, SamplingArgs};
use crate::args::without::Without;
use crate::args::{ThreadsArg, find_variant};
use crate::terminal::failure::Failure;
use crate::terminal::output::{Output, print_json};
use crate::terminal::table::print_table;
use tables::{compare, print_compared, print_imbalances, print_regression};
pub use tables::{interval, number};

/// Estimate piece values: by games at material odds, by regression on other games, and by mobility
///
/// Studies at odds are fitted together as a network of imbalances, all others by regression. Give all studies of a game
/// together, since it takes several imbalances to connect all pieces. analysis/METHODS.md has the formulas.
#[derive(Args)]
#[command(after_help = examples!(
    "backrank values runs/all",
    "backrank values runs/pawn runs/knight --csv values.csv",
    "backrank values runs/pawn runs/knight --unit P=1",
    "backrank values runs/deep --against runs/quick",
    "backrank values runs/pawn runs/knight --by bishops",
    "backrank values runs/network --without 4P",
    "backrank values --mobility pmrc",
))]
pub struct ValuesCommand {
    /// The directories of studies of the same game; studies in their subdirectories are included
    #[arg(value_name = "STUDY", required_unless_present = "mobility")]
    studies: Vec<PathBuf>,

    /// Values by mobility, without games, for a key that `backrank variants` lists or the path of a variant file
    #[arg(long, value_name = "VARIANT", conflicts_with = "studies")]
    mobility: Option<String>,

    /// For mobility: the proportion of other squares that are occupied
    #[arg(long, default_value_t = DENSITY, value_parser = read_share)]
    density: f64,

    #[command(flatten)]
    unit: UnitArg,

    #[command(flatten)]
    regression: RegressionArgs,

    /// Fit a plain logit to the decided games and leave draws out
    #[arg(long)]
    decided: bool,

    /// Use the difference of the players' ratings in the regression, in steps of 25 Elo; games without ratings are left out
    #[arg(long)]
    ratings: bool,

    /// The standard deviation of the error of a rating, for which the regression is corrected; 0 for no correction
    #[arg(long, value_name = "ELO", default_value_t = 60.0, requires = "ratings", value_parser = read_rating_error)]
    rating_error: f64,

    /// Use studies at odds for the regression as well
    #[arg(long)]
    regress_odds: bool,

    /// Compare with the values that these studies give, of the same game or of another with the same letters: the ratio of
    /// each piece's values, and the difference in Elo
    #[arg(long, value_name = "STUDY", num_args = 1.., conflicts_with_all = ["mobility", "positions"])]
    against: Vec<PathBuf>,

    /// Values by a column of the setups instead, such as `bishops`, on one colour or on both: games at odds of each directory by itself,
    /// what pieces are worth more in one of two groups, and its mean over the directories
    #[arg(long, value_name = "COLUMN", conflicts_with_all = ["mobility", "positions", "against", "csv", "pairs", "decided", "ratings", "regress_odds"])]
    by: Option<String>,

    /// What pieces are worth beside others: where nothing else is missing, and where both sides lack these, such as 4P
    #[arg(long, value_name = "PIECES", conflicts_with_all = ["mobility", "positions", "against", "by", "csv", "pairs", "decided", "ratings", "regress_odds"])]
    without: Option<Without>,

    /// Write the values, or with --against the comparison, to a file as CSV
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,

    /// Write the data of the regression to a file as CSV: the material of each game's quiet positions, and its outcome
    #[arg(long, value_name = "FILE", conflicts_with = "mobility")]
    positions: Option<PathBuf>,

    /// Write the pairs of games at each imbalance to a file as CSV, which `backrank value --anchor` reads
    #[arg(long, value_name = "FILE", conflicts_with = "mobility")]
    pairs: Option<PathBuf>,

    /// Print JSON instead of tables
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    threads: ThreadsArg,
}

/// The option for the unit of the values.
#[derive(Args)]
pub struct UnitArg {
    /// The unit of values: a piece and its value, such as P=1 [default: R=5, or P=1 if the game has no rook]
    #[arg(long, value_name = "KIND=NUMBER")]
    unit: Option<Unit>,
}

impl UnitArg {
    /// The unit for a game.
    pub fn of(&self, variant: &Variant) -> Result<Unit, Failure> {
        let Some(unit) = self.unit else { return Ok(Unit::usual(variant)) };
        unit.check(variant).map_err(|problem| Failure::Input(format!("--unit {unit}: {problem}")))?;
        Ok(unit)
    }

    /// The option as it was given, with a space before it.
    pub fn text(&self) -> String {
        self.unit.map_or(String::new(), |unit| format!(" --unit {unit}"))
    }
}

/// The options of the regression.
#[derive(Args)]
pub struct RegressionArgs {
    #[command(flatten)]
    pub sampling: SamplingArgs,

    /// The clusters for standard errors: the positions of a game, or the games of a setup
    #[arg(long, value_enum, default_value_t = ClusterArg::Game)]
    pub cluster: ClusterArg,

    /// The number of replicates of the cluster bootstrap
    #[arg(long, value_name = "REPLICATES", default_value_t = RegressionOptions::default().replicates, value_parser = clap::value_parser!(u32).range(..=1_000_000))]
    pub bootstrap: u32,

    /// The seed of the bootstrap: the same seed gives the same intervals on every machine
    #[arg(long, default_value_t = 0)]
    pub seed: u64,
}

/// The default proportion of occupied squares.
pub const DENSITY: f64 = 0.3;

fn read_rating_error(text: &str) -> Result<f64, String> {
    let error = text.parse().ok().filter(|error| (0.0..=1000.0).contains(error));
    error.ok_or_else(|| "the error must be a number from 0 to 1000, such as 60".to_string())
}

pub fn read_share(text: &str) -> Result<f64, String> {
    let share = text.parse().ok().filter(|share| (0.0..1.0).contains(share));
    share.ok_or_else(|| "the density must be a number from 0 to less than 1, such as 0.3".to_string())
}

impl Default for RegressionArgs {
    fn default() -> Self {
        let (sampling, cluster) = (SamplingArgs::default(), ClusterArg::Game);
        let RegressionOptions { replicates, seed, .. } = RegressionOptions::default();
        Self { sampling, cluster, bootstrap: replicates, seed }
    }
}

impl RegressionArgs {
    fn options(&self, model: Model, unit: Unit) -> RegressionOptions {
        let (replicates, seed) = (self.bootstrap, self.seed);
        RegressionOptions { model, unit, replicates, seed, ..RegressionOptions::default() }
    }

    /// Runs the regression with a progress bar.
    fn values(&self, sample: &Sample, options: RegressionOptions) -> RegressionValues {
        let bar = Bar::new("bootstrap", self.bootstrap.into());
        let values = sample.values(options, &|more| bar.add(more));
        bar.finish();
        values
    }
}

impl ValuesCommand {
    pub fn run(self) -> Result<(), Failure> {
        self.threads.start()?;
        match &self.mobility {
            Some(name) => self.by_mobility(&find_variant(name)?),
            None => self.by_games(),
        }
    }

    fn by_mobility(&self, variant: &Variant) -> Result<(), Failure> {
        let unit = self.unit.of(variant)?;
        let found = mobility(&Rules::new(variant), self.density, unit).ok_or_else(|| {
            let key = &variant.key;
            Failure::Input(format!(
                "pawns have no mobility, and {key} has no rook to scale by; give another --unit"
            ))
        })?;
        let rows: Vec<ValueRow> = found.iter().map(backrank_analysis::values::Mobility::row).collect();
        self.csv.as_deref().map_or(Ok(()), |path| write_csv(path, &rows))?;
        if self.json {
            return print_json(&found);
        }
        let mut out = Output::stdout();
        let taken = 100.0 * self.density;
        writeln!(out, "mobility: {}, {taken:.0} % of the other squares occupied\n", variant.name)?;
        let unit = found.first().map_or(unit, |found| found.unit);
        print_table(&mut out, mobility_table(unit).for_people(&found))?;
        compare(&mut out, variant, unit, &rows)?;
        out.finish()
    }

    fn by_games(&self) -> Result<(), Failure> {
        if let Some(column) = &self.by {
            return by_setup::print(&self.studies, &self.unit, column, self.json);
        }
        if let Some(lacking) = &self.without {
            return beside::print(&self.studies, &self.unit, lacking, self.json);
        }
        let measured = self.measure(&self.studies)?;
        if !self.against.is_empty() {
            return self.print_comparison(&measured.rows, &self.measure(&self.against)?.rows);
        }
        let Measured { studies, read, sample, imbalances, regression, rows, unit } = measured;
        if let Some(path) = &self.positions {
            if sample.games() == 0 {
                return Err(Failure::Input(
                    "--positions has no games: it lists positions of games without odds, or with --regress-odds".to_string(),
                ));
            }
            Output::write_by(path, |out| write_positions(&sample, out))?;
        }
        self.csv.as_deref().map_or(Ok(()), |path| write_csv(path, &rows))?;
        let variant = studies.rules.variant();
        if self.json {
            return print_json(&serde_json::json!({
                "variant": variant.key, "games": read.games, "different_games": read.different,
                "unit": unit, "imbalances": imbalances, "regression": regression,
            }));
        }
        let mut out = Output::stdout();
        studies::print_games(&mut out, &studies, &read)?;
        for (games, why) in [
            (
                sample.not_by_moves(),
                "because they were decided by a clock, or by a player who failed or left",
            ),
            (sample.unrated(), "because a player has no rating"),
        ] {
            if games > 0 {
                writeln!(out, "{} left out of the regression, {why}", thousands(games))?;
            }
        }
        if let Some(values) = &imbalances {
            print_imbalances(&mut out, variant, values)?;
        }
        if let Some(values) = &regression {
            print_regression(&mut out, values)?;
        }
        compare(&mut out, variant, unit, &rows)?;
        out.finish()
    }

    /// Estimates values by every method that the games of some directories allow.
    fn measure(&self, directories: &[PathBuf]) -> Result<Measured, Failure> {
        let studies = studies::open(&find_studies(directories))?;
        let unit = self.unit.of(studies.rules.variant())?;
        let mut without = studies.studies.iter().filter(|(_, study)| study.without_moves);
        if let Some((path, _)) = without.next().filter(|_| self.regress_odds) {
            return Err(Failure::Input(format!(
                "--regress-odds needs the moves of the games, which {} does not have (--no-moves)",
                path.display()
            )));
        }
        let mut sample = Sample::new(&studies.material, self.regression.cluster.into());
        if self.positions.is_some() {
            sample = sample.with_setups();
        }
        if self.ratings {
            sample = sample.with_ratings();
        }
        let mut odds = Imbalances::new(&studies.material);
        let read = studies::read(&studies, self.regression.sampling.sampling(), |game| {
            odds.add(&game);
            if game.odds.is_empty() || self.regress_odds {
                sample.add(&game);
            }
        })?;
        if let Some(path) = &self.pairs {
            Output::write_by(path, |out| odds.write_pairs(out))?;
        }
        let model = if self.decided { Model::Decided } else { Model::Ordered };
        let wanted = sample.games() > 0 || odds.is_empty();
        let of_regression = [(self.decided, "--decided"), (self.ratings, "--ratings")];
        if let Some((_, option)) = of_regression.into_iter().find(|(given, _)| *given && !wanted) {
            return Err(Failure::Input(format!(
                "{option} is about the regression, which is on games without odds, and there are none: add such a study, or \
                 --regress-odds"
            )));
        }
        let regression = wanted.then(|| {
            let rating_error = if self.ratings { self.rating_error } else { 0.0 };
            let options = RegressionOptions { rating_error, ..self.regression.options(model, unit) };
            self.regression.values(&sample, options)
        });
        let imbalances = (!odds.is_empty()).then(|| odds.values(unit));
        let by_mobility = mobility(&studies.rules, self.density, unit).unwrap_or_default();
        let rows = value_rows(imbalances.as_ref(), regression.as_ref(), &by_mobility);
        Ok(Measured { studies, read, sample, imbalances, regression, rows, unit })
    }

    /// Prints values beside those of other studies.
    fn print_comparison(&self, rows: &[ValueRow], against: &[ValueRow]) -> Result<(), Failure> {
        let compared = compare_values(rows, against);
        if compared.iter().all(|found| found.method == "mobility") {
            return Err(Failure::Input(
                "no piece has a value by the same method of games in both: give studies at odds on both sides, or none".to_string(),
            ));
        }
        if let Some(path) = &self.csv {
            Output::write_by(path, |out| write_compared_values(&compared, out))?;
        }
        if self.json {
            return print_json(&compared);
        }
        let mut out = Output::stdout();
        print_compared(&mut out, &compared)?;
        out.finish()
    }
}

/// What the games of some studies give.
struct Measured {
    studies: Studies,
    read: GamesRead,
    sample: Sample,
    imbalances: Option<ImbalanceValues>,
    regression: Option<RegressionValues>,
    rows: Vec<ValueRow>,
    unit: Unit,
}

/// Writes `values.csv`.
fn write_csv(path: &Path, rows: &[ValueRow]) -> Result<(), Failure> {
    Output::write_by(path, |out| write_values(rows, out))
}
