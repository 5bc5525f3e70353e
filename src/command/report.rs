use std::io::Write;
use std::path::PathBuf;

use backrank_experiment::studies::find_studies;
use clap::Args;

use crate::args::ThreadsArg;
use crate::command::findings;
use crate::command::values::{DENSITY, RegressionArgs, UnitArg, read_share};
use crate::terminal::failure::Failure;
use crate::terminal::output::Output;
use crate::terminal::reproduce::own_command;

/// Write a report on studies: a single HTML page that any browser opens offline
///
/// The page has piece values by each method, setups, endings and the Bishop Adjustment, with plots and tables. Studies at
/// odds are fitted together as a network of imbalances; all others are used for regression and setups.
#[derive(Args)]
#[command(after_help = examples!(
    "backrank report runs/all runs/pawn runs/knight -o report.html",
))]
pub struct ReportCommand {
    /// The directories of studies of the same game; studies in their subdirectories are included
    #[arg(value_name = "STUDY", required = true)]
    studies: Vec<PathBuf>,

    /// The file to write
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,

    /// Also write the plot of the values to a file of its own, as SVG
    #[arg(long, value_name = "FILE")]
    picture: Option<PathBuf>,

    #[command(flatten)]
    unit: UnitArg,

    #[command(flatten)]
    regression: RegressionArgs,

    /// For mobility: the proportion of other squares that are occupied
    #[arg(long, default_value_t = DENSITY, value_parser = read_share)]
    density: f64,

    #[command(flatten)]
    threads: ThreadsArg,
}

impl ReportCommand {
    pub fn run(self) -> Result<(), Failure> {
        self.threads.start()?;
        let command = own_command();
        let found = findings::of(&find_studies(&self.studies), &self.regression, &self.unit)?;
        let report = findings::report(&found, self.density, command);
        let picture = match &self.picture {
            Some(path) => Some((
                path,
                report.picture().ok_or_else(|| {
                    Failure::Input(format!(
                        "there are no games to estimate values from, so there is no picture for {}",
                        path.display()
                    ))
                })?,
            )),
            None => None,
        };
        Output::write(&self.output, report.to_html().as_bytes())?;
        let mut out = Output::stdout();
        writeln!(out, "{}", self.output.display())?;
        if let Some((path, picture)) = picture {
            Output::write(path, picture.as_bytes())?;
            writeln!(out, "{}", path.display())?;
        }
        out.finish()
    }
}
