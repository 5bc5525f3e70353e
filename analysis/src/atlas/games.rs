//! The agreement of an atlas's scores with those of games.

use std::collections::HashMap;
use std::path::Path;

use backrank_rules::Variant;
use backrank_selfplay::atlas::{Atlas, AtlasDirectory, AtlasRow};
use serde::Serialize;

use super::judgement::Judgements;
use super::measure::AtlasMeasure;
use crate::error::AnalysisError;
use crate::setups::{SetupMean, SetupStatistics, least_squares};
use crate::stats::{Estimate, correlation};

/// The setups of an atlas, to be looked up by their ranks, since a study may use another numbering.
#[derive(Clone, Debug)]
pub struct JudgedSetups {
    /// The definition of the atlas.
    pub atlas: Atlas,
    /// What the atlas says of each setup.
    pub judgements: Judgements,
    /// The indices of the rows, by White's and Black's first ranks.
    indices: HashMap<(String, String), usize>,
}

impl JudgedSetups {
    /// Reads an atlas of a variant.
    ///
    /// # Errors
    ///
    /// When there is no atlas, its rows cannot be read, or its variant is another one.
    pub fn open(path: &Path, variant: &Variant) -> Result<Self, AnalysisError> {
        let atlas = AtlasDirectory::read(path)?;
        if atlas.variant.text != variant.text() {
            return Err(AnalysisError::AtlasVariant {
                path: path.join("atlas.toml"),
                key: atlas.variant.key,
                studies: variant.key.clone(),
            });
        }
        let judgements = Judgements::read(path, &atlas)?;
        let key =
            |(index, row): (usize, &AtlasRow)| ((row.white_rank.clone(), row.black_rank.clone()), index);
        Ok(Self { indices: judgements.rows.iter().enumerate().map(key).collect(), judgements, atlas })
    }

    /// The index of a setup's row, if the atlas has it.
    pub fn get(&self, white: &str, black: &str) -> Option<usize> {
        self.indices.get(&(white.to_string(), black.to_string())).copied()
    }

    /// Compares its scores with those of games.
    pub fn and_games(&self, found: &SetupStatistics) -> AtlasAndGames {
        let judged: Vec<(f64, SetupMean)> = found
            .setups
            .iter()
            .filter_map(|setup| {
                let index = self.get(&setup.name.white, &setup.name.black)?;
                let games = setup.games as f64;
                let expected = self.judgements.of(index, AtlasMeasure::ExpectedScore).value;
                Some((expected, SetupMean { weight: games, sum: games * setup.score.value }))
            })
            .collect();
        let scores: Vec<(f64, f64)> =
            judged.iter().map(|(expected, mean)| (*expected, mean.sum / mean.weight)).collect();
        let (rows, means): (Vec<Vec<f64>>, Vec<SetupMean>) =
            judged.into_iter().map(|(expected, mean)| (vec![expected], mean)).unzip();
        let games: f64 = means.iter().map(|mean| mean.weight).sum();
        let fitted = least_squares(vec!["expected score".to_string()], &rows, &means);
        AtlasAndGames {
            setups: means.len() as u64,
            games: games as u64,
            expected: rows.iter().zip(&means).map(|(row, mean)| row[0] * mean.weight).sum::<f64>() / games,
            score: means.iter().map(|mean| mean.sum).sum::<f64>() / games,
            correlation: correlation(&scores),
            not_ranked: AtlasMeasure::ALL
                .into_iter()
                .filter_map(|measure| {
                    Some(format!("{}: {}", measure.name(), self.judgements.why_no_ranks(measure)?))
                })
                .collect(),
            slope: fitted.effects.first().and_then(|effect| effect.effect),
        }
    }
}

/// The agreement of an atlas's scores with those of games.
#[derive(Clone, Debug, Serialize)]
pub struct AtlasAndGames {
    /// The number of setups that occur in both.
    pub setups: u64,
    /// The number of games from these setups.
    pub games: u64,
    /// White's mean expected score by the atlas, weighted by games.
    pub expected: f64,
    /// White's score in these games.
    pub score: f64,
    /// The correlation of a setup's expected score with its score in games. With few games from each setup it is close
    /// to 0, however good the atlas is.
    pub correlation: Option<Estimate>,
    /// The slope of White's score in games on its expected score, by least squares: 1 if the atlas is right.
    pub slope: Option<Estimate>,
    /// The measures by which the atlas ranks no setups, each with the reason.
    pub not_ranked: Vec<String>,
}
