use std::io::Write;

use clap::Args;

use crate::terminal::failure::Failure;
use crate::terminal::output::Output;

/// The JSON schema of variant files.
pub const SCHEMA: &str = include_str!("../../data/variant.schema.json");

/// Print the JSON schema of variant files, by which an editor completes and checks them
///
/// Write it beside your file, and begin the file with the comment `#:schema ./variant.schema.json`. taplo and the extension Even
/// Better TOML of VS Code read that.
#[derive(Args)]
#[command(after_help = examples!(
    "backrank schema > variant.schema.json",
))]
pub struct SchemaCommand {}

impl SchemaCommand {
    pub fn run(self) -> Result<(), Failure> {
        let mut out = Output::data();
        out.write_all(SCHEMA.as_bytes())?;
        out.finish()
    }
}
