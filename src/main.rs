//! The command line: parses arguments, calls the libraries, and prints.

/// The examples of a command's help, one on a line.
macro_rules! examples {
    ($($line:literal),* $(,)?) => {
        concat!("Examples:", $("\n  ", $line),*)
    };
}

mod args;
mod atlas;
mod bench;
mod cluster;
mod completions;
mod count;
#[cfg(target_arch = "x86_64")]
mod cpu;
mod endgame;
mod explore;
mod export;
mod failure;
mod findings;
mod gather;
mod import;
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
mod processors;
mod random;
mod replay;
mod report;
mod reproduce;
mod rows;
mod search;
mod setups;
mod show;
mod signals;
mod simulate;
mod status;
mod studies;
mod study;
mod table;
mod train;
mod trust;
mod tune;
mod uci;
mod values;
mod variants;
mod verify;
mod work;

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
    command: AnyCommand,

    /// Print no progress and no notes on stderr, only errors
    #[arg(short, long, global = true)]
    quiet: bool,
}

#[derive(Subcommand)]
enum AnyCommand {
    Study(study::StudyCommand),
    Variants(variants::VariantsCommand),
    Count(count::CountCommand),
    Verify(verify::VerifyCommand),
    Show(show::ShowCommand),
    Index(index::IndexCommand),
    List(list::ListCommand),
    Random(random::RandomCommand),
    Perft(perft::PerftCommand),
    Legal(legal::LegalCommand),
    Replay(replay::ReplayCommand),
    Search(search::SearchCommand),
    Endgame(endgame::EndgameCommand),
    Play(Box<play::PlayCommand>),
    Merge(merge::MergeCommand),
    Cluster(cluster::ClusterCommand),
    Work(work::WorkCommand),
    Status(status::StatusCommand),
    Gather(gather::GatherCommand),
    Export(export::ExportCommand),
    Import(import::ImportCommand),
    Values(values::ValuesCommand),
    Setups(setups::SetupsCommand),
    Atlas(Box<atlas::AtlasCommand>),
    Report(report::ReportCommand),
    Explore(explore::ExploreCommand),
    Simulate(simulate::SimulateCommand),
    Tune(tune::TuneCommand),
    Train(train::TrainCommand),
    Uci(uci::UciCommand),
    Bench(bench::BenchCommand),
    Completions(completions::CompletionsCommand),
    Man(man::ManCommand),
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
    match cli.command {
        AnyCommand::Study(command) => command.run(),
        AnyCommand::Variants(command) => command.run(),
        AnyCommand::Count(command) => command.run(),
        AnyCommand::Verify(command) => command.run(),
        AnyCommand::Show(command) => command.run(),
        AnyCommand::Index(command) => command.run(),
        AnyCommand::List(command) => command.run(),
        AnyCommand::Random(command) => command.run(),
        AnyCommand::Perft(command) => command.run(),
        AnyCommand::Legal(command) => command.run(),
        AnyCommand::Replay(command) => command.run(),
        AnyCommand::Search(command) => command.run(),
        AnyCommand::Endgame(command) => command.run(),
        AnyCommand::Play(command) => command.run(),
        AnyCommand::Merge(command) => command.run(),
        AnyCommand::Cluster(command) => command.run(),
        AnyCommand::Work(command) => command.run(),
        AnyCommand::Status(command) => command.run(),
        AnyCommand::Gather(command) => command.run(),
        AnyCommand::Export(command) => command.run(),
        AnyCommand::Import(command) => command.run(),
        AnyCommand::Values(command) => command.run(),
        AnyCommand::Setups(command) => command.run(),
        AnyCommand::Atlas(command) => command.run(),
        AnyCommand::Report(command) => command.run(),
        AnyCommand::Explore(command) => command.run(),
        AnyCommand::Simulate(command) => command.run(),
        AnyCommand::Tune(command) => command.run(),
        AnyCommand::Train(command) => command.run(),
        AnyCommand::Uci(command) => command.run(),
        AnyCommand::Bench(command) => command.run(),
        AnyCommand::Completions(command) => command.run(Cli::command()),
        AnyCommand::Man(command) => command.run(Cli::command()),
    }
}
