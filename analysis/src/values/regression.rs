//! Piece values by regression of results on material.

use serde::Serialize;

use super::regression_scale::{EloScale, bootstrap_of_ratio, ratio};
use super::score_by_difference::{ScoreByDifference, score_by_difference};
use super::unit::Unit;
use crate::fit::{
    Clustering, Fit, FitError, Model, Observations, ParameterLayout, Resampling, bootstrap, correction,
    covariance, fit,
};
use crate::games::{Column, Difference, Material, RATING_STEP, ReplayedGame, Stage};
use crate::stats::{Estimate, Interval, independent_columns};

/// Options of the regression.
#[derive(Clone, Copy, Debug)]
pub struct RegressionOptions {
    /// Ordered logit, or plain logit of the decided games.
    pub model: Model,
    /// The unit of the values, besides pawns.
    pub unit: Unit,
    /// The number of bootstrap replicates.
    pub replicates: u32,
    /// The seed of the replicates.
    pub seed: u64,
    /// The standard deviation of the error of each player's rating, in Elo, if the sample has ratings; 0 for no
    /// correction.
    pub rating_error: f64,
}

impl Default for RegressionOptions {
    fn default() -> Self {
        Self { model: Model::Ordered, unit: Unit::PAWNS, replicates: 1000, seed: 0, rating_error: 0.0 }
    }
}

/// The quiet positions of games, collected for a regression.
#[derive(Clone, Debug)]
pub struct Sample {
    material: Material,
    observations: Observations,
    /// The quiet positions by stage of the game.
    stages: [Observations; 3],
    clustering: Clustering,
    /// The ranks of each game with quiet positions, if they are kept.
    setups: Option<Vec<String>>,
    /// The number of games that were left out because a player has no rating.
    unrated: u64,
    /// The number of games that were left out because they were not decided on the board.
    not_by_moves: u64,
}

/// The values that a regression gives.
#[derive(Clone, Debug, Serialize)]
pub struct RegressionValues {
    /// The model.
    pub model: Model,
    /// The unit of the values, besides pawns.
    pub unit: Unit,
    /// The clusters for the standard errors.
    pub clustering: Clustering,
    /// The number of games that the model describes, and that have a quiet position.
    pub games: u64,
    /// The number of their quiet positions.
    pub positions: u64,
    /// The number of clusters.
    pub clusters: u64,
    /// The number of bootstrap replicates.
    pub replicates: u32,
    /// The number of replicates whose likelihood has no maximum.
    pub failed_replicates: u32,
    /// The value of the first move for White, in Elo; `None` if there was no fit.
    pub white: Option<Estimate>,
    /// The proportion of draws between equals, if the model has draws.
    pub draws: Option<f64>,
    /// The values, one for each column of the material.
    pub pieces: Vec<PieceValue>,
    /// The observed and the expected scores by the difference in material.
    pub fit: Vec<ScoreByDifference>,
    /// The same model for the positions of each stage of the game, without a bootstrap. Empty in these models
    /// themselves.
    #[serde(serialize_with = "as_map")]
    pub stages: Vec<(Stage, RegressionValues)>,
    /// Why there are no values, if there are none.
    pub nothing: Option<String>,
}

fn as_map<S: serde::Serializer>(
    stages: &[(Stage, RegressionValues)],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_map(stages.iter().map(|(stage, values)| (stage, values)))
}

/// The value of a piece by regression.
#[derive(Clone, Debug, Serialize)]
pub struct PieceValue {
    /// The piece, or the pair.
    pub piece: Column,
    /// The number of games with a quiet position in which the sides differ in it.
    pub games: u64,
    /// Its coefficient: the change in the log-odds for one more of it.
    pub log_odds: Option<Estimate>,
    /// Its value in the unit, with the interval of the bootstrap, or of the delta method if there are no replicates.
    pub value: Option<Estimate>,
    /// Its value in pawns, with the interval of the delta method.
    pub pawns: Option<Estimate>,
    /// The bootstrap's interval, in pawns; `None` without replicates.
    pub bootstrap: Option<Interval>,
    /// The value of one more of it between equals in Elo, with the interval of the delta method.
    pub elo: Option<Estimate>,
    /// Why there is no value, or a remark on it.
    pub note: Option<String>,
}

/// The quiet positions of a game with the same material: a row of `positions.csv`.
pub(crate) struct SampleRow<'s> {
    /// The number of the game, from 0.
    pub game: usize,
    /// The first ranks of its setup.
    pub setup: &'s str,
    /// The outcome: 0 if Black won, 1 for a draw, 2 if White won.
    pub outcome: u8,
    /// The proportion of the game's quiet positions.
    pub weight: f64,
    /// White's material minus Black's.
    pub difference: &'s Difference,
}

impl Sample {
    /// An empty sample.
    pub fn new(material: &Material, clustering: Clustering) -> Self {
        let (observations, stages) = Default::default();
        Self {
            material: material.clone(),
            observations,
            stages,
            clustering,
            setups: None,
            unrated: 0,
            not_by_moves: 0,
        }
    }

    /// Makes an empty sample keep what [`write_positions`](crate::values::write_positions) needs as well.
    #[must_use]
    pub fn with_setups(self) -> Self {
        Self { setups: Some(Vec::new()), ..self }
    }

    /// Adds the difference of the players' ratings to an empty sample as a column. Games without ratings are left out.
    #[must_use]
    pub fn with_ratings(self) -> Self {
        Self { material: self.material.with_ratings(), ..self }
    }

    /// The number of games that were left out because a player has no rating.
    pub fn unrated(&self) -> u64 {
        self.unrated
    }

    /// The number of games that were left out because they were decided by a clock, or by a player who failed or left.
    pub fn not_by_moves(&self) -> u64 {
        self.not_by_moves
    }

    /// Adds a game that was decided on the board. A game that was decided by a clock, or by a player who left, says
    /// little about the material and is left out.
    pub fn add(&mut self, game: &ReplayedGame) {
        if !game.termination.is_by_moves() {
            self.not_by_moves += 1;
            return;
        }
        let Some(column) = self.material.rating_column() else { return self.add_rated(game) };
        let Some(difference) = game.rating_difference else {
            self.unrated += 1;
            return;
        };
        let steps = (f64::from(difference) / RATING_STEP).round() as i8;
        let mut game = game.clone();
        let stages = game.replayed.stages.iter_mut().flatten();
        game.replayed.samples.iter_mut().chain(stages).for_each(|(sample, _)| sample[column] = steps);
        self.add_rated(&game);
    }

    fn add_rated(&mut self, game: &ReplayedGame) {
        if let Some(setups) = self.setups.as_mut().filter(|_| !game.replayed.samples.is_empty()) {
            setups.push(format!("{}/{}", game.white_rank, game.black_rank));
        }
        self.observations.add(game, &game.replayed.samples, self.clustering);
        for (stage, samples) in self.stages.iter_mut().zip(&game.replayed.stages) {
            stage.add(game, samples, self.clustering);
        }
    }

    pub(crate) fn columns(&self) -> &[Column] {
        self.material.columns()
    }

    /// The rows of `positions.csv`.
    pub(crate) fn rows(&self) -> impl Iterator<Item = SampleRow<'_>> {
        let setup = |game: usize| self.setups.as_ref().map_or("", |setups| setups[game].as_str());
        self.observations.rows().map(move |(game, outcome, weight, difference)| SampleRow {
            game,
            setup: setup(game),
            outcome,
            weight,
            difference,
        })
    }

    /// The number of games with quiet positions.
    pub fn games(&self) -> u64 {
        self.observations.games() as u64
    }

    /// The number of quiet positions.
    pub fn positions(&self) -> u64 {
        self.observations.positions()
    }

    /// Estimates piece values; `progress` is called with 1 after each replicate.
    pub fn values(&self, options: RegressionOptions, progress: &(dyn Fn(u64) + Sync)) -> RegressionValues {
        let mut found = self.values_of(&self.observations, options, progress);
        let by_delta = RegressionOptions { replicates: 0, ..options };
        found.stages = Stage::ALL
            .into_iter()
            .zip(&self.stages)
            .filter(|(_, observations)| observations.games() > 0)
            .map(|(stage, observations)| (stage, self.values_of(observations, by_delta, &|_| ())))
            .collect();
        found
    }

    fn values_of(
        &self,
        observations: &Observations,
        options: RegressionOptions,
        progress: &(dyn Fn(u64) + Sync),
    ) -> RegressionValues {
        // Without draws the two models are the same.
        let drawn = observations.outcomes()[1] > 0;
        let model = if drawn { options.model } else { Model::Decided };
        let observations = observations.of(model);
        let mut found = self.nothing_yet(&observations, options, model);
        let columns = self.usable(&observations, &mut found);
        match fit_finite(observations, columns, model, &mut found) {
            Ok((observations, fitted)) => {
                let correction = self.correction(&observations, &fitted, options, &mut found);
                estimate(&observations, &fitted, &correction, options, progress, &mut found);
            }
            Err(why) => found.nothing = Some(why),
        }
        found
    }

    /// The correction to be added to the parameters for the error of the ratings; zeros if there is nothing to correct.
    fn correction(
        &self,
        observations: &Observations,
        fitted: &Fit,
        options: RegressionOptions,
        found: &mut RegressionValues,
    ) -> Vec<f64> {
        let column = self.material.rating_column().filter(|column| fitted.layout.columns.contains(column));
        let none = || vec![0.0; fitted.parameters.len()];
        let Some(column) = column.filter(|_| options.rating_error > 0.0) else { return none() };
        // The difference has the errors of both ratings.
        let deviation = std::f64::consts::SQRT_2 * options.rating_error / RATING_STEP;
        correction(observations, fitted, column, deviation, options.seed).unwrap_or_else(|| {
            found.pieces[column].note = Some("not corrected for the error of ratings".to_string());
            none()
        })
    }

    fn nothing_yet(
        &self,
        observations: &Observations,
        options: RegressionOptions,
        model: Model,
    ) -> RegressionValues {
        let piece = |(index, &piece): (usize, &Column)| PieceValue {
            piece,
            games: observations.games_with(index),
            log_odds: None,
            value: None,
            pawns: None,
            bootstrap: None,
            elo: None,
            note: None,
        };
        RegressionValues {
            model,
            unit: options.unit,
            clustering: self.clustering,
            games: observations.games() as u64,
            positions: observations.positions(),
            clusters: observations.clusters() as u64,
            replicates: options.replicates,
            failed_replicates: 0,
            white: None,
            draws: None,
            pieces: self.material.columns().iter().enumerate().map(piece).collect(),
            fit: Vec::new(),
            stages: Vec::new(),
            nothing: None,
        }
    }

    /// The columns that differ and are not collinear; the others get a note.
    fn usable(&self, observations: &Observations, found: &mut RegressionValues) -> Vec<usize> {
        let number = self.material.columns().len();
        let differing: Vec<usize> = (0..number).filter(|&column| found.pieces[column].games > 0).collect();
        for piece in found.pieces.iter_mut().filter(|piece| piece.games == 0) {
            piece.note = Some("the sides never differ in it".to_string());
        }
        let rows = as_rows(observations, &differing);
        let independent =
            independent_columns(differing.len(), rows.iter().map(|(x, weight)| (x.as_slice(), *weight)));
        let mut usable = Vec::new();
        for (column, independent) in differing.into_iter().zip(independent) {
            if independent {
                usable.push(column);
            } else {
                found.pieces[column].note =
                    Some("the sides differ in it only together with other pieces".to_string());
            }
        }
        usable
    }
}

/// The columns of each pattern, with the pattern's weight.
fn as_rows(observations: &Observations, columns: &[usize]) -> Vec<(Vec<f64>, f64)> {
    let weights = observations.weights(|_| 1.0);
    let row = |(pattern, weight): (&Difference, &[f64; 3])| {
        let x = columns.iter().map(|&column| f64::from(pattern[column])).collect();
        (x, weight.iter().sum())
    };
    observations.patterns.iter().zip(&weights).map(row).collect()
}

/// Fits the columns whose maximum-likelihood estimates are finite. If results are separated along a direction of the
/// columns, the positions that differ along it are left out, and so are the columns that mainly make up the direction.
/// Source: Clarkson and Jennings, "Improved Algorithms for Obtaining Maximum Likelihood Estimates", 1991.
fn fit_finite(
    mut observations: Observations,
    mut columns: Vec<usize>,
    model: Model,
    found: &mut RegressionValues,
) -> Result<(Observations, Fit), String> {
    loop {
        let layout = ParameterLayout { columns: columns.clone(), model };
        let weights = observations.weights(|_| 1.0);
        let direction = match fit(&layout, &observations.patterns, &weights, None) {
            Ok(fitted) => return Ok((observations, fitted)),
            Err(FitError::Outcomes) if found.games == 0 => {
                return Err("there are no quiet positions".to_string());
            }
            Err(FitError::Outcomes) => return Err("not all results occur".to_string()),
            Err(FitError::Singular) => return Err("there are too few games for this many pieces".to_string()),
            Err(FitError::Separated(direction)) => direction,
        };
        let along = |pattern: &Difference| -> f64 {
            columns.iter().zip(&direction).map(|(&column, part)| f64::from(pattern[column]) * part).sum()
        };
        observations = observations.without(|pattern| along(pattern).abs() > MAX_ALONG_SEPARATION);
        for (&column, part) in
            columns.iter().zip(&direction).filter(|(_, part)| part.abs() > MAX_PART_OF_SEPARATION)
        {
            let piece = &mut found.pieces[column];
            let better = if *part > 0.0 { "better" } else { "worse" };
            piece.note = Some(format!("separated: the side with more of it always did {better}"));
            let value = f64::INFINITY.copysign(*part);
            piece.log_odds = Some(Estimate { value, interval: Interval::UNBOUNDED });
        }
        let differs = |column: usize| observations.patterns.iter().any(|pattern| pattern[column] != 0);
        let kept = columns.iter().zip(&direction).filter(|(_, part)| part.abs() <= MAX_PART_OF_SEPARATION);
        let (kept, gone): (Vec<usize>, Vec<usize>) =
            kept.map(|(&column, _)| column).partition(|&column| differs(column));
        for column in gone {
            found.pieces[column].note =
                Some("the sides differ in it only where results are separated".to_string());
        }
        columns = kept;
    }
}

/// A position that differs by more than this along a direction of separation is left out.
const MAX_ALONG_SEPARATION: f64 = 0.05;

/// A column that makes up more than this part of a direction of separation is itself separated.
const MAX_PART_OF_SEPARATION: f64 = 0.5;

/// Turns a fit into values with their intervals. The correction is added to the parameters of the fit and of its replicates.
fn estimate(
    observations: &Observations,
    fitted: &Fit,
    correction: &[f64],
    options: RegressionOptions,
    progress: &(dyn Fn(u64) + Sync),
    found: &mut RegressionValues,
) {
    let Some(covariance) = covariance(observations, fitted) else {
        found.nothing = Some("there is only one cluster, so no variance can be estimated".to_string());
        return;
    };
    let resampling = Resampling { replicates: options.replicates, seed: options.seed };
    let corrected =
        |parameters: &[f64]| parameters.iter().zip(correction).map(|(one, more)| one + more).collect();
    let mut replicates = bootstrap(observations, fitted, resampling, progress);
    replicates.iter_mut().flatten().for_each(|parameters| *parameters = corrected(parameters));
    let fitted = &Fit { parameters: corrected(&fitted.parameters), ..fitted.clone() };
    found.failed_replicates = replicates.iter().filter(|fit| fit.is_none()).count() as u32;
    let scale = EloScale::of(fitted);
    found.white = Some(scale.white(&covariance));
    found.draws = (found.model == Model::Ordered).then(|| scale.draws());
    let pawn = fitted.layout.columns.iter().position(|&column| column == 0);
    let columns = fitted.layout.columns.iter();
    let unit =
        columns.map(|&column| found.pieces[column].piece).position(|piece| piece == options.unit.piece());
    for (index, &column) in fitted.layout.columns.iter().enumerate() {
        let piece = &mut found.pieces[column];
        piece.log_odds = Some(Estimate::normal(fitted.parameters[index], covariance[(index, index)].sqrt()));
        piece.elo = Some(scale.elo(index, &covariance));
        if let Some(unit) = unit {
            let delta = ratio(fitted, &covariance, index, unit);
            let interval = match options.replicates {
                0 => delta.interval,
                _ => bootstrap_of_ratio(&replicates, index, unit, delta),
            };
            piece.value = Some(Estimate { interval, ..delta }.times(options.unit.number()));
        }
        let Some(pawn) = pawn else { continue };
        let delta = ratio(fitted, &covariance, index, pawn);
        piece.pawns = Some(delta);
        if options.replicates > 0 {
            piece.bootstrap = Some(bootstrap_of_ratio(&replicates, index, pawn, delta));
        }
    }
    found.fit = unit.map_or(Vec::new(), |unit| {
        score_by_difference(observations, fitted, fitted.parameters[unit] / options.unit.number())
    });
    if pawn.is_none() {
        let note = "no value in pawns, because the pawn has none";
        found.pieces.iter_mut().filter(|piece| piece.elo.is_some()).for_each(|piece| {
            piece.note = Some(note.to_string());
        });
    } else if let Some(piece) = found.pieces.first_mut()
        && piece.log_odds.is_some_and(|pawn| pawn.interval.contains(0.0))
    {
        piece.note = Some(
            "the pawn's value does not differ significantly from 0, so no ratio to it is bounded".to_string(),
        );
    }
}
