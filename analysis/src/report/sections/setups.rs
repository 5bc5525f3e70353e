//! White’s score over setups.

use backrank_enumerate::Army;
use backrank_rules::{Diagram, Setup, Side};

use super::super::Report;
use super::super::plots::{Histogram, Mark, Row, estimates};
use super::super::svg::plain;
use super::{between, card, figure, fixed, key, percents};
use crate::setups::{SetupScore, SetupStatistics, feature_table};
use crate::stats::Estimate;
use crate::table::{Format, Table, Value, escape, thousands};

impl Report<'_> {
    pub(in crate::report) fn scores(&self) -> Option<String> {
        let found = self.setups.as_ref()?;
        let seen: Vec<f64> = found.histogram.setups.iter().map(|&number| number as f64).collect();
        let picture = Histogram {
            title: "Setups by White’s score, and expected by chance alone",
            unit: "White’s score, percent",
            from: -2.5,
            step: 5.0,
            bars: &seen,
            chance: &found.histogram.chance,
            counted: "setups",
            label: plain,
        };
        let entries = [("bars", "setups"), ("chance", "expected by chance alone")];
        let caption = match &found.dispersion {
            None => {
                "Whether setups differ can only be tested if there are at least two, and one of them has at least two games."
                    .to_string()
            }
            Some(test) => format!(
                "If setups did not differ, scores would be distributed as the line shows. Their variance is {} times that \
                 expected by chance alone ({} where {} is expected): p = {} by {} random permutations of the results.",
                fixed(test.statistic / test.expected, 2),
                thousands(test.statistic.round() as u64),
                thousands(test.expected as u64),
                fixed(test.p_value, 3),
                test.permutations
            ),
        };
        let table = overview_table().to_html(overview(found));
        // With a game or so from each, a setup's score is 0, 50 or 100 %, whatever it is worth.
        if found.games < 2 * found.setups.len() as u64 {
            return Some(format!("<p>{caption}</p>{}", card(&table)));
        }
        Some(format!(
            r#"<div class="cards">{}<div class="card">{table}</div></div>"#,
            figure("Setups by White’s score", &(key(&entries) + &picture.draw()), &caption)
        ))
    }

    /// The setups that differ from the mean of all, as far as a false discovery rate lets them stand.
    pub(in crate::report) fn boards(&self) -> Option<String> {
        // One game says nothing about a setup.
        let found = self.setups.as_ref().filter(|found| found.setups.iter().any(|setup| setup.games > 1))?;
        let [better, worse] = found.standing_out();
        if better.is_empty() && worse.is_empty() {
            return Some(
                "<p>None does, at a false discovery rate of 5 %: a list of the best and the worst setups would be one of chance.</p>"
                    .to_string(),
            );
        }
        let boards = |title: &str, setups: &[&SetupScore]| {
            let shown = 6.min(setups.len());
            let boards: String = setups[..shown].iter().filter_map(|setup| self.board(setup)).collect();
            let of = match shown == setups.len() {
                true => String::new(),
                false => format!(", {shown} of {}", thousands(setups.len() as u64)),
            };
            match shown {
                0 => String::new(),
                _ => format!(
                    r#"<h3>{title}{of}</h3><div class="boards" role="group" aria-label="{title}" tabindex="0">{boards}</div>"#
                ),
            }
        };
        Some(format!(
            "<p>These setups differ from the mean of all at a false discovery rate of 5 %: of all that are listed so, at most one in \
             twenty is listed by chance. Each score is also shown shrunk towards the mean of all setups, the more the less certain it \
             is: this is the best estimate of the true score.</p>{}{}",
            boards("Better for White", &better),
            boards("Worse for White", &worse)
        ))
    }

    fn board(&self, setup: &SetupScore) -> Option<String> {
        let rank = |side: Side, text: &str| Army::of(self.variant, side).read_rank(text).ok();
        let setup_of_both = Setup {
            white: rank(Side::White, &setup.name.white)?,
            black: rank(Side::Black, &setup.name.black)?,
        };
        let diagram = Diagram::of_setup(self.variant, &setup_of_both).to_svg();
        // The page has its own background and text colours.
        let ground =
            diagram.find("<rect").and_then(|start| Some(start..start + diagram[start..].find("/>")? + 2));
        let mut picture = diagram.clone();
        picture.replace_range(ground?, "");
        let picture = picture.replace(r##"font-size="14" fill="#222""##, r#"class="coordinate""#);
        let rank = match setup.name.white == setup.name.black {
            true => setup.name.white.clone(),
            false => format!("{}/{}", setup.name.white, setup.name.black),
        };
        // The ranks of both sides are wider than the board.
        let rank = escape(&rank).replace('/', "/<wbr>");
        let shrunk =
            setup.shrunk.map_or(String::new(), |shrunk| format!("shrunk score: {}<br>", percents(shrunk)));
        let [won, drawn, lost] = setup.results.map(thousands);
        Some(format!(
            r#"<div class="board">{picture}<p><b>{rank}</b> · {}<br>{shrunk}scored {}<br>{won} won, {drawn} drawn, {lost} lost</p></div>"#,
            setup.name.id,
            percents(setup.score),
        ))
    }

    pub(in crate::report) fn features(&self) -> Option<String> {
        let features = &self.setups.as_ref()?.features;
        if let Some(why) = &features.nothing {
            return Some(format!("<p>No effects can be estimated: {}.</p>", escape(why)));
        }
        let shown = || features.effects.iter().filter_map(|effect| Some((effect, effect.effect?)));
        let hundred = |effect: Estimate| Estimate {
            value: 100.0 * effect.value,
            interval: effect.interval.map(|end| 100.0 * end),
        };
        let rows: Vec<Row> = shown()
            .map(|(feature, effect)| {
                let estimate = hundred(effect);
                let tip = format!(
                    "{}: {} ({})",
                    feature.feature,
                    fixed(estimate.value, 2),
                    between(estimate.interval, 2)
                );
                Row {
                    name: feature.feature.clone(),
                    marks: vec![Mark { class: "regression", estimate, tip }],
                }
            })
            .collect();
        let picture = estimates(
            "Effects of features on White’s score",
            "change of White’s score, percent",
            &rows,
            false,
        );
        let table = feature_table().to_html(&features.effects);
        Some(format!(
            r#"<div class="cards">{}<div class="card">{table}</div></div>"#,
            figure(
                "The effect of one more of a feature on White’s score",
                &picture,
                "Least squares on all features together, with standard errors clustered by setup. If an interval includes 0, the data \
                 do not say whether the feature has an effect. Of twenty features without one, one interval misses 0 by chance."
            )
        ))
    }
}

/// A line of the overview: what it is about, its value, and the format of that.
type OverviewRow = (&'static str, Value, Format);

fn overview_table<'t>() -> Table<'t, OverviewRow> {
    Table::<OverviewRow>::new()
        .text("all setups", |row| row.0)
        .column("", |row| row.1.clone())
        .format_by(|row| row.2)
}

/// The numbers about all setups.
fn overview(found: &SetupStatistics) -> Vec<OverviewRow> {
    let mut rows = vec![
        ("games", Value::Count(Some(found.games)), Format::SHORTEST),
        ("won, drawn, lost by White", Value::Results(Some(found.results)), Format::SHORTEST),
        ("White’s score", Value::Estimate(Some(found.score)), Format::PERCENT),
    ];
    if let Some(shrinkage) = &found.shrinkage {
        let (deviation, games) =
            (Value::Estimate(Some(shrinkage.deviation)), Value::Number(Some(shrinkage.games)));
        rows.push(("standard deviation of true scores", deviation, Format::PERCENT));
        rows.push(("weight of the mean of all setups", games, Format::digits(0).with_suffix(" games")));
        if shrinkage.mostly_assumed {
            let why = "both mostly follow from the prior, because too few setups have several games";
            rows.push((why, Value::Text(String::new()), Format::SHORTEST));
        }
    }
    let sure = found.setups.iter().filter(|setup| setup.false_discovery_rate <= 0.05).count() as u64;
    let setups = Format::SHORTEST.with_suffix(" setups");
    rows.push(("different, false discovery rate 5 %", Value::Count(Some(sure)), setups));
    rows
}
