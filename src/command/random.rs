use std::io::Write;

use backrank_enumerate::Sides;
use backrank_rules::{Diagram, StartFen};
use clap::Args;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::args::{NumberingArg, SpaceArgs};
use crate::terminal::failure::Failure;
use crate::terminal::notes::note;
use crate::terminal::output::Output;
use crate::terminal::rows::{Format, Rows};

/// Draw setups at random with equal probabilities
#[derive(Args)]
#[command(after_help = examples!(
    "backrank random pmrc -n 5 --seed 7",
    "backrank random chess960 --format fen",
    "backrank random pmrc --show",
))]
pub struct RandomCommand {
    #[command(flatten)]
    space: SpaceArgs,

    #[command(flatten)]
    numbering: NumberingArg,

    /// The number of setups to draw; a setup can be drawn more than once
    #[arg(short = 'n', long, default_value_t = 1)]
    number: u64,

    /// The seed; the same seed draws the same setups on every machine [default: a new seed each time, which is printed
    /// on stderr]
    #[arg(long)]
    seed: Option<u64>,

    /// How to write a setup
    #[arg(long, value_enum, default_value_t = Format::Csv)]
    format: Format,

    /// Draw a board for each setup
    #[arg(long, conflicts_with = "format")]
    show: bool,
}

impl RandomCommand {
    pub fn run(self) -> Result<(), Failure> {
        let (variant, space) = self.space.load()?;
        let numbering = self.numbering.of(&space)?;
        if space.is_empty() {
            return Err(Failure::Input(format!(
                "there is no setup to draw: no setup of {} meets all constraints",
                variant.key
            )));
        }
        let seed = self.seed.unwrap_or_else(|| {
            let seed = rand::rng().next_u64();
            note(format_args!("seed {seed}"));
            seed
        });
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let rows = Rows {
            format: self.format,
            fen: StartFen::new(&variant),
            both_ranks: matches!(space.sides(), Sides::Independent | Sides::Listed(_)),
        };
        let mut out = Output::stdout();
        if !self.show {
            out.write_all(rows.heading())?;
        }
        let mut text = Vec::new();
        for number in 0..self.number {
            let (id, setup) = space.random_by(numbering, &mut rng).expect("a space that is not empty");
            if self.show {
                let between = if number > 0 { "\n" } else { "" };
                let board = Diagram::of_setup(&variant, &setup);
                write!(out, "{between}{}, {id} in {}\n\n{board}", variant.name, numbering.name())?;
            } else {
                text.clear();
                rows.push(&mut text, id, &setup);
                out.write_all(&text)?;
            }
        }
        out.finish()
    }
}
