use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use backrank_engine::Net;
use backrank_engine::learn::network::TrainedNet;
use backrank_rules::Rules;
use backrank_selfplay::study::StudyDirectory;
use backrank_selfplay::training::{TrainError, TrainPhase, TrainSettings, train};
use clap::Args;
use serde::Serialize;

use crate::args::read_part;
use crate::command::tune::{Loss, write_positions};
use crate::terminal::failure::Failure;
use crate::terminal::notes::note;
use crate::terminal::output::{Output, print_json};

/// Train a neural network on the games of studies, for an engine that evaluates positions by it
///
/// A net is for the games with one board and the same pieces. It replaces the weights of the evaluation there, and the net
/// that comes with the engine if there is one: `play --net FILE`, or the UCI option NetFile.
/// It learns from quiet positions what they came to: the game's result and, in studies with --scores, what the search said
/// on the way, the nearer the more. It needs millions of positions, which is tens of thousands of games, and about 20 kB of
/// memory for each game. Every tenth game is held out, and the losses there by the net and by the weights are printed.
#[derive(Args)]
#[command(after_help = examples!(
    "backrank train runs/train -o chess8400.net",
    "backrank train runs/train -o better.net --start chess8400.net --epochs 2",
))]
pub struct TrainCommand {
    /// The directories of the studies
    #[arg(required = true, value_name = "STUDY")]
    studies: Vec<PathBuf>,

    /// The file to write the net to; it appears only when it is complete
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,

    /// What the next position counts for against the search's score of this one, from 0 to 1, as in TD(λ): with 1 the
    /// game's result is all that counts, with 0 the score
    #[arg(long, value_name = "PART", default_value_t = 0.5, value_parser = read_part)]
    lambda: f64,

    /// How often each position is seen
    #[arg(long, default_value_t = 8, value_parser = clap::value_parser!(u16).range(1..=1000))]
    epochs: u16,

    /// The net to begin with [default: a random one, which first learns what the engine's weights say]
    #[arg(long, value_name = "FILE")]
    start: Option<PathBuf>,

    /// Print the losses as JSON
    #[arg(long)]
    json: bool,
}

/// What is printed as JSON.
#[derive(Serialize)]
struct TrainSummary {
    positions: usize,
    test_positions: usize,
    scale: f64,
    test_loss: ByWeightsAndNet,
    test_result_loss: ByWeightsAndNet,
}

/// A loss by the engine's weights and by the net.
#[derive(Clone, Copy, Serialize)]
struct ByWeightsAndNet {
    weights: f64,
    net: f64,
}

impl TrainSummary {
    fn new(trained: &TrainedNet, positions: usize) -> Self {
        let (weights, net) = (trained.by_weights, trained.by_net);
        Self {
            positions,
            test_positions: trained.test_positions,
            scale: trained.scale,
            test_loss: ByWeightsAndNet { weights: weights.mixed, net: net.mixed },
            test_result_loss: ByWeightsAndNet { weights: weights.results, net: net.results },
        }
    }

    fn print(&self) -> Result<(), Failure> {
        let mut out = Output::stdout();
        write_positions(&mut out, [self.positions, self.test_positions], self.scale)?;
        for (name, loss) in [("loss", self.test_loss), ("of results", self.test_result_loss)] {
            writeln!(
                out,
                "{name:<12} {} by the weights, {} by the net, of games left out",
                Loss(loss.weights),
                Loss(loss.net)
            )?;
        }
        out.finish()
    }
}

impl TrainCommand {
    /// The net to begin with, for the game of the first study.
    fn read_start(&self, path: &Path) -> Result<Arc<Net>, Failure> {
        let study = StudyDirectory::read(&self.studies[0])?;
        let net = Net::open(path, &Rules::new(&study.variant()?));
        Ok(Arc::new(net.map_err(|error| Failure::Input(format!("--start {}: {error}", path.display())))?))
    }

    pub fn run(self) -> Result<(), Failure> {
        let start = self.start.as_deref().map(|path| self.read_start(path)).transpose()?;
        let settings = TrainSettings { lambda: self.lambda, epochs: self.epochs.into(), start };
        let trained = train(&self.studies, &settings, |phase, epoch, losses| {
            let learnt = match phase {
                TrainPhase::Weights => "from the weights, ",
                TrainPhase::Games => "",
            };
            note(format_args!(
                "{learnt}epoch {epoch}: loss {}, of games left out {}",
                Loss(losses.fit),
                Loss(losses.test)
            ));
        });
        let (trained, positions) = trained.map_err(|error| match error {
            TrainError::Study(error) => error.into(),
            error => Failure::Input(error.to_string()),
        })?;
        let mut out = Output::replace(&self.output)?;
        out.write_all(&trained.net.to_bytes())?;
        out.finish()?;
        let summary = TrainSummary::new(&trained, positions);
        if self.json { print_json(&summary) } else { summary.print() }
    }
}
