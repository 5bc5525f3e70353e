//! The command line: parses arguments, calls the libraries, and prints.

/// The examples of a command's help, one on a line.
macro_rules! examples {
    ($($line:literal),* $(,)?) => {
        concat!("Examples:", $("\n  ", $line),*)
    };
}

mod args;
mod command;
mod terminal;

use std::process::ExitCode;

use clap::{CommandFactory, Parser};
use clap_complete::env::CompleteEnv;

use crate::args::completion::{VARIABLE, with_values};
use crate::command::AnyCommand;
use crate::terminal::failure::Failure;
use crate::terminal::notes;

/// Count, number, list, verify and play every starting position of the random-chess family of games
///
/// Wherever a command takes a VARIANT, give a key that `backrank variants` lists or the path of your own variant file.
#[derive(Parser)]
#[command(name = "backrank", version, max_term_width = 110, after_help = examples!(
    "backrank study pmrc",
    "backrank show pmrc 6944",
    "backrank count --all",
    "backrank values --help",
))]
struct Cli {
    #[command(subcommand)]
    command: AnyCommand,

    /// Print no progress and no notes on stderr, only errors
    #[arg(short, long, global = true)]
    quiet: bool,
}

fn main() -> ExitCode {
    #[cfg(target_arch = "x86_64")]
    terminal::cpu::check();
    CompleteEnv::with_factory(|| with_values(Cli::command())).var(VARIABLE).complete();
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(answer) => return print_answer(&answer),
    };
    match run(cli) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}

/// Prints clap's message instead of running a command: an error in the arguments, or the help.
fn print_answer(answer: &clap::Error) -> ExitCode {
    match answer.print() {
        Ok(()) => ExitCode::from(answer.exit_code() as u8),
        Err(error) => Failure::from(error).report(),
    }
}

fn run(cli: Cli) -> Result<(), Failure> {
    if cli.quiet {
        notes::silence();
    }
    cli.command.run(Cli::command())
}
