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

/// Every starting position of the random-chess family of games: counted, numbered, listed,
/// verified and played.
///
/// Wherever a command takes a VARIANT, it is a key that `backrank variants` lists, or a path to a variant file of your
/// own.
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

    /// No progress and no notes on stderr, only errors
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
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}

fn run() -> Result<(), Failure> {
    let cli = Cli::parse();
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
