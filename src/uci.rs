use std::io;

use backrank_enumerate::Space;
use backrank_rules::{Setup, Variant};
use backrank_selfplay::uci;
use clap::Args;

use crate::failure::Failure;

/// The engine for any program that speaks UCI: reads commands, and plays
///
/// Besides the usual options there are UCI_Variant, VariantFile (a path to a variant file of your own) and
/// BishopAdjustment.
#[derive(Args)]
pub struct Uci {}

impl Uci {
    pub fn run(self) -> Result<(), Failure> {
        Ok(uci::serve(io::stdin(), &mut io::stdout(), usual_setup)?)
    }
}

/// The setup a game starts from when none is said: the army as the variant's file has it, where that is a setup; or
/// else the first there is.
fn usual_setup(variant: &Variant) -> Result<Setup, String> {
    let space = Space::new(variant).map_err(|error| error.to_string())?;
    let army = variant.army;
    // Where setups are listed the first comes before all others.
    let listed = space.unrank(0).filter(|setup| setup.white == army);
    let facing = [army, army.reversed()].map(|black| Setup { white: army, black });
    let arranged = facing.into_iter().find(|setup| space.rank(setup).is_ok());
    listed
        .or(arranged)
        .or_else(|| space.unrank_by(&space.numberings()[0], 0))
        .ok_or_else(|| format!("{} has no setups", variant.key))
}
