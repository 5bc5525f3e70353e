use std::io::Write;
use std::path::{Path, PathBuf};

use backrank_analysis::{
    Estimate, Interval, Model, OddsMatches, OddsValues, PublishedValues, RegressionOptions, RegressionValues,
    Sample, ValueRow, mobility, published, thousands, write_positions, write_values,
};
use backrank_rules::{Rules, Variant};
use clap::Args;

use crate::args::ThreadsArg;
use crate::failure::Failure;
use crate::output::{Output, print_json};
use crate::studies::{self, Bar, ClusterArg, SamplingArgs};
use crate::table::{self, TableColumn};

/// Estimate what pieces are worth, by regression on the games of studies, by material odds, and by mobility
///
/// Studies at odds are evaluated as matches, all others by regression. Give several studies of one game to compare them,
/// such as matches at the odds of each piece and of a pawn. analysis/METHODS.md has the formulas.
#[derive(Args)]
#[command(after_help = examples!(
    "backrank values runs/all",
    "backrank values runs/pawn runs/knight --csv values.csv",
    "backrank values --mobility pmrc",
))]
pub struct ValuesCommand {
    /// The directories of studies, all of one game
    #[arg(value_name = "STUDY", required_unless_present = "mobility")]
    studies: Vec<PathBuf>,

    /// By mobility, without games: a key that `backrank variants` lists, or a path to a variant file
    #[arg(long, value_name = "VARIANT", conflicts_with = "studies")]
    mobility: Option<String>,

    /// For mobility: the share of the other squares that are occupied
    #[arg(long, default_value_t = DENSITY, value_parser = read_share)]
    density: f64,

    #[command(flatten)]
    regression: RegressionArgs,

    /// Fit a plain logit to the decided games and leave draws out
    #[arg(long)]
    decided: bool,

    /// Use studies at odds for the regression, too
    #[arg(long)]
    regress_odds: bool,

    /// Write the values to a file as CSV
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,

    /// Write the data of the regression to a file as CSV: the material of each game's quiet positions, and its outcome
    #[arg(long, value_name = "FILE", conflicts_with = "mobility")]
    positions: Option<PathBuf>,

    /// Print JSON instead of tables
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    threads: ThreadsArg,
}

/// How regression is done.
#[derive(Args)]
pub struct RegressionArgs {
    #[command(flatten)]
    pub sampling: SamplingArgs,

    /// What the errors are clustered by: positions of a game or games of a setup are correlated
    #[arg(long, value_enum, default_value_t = ClusterArg::Game)]
    pub cluster: ClusterArg,

    /// The number of replicates of the cluster bootstrap
    #[arg(long, value_name = "REPLICATES", default_value_t = RegressionOptions::default().replicates, value_parser = clap::value_parser!(u32).range(..=1_000_000))]
    pub bootstrap: u32,

    /// The seed of the bootstrap: the same seed gives the same intervals on every machine
    #[arg(long, default_value_t = 0)]
    pub seed: u64,
}

/// The share of squares that are taken, unless another is asked for.
pub const DENSITY: f64 = 0.3;

pub fn read_share(text: &str) -> Result<f64, String> {
    let share = text.parse().ok().filter(|share| (0.0..1.0).contains(share));
    share.ok_or_else(|| "a share is a number from 0 to less than 1: 0.3".to_string())
}

impl Default for RegressionArgs {
    fn default() -> Self {
        let (sampling, cluster) = (SamplingArgs::default(), ClusterArg::Game);
        let RegressionOptions { replicates, seed, .. } = RegressionOptions::default();
        Self { sampling, cluster, bootstrap: replicates, seed }
    }
}

impl RegressionArgs {
    pub fn options(&self, model: Model) -> RegressionOptions {
        RegressionOptions { model, replicates: self.bootstrap, seed: self.seed }
    }

    /// Estimates with a progress bar.
    pub fn values(&self, sample: &Sample, model: Model) -> RegressionValues {
        let bar = Bar::new("bootstrap", self.bootstrap.into());
        let values = sample.values(self.options(model), &|more| bar.add(more));
        bar.finish();
        values
    }
}

impl ValuesCommand {
    pub fn run(self) -> Result<(), Failure> {
        self.threads.start()?;
        match &self.mobility {
            Some(name) => self.by_mobility(&Variant::find(name)?),
            None => self.by_games(),
        }
    }

    fn by_mobility(&self, variant: &Variant) -> Result<(), Failure> {
        let found = mobility(&Rules::new(variant), self.density).ok_or_else(|| {
            Failure::Input(format!("{} has no rook to scale by: no piece with betza = \"R\"", variant.key))
        })?;
        let rows: Vec<ValueRow> = found.iter().map(backrank_analysis::Mobility::row).collect();
        self.csv.as_deref().map_or(Ok(()), |path| write_csv(path, &rows))?;
        if self.json {
            return print_json(&found);
        }
        let mut out = Output::stdout();
        let taken = 100.0 * self.density;
        writeln!(out, "mobility: {}, {taken:.0} % of the other squares occupied\n", variant.name)?;
        let columns =
            [TableColumn::Text("piece"), TableColumn::Number("moves"), TableColumn::Number("R = 5")];
        let row = |found: &backrank_analysis::Mobility| {
            vec![found.piece.to_string(), format!("{:.2}", found.moves), format!("{:.2}", found.scaled)]
        };
        table::print(&mut out, &columns, found.iter().map(row))?;
        compare(&mut out, variant, &rows)?;
        out.finish()
    }

    fn by_games(&self) -> Result<(), Failure> {
        let studies = studies::open(&self.studies)?;
        let mut sample = Sample::new(&studies.material, self.regression.cluster.into());
        if self.positions.is_some() {
            sample = sample.with_setups();
        }
        let mut odds = OddsMatches::default();
        let read = studies::read(&studies, self.regression.sampling.sampling(), |game| {
            odds.add(&game);
            if game.odds.is_empty() || self.regress_odds {
                sample.add(&game);
            }
        })?;
        if let Some(path) = &self.positions {
            let mut out = Output::open(Some(path))?;
            write_positions(&sample, &mut out).map_err(|error| Failure::writing(path, &error))?;
            out.finish()?;
        }
        let model = if self.decided { Model::Decided } else { Model::Ordered };
        let wanted = sample.games() > 0 || odds.is_empty();
        let regression = wanted.then(|| self.regression.values(&sample, model));
        let odds = (!odds.is_empty()).then(|| odds.values());
        let variant = studies.rules.variant();
        let mut rows: Vec<ValueRow> = regression.iter().flat_map(RegressionValues::rows).collect();
        rows.extend(odds.iter().flat_map(OddsValues::rows));
        rows.extend(
            mobility(&studies.rules, self.density).iter().flatten().map(backrank_analysis::Mobility::row),
        );
        self.csv.as_deref().map_or(Ok(()), |path| write_csv(path, &rows))?;
        if self.json {
            return print_json(&serde_json::json!({
                "variant": variant.key, "games": read.games, "different_games": read.different,
                "regression": regression, "odds": odds,
            }));
        }
        let mut out = Output::stdout();
        studies::print_games(&mut out, &studies, &read)?;
        if let Some(values) = &regression {
            print_regression(&mut out, values)?;
        }
        if let Some(values) = &odds {
            print_odds(&mut out, values)?;
        }
        compare(&mut out, variant, &rows)?;
        out.finish()
    }
}

/// Writes `values.csv`.
pub fn write_csv(path: &Path, rows: &[ValueRow]) -> Result<(), Failure> {
    let mut out = Output::open(Some(path))?;
    write_values(rows, &mut out).map_err(|error| Failure::writing(path, &error))?;
    out.finish()
}

/// An estimate without its interval; nothing for none.
pub fn number(estimate: Option<Estimate>, digits: usize) -> String {
    match estimate.map(|estimate| estimate.value) {
        None => String::new(),
        Some(f64::INFINITY) => "∞".to_string(),
        Some(f64::NEG_INFINITY) => "−∞".to_string(),
        Some(value) => format!("{value:.digits$}"),
    }
}

/// An interval; nothing for the pawn in pawns, which has none.
pub fn interval(interval: Option<Interval>, digits: usize) -> String {
    let interval = interval.filter(|interval| interval.low < interval.high);
    interval.map_or(String::new(), |interval| format!("{interval:.digits$}"))
}

fn print_regression(out: &mut Output, values: &RegressionValues) -> Result<(), Failure> {
    let model = match values.model {
        Model::Ordered => "regression, ordered logit",
        Model::Decided => "regression, logit of decided games",
    };
    let clusters = match values.clustering {
        backrank_analysis::Clustering::Game => "game",
        backrank_analysis::Clustering::Setup => "setup",
    };
    let [games, positions, number_of_clusters] =
        [values.games, values.positions, values.clusters].map(thousands);
    writeln!(out, "\n{model}: {positions} quiet positions of {games} games")?;
    let replicates = match values.replicates {
        0 => "no bootstrap".to_string(),
        number => format!("bootstrap with {number} replicates"),
    };
    writeln!(out, "95 % intervals by {clusters} ({number_of_clusters}), {replicates}")?;
    if values.failed_replicates > 0 {
        writeln!(
            out,
            "{} replicates had no maximum of the likelihood and count as beyond either end",
            values.failed_replicates
        )?;
    }
    if let Some(why) = &values.nothing {
        writeln!(out, "no values: {why}; more games are needed")?;
    }
    writeln!(out)?;
    let columns = [
        TableColumn::Text("piece"),
        TableColumn::Number("games"),
        TableColumn::Number("pawns"),
        TableColumn::Number("bootstrap"),
        TableColumn::Number("delta"),
        TableColumn::Number("Elo"),
        TableColumn::Number("delta"),
        TableColumn::Text("note"),
    ];
    let row = |piece: &backrank_analysis::PieceValue| {
        let separated = piece.log_odds.filter(|log_odds| log_odds.value.is_infinite());
        vec![
            piece.piece.to_string(),
            thousands(piece.games),
            number(piece.pawns.or(separated), 2),
            interval(piece.bootstrap, 2),
            interval(piece.pawns.or(separated).map(|pawns| pawns.interval), 2),
            number(piece.elo.or(separated), 0),
            interval(piece.elo.or(separated).map(|elo| elo.interval), 0),
            piece.note.clone().unwrap_or_default(),
        ]
    };
    table::print(out, &columns, values.pieces.iter().map(row))?;
    if let Some(white) = values.white {
        writeln!(out, "\nthe first move is worth {:+.0} Elo ({:+.0})", white.value, white.interval)?;
    }
    if let Some(draws) = values.draws {
        writeln!(out, "between equals {:.0} % are drawn", 100.0 * draws)?;
    }
    Ok(())
}

fn print_odds(out: &mut Output, values: &OddsValues) -> Result<(), Failure> {
    writeln!(
        out,
        "\nodds: the side that has the first piece against the side that has the second, 95 % intervals"
    )?;
    if values.unpaired > 0 {
        writeln!(out, "{} games whose pair is not complete are left out", values.unpaired)?;
    }
    writeln!(out)?;
    let columns = [
        TableColumn::Text("odds"),
        TableColumn::Number("pairs"),
        TableColumn::Number("0, ½, 1, 1½, 2 points"),
        TableColumn::Number("score"),
        TableColumn::Number("Elo"),
        TableColumn::Number("95 %"),
        TableColumn::Number("pawns"),
        TableColumn::Number("95 %"),
    ];
    let row = |found: &backrank_analysis::OddsMatch| {
        vec![
            format!("{} : {}", found.first, found.second),
            thousands(found.pairs.iter().sum::<u64>()),
            found.pairs.map(|pairs| pairs.to_string()).join(" "),
            format!("{:.1} %", 100.0 * found.score.value),
            number(Some(found.elo), 0),
            interval(Some(found.elo.interval), 0),
            number(found.pawns, 2),
            interval(found.pawns.map(|pawns| pawns.interval), 2),
        ]
    };
    table::print(out, &columns, values.matches.iter().map(row))?;
    writeln!(out, "\nall matches together, if values add up")?;
    if let Some(chance) = values.additive {
        writeln!(out, "test of whether they do: p = {:.1} %", 100.0 * chance)?;
    }
    writeln!(out)?;
    let columns = [
        TableColumn::Text("piece"),
        TableColumn::Number("games"),
        TableColumn::Number("pawns"),
        TableColumn::Number("95 %"),
        TableColumn::Number("Elo"),
        TableColumn::Number("95 %"),
        TableColumn::Text("note"),
    ];
    let row = |piece: &backrank_analysis::OddsPiece| {
        vec![
            piece.piece.to_string(),
            thousands(piece.games),
            number(piece.pawns, 2),
            interval(piece.pawns.map(|pawns| pawns.interval), 2),
            number(piece.elo, 0),
            interval(piece.elo.map(|elo| elo.interval), 0),
            piece.note.clone().unwrap_or_default(),
        ]
    };
    Ok(table::print(out, &columns, values.pieces.iter().map(row))?)
}

/// Each method beside what others have published, in pawns.
fn compare(out: &mut Output, variant: &Variant, rows: &[ValueRow]) -> Result<(), Failure> {
    let mut methods: Vec<&str> = rows.iter().map(|row| row.method).collect();
    methods.dedup();
    let lists: Vec<PublishedValues> = published().into_iter().filter(|list| is_near(list, variant)).collect();
    let mut pieces: Vec<backrank_analysis::Column> = Vec::new();
    for row in rows {
        if !pieces.contains(&row.piece) {
            pieces.push(row.piece);
        }
    }
    writeln!(out, "\nside by side, in pawns (mobility: R = 5)\n")?;
    let heads: Vec<String> =
        methods.iter().map(|&method| method.to_string()).chain(lists.iter().map(head)).collect();
    let mut columns = vec![TableColumn::Text("piece")];
    columns.extend(heads.iter().map(|head| TableColumn::Number(head)));
    let row = |piece: &backrank_analysis::Column| {
        let by_method = methods.iter().map(|&method| {
            let found = rows.iter().find(|row| row.method == method && row.piece == *piece);
            number(found.and_then(|row| row.pawns), 2)
        });
        let by_others = lists
            .iter()
            .map(|list| list.of(variant, *piece).map_or(String::new(), |value| format!("{value:.2}")));
        std::iter::once(piece.to_string()).chain(by_method).chain(by_others).collect()
    };
    table::print(out, &columns, pieces.iter().map(row))?;
    writeln!(out)?;
    for list in &lists {
        writeln!(out, "{}: {}", head(list), list.source)?;
    }
    Ok(())
}

fn head(list: &PublishedValues) -> String {
    format!("{} ({})", list.name, list.board.replace('x', "×"))
}

/// Lists for the same board; where there is none, all of them.
fn is_near(list: &PublishedValues, variant: &Variant) -> bool {
    list.is_for(variant) || !published().iter().any(|list| list.is_for(variant))
}
