//! `values --by`: the values in games from setups of different kinds.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};

use backrank_analysis::games::{Column, Sampling};
use backrank_analysis::setups::SetupColumn;
use backrank_analysis::stats::Estimate;
use backrank_analysis::values::{Imbalances, PairValue, ValueRow, pooled, value_differences};
use backrank_experiment::studies::find_studies;
use serde::Serialize;

use super::UnitArg;
use super::tables::print_stages;
use crate::args::studies;
use crate::terminal::failure::Failure;
use crate::terminal::output::{Output, print_json};

/// The values in the games of a part by a column of their setups.
#[derive(Serialize)]
struct PartBySetup {
    part: PathBuf,
    /// The values of each group, in the order of its name.
    groups: Vec<(String, Vec<ValueRow>)>,
    /// Where there are two groups, what each piece is worth more in the first than in the second.
    more: Vec<(Column, Estimate)>,
    /// By whether two pieces start on both colours: what their pair is worth.
    pair: Option<PairValue>,
}

/// Prints the values of each part by a column of the setups, the difference of two groups, and its mean over the parts.
pub fn print(parts: &[PathBuf], unit: &UnitArg, column: &str, is_json: bool) -> Result<(), Failure> {
    let found = parts.iter().map(|part| measure(part, unit, column)).collect::<Result<Vec<_>, _>>()?;
    if is_json {
        return print_json(&found);
    }
    let mut out = Output::stdout();
    for PartBySetup { part, groups, more, pair } in &found {
        writeln!(out, "{}, by {column}\n", part.display())?;
        if let Some(unit) = groups.iter().flat_map(|(_, rows)| rows).map(|row| row.unit).next() {
            print_stages(&mut out, unit, groups)?;
        }
        say_more(&mut out, groups, more)?;
        if let Some(pair) = pair {
            say_pair(&mut out, pair)?;
        }
        writeln!(out)?;
    }
    if found.len() > 1 {
        let mut pieces: BTreeMap<String, (Column, Vec<Estimate>)> = BTreeMap::new();
        for (piece, more) in found.iter().flat_map(|part| &part.more) {
            pieces.entry(piece.to_string()).or_insert((*piece, Vec::new())).1.push(*more);
        }
        let mean = |(piece, all): &(Column, Vec<Estimate>)| Some((*piece, pooled(all)?));
        let mean: Vec<(Column, Estimate)> = pieces.values().filter_map(mean).collect();
        writeln!(out, "all {} parts, each by its precision", found.len())?;
        let groups = found.iter().map(|part| &part.groups).find(|groups| groups.len() == 2);
        say_more(&mut out, groups.map_or(&[][..], Vec::as_slice), &mean)?;
        let pairs: Vec<PairValue> = found.iter().filter_map(|part| part.pair).collect();
        if let Some(mean) = pooled_pair(&pairs) {
            say_pair(&mut out, &mean)?;
        }
    }
    out.finish()
}

fn measure(part: &Path, unit: &UnitArg, column: &str) -> Result<PartBySetup, Failure> {
    let studies = studies::open(&find_studies(&[part.to_path_buf()]))?;
    let variant = studies.rules.variant();
    let unit = unit.of(variant)?;
    let of_setup = SetupColumn::find(variant, column)
        .map_err(|problem| Failure::Input(format!("--by {column}: {problem}")))?;
    let mut groups: BTreeMap<String, Imbalances> = BTreeMap::new();
    // A pair is of both sides or of neither only where they are set up alike.
    let mut are_alike = true;
    studies::read(&studies, Sampling::default(), |game| {
        are_alike &= of_setup.of(&game.white_rank) == of_setup.of(&game.black_rank);
        if let Some(group) = of_setup.of(&game.white_rank).filter(|_| !game.odds.is_empty()) {
            groups.entry(group).or_insert_with(|| Imbalances::new(&studies.material)).add(&game);
        }
    })?;
    if groups.is_empty() {
        return Err(Failure::Input(format!(
            "--by needs games at odds from setups, and {} has none",
            part.display()
        )));
    }
    let rows = |games: &Imbalances| games.values(unit).rows().into_iter().map(ValueRow::if_certain).collect();
    let pair = of_setup.pair().filter(|_| are_alike).and_then(|(letter, on_both)| {
        let groups: Vec<(bool, &Imbalances)> =
            groups.iter().map(|(group, games)| (group == on_both, games)).collect();
        PairValue::of(&groups, letter, unit)
    });
    let groups: Vec<(String, Vec<ValueRow>)> =
        groups.into_iter().map(|(group, games)| (group, rows(&games))).collect();
    let more = match &groups[..] {
        [(_, one), (_, other)] => value_differences(one, other),
        _ => Vec::new(),
    };
    Ok(PartBySetup { part: part.to_path_buf(), groups, more, pair })
}

/// The mean of a pair's values in several parts, each by its precision.
fn pooled_pair(pairs: &[PairValue]) -> Option<PairValue> {
    let first = pairs.first()?;
    let mean = |of: fn(&PairValue) -> Estimate| pooled(&pairs.iter().map(of).collect::<Vec<_>>());
    Some(PairValue {
        pair: first.pair,
        value: mean(|pair| pair.value)?,
        elo: mean(|pair| pair.elo)?,
        single: mean(|pair| pair.single)?,
    })
}

fn say_pair(out: &mut Output, PairValue { pair, value, elo, single }: &PairValue) -> Result<(), Failure> {
    Ok(out.say(format_args!(
        "\nthe pair {pair} beyond its pieces: {:+.2} ({:+.2}), {:+.0} Elo ({:+.0}); without it each of them is worth {:.2} ({:.2})",
        value.value, value.interval, elo.value, elo.interval, single.value, single.interval
    ))?)
}

/// Says what pieces are worth more in the first of two groups.
fn say_more(
    out: &mut Output,
    groups: &[(String, Vec<ValueRow>)],
    more: &[(Column, Estimate)],
) -> Result<(), Failure> {
    let [(one, _), (other, _)] = groups else { return Ok(()) };
    if more.is_empty() {
        return Ok(());
    }
    let each: Vec<String> = more
        .iter()
        .map(|(piece, more)| format!("{piece} {:+.2} ({:+.2})", more.value, more.interval))
        .collect();
    Ok(out.say(format_args!("\nmore with {one} than with {other}: {}", each.join(", ")))?)
}
