use std::io::Write;

use clap::Args;

use crate::args::{NumberingArg, SpaceArgs};
use crate::failure::Failure;
use crate::output::Output;

/// The id of a setup, from its rank
#[derive(Args)]
#[command(after_help = examples!(
    "backrank index pmrc RNBMKQBNR",
    "backrank index chess960 RNBQKBNR --numbering lex",
))]
pub struct Index {
    #[command(flatten)]
    space: SpaceArgs,

    /// White's first rank from the a-file, such as RNBQKBNR; WHITE/BLACK where sides are independent
    #[arg(value_name = "RANK")]
    setup: String,

    #[command(flatten)]
    numbering: NumberingArg,
}

impl Index {
    pub fn run(self) -> Result<(), Failure> {
        let (_, space) = self.space.load()?;
        let numbering = self.numbering.of(&space)?;
        let setup = space.read(&self.setup)?;
        let mut out = Output::stdout();
        writeln!(out, "{}", space.rank_by(numbering, &setup)?)?;
        out.finish()
    }
}
