use std::io::Write;

use backrank_analysis::table::thousands;
use backrank_rules::catalogue;
use clap::Args;
use serde::Serialize;

use crate::args::{Narrowing, checks};
use crate::terminal::failure::Failure;
use crate::terminal::notes::note;
use crate::terminal::output::{Output, print_json, serialize_number};
use crate::terminal::table::{TableColumn, print};

/// Count the setups of a game: prints just the number, or a table for several games
#[derive(Args)]
#[command(after_help = examples!(
    "backrank count pmrc",
    "backrank count --all",
    "backrank count chess960 --where not_adjacent=B,B",
))]
pub struct CountCommand {
    /// Keys that `backrank variants` lists, or paths to variant files
    #[arg(value_name = "VARIANT", required_unless_present = "all")]
    variants: Vec<String>,

    /// Count every game of the catalogue
    #[arg(long, conflicts_with = "variants")]
    all: bool,

    #[command(flatten)]
    narrowing: Narrowing,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct VariantCount {
    key: String,
    #[serde(serialize_with = "serialize_number")]
    setups: u128,
}

impl CountCommand {
    pub fn run(self) -> Result<(), Failure> {
        let names = if self.all { catalogue().map(|variant| variant.key).collect() } else { self.variants };
        let counted = names
            .iter()
            .map(|name| {
                let (variant, space) = self.narrowing.load(name)?;
                match space.in_check() {
                    Ok(None) => {}
                    Ok(Some(found)) => {
                        note(format_args!(
                            "note: {}; --where no_check leaves them out",
                            checks(&variant.key, &space, &found)
                        ));
                    }
                    Err(error) => {
                        note(format_args!(
                            "note: how many setups have a king in check is not known: {error}"
                        ));
                    }
                }
                Ok(VariantCount { key: variant.key, setups: space.len() })
            })
            .collect::<Result<Vec<_>, Failure>>()?;
        if self.json {
            return print_json(&counted);
        }
        let mut out = Output::stdout();
        match &counted[..] {
            [one] => writeln!(out, "{}", one.setups)?,
            _ => {
                let columns = [TableColumn::Text("key"), TableColumn::Number("setups")];
                let rows = counted.into_iter().map(|counted| vec![counted.key, thousands(counted.setups)]);
                print(&mut out, &columns, rows)?;
            }
        }
        out.finish()
    }
}
