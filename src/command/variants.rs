use backrank_analysis::table::thousands;
use backrank_enumerate::Space;
use backrank_rules::catalogue;
use clap::Args;
use serde::Serialize;

use crate::command::verify::say_pages;
use crate::terminal::failure::Failure;
use crate::terminal::output::{Output, print_json, serialize_number};
use crate::terminal::table::{TableColumn, print};

/// List the catalogue of games that come with the toolkit
#[derive(Args)]
#[command(after_help = examples!(
    "backrank variants",
    "backrank variants --json",
))]
pub struct VariantsCommand {
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct CatalogueEntry {
    key: String,
    name: String,
    files: usize,
    ranks: usize,
    #[serde(serialize_with = "serialize_number")]
    setups: u128,
    symmetry: &'static str,
    playable: bool,
    source: String,
}

impl VariantsCommand {
    pub fn run(self) -> Result<(), Failure> {
        let entries = catalogue()
            .map(|variant| {
                let space = Space::new(&variant)?;
                Ok(CatalogueEntry {
                    setups: space.len(),
                    symmetry: space.sides().name(),
                    files: variant.board.files(),
                    ranks: variant.board.ranks(),
                    playable: !variant.count_only,
                    key: variant.key,
                    name: variant.name,
                    source: variant.source,
                })
            })
            .collect::<Result<Vec<_>, Failure>>()?;
        if self.json {
            return print_json(&entries);
        }
        use TableColumn::{Number, Text};
        let columns =
            [Text("key"), Text("game"), Text("board"), Number("setups"), Text("symmetry"), Text("source")];
        let sources: Vec<String> = entries.iter().map(|entry| entry.source.clone()).collect();
        let rows = entries.into_iter().map(|entry| {
            vec![
                entry.key,
                entry.name,
                format!("{}×{}", entry.files, entry.ranks),
                thousands(entry.setups),
                entry.symmetry.to_string(),
                entry.source,
            ]
        });
        let mut out = Output::stdout();
        print(&mut out, &columns, rows)?;
        say_pages(&mut out, sources.iter().map(String::as_str))?;
        out.finish()
    }
}
