//! The summary of an atlas on the terminal.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;

use backrank_analysis::atlas::{
    AtlasMeasure, AtlasStatistics, Judgements, LineAdjustments, MeasureFeatures, REPEAT, SecondSearch,
    judged_table, measure_feature_table, measure_table, reliability_table,
};
use backrank_analysis::stats::Estimate;
use backrank_analysis::table::thousands;
use backrank_selfplay::atlas::AtlasRun;
use serde::Serialize;

use crate::terminal::failure::Failure;
use crate::terminal::output::{Output, print_json, serialize_number};
use crate::terminal::table::print_table;

/// The summary as JSON.
#[derive(Serialize)]
struct AtlasSummary<'a> {
    variant: &'a str,
    judge: String,
    nodes: u64,
    #[serde(flatten)]
    statistics: &'a AtlasStatistics,
    not_ranked: Vec<NotRanked>,
    extremes: Vec<ExtremesJson<'a>>,
}

/// The setups at one end of a measure, by their indices.
struct ExtremeSetups {
    what: &'static str,
    setups: Vec<usize>,
}

/// The same as JSON.
#[derive(Serialize)]
struct ExtremesJson<'a> {
    what: &'static str,
    setups: Vec<JudgedSetup<'a>>,
}

/// Why a measure has no lists.
#[derive(Serialize)]
struct NotRanked {
    measure: AtlasMeasure,
    why: String,
}

/// What is printed about a setup.
#[derive(Serialize)]
struct JudgedSetup<'a> {
    #[serde(serialize_with = "serialize_number")]
    setup: u128,
    white_rank: &'a str,
    black_rank: &'a str,
    /// Each measure that ranks setups.
    #[serde(flatten)]
    measures: BTreeMap<&'static str, Estimate>,
    best_move: &'a str,
    line_plies: usize,
}

impl<'a> JudgedSetup<'a> {
    fn new(judgements: &'a Judgements, index: usize) -> Self {
        let row = &judgements.rows[index];
        let ranks =
            AtlasMeasure::ALL.into_iter().filter(|measure| judgements.why_no_ranks(*measure).is_none());
        Self {
            setup: row.setup,
            white_rank: &row.white_rank,
            black_rank: &row.black_rank,
            measures: ranks.map(|measure| (measure.column(), judgements.of(index, measure))).collect(),
            best_move: &row.best_move,
            line_plies: row.plies(),
        }
    }
}

/// A list of setups: its title, the measure that it needs, and the number by which it is sorted in descending order.
type ByWhat = (&'static str, AtlasMeasure, fn(f64) -> f64);

const LISTS: [ByWhat; 7] = [
    ("most complex", AtlasMeasure::Complexity, |bits| bits),
    ("least complex", AtlasMeasure::Complexity, |bits| -bits),
    ("fairest: White's expected score nearest to one half", AtlasMeasure::ExpectedScore, |expected| {
        -(expected - 0.5).abs()
    }),
    ("best for White", AtlasMeasure::Score, |score| score),
    ("worst for White", AtlasMeasure::Score, |score| -score),
    ("more complex for Black", AtlasMeasure::Asymmetry, |bits| bits),
    ("more complex for White", AtlasMeasure::Asymmetry, |bits| -bits),
];

/// The setups of the lists, without those for which another search would give other setups. Of two mirror images that are the
/// same game, the first is listed. Ties are broken by the lower id.
fn extremes(judgements: &Judgements, top: usize) -> Vec<ExtremeSetups> {
    let lists = LISTS.into_iter().filter(|(_, measure, _)| judgements.why_no_ranks(*measure).is_none());
    lists
        .map(|(what, measure, of)| {
            let setups = (0..judgements.rows.len()).filter(|&index| !judgements.is_second(index));
            let mut sorted: Vec<(f64, usize)> =
                setups.map(|index| (of(judgements.of(index, measure).value), index)).collect();
            sorted.sort_by(|(one, _), (other, _)| other.total_cmp(one));
            ExtremeSetups { what, setups: sorted.into_iter().take(top).map(|(_, index)| index).collect() }
        })
        .collect()
}

/// Prints the summary of a complete atlas.
pub fn print(path: &Path, run: &AtlasRun, top: usize, json: bool) -> Result<(), Failure> {
    let atlas = run.atlas();
    let judgements = Judgements::read(path, atlas)?;
    let variant = run.rules().variant();
    let statistics = AtlasStatistics::of(variant, &judgements);
    let extremes = extremes(&judgements, top);
    let why = |measure| Some(NotRanked { measure, why: judgements.why_no_ranks(measure)? });
    let not_ranked: Vec<NotRanked> = AtlasMeasure::ALL.into_iter().filter_map(why).collect();
    if json {
        let setups = |list: &ExtremeSetups| {
            list.setups.iter().map(|&index| JudgedSetup::new(&judgements, index)).collect()
        };
        return print_json(&AtlasSummary {
            variant: &variant.key,
            judge: atlas.judge(),
            nodes: atlas.nodes,
            statistics: &statistics,
            not_ranked,
            extremes: extremes
                .iter()
                .map(|list| ExtremesJson { what: list.what, setups: setups(list) })
                .collect(),
        });
    }
    let mut out = Output::stdout();
    let setups = thousands(statistics.setups);
    writeln!(
        out,
        "{}: {setups} setups, each searched with {} nodes by {}; scores are White's, in pawns\n",
        variant.name,
        thousands(atlas.nodes),
        atlas.judge()
    )?;
    print_table(&mut out, measure_table().for_people(&statistics.measures))?;
    if let Some(r) = statistics.complexity_and_score {
        writeln!(out, "\ncomplexity and score are correlated by {:.2}, {:.2} at 95 %", r.value, r.interval)?;
    }
    print_noise(&mut out, path, &statistics)?;
    for NotRanked { measure, why } in &not_ranked {
        writeln!(out, "no setups are listed by {}: {why}", measure.name())?;
    }
    if statistics.ended_lines > 0 {
        let number = thousands(statistics.ended_lines);
        let what = match statistics.ended_lines {
            1 => "line of best play ends before the 20th ply; its complexity is that of its moves",
            _ => "lines of best play end before the 20th ply; their complexity is that of their moves",
        };
        writeln!(out, "{number} {what}, for ten of each side")?;
    }
    if let Some(adjustments) = &statistics.adjustments {
        print_adjustments(&mut out, adjustments)?;
    }
    for list in extremes.iter().filter(|list| !list.setups.is_empty()) {
        writeln!(out, "\n{}\n", list.what)?;
        print_table(&mut out, judged_table(&judgements, &list.setups).for_people(&list.setups))?;
    }
    for found in &statistics.features {
        print_features(&mut out, found)?;
    }
    out.finish()
}

/// How much would be found again by another search.
fn print_noise(out: &mut Output, path: &Path, found: &AtlasStatistics) -> Result<(), Failure> {
    if let Some(quarter) = &found.quarter {
        let correlated = quarter
            .correlation
            .map_or(String::new(), |r| format!(", r = {:.2} ({:.2})", r.value, r.interval));
        writeln!(
            out,
            "from a quarter of the nodes to all, scores change by {:+.3} and as if each had an error of {:.3}{correlated}",
            0.01 * quarter.change,
            0.01 * quarter.noise,
        )?;
    }
    let Some(first) = found.reliability.first() else {
        return Ok(writeln!(
            out,
            "nothing was searched twice, so it is not known what another search would find again; an atlas of some of these \
             setups with another --best-moves, in {}, would show it",
            path.join(REPEAT).display()
        )?);
    };
    let second = match first.by {
        SecondSearch::Mirror => {
            "a setup and its mirror image are the same game, so both are given the mean of their two searches"
        }
        SecondSearch::Repeat => "the folder `repeat` has another search of these setups, or of some of them",
    };
    writeln!(
        out,
        "\nreliability: {second}; coverage is how often, of {} pairs, \
         the second is in the 95 % interval that the first gives for it\n",
        thousands(first.pairs)
    )?;
    print_table(out, reliability_table().for_people(&found.reliability))?;
    Ok(writeln!(out)?)
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
            "  the rule adds {:+.3} to White's score, {:.3} at 95 %",
            0.01 * gain.value,
            gain.interval.map(|end| 0.01 * end)
        )?;
    }
    Ok(())
}

fn print_features(out: &mut Output, found: &MeasureFeatures) -> Result<(), Failure> {
    let title =
        format!("\nfeatures associated with {}: effects of one unit more, 95 % intervals", found.measure);
    let tested = found.features.effects.iter().filter(|effect| effect.effect.is_some()).count();
    match &found.features.nothing {
        Some(why) => return Ok(writeln!(out, "{title}\nno effects: {why}")?),
        None => writeln!(out, "{title}; FDR for {tested} features\n")?,
    }
    Ok(print_table(out, measure_feature_table(found.measure).for_people(&found.features.effects))?)
}
