use std::io::Write;

use backrank_analysis::table::thousands;
use backrank_enumerate::{Numbering, Space};
use backrank_rules::{Diagram, Setup, Variant};
use clap::Args;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde_json::Value;

use crate::args::{NumberingArg, SpaceArgs};
use crate::terminal::failure::Failure;
use crate::terminal::notes::note;
use crate::terminal::output::{Output, json_number};
use crate::terminal::rows::{Format, Rows};

/// Draw setups at random with equal probabilities
#[derive(Args)]
#[command(after_help = examples!(
    "backrank random pmrc -n 5 --seed 7",
    "backrank random chess960 --format fen",
    "backrank random pmrc --show",
    "backrank random chess960 -n 20 --distinct --json",
))]
pub struct RandomCommand {
    #[command(flatten)]
    space: SpaceArgs,

    #[command(flatten)]
    numbering: NumberingArg,

    /// The number of setups to draw; a setup can be drawn more than once
    #[arg(short = 'n', long, default_value_t = 1)]
    number: u64,

    /// Draw no setup more than once: one that was drawn before is drawn again
    #[arg(long)]
    distinct: bool,

    /// The seed; the same seed draws the same setups on every machine [default: a new seed each time, which is printed
    /// on stderr]
    #[arg(long)]
    seed: Option<u64>,

    #[command(flatten)]
    shown: ShownArgs,
}

/// How setups are shown that were drawn.
#[derive(Args)]
pub struct ShownArgs {
    /// How to write a setup
    #[arg(long, value_enum, default_value_t = Format::Csv)]
    pub format: Format,

    /// Write one object in JSON: how the setups were drawn, and the setups
    #[arg(long, conflicts_with = "format")]
    pub json: bool,

    /// Draw a board for each setup
    #[arg(long, conflicts_with_all = ["format", "json"])]
    pub show: bool,
}

impl RandomCommand {
    pub fn run(self) -> Result<(), Failure> {
        let (variant, space) = self.space.load()?;
        let numbering = self.numbering.of(&space)?;
        check_number(&variant, &space, self.number, self.distinct)?;
        let seed = self.seed.unwrap_or_else(|| {
            let seed = rand::rng().next_u64();
            note(format_args!("seed {seed}"));
            seed
        });
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        // As a number where every reader of JSON keeps it.
        let common = [
            ("variant", variant.key.as_str().into()),
            ("numbering", numbering.name().into()),
            ("seed", json_number(seed.into())),
        ];
        let drawn: Box<dyn Iterator<Item = (u128, Setup)>> = match self.distinct {
            true => Box::new(space.distinct_by(numbering, &mut rng)),
            false => Box::new(std::iter::from_fn(|| space.random_by(numbering, &mut rng))),
        };
        let number = usize::try_from(self.number).unwrap_or(usize::MAX);
        self.shown.write(&variant, &space, numbering, &common, drawn.take(number))
    }
}

/// Rejects a number of setups that cannot be drawn.
pub fn check_number(variant: &Variant, space: &Space, number: u64, distinct: bool) -> Result<(), Failure> {
    if space.is_empty() {
        return Err(Failure::Input(format!(
            "there is no setup to draw: no setup of {} meets all constraints",
            variant.key
        )));
    }
    if !distinct {
        return Ok(());
    }
    if u128::from(number) > space.len() {
        return Err(Failure::Input(format!(
            "{} distinct setups cannot be drawn: there are {}",
            thousands(number),
            thousands(space.len())
        )));
    }
    if number > MOST_DISTINCT {
        return Err(Failure::Input(format!(
            "{} are more distinct setups than are drawn at once, which is {}; `backrank list` lists all of a game",
            thousands(number),
            thousands(MOST_DISTINCT)
        )));
    }
    Ok(())
}

/// The largest number of distinct setups that are drawn at once: all of them are kept in memory, and the last of a space are long in
/// coming.
const MOST_DISTINCT: u64 = 1_000_000;

impl ShownArgs {
    /// Writes setups, with what they have in common if that has a place.
    pub fn write(
        &self,
        variant: &Variant,
        space: &Space,
        numbering: &Numbering,
        common: &[(&str, Value)],
        setups: impl Iterator<Item = (u128, Setup)>,
    ) -> Result<(), Failure> {
        let rows = Rows::new(self.format, self.json, variant, space);
        if self.show {
            let mut out = Output::stdout();
            for (at, (id, setup)) in setups.enumerate() {
                let between = if at > 0 { "\n" } else { "" };
                let board = Diagram::of_setup(variant, &setup);
                write!(out, "{between}{}, {id} in {}\n\n{board}", variant.name, numbering.name())?;
            }
            return out.finish();
        }
        let mut out = Output::data();
        out.write_all(rows.heading(common).as_bytes())?;
        let mut text = Vec::new();
        for (at, (id, setup)) in setups.enumerate() {
            text.clear();
            match at {
                0 => rows.push_first(&mut text, id, &setup),
                _ => rows.push(&mut text, id, &setup),
            }
            out.write_all(&text)?;
        }
        out.write_all(rows.ending().as_bytes())?;
        out.finish()
    }
}
