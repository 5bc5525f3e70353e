//! The command line: parses, calls a library, prints.

/// Examples as help shows them, one a line.
macro_rules! examples {
    ($($line:literal),* $(,)?) => {
        concat!("Examples:", $("\n  ", $line),*)
    };
}

mod args;
mod bench;
mod completions;
mod count;
#[cfg(target_arch = "x86_64")]
mod cpu;
mod endgame;
mod export;
mod failure;
mod findings;
mod index;
mod legal;
mod list;
mod lookup;
mod man;
mod merge;
mod notes;
mod output;
mod perft;
mod play;
mod random;
mod replay;
mod report;
mod rows;
mod search;
mod setups;
mod show;
mod signals;
mod simulate;
mod studies;
mod study;
mod table;
mod uci;
mod values;
mod variants;
mod verify;

use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand};

use crate::failure::Failure;

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
    command: Command,

    /// Print no progress and no notes on stderr, only errors
    #[arg(short, long, global = true)]
    quiet: bool,
}

#[derive(Subcommand)]
enum Command {
    Study(study::Study),
    Variants(variants::Variants),
    Count(count::Count),
    Verify(verify::Verify),
    Show(show::Show),
    Index(index::Index),
    List(list::List),
    Random(random::Random),
    Perft(perft::Perft),
    Legal(legal::Legal),
    Replay(replay::Replay),
    Search(search::Search),
    Endgame(endgame::EndgameCommand),
    Play(Box<play::Play>),
    Merge(merge::Merge),
    Export(export::Export),
    Values(values::Values),
    Setups(setups::Setups),
    Report(report::Report),
    Simulate(simulate::Simulate),
    Uci(uci::Uci),
    Bench(bench::Bench),
    Completions(completions::Completions),
    Man(man::Man),
}

fn main() -> ExitCode {
    #[cfg(target_arch = "x86_64")]
    cpu::check();
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(answer) => return print_answer(&answer),
    };
    match run(cli) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}

/// Prints what clap has to say instead of running a command: what is wrong with the arguments, or the help asked for.
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
    match cli.command {
        Command::Study(command) => command.run(),
        Command::Variants(command) => command.run(),
        Command::Count(command) => command.run(),
        Command::Verify(command) => command.run(),
        Command::Show(command) => command.run(),
        Command::Index(command) => command.run(),
        Command::List(command) => command.run(),
        Command::Random(command) => command.run(),
        Command::Perft(command) => command.run(),
        Command::Legal(command) => command.run(),
        Command::Replay(command) => command.run(),
        Command::Search(command) => command.run(),
        Command::Endgame(command) => command.run(),
        Command::Play(command) => command.run(),
        Command::Merge(command) => command.run(),
        Command::Export(command) => command.run(),
        Command::Values(command) => command.run(),
        Command::Setups(command) => command.run(),
        Command::Report(command) => command.run(),
        Command::Simulate(command) => command.run(),
        Command::Uci(command) => command.run(),
        Command::Bench(command) => command.run(),
        Command::Completions(command) => command.run(Cli::command()),
        Command::Man(command) => command.run(Cli::command()),
    }
}
