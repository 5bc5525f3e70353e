//! `values --without`: what pieces are worth beside other pieces.

use std::io::Write;
use std::path::PathBuf;

use backrank_analysis::games::Sampling;
use backrank_analysis::values::{Imbalances, Interaction, Interactions, ValuesBeside, beside_table};
use backrank_experiment::studies::find_studies;
use backrank_rules::Letter;
use backrank_selfplay::study::Odds;

use super::UnitArg;
use crate::args::studies;
use crate::terminal::failure::Failure;
use crate::terminal::output::{Output, print_json};
use crate::terminal::table::print_table;

/// Some pieces of a side.
#[derive(Clone, Debug)]
pub struct Side(Vec<Letter>);

pub fn read_side(text: &str) -> Result<Side, String> {
    let letters = Odds::side_letters(text).filter(|letters| !letters.is_empty());
    letters.map(Side).ok_or_else(|| "pieces are written as 4P or N+4P, with capital letters".to_string())
}

/// Prints what pieces are worth where nothing else is missing, and where both sides lack some.
pub fn print(parts: &[PathBuf], unit: &UnitArg, lacking: &Side, is_json: bool) -> Result<(), Failure> {
    let studies = studies::open(&find_studies(parts))?;
    let variant = studies.rules.variant();
    let unit = unit.of(variant)?;
    let refused =
        |problem: String| Failure::Input(format!("--without {}: {problem}", Odds::side_text(&lacking.0)));
    let odds: Odds = format!("{}:-", Odds::side_text(&lacking.0)).parse().map_err(refused)?;
    odds.check(variant).map_err(refused)?;
    let mut games = Imbalances::new(&studies.material);
    studies::read(&studies, Sampling::default(), |game| games.add(&game))?;
    let found = games.values_beside(unit, &lacking.0).map_err(refused)?;
    if is_json {
        return print_json(&found);
    }
    let mut out = Output::stdout();
    say(&mut out, &found)?;
    out.finish()
}

fn say(out: &mut Output, found: &ValuesBeside) -> Result<(), Failure> {
    let ValuesBeside { unit, lacking, imbalances, interactions, pieces, found, error } = found;
    let how = match interactions {
        Interactions::None => {
            "that values differ beside others cannot be told from chance: they are those of `backrank values` without --without"
        }
        Interactions::Own => "pieces are worth more or less beside others of their own side",
        Interactions::OwnAndOpposing => {
            "pieces are worth more or less beside others of their own side, and against those of the other"
        }
    };
    out.say(format_args!("{imbalances} imbalances; {how}"))?;
    if let Some(error) = error {
        out.say(format_args!(
            "what half of the imbalances say of the others is off by {:.1} Elo, by a sum of values alone {:.1}; chance is {:.1} of it",
            error.with_interactions, error.additive, error.chance
        ))?;
    }
    if pieces.is_empty() {
        return Ok(());
    }
    writeln!(out)?;
    print_table(out, beside_table(*unit, lacking).for_people(pieces))?;
    if !found.is_empty() {
        writeln!(out)?;
    }
    for Interaction { piece, other, is_opposing, elo } in found {
        let beside = if *is_opposing { "against" } else { "beside" };
        out.say(format_args!("{piece} {beside} each {other}: {:+.1} Elo ({:+.1})", elo.value, elo.interval))?;
    }
    Ok(())
}
