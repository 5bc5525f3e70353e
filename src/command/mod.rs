//! The commands, each in a file of its own.

mod armies;
mod atlas;
mod bench;
mod check;
mod cluster;
mod completions;
mod count;
mod draw;
mod endgame;
mod explore;
mod export;
mod findings;
mod gather;
mod import;
mod index;
mod legal;
mod list;
mod man;
mod merge;
mod moves;
mod new;
mod perft;
mod pieces;
mod play;
mod random;
mod replay;
mod report;
mod schema;
mod search;
mod serve;
mod setups;
mod show;
mod simulate;
mod status;
mod study;
mod train;
mod tune;
mod uci;
mod value;
mod values;
mod variants;
mod verify;
mod work;

use clap::{Command, Subcommand};

use crate::terminal::failure::Failure;

/// A command with its arguments.
#[derive(Subcommand)]
pub enum AnyCommand {
    Study(study::StudyCommand),
    New(new::NewCommand),
    Check(check::CheckCommand),
    Variants(variants::VariantsCommand),
    Count(count::CountCommand),
    Verify(verify::VerifyCommand),
    Show(show::ShowCommand),
    Index(index::IndexCommand),
    List(list::ListCommand),
    Random(random::RandomCommand),
    Draw(draw::DrawCommand),
    Perft(perft::PerftCommand),
    Legal(legal::LegalCommand),
    Moves(moves::MovesCommand),
    Schema(schema::SchemaCommand),
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
    Value(value::ValueCommand),
    Pieces(pieces::PiecesCommand),
    Armies(armies::ArmiesCommand),
    Values(values::ValuesCommand),
    Setups(setups::SetupsCommand),
    Atlas(Box<atlas::AtlasCommand>),
    Report(report::ReportCommand),
    Explore(explore::ExploreCommand),
    Serve(serve::ServeCommand),
    Simulate(simulate::SimulateCommand),
    Tune(tune::TuneCommand),
    Train(train::TrainCommand),
    Uci(uci::UciCommand),
    Bench(bench::BenchCommand),
    Completions(completions::CompletionsCommand),
    Man(man::ManCommand),
}

impl AnyCommand {
    /// Runs it. `cli` describes the whole command line, from which help is made.
    pub fn run(self, cli: Command) -> Result<(), Failure> {
        match self {
            Self::Study(command) => command.run(),
            Self::New(command) => command.run(),
            Self::Check(command) => command.run(),
            Self::Variants(command) => command.run(),
            Self::Count(command) => command.run(),
            Self::Verify(command) => command.run(),
            Self::Show(command) => command.run(),
            Self::Index(command) => command.run(),
            Self::List(command) => command.run(),
            Self::Random(command) => command.run(),
            Self::Draw(command) => command.run(),
            Self::Perft(command) => command.run(),
            Self::Legal(command) => command.run(),
            Self::Moves(command) => command.run(),
            Self::Schema(command) => command.run(),
            Self::Replay(command) => command.run(),
            Self::Search(command) => command.run(),
            Self::Endgame(command) => command.run(),
            Self::Play(command) => command.run(),
            Self::Merge(command) => command.run(),
            Self::Cluster(command) => command.run(),
            Self::Work(command) => command.run(),
            Self::Status(command) => command.run(),
            Self::Gather(command) => command.run(),
            Self::Export(command) => command.run(),
            Self::Import(command) => command.run(),
            Self::Value(command) => command.run(),
            Self::Pieces(command) => command.run(),
            Self::Armies(command) => command.run(),
            Self::Values(command) => command.run(),
            Self::Setups(command) => command.run(),
            Self::Atlas(command) => command.run(),
            Self::Report(command) => command.run(),
            Self::Explore(command) => command.run(),
            Self::Serve(command) => command.run(),
            Self::Simulate(command) => command.run(),
            Self::Tune(command) => command.run(),
            Self::Train(command) => command.run(),
            Self::Uci(command) => command.run(),
            Self::Bench(command) => command.run(),
            Self::Completions(command) => command.run(),
            Self::Man(command) => command.run(cli),
        }
    }
}
