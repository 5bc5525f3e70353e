//! The findings of a network of imbalances, in sentences.

use super::imbalance_values::{ImbalanceValues, PawnOfFile};
use crate::stats::ChiSquareTest;

impl ImbalanceValues {
    /// The findings, each in a sentence or two.
    pub fn statements(&self) -> Vec<String> {
        let mut said = Vec::new();
        if let Some(why) = &self.nothing {
            said.push(format!("There are no values: {why}."));
            return said;
        }
        let test = |test: &ChiSquareTest| {
            let ChiSquareTest { chi_square, freedom, p_value } = test;
            let degrees = if *freedom == 1 { "degree" } else { "degrees" };
            let p = match 100.0 * p_value {
                tiny if tiny < 0.05 => "p < 0.1 %".to_string(),
                percent => format!("p = {percent:.1} %"),
            };
            format!("χ² = {chi_square:.1} on {freedom} {degrees} of freedom, {p}")
        };
        said.push(match &self.additive {
            None => "There are no more imbalances than pieces, so whether values add up cannot be tested.".to_string(),
            Some(found) if found.p_value < SIGNIFICANT => format!(
                "Piece values do not exist at this precision: imbalances deviate from the sum of their pieces ({}).",
                test(found)
            ),
            Some(found) => format!("Values add up as far as these games can tell ({}).", test(found)),
        });
        if let Some(deviation) = self.deviation {
            said.push(format!(
                "Imbalances deviate from the sum of values by about {deviation:.0} Elo (standard deviation; the estimate starts \
                 from 10 Elo, with the weight of four imbalances). The intervals include this."
            ));
        }
        if let Some(found) = &self.pawns_add_up {
            let so = if found.p_value < SIGNIFICANT {
                "Pawns do not add up"
            } else {
                "Pawns add up as far as these games can tell"
            };
            said.push(format!("{so}, by the matches of pawns against nothing ({}).", test(found)));
        }
        if let Some(found) = &self.files_alike {
            let so = match found.p_value < SIGNIFICANT {
                true => "Pawns of different files are not worth the same",
                false => "Pawns of all files are worth the same as far as these games can tell",
            };
            let each = |pawn: &PawnOfFile| format!("{} {:.0}", pawn.file, pawn.elo.value);
            let each: Vec<String> = self.pawns_by_file.iter().map(each).collect();
            said.push(format!("{so} ({}); in Elo: {}.", test(found), each.join(", ")));
        }
        let moved = self.pieces.iter().filter_map(|piece| {
            Some((
                piece.piece,
                (piece.probit? / piece.value.filter(|value| value.value != 0.0)?.value - 1.0).abs(),
            ))
        });
        if let Some((piece, by)) = moved.max_by(|one, other| one.1.total_cmp(&other.1)) {
            said.push(format!(
                "A probit instead of the logit changes no value by more than {:.1} % ({piece}).",
                100.0 * by
            ));
        }
        if let (Some(white), Some(draws)) = (self.white, self.draws) {
            said.push(format!(
                "The first move is worth {:+.0} Elo ({:+.0}); between equals {:.0} % are drawn.",
                white.value,
                white.interval,
                100.0 * draws
            ));
        }
        match self.unpaired {
            0 => {}
            1 => said.push("One game is left out because the other game of its pair is missing.".to_string()),
            more => {
                said.push(format!(
                    "{more} games are left out because the other games of their pairs are missing."
                ));
            }
        }
        said
    }
}

/// The significance level of the tests.
const SIGNIFICANT: f64 = 0.05;
