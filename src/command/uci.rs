use std::io;

use backrank_engine::uci;
use backrank_enumerate::{Numbering, Sides, Space};
use backrank_rules::{Setup, Variant};
use clap::Args;

use crate::terminal::failure::Failure;

/// Run the engine for a program that speaks UCI
///
/// Besides the usual options there are UCI_Variant, VariantFile (the path of your own variant file), BishopAdjustment,
/// WeightsFile (the path of a file of evaluation weights, such as engine/weights.toml), NetFile (the path of a neural
/// network as `backrank train` makes it; `own`, `general`, which is for every game, or `none`) and EndgameTables (whether to play endgames by tables, which are built at
/// `isready`).
#[derive(Args)]
#[command(after_help = examples!("backrank uci"))]
pub struct UciCommand {}

impl UciCommand {
    pub fn run(self) -> Result<(), Failure> {
        Ok(uci::serve(io::stdin(), &mut io::stdout(), usual_setup)?)
    }
}

/// The default setup of a game: the first one if the variant lists its setups; else the army in the order of the
/// variant's file, if that is a setup; else the first in `lex`.
fn usual_setup(variant: &Variant) -> Result<Setup, String> {
    let space = Space::new(variant).map_err(|error| error.to_string())?;
    let [army, black] = variant.armies;
    let usual = match space.sides() {
        Sides::Listed(setups) => setups.first().map(|(_, setup)| *setup),
        _ => [black, black.reversed()]
            .map(|black| Setup { white: army, black })
            .into_iter()
            .find(|setup| space.rank(setup).is_ok()),
    };
    usual
        .or_else(|| space.unrank_by(&Numbering::Lex, 0))
        .ok_or_else(|| format!("{} has no setups", variant.key))
}
