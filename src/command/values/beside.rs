//! `values --without`: what pieces are worth beside other pieces.

use std::io::Write;
use std::path::PathBuf;

use backrank_analysis::games::Sampling;
use backrank_analysis::values::{HeldOutError, Imbalances, Interaction, ValuesBeside, beside_table};
use backrank_experiment::studies::find_studies;

use super::UnitArg;
use crate::args::studies;
use crate::args::without::Without;
use crate::terminal::failure::Failure;
use crate::terminal::output::{Output, print_json};
use crate::terminal::table::print_table;

/// Prints what pieces are worth where nothing else is missing, and where both sides lack some.
pub fn print(parts: &[PathBuf], unit: &UnitArg, lacking: &Without, is_json: bool) -> Result<(), Failure> {
    let studies = studies::open(&find_studies(parts))?;
    let variant = studies.rules.variant();
    let unit = unit.of(variant)?;
    lacking.check(variant)?;
    let mut games = Imbalances::new(&studies.material);
    studies::read(&studies, Sampling::default(), |game| games.add(&game))?;
    let found = games.values_beside(unit, lacking.letters()).map_err(|problem| lacking.refused(&problem))?;
    if is_json {
        return print_json(&found);
    }
    let mut out = Output::stdout();
    say(&mut out, &found)?;
    out.finish()
}

fn say(out: &mut Output, found: &ValuesBeside) -> Result<(), Failure> {
    let ValuesBeside { unit, lacking, imbalances, pieces, found: interactions, error, .. } = found;
    let how = found.interactions.in_words(found.times_as_probable).unwrap_or_else(|| {
        "that pieces are worth more or less beside others is no more probable than that they are not; `backrank values` without --without has \
         the values"
            .to_string()
    });
    out.say(format_args!("{imbalances} imbalances; {how}"))?;
    if let Some(HeldOutError { additive, with_interactions, chance }) = error {
        out.say(format_args!(
            "half of the imbalances predict the others to within {with_interactions:.1} Elo (standard deviation), where sums of values predict \
             them to within {additive:.1}; chance alone makes {chance:.1}"
        ))?;
    }
    if pieces.is_empty() {
        return Ok(());
    }
    writeln!(out)?;
    print_table(out, beside_table(*unit, lacking).for_people(pieces))?;
    if !interactions.is_empty() {
        writeln!(out)?;
    }
    for Interaction { piece, other, is_opposing, elo } in interactions {
        let what = match (is_opposing, piece == other) {
            (false, false) => format!("{piece} and {other} of a side, for each pair of them"),
            (false, true) => format!("each two {piece} of a side"),
            (true, _) => format!(
                "{piece} against each {other} of the other side, and {other} against each {piece} the reverse"
            ),
        };
        out.say(format_args!("{what}: {:+.1} Elo ({:+.1})", elo.value, elo.interval))?;
    }
    Ok(())
}
