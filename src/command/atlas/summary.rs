//! The summary of an atlas on the terminal.

use std::io::Write;
use std::path::Path;

use backrank_analysis::atlas::{
    Agreement, AtlasStatistics, LineAdjustments, MeasureFeatures, judged_table, measure_feature_table,
    measure_table,
};
use backrank_analysis::table::thousands;
use backrank_selfplay::atlas::{AtlasDirectory, AtlasRow, AtlasRun};
use backrank_selfplay::store::StoreError;
use serde::{Serialize, Serializer};

use crate::terminal::failure::Failure;
use crate::terminal::output::{Output, print_json, serialize_number};
use crate::terminal::table::print_table;

/// The summary as JSON.
#[derive(Serialize)]
struct AtlasSummary<'a> {
    variant: &'a str,
    nodes: u64,
    #[serde(flatten)]
    statistics: &'a AtlasStatistics,
    extremes: Vec<ExtremeSetups<'a>>,
}

/// The setups at one end of a measure.
#[derive(Serialize)]
struct ExtremeSetups<'a> {
    what: &'static str,
    #[serde(serialize_with = "serialize_setups")]
    setups: Vec<&'a AtlasRow>,
}

/// What is printed about a setup.
#[derive(Serialize)]
struct JudgedSetup<'a> {
    #[serde(serialize_with = "serialize_number")]
    setup: u128,
    white_rank: &'a str,
    black_rank: &'a str,
    score_cp: i32,
    expected_score: f64,
    complexity: f64,
    asymmetry: f64,
    best_move: &'a str,
}

impl<'a> JudgedSetup<'a> {
    fn new(row: &'a AtlasRow) -> Self {
        Self {
            setup: row.setup,
            white_rank: &row.white_rank,
            black_rank: &row.black_rank,
            score_cp: row.score_cp,
            expected_score: row.expected_score,
            complexity: row.complexity,
            asymmetry: row.asymmetry,
            best_move: &row.best_move,
        }
    }
}

fn serialize_setups<S: Serializer>(setups: &[&AtlasRow], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(setups.iter().map(|row| JudgedSetup::new(row)))
}

/// A list of setups: its title, and the number by which it is sorted in descending order.
type ByWhat = (&'static str, fn(&AtlasRow) -> f64);

const LISTS: [ByWhat; 7] = [
    ("most complex", |row| row.complexity),
    ("least complex", |row| -row.complexity),
    ("fairest: White's expected score nearest to one half", |row| -(row.expected_score - 0.5).abs()),
    ("best for White", |row| row.score_cp.into()),
    ("worst for White", |row| -f64::from(row.score_cp)),
    ("more complex for Black", |row| row.asymmetry),
    ("more complex for White", |row| -row.asymmetry),
];

/// The setups of a list. Ties are broken by the lower id.
fn extremes(rows: &[AtlasRow], top: usize) -> Vec<ExtremeSetups<'_>> {
    LISTS
        .into_iter()
        .map(|(what, of)| {
            let mut sorted: Vec<&AtlasRow> = rows.iter().collect();
            sorted.sort_by(|one, other| of(other).total_cmp(&of(one)));
            ExtremeSetups { what, setups: sorted.into_iter().take(top).collect() }
        })
        .collect()
}

/// Prints the summary of a complete atlas.
pub fn print(path: &Path, run: &AtlasRun, top: usize, json: bool) -> Result<(), Failure> {
    let atlas = run.atlas();
    let rows: Vec<AtlasRow> = AtlasDirectory::read_rows(path, atlas)?.collect::<Result<_, StoreError>>()?;
    let variant = run.rules().variant();
    let statistics = AtlasStatistics::of(variant, &rows);
    let extremes = extremes(&rows, top);
    if json {
        return print_json(&AtlasSummary {
            variant: &variant.key,
            nodes: atlas.nodes,
            statistics: &statistics,
            extremes,
        });
    }
    let mut out = Output::stdout();
    let setups = thousands(statistics.setups);
    writeln!(
        out,
        "{}: {setups} setups, each searched with {} nodes\n",
        variant.name,
        thousands(atlas.nodes)
    )?;
    print_table(&mut out, measure_table().for_people(&statistics.measures))?;
    if let Some(r) = statistics.complexity_and_score {
        writeln!(out, "\ncomplexity and score are correlated by {:.2}, {:.2} at 95 %", r.value, r.interval)?;
    }
    print_noise(&mut out, &statistics)?;
    if let Some(adjustments) = &statistics.adjustments {
        print_adjustments(&mut out, adjustments)?;
    }
    for list in &extremes {
        print_list(&mut out, list)?;
    }
    for found in &statistics.features {
        print_features(&mut out, found)?;
    }
    out.finish()
}

fn print_noise(out: &mut Output, found: &AtlasStatistics) -> Result<(), Failure> {
    let correlated = |agreement: &Agreement| {
        agreement.correlation.map_or(String::new(), |r| format!(", r = {:.2} ({:.2})", r.value, r.interval))
    };
    if let Some(pairs) = &found.reflection {
        let bits = found.reflection_complexity.as_ref().map_or(0.0, |complexity| complexity.noise);
        writeln!(
            out,
            "noise: the scores of {} setups and their reflections, which are the same game, differ as if each had an error of \
             {:.1} centipawns{}; complexities of {bits:.1} bits",
            thousands(pairs.pairs),
            pairs.noise,
            correlated(pairs)
        )?;
    }
    if let Some(quarter) = &found.quarter {
        writeln!(
            out,
            "from a quarter of the nodes to all, scores change by {:+.1} centipawns and as if each had an error of {:.1}{}",
            quarter.change,
            quarter.noise,
            correlated(quarter)
        )?;
    }
    Ok(())
}

fn print_adjustments(out: &mut Output, found: &LineAdjustments) -> Result<(), Failure> {
    let LineAdjustments { could, did, plies, partners, gain } = found;
    writeln!(
        out,
        "\nBishop Adjustment: in the line of best play of {} of the {} setups that allow it",
        thousands(*did),
        thousands(*could)
    )?;
    let list = |counts: Vec<String>| counts.join(", ");
    if *did > 0 {
        let plies = plies.iter().map(|(ply, number)| format!("{ply} ({number})"));
        let partners = partners.iter().map(|(partner, number)| format!("{partner} ({number})"));
        writeln!(out, "  at plies {}, with {}", list(plies.collect()), list(partners.collect()))?;
    }
    if let Some(gain) = gain {
        writeln!(
            out,
            "  the rule adds {:+.1} centipawns to White's score, {:.1} at 95 %",
            gain.value, gain.interval
        )?;
    }
    Ok(())
}

fn print_list(out: &mut Output, list: &ExtremeSetups<'_>) -> Result<(), Failure> {
    if list.setups.is_empty() {
        return Ok(());
    }
    writeln!(out, "\n{}\n", list.what)?;
    Ok(print_table(out, judged_table().for_people(list.setups.iter().copied()))?)
}

fn print_features(out: &mut Output, found: &MeasureFeatures) -> Result<(), Failure> {
    let title =
        format!("\nfeatures associated with {}: effects of one unit more, 95 % intervals", found.measure);
    let tested = found.features.effects.iter().filter(|effect| effect.effect.is_some()).count();
    match &found.features.nothing {
        Some(why) => return Ok(writeln!(out, "{title}\nno effects: {why}")?),
        None => writeln!(out, "{title}; FDR for {tested} features\n")?,
    }
    Ok(print_table(out, measure_feature_table().for_people(&found.features.effects))?)
}
