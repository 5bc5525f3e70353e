//! White's score, draws and adjustments by columns of the setups.

use backrank_rules::{Side, Variant};
use polars::prelude::*;
use serde::Serialize;
use thiserror::Error;

use super::games::SetupGames;
use super::name::SetupName;
use super::rank_features::{Description, GroupColumn, RankFeatures, are_independent};
use super::score::ScoreSpread;
use crate::stats::{Estimate, NORMAL_975, student_975, wilson};

/// Games grouped by columns of their setups, such as the file of the queen.
///
/// A proportion p gets Wilson's interval for p·(1 − p) / v trials, where v is the variance of p. Games from the same
/// setup are correlated, so v is the variance of a ratio estimate with setups as clusters, Σ (y − p·n)² · S / (S − 1) /
/// N², for S setups with n of the N games and y points each, times the squared ratio of the quantiles of Student's distribution with
/// S − 1 degrees of freedom and of the normal one. It is never less than if all games were independent.
/// Sources: Rao and Scott, "A Simple Method for the Analysis of Clustered Binary Data", 1992; Cochran, "Sampling
/// Techniques", 1977, section 6.
#[derive(Clone, Debug, Serialize)]
pub struct SetupGroups {
    /// The columns that the games are grouped by.
    pub columns: Vec<String>,
    /// The groups, in the order of their keys.
    pub groups: Vec<SetupGroup>,
}

/// The games from all setups with the same values in these columns.
#[derive(Clone, Debug, Serialize)]
pub struct SetupGroup {
    /// The values of the columns.
    pub key: Vec<GroupKey>,
    /// The number of setups.
    pub setups: u64,
    /// The number of games.
    pub games: u64,
    /// Games that White has won, drawn and lost.
    pub results: [u64; 3],
    /// White's score.
    pub score: Estimate,
    /// The proportion of drawn games.
    pub draws: Estimate,
    /// The number of sides that could play a Bishop Adjustment when their game began.
    pub could_adjust: u64,
    /// The number of those sides that did.
    pub adjusted: u64,
    /// The proportion that did; `None` if no side could.
    pub adjusting: Option<Estimate>,
}

/// The value of a column, which all setups of a group share.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum GroupKey {
    /// A file, a piece's letter, or a description in words.
    Text(String),
    /// A number of files, pawns or pairs.
    Number(f64),
}

/// Why setups cannot be grouped.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum GroupError {
    /// There is no such column.
    #[error("no column `{name}` here; the columns are {}", known.join(", "))]
    Unknown {
        /// The name that was given.
        name: String,
        /// The names that there are.
        known: Vec<String>,
    },
    /// A column is given twice.
    #[error("the column `{0}` is given twice")]
    Twice(String),
    /// A recorded rank is not an arrangement of the game's pieces.
    #[error("{0} is not a first rank of the game")]
    Rank(String),
}

/// The counts of a setup's games.
#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    results: [u64; 3],
    could_adjust: u64,
    adjusted: u64,
}

/// A proportion to be estimated. For a setup, `of` gives the number of trials n, and the successes y among them.
struct Share {
    name: &'static str,
    of: fn(&Counts) -> [f64; 2],
}

const SCORE: Share = Share { name: "score", of: |counts| [counts.games(), counts.points()] };
const DRAWS: Share = Share { name: "draws", of: |counts| [counts.games(), counts.results[1] as f64] };
const ADJUSTING: Share =
    Share { name: "adjusting", of: |counts| [counts.could_adjust as f64, counts.adjusted as f64] };

/// A term of a sum over setups, from the n and the y of a setup.
type Summand = fn(f64, f64) -> f64;

/// The sums over the setups of a group that an estimate needs, with their names.
const SUMS: [(&str, Summand); 6] = [
    ("setups", |n, _| f64::from(u8::from(n > 0.0))),
    ("n", |n, _| n),
    ("y", |_, y| y),
    ("nn", |n, _| n * n),
    ("ny", |n, y| n * y),
    ("yy", |_, y| y * y),
];

impl Counts {
    fn games(&self) -> f64 {
        self.results.iter().sum::<u64>() as f64
    }

    fn points(&self) -> f64 {
        self.results[0] as f64 + 0.5 * self.results[1] as f64
    }
}

impl Share {
    /// A column for each of the sums, with a row for each setup.
    fn columns(&self, counts: &[Counts]) -> impl Iterator<Item = Column> {
        SUMS.into_iter().map(|(sum, of)| {
            let values = counts.iter().map(|counts| {
                let [n, y] = (self.of)(counts);
                of(n, y)
            });
            Column::new(format!("{}_{sum}", self.name).into(), values.collect::<Vec<f64>>())
        })
    }

    /// The estimate from the sums of a group. `variance_of` gives the variance of a single trial from the mean. `None`
    /// if there are no trials.
    fn estimate(
        &self,
        group: &GroupRows<'_>,
        variance_of: impl Fn(f64) -> f64,
    ) -> PolarsResult<Option<Estimate>> {
        let sum = |name: &str| group.sum(&format!("{}_{name}", self.name));
        let [setups, n, y] = [sum("setups")?, sum("n")?, sum("y")?];
        if n == 0.0 {
            return Ok(None);
        }
        let share = y / n;
        let squares = sum("yy")? - 2.0 * share * sum("ny")? + share * share * sum("nn")?;
        let of_setups = if setups > 1.0 { squares * setups / (setups - 1.0) / (n * n) } else { 0.0 };
        // With few setups their variance is uncertain itself: Student's quantile takes the place of the normal one.
        let wider = student_975(setups - 1.0) / NORMAL_975;
        let variance = (of_setups * wider.powi(2)).max(variance_of(share) / n);
        let trials = if variance > 0.0 { share * (1.0 - share) / variance } else { n };
        Ok(Some(Estimate { value: share, interval: wilson(share, trials) }))
    }
}

/// A group: the rows of the frame that are in it.
struct GroupRows<'f> {
    frame: &'f DataFrame,
    rows: Vec<usize>,
}

impl GroupRows<'_> {
    /// The sum of a column.
    fn sum(&self, name: &str) -> PolarsResult<f64> {
        let column = self.frame.column(name)?.f64()?;
        Ok(self.rows.iter().filter_map(|&row| column.get(row)).sum())
    }

    fn count(&self, name: &str) -> PolarsResult<u64> {
        Ok(self.sum(name)? as u64)
    }

    /// The value of a column that all rows of the group share.
    fn key(&self, name: &str) -> PolarsResult<GroupKey> {
        Ok(match self.frame.column(name)?.get(self.rows[0])? {
            AnyValue::Float64(number) => GroupKey::Number(number),
            text => GroupKey::Text(text.get_str().unwrap_or_default().to_string()),
        })
    }
}

impl SetupGames {
    /// The names of the columns by which the games can be grouped. Those of Black's rank, which begin with `black_`,
    /// exist only if Black's rank does not follow from White's.
    pub fn columns(&self, variant: &Variant) -> Vec<String> {
        self.group_columns(&features_of(variant)).into_iter().map(|(name, ..)| name).collect()
    }

    /// White's score, draws and adjustments by columns of the setups.
    ///
    /// # Errors
    ///
    /// When there is no such column, a column is given twice, or a recorded rank is not possible in this game.
    pub fn grouped(&self, variant: &Variant, by: &[String]) -> Result<SetupGroups, GroupError> {
        let features = features_of(variant);
        let known = self.group_columns(&features);
        let mut keys = Vec::new();
        for (index, name) in by.iter().enumerate() {
            if by[..index].contains(name) {
                return Err(GroupError::Twice(name.clone()));
            }
            let column =
                known.iter().find(|(other, ..)| other == name).ok_or_else(|| GroupError::Unknown {
                    name: name.clone(),
                    known: known.iter().map(|(name, ..)| name.clone()).collect(),
                })?;
            keys.push(self.key_column(&features, column)?);
        }
        let groups = self.frame(keys, by).and_then(|frame| groups(&frame, by));
        let groups = groups.expect("columns of one length, grouped by some of them");
        Ok(SetupGroups { columns: by.to_vec(), groups })
    }

    fn group_columns(&self, [of_white, of_black]: &[RankFeatures<'_>; 2]) -> Vec<NamedColumn> {
        let white =
            of_white.group_columns().into_iter().map(|column| (column.name.clone(), column, Side::White));
        let black = if are_independent(&self.setups) { of_black.group_columns() } else { Vec::new() };
        let black = black.into_iter().map(|column| (format!("black_{}", column.name), column, Side::Black));
        white.chain(black).collect()
    }

    /// The value of a column for each setup.
    fn key_column(
        &self,
        features: &[RankFeatures<'_>; 2],
        (name, column, side): &NamedColumn,
    ) -> Result<Column, GroupError> {
        let describe = |setup: &SetupName| {
            let text = match side {
                Side::White => &setup.white,
                Side::Black => &setup.black,
            };
            let features = &features[*side as usize];
            let rank = features.read(text).ok_or_else(|| GroupError::Rank(text.clone()))?;
            Ok(features.describe(column, &rank))
        };
        let described = self.setups.iter().map(describe).collect::<Result<Vec<Description>, GroupError>>()?;
        let numbers: Option<Vec<f64>> = described
            .iter()
            .map(|one| match one {
                Description::Number(number) => Some(*number),
                Description::Text(_) => None,
            })
            .collect();
        Ok(match numbers {
            Some(numbers) => Column::new(name.into(), numbers),
            None => {
                let texts = described.iter().map(Description::to_string);
                Column::new(name.into(), texts.collect::<Vec<String>>())
            }
        })
    }

    /// A row for each setup: the columns that setups are grouped by, and the summands of each estimate. The rows are sorted by
    /// the former.
    fn frame(&self, keys: Vec<Column>, by: &[String]) -> PolarsResult<DataFrame> {
        let counts: Vec<Counts> = self
            .tallies
            .iter()
            .zip(&self.adjusting)
            .map(|(tally, &[could_adjust, adjusted])| Counts {
                results: tally.results,
                could_adjust,
                adjusted,
            })
            .collect();
        let results = ["won", "drawn", "lost"].into_iter().enumerate().map(|(index, name)| {
            let games = counts.iter().map(|counts| counts.results[index] as f64);
            Column::new(name.into(), games.collect::<Vec<f64>>())
        });
        let shares = [SCORE, DRAWS, ADJUSTING];
        let summands = results.chain(shares.iter().flat_map(|share| share.columns(&counts)));
        let frame = DataFrame::new(counts.len(), keys.into_iter().chain(summands).collect())?;
        frame.sort(by, SortMultipleOptions::default())
    }
}

/// A column: its name on the command line, the column of a rank, and the side whose rank it describes.
type NamedColumn = (String, GroupColumn, Side);

/// The features of White's ranks and of Black's.
fn features_of(variant: &Variant) -> [RankFeatures<'_>; 2] {
    Side::BOTH.map(|side| RankFeatures::new(variant, side))
}

/// The groups of a sorted frame, in the order of their keys.
fn groups(frame: &DataFrame, by: &[String]) -> PolarsResult<Vec<SetupGroup>> {
    let group = |rows: GroupsIndicator<'_>| {
        let rows = match rows {
            GroupsIndicator::Idx((_, rows)) => rows.iter().map(|&row| row as usize).collect(),
            GroupsIndicator::Slice([first, length]) => (first as usize..(first + length) as usize).collect(),
        };
        let group = GroupRows { frame, rows };
        let results = [group.count("won")?, group.count("drawn")?, group.count("lost")?];
        let spread = ScoreSpread::of(results);
        let nothing = || polars_err!(NoData: "a group without a game");
        let binomial = |share: f64| share * (1.0 - share);
        Ok(SetupGroup {
            key: by.iter().map(|name| group.key(name)).collect::<PolarsResult<_>>()?,
            setups: group.count("score_setups")?,
            games: results.iter().sum(),
            results,
            score: SCORE.estimate(&group, |_| spread.variance)?.ok_or_else(nothing)?,
            draws: DRAWS.estimate(&group, binomial)?.ok_or_else(nothing)?,
            could_adjust: group.count("adjusting_n")?,
            adjusted: group.count("adjusting_y")?,
            adjusting: ADJUSTING.estimate(&group, binomial)?,
        })
    };
    frame.group_by_stable(by)?.get_groups().iter().map(group).collect()
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::*;

    /// The two groups by the colours of the bishops, each of three setups with these results.
    fn scores(results: [[u64; 3]; 3]) -> SetupGroup {
        let variant = Variant::find("chess960").unwrap();
        let mut games = SetupGames::default();
        for (id, (rank, results)) in ["BBQNNRKR", "BQNBNRKR", "BQNNRBKR"].into_iter().zip(results).enumerate()
        {
            let name = SetupName { id: id as u128, white: rank.to_string(), black: rank.to_string() };
            games.add_results(&name, results);
        }
        let mut found = games.grouped(&variant, &["bishops".to_string(), "a".to_string()]).unwrap();
        assert_eq!(found.groups.len(), 1);
        found.groups.remove(0)
    }

    #[test]
    fn setups_that_are_alike_leave_as_much_doubt_as_their_games() {
        let group = scores([[6, 0, 4]; 3]);
        assert_eq!(group.key, ["both colours", "B"].map(|text| GroupKey::Text(text.to_string())));
        assert_eq!((group.setups, group.games, group.results), (3, 30, [18, 0, 12]));
        assert_eq!(group.score, Estimate { value: 0.6, interval: wilson(0.6, 30.0) });
        assert_eq!(group.draws, Estimate { value: 0.0, interval: wilson(0.0, 30.0) });
        assert_eq!(group.adjusting, None);
    }

    #[test]
    fn setups_that_differ_leave_more_doubt() {
        let group = scores([[10, 0, 0], [6, 0, 4], [2, 0, 8]]);
        // 10, 6 and 2 points of 10 games: the residuals are 4, 0 and −4, and the variance 32 · 3/2 / 30².
        let variance = 32.0 * 1.5 / 900.0;
        // Student's quantile on 2 degrees of freedom beside the normal one.
        let expected = wilson(0.6, 0.24 / variance / (4.302_652_729_696_142_f64 / NORMAL_975).powi(2));
        assert!((group.score.interval.low - expected.low).abs() < 1e-9, "{group:?}");
        assert!((group.score.interval.high - expected.high).abs() < 1e-9, "{group:?}");
    }

    /// Three setups whose own scores are normal around a half, 200 games of each without draws.
    #[test]
    fn few_setups_leave_the_doubt_that_they_should() {
        let mut chance = ChaCha8Rng::seed_from_u64(1);
        let all = 1000;
        let covers = (0..all).filter(|_| {
            let results = [(); 3].map(|()| {
                let sum: f64 = (0..12).map(|_| chance.random::<f64>()).sum();
                let own = 0.5 + 0.08 * (sum - 6.0);
                let won = (0..200).filter(|_| chance.random::<f64>() < own).count() as u64;
                [won, 0, 200 - won]
            });
            scores(results).score.interval.contains(0.5)
        });
        let share = covers.count() as f64 / f64::from(all);
        assert!((0.93..0.975).contains(&share), "{share}");
    }

    #[test]
    fn every_column_can_be_grouped_by() {
        for variant in backrank_rules::catalogue() {
            let space = backrank_enumerate::Space::new(&variant).unwrap();
            let mut games = SetupGames::default();
            for id in (0..space.len()).step_by((space.len() / 20).max(1) as usize) {
                let setup = space.unrank(id).unwrap();
                let name = SetupName { id, white: setup.white.to_string(), black: setup.black.to_string() };
                games.add_results(&name, [1, 1, 0]);
            }
            for column in games.columns(&variant) {
                let found = games.grouped(&variant, std::slice::from_ref(&column)).unwrap();
                let all: u64 = found.groups.iter().map(|group| group.games).sum();
                assert_eq!(all, games.games(), "{} {column}", variant.key);
            }
        }
    }
}
