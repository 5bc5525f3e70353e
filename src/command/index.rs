use std::io::Write;

use backrank_enumerate::Space;
use backrank_rules::{Setup, Variant};
use clap::Args;
use serde::Serialize;

use crate::args::lookup::{Ids, IdsJson, find_setup, id_text, is_id, side_ids, write_lines};
use crate::args::{NumberingArg, SpaceArgs};
use crate::terminal::failure::Failure;
use crate::terminal::output::{Output, print_json};

/// Print the ids of a setup in every numbering
///
/// With --numbering and a rank or a FEN, it prints only the id in that numbering.
#[derive(Args)]
#[command(after_help = examples!(
    "backrank index pmrc RNBMKQBNR",
    "backrank index pmrc 6944",
    "backrank index double960 RNBQKBNR/BBQNNRKR",
    "backrank index chess960 RNBQKBNR --numbering lex",
    "backrank index chess960 rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR",
))]
pub struct IndexCommand {
    #[command(flatten)]
    space: SpaceArgs,

    /// White's first rank from the a-file (WHITE/BLACK where sides are independent), the FEN of a starting position, an
    /// id, or the ids of both ranks such as 518/518
    #[arg(value_name = "SETUP")]
    setup: String,

    #[command(flatten)]
    numbering: NumberingArg,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// A setup and its ids.
#[derive(Serialize)]
struct IndexedSetup {
    variant: String,
    white: String,
    black: String,
    #[serde(flatten)]
    ids: IdsJson,
}

impl IndexCommand {
    pub fn run(self) -> Result<(), Failure> {
        let (variant, space) = self.space.load()?;
        let numbering = self.numbering.of(&space)?;
        let setup = find_setup(&variant, &space, &self.numbering, Some(&self.setup))?;
        if self.json {
            return print_json(&IndexedSetup::new(variant, &space, &setup)?);
        }
        let mut out = Output::stdout();
        if self.numbering.is_given() && !is_id(&self.setup) && side_ids(&self.setup).is_none() {
            writeln!(out, "{}", id_text(&space, numbering, &setup)?)?;
        } else {
            let ranks = [("white", setup.white.to_string()), ("black", setup.black.to_string())];
            write_lines(&mut out, ranks.into_iter().chain(Ids::of(&space, &setup)?.lines()))?;
        }
        out.finish()
    }
}

impl IndexedSetup {
    fn new(variant: Variant, space: &Space, setup: &Setup) -> Result<Self, Failure> {
        Ok(Self {
            variant: variant.key,
            white: setup.white.to_string(),
            black: setup.black.to_string(),
            ids: Ids::of(space, setup)?.json(),
        })
    }
}
