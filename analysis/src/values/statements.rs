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
        said.push(self.how_far_values_add_up(&test));
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
                "The first move is worth {:+.0} Elo ({:+.0}); by this fit {:.0} % of games between equal sides would be drawn.",
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

    /// Whether values add up, by how much they do not, and what that means for the intervals.
    fn how_far_values_add_up(&self, test: &dyn Fn(&ChiSquareTest) -> String) -> String {
        let by = match self.deviation {
            Some(deviation) => format!(" by about {deviation:.0} Elo (standard deviation)"),
            None => String::new(),
        };
        match &self.additive {
            None => format!(
                "Whether values add up cannot be tested, as there are no more imbalances than pieces; the intervals allow for sums that are off{by}."
            ),
            Some(found) if found.p_value < SIGNIFICANT => format!(
                "Values add up only so far: imbalances are off the sums of their pieces{by}, which is more than chance ({}); the intervals allow for it.",
                test(found)
            ),
            Some(found) => format!(
                "Values add up as far as these games can tell ({}); the intervals allow for sums that are off{by}.",
                test(found)
            ),
        }
    }
}

/// The significance level of the tests.
const SIGNIFICANT: f64 = 0.05;
