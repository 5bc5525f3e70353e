use std::fmt;
use std::io::Write;
use std::path::PathBuf;

use backrank_analysis::table::thousands;
use backrank_engine::Weights;
use backrank_engine::learn::linear::FittedWeights;
use backrank_rules::{Rules, Variant};
use backrank_selfplay::training::{TuneError, TuneSettings, tune};
use clap::Args;
use serde::Serialize;

use crate::args::read_part;
use crate::terminal::failure::Failure;
use crate::terminal::notes::note;
use crate::terminal::output::{Output, print_json};

/// Fit the weights of the evaluation to the games of studies
///
/// Quiet positions are taken from the games, and the weights are changed until the evaluation best predicts what the
/// positions came to: the game's result and, in studies with --scores, what the search said on the way, the nearer the
/// more. The studies may be of several games, which share the weights; the piece values of each game are fitted with
/// them. Every tenth game is held out, and the losses on both samples are printed.
#[derive(Args)]
#[command(after_help = examples!(
    "backrank tune runs/all -o weights.toml",
    "backrank tune runs/all --start weights.toml --keep-values -o more.toml",
))]
pub struct TuneCommand {
    /// The directories of the studies
    #[arg(required = true, value_name = "STUDY")]
    studies: Vec<PathBuf>,

    /// The file to write the weights to; it appears only when it is complete
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,

    /// The file of the initial weights, towards which the fit is slightly regularised [default: the engine's own
    /// weights]
    #[arg(long, value_name = "FILE")]
    start: Option<PathBuf>,

    /// What the next position counts for against the search's score of this one, from 0 to 1, as in TD(λ): with 1 the
    /// game's result is all that counts, with 0 the score
    #[arg(long, value_name = "PART", default_value_t = 0.98, value_parser = read_part)]
    lambda: f64,

    /// Keep the piece values in the variants' files
    #[arg(long)]
    keep_values: bool,

    /// Print the losses as JSON
    #[arg(long)]
    json: bool,
}

/// What is printed as JSON.
#[derive(Serialize)]
struct TuneSummary {
    positions: usize,
    test_positions: usize,
    scale: f64,
    moved: f64,
    loss: BeforeAndAfter,
    test_loss: BeforeAndAfter,
    result_loss: BeforeAndAfter,
    test_result_loss: BeforeAndAfter,
}

/// A loss as it is printed. Where no games were left out, that of such games is not known.
pub struct Loss(pub f64);

impl fmt::Display for Loss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_nan() { f.write_str("unknown") } else { write!(f, "{:.5}", self.0) }
    }
}

/// A loss with the initial weights and with the fitted ones.
#[derive(Clone, Copy, Serialize)]
struct BeforeAndAfter {
    before: f64,
    after: f64,
}

impl TuneSummary {
    fn new(fitted: &FittedWeights) -> Self {
        let (before, after) = (fitted.before, fitted.after);
        let pair = |before, after| BeforeAndAfter { before, after };
        Self {
            positions: fitted.positions,
            test_positions: fitted.test_positions,
            scale: fitted.scale,
            moved: fitted.moved,
            loss: pair(before.mixed.fit, after.mixed.fit),
            test_loss: pair(before.mixed.test, after.mixed.test),
            result_loss: pair(before.results.fit, after.results.fit),
            test_result_loss: pair(before.results.test, after.results.test),
        }
    }

    fn print(&self) -> Result<(), Failure> {
        let mut out = Output::stdout();
        write_positions(&mut out, [self.positions, self.test_positions], self.scale)?;
        writeln!(out, "moved        {:.1} centipawns", self.moved)?;
        for (name, loss, test) in
            [("loss", self.loss, self.test_loss), ("of results", self.result_loss, self.test_result_loss)]
        {
            writeln!(
                out,
                "{name:<12} {} before, {} after; of games left out {} and {}",
                Loss(loss.before),
                Loss(loss.after),
                Loss(test.before),
                Loss(test.after)
            )?;
        }
        out.finish()
    }
}

/// Writes how many positions were learnt from and how many were left out, and what a score of one scale is in centipawns.
pub fn write_positions(
    out: &mut impl Write,
    [learnt, left_out]: [usize; 2],
    scale: f64,
) -> std::io::Result<()> {
    let [learnt, left_out] = [learnt, left_out].map(|positions| thousands(positions as u64));
    writeln!(out, "positions    {learnt}, and {left_out} of games that were left out")?;
    writeln!(out, "scale        {scale:.0} centipawns")
}

impl TuneCommand {
    pub fn run(self) -> Result<(), Failure> {
        let rules = Rules::new(&Variant::find("chess")?);
        let start = match &self.start {
            None => Weights::new(&rules).without_net(),
            Some(path) => {
                let text = Weights::read_text(path)
                    .map_err(|error| Failure::Input(format!("cannot read {}: {error}", path.display())))?;
                Weights::parse(&text, &rules)
                    .map_err(|error| Failure::Input(format!("{}: {error}", path.display())))?
            }
        };
        let settings = TuneSettings { lambda: self.lambda, keep_values: self.keep_values };
        let fitted = tune(&self.studies, &start, settings, |step, losses| {
            note(format_args!(
                "step {step}: loss {}, of games left out {}",
                Loss(losses.fit),
                Loss(losses.test)
            ));
        });
        let fitted = fitted.map_err(|error| match error {
            TuneError::Study(error) => error.into(),
            error => Failure::Input(error.to_string()),
        })?;
        let mut out = Output::replace(&self.output)?;
        out.write_all(fitted.weights.to_toml().as_bytes())?;
        out.finish()?;
        let summary = TuneSummary::new(&fitted);
        if self.json { print_json(&summary) } else { summary.print() }
    }
}
