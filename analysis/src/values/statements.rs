//! The findings of a network of imbalances, in sentences.

use backrank_rules::Letter;

use super::imbalance_values::{Imbalance, ImbalanceValues, PawnOfFile, PieceAlone};
use crate::games::Column;
use crate::stats::{Estimate, Interval, p_text};
use crate::table::thousands;

impl ImbalanceValues {
    /// How much less pawns at the edges are worth, in words.
    fn about_edges(&self) -> Option<String> {
        let (Some(Estimate { value, interval }), [first, .., last]) =
            (self.edge_pawns, &self.pawns_by_file[..])
        else {
            return None;
        };
        let (first, last) = (first.file, last.file);
        let (value, interval, how) = match value < 0.0 {
            true => (-value, Interval { low: -interval.high, high: -interval.low }, "more"),
            false => (value, interval, "less"),
        };
        Some(format!(
            "; those of {first} and {last} are worth {value:.0} ({interval:.0}) {how} than the others"
        ))
    }

    /// The findings, each in a sentence or two.
    pub fn statements(&self) -> Vec<String> {
        let mut said = Vec::new();
        if let Some(why) = &self.nothing {
            said.push(format!("There are no values: {why}."));
            return said;
        }
        said.push(self.how_far_values_add_up());
        said.extend(self.what_deviates());
        said.extend(self.about_setups());
        said.extend(self.odds_of_single_pieces());
        if let Some(found) = &self.pawns_add_up {
            let so = if found.p_value < SIGNIFICANT {
                "Pawns do not add up"
            } else {
                "Pawns add up as far as these games can tell"
            };
            said.push(format!("{so}, by the matches of pawns against nothing ({found})."));
            said.extend(self.which_pawn().filter(|_| found.p_value < SIGNIFICANT));
        }
        if let Some(found) = &self.files_alike {
            let so = match found.p_value < SIGNIFICANT {
                true => "Pawns of different files are not worth the same",
                false => "Pawns of all files are worth the same as far as these games can tell",
            };
            let each = |pawn: &PawnOfFile| format!("{} {:.0}", pawn.file, pawn.elo.value);
            let each: Vec<String> = self.pawns_by_file.iter().map(each).collect();
            let edges = self.about_edges().unwrap_or_default();
            said.push(format!("{so} ({found}); in Elo: {}{edges}.", each.join(", ")));
        }
        let moved = self.pieces.iter().filter_map(|piece| {
            Some((
                piece.piece,
                (piece.probit? / piece.value.filter(|value| value.value != 0.0)?.value - 1.0).abs(),
            ))
        });
        if let Some((piece, by)) = moved.max_by(|one, other| one.1.total_cmp(&other.1)) {
            said.push(match 100.0 * by {
                little if little < 0.05 => {
                    "A probit instead of the logit changes no value by as much as 0.1 %.".to_string()
                }
                by => format!(
                    "A probit instead of the logit changes no value by more than {by:.1} % ({piece})."
                ),
            });
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
    fn how_far_values_add_up(&self) -> String {
        let by = match (self.deviation, self.deviation_interval) {
            (Some(deviation), Some(Interval { low, high })) => {
                let high = if high.is_finite() { format!("{high:.0}") } else { "∞".to_string() };
                format!(" by about {deviation:.0} Elo (standard deviation; {low:.0} to {high} by Q-profile)")
            }
            (Some(deviation), None) => format!(" by about {deviation:.0} Elo (standard deviation)"),
            (None, _) => String::new(),
        };
        match &self.additive {
            None => format!(
                "Whether values add up cannot be tested, as there are no more imbalances than pieces; the intervals allow for sums that are off{by}."
            ),
            Some(found) if found.p_value < SIGNIFICANT => format!(
                "Values add up only so far: imbalances are off the sums of their pieces{by}, which is more than chance ({found}); the intervals allow for it."
            ),
            Some(found) => format!(
                "Values add up as far as these games can tell ({found}); the intervals allow for sums that are off{by}."
            ),
        }
    }

    /// The imbalances that deviate most from the sum of values.
    fn what_deviates(&self) -> Option<String> {
        self.additive?;
        let mut tested: Vec<(&Imbalance, f64)> =
            self.imbalances.iter().filter_map(|found| Some((found, found.p_value?))).collect();
        tested.sort_by(|one, other| one.1.total_cmp(&other.1));
        let number = tested.len();
        let significant: Vec<String> = tested
            .iter()
            .take_while(|(_, p)| *p < SIGNIFICANT)
            .take(MOST_NAMED)
            .map(|(found, p)| {
                let by = found.residual.map_or(0.0, |residual| residual.value);
                format!("{} by {by:+.0} Elo ({})", found.odds, p_text(*p))
            })
            .collect();
        let corrected = format!("p-values corrected for all {number}, by Holm's method");
        match (&significant[..], tested.first()) {
            (_, None) => None,
            ([], Some((found, p))) => Some(format!(
                "No imbalance by itself deviates by more than chance allows; {} comes closest ({}; {corrected}).",
                found.odds,
                p_text(*p)
            )),
            (named, _) => Some(format!("Most off are {}; {corrected}.", named.join(", "))),
        }
    }

    /// How many setups the games start from, and what that means for the intervals.
    fn about_setups(&self) -> Option<String> {
        match (self.setups, self.by_setup) {
            (0, _) => None,
            (1, _) => Some("All games start from one setup.".to_string()),
            (setups, true) => Some(format!(
                "The games start from {} setups, which imbalances share; the intervals are clustered by imbalance and by setup.",
                thousands(setups)
            )),
            (setups, false) => Some(format!("The games start from {} setups.", thousands(setups))),
        }
    }

    /// What a start without a single piece costs, beside what the piece counts for in all imbalances.
    fn odds_of_single_pieces(&self) -> Option<String> {
        let each = |alone: &PieceAlone| {
            let table = self.pieces.iter().find(|piece| piece.piece == alone.piece)?.elo?;
            let Estimate { value, interval } = alone.elo;
            Some(format!("{} {value:.0} ({interval:.0}; by the table {:.0})", alone.piece, table.value))
        };
        let is_piece = |alone: &&PieceAlone| alone.piece != Column::Piece(Letter::PAWN);
        let said: Vec<String> = self.alone.iter().filter(is_piece).filter_map(each).collect();
        (!said.is_empty())
            .then(|| format!("Giving odds of a single piece costs, in Elo: {}.", said.join(", ")))
    }

    /// The value of one pawn and that of a pawn on the average, which differ where pawns do not add up.
    fn which_pawn(&self) -> Option<String> {
        let pawn = Column::Piece(Letter::PAWN);
        let one = self.alone.iter().find(|alone| alone.piece == pawn)?;
        let mean = self.pieces.iter().find(|piece| piece.piece == pawn)?;
        let (value, elo) = (mean.value?, mean.elo?);
        Some(format!(
            "A pawn alone (one-pawn) is worth {:.2} ({:.2}) or {:.0} Elo; per pawn over all imbalances (mean-pawn), as in the table, {:.2} ({:.2}) or {:.0} Elo.",
            one.value.value, one.value.interval, one.elo.value, value.value, value.interval, elo.value
        ))
    }
}

/// The most imbalances that are named as deviating.
const MOST_NAMED: usize = 4;

/// The significance level of the tests.
const SIGNIFICANT: f64 = 0.05;
