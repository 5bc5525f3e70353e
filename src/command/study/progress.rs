//! The progress of a study on the terminal.

use std::time::Duration;

use backrank_analysis::table::thousands;
use backrank_experiment::design::{ImbalanceSample, PartId};
use backrank_experiment::plan::Plan;
use backrank_experiment::play::PlayProgress;

use crate::args::studies::Bar;

/// A bar that shows how much of a plan is played, or of a time.
pub enum StudyBar {
    Plan { bar: Bar, rounds: u64 },
    Time(Bar),
}

impl StudyBar {
    pub fn of_plan(plan: &Plan) -> Self {
        Self::Plan { bar: Bar::new("playing", plan.games), rounds: plan.rounds }
    }

    pub fn of_time(time: Duration) -> Self {
        Self::Time(Bar::new("playing", time.as_millis() as u64))
    }

    /// Shows how far the run is.
    pub fn show(&self, progress: &PlayProgress<'_>) {
        let PlayProgress { games, elapsed, round, .. } = *progress;
        match self {
            Self::Plan { bar, rounds } => {
                let (round, part) = (round.unwrap_or(1), progress.design.path(progress.part));
                bar.tell(games, format!("{} games, round {round} of {rounds}, {part}", thousands(games)));
            }
            Self::Time(bar) => {
                let a_second = progress.played as f64 / elapsed.as_secs_f64();
                let (games, name) = (thousands(progress.played), name_of(progress));
                let precision = match progress.precision {
                    Some((piece, relative)) => {
                        format!("; values within {:.0} % ({piece}) or less", 100.0 * relative)
                    }
                    None => "; no values yet".to_string(),
                };
                bar.tell(
                    elapsed.as_millis() as u64,
                    format!("{games} games, {a_second:.0} a second, now {name}{precision}"),
                );
            }
        }
    }

    /// Removes the bar.
    pub fn finish(&self) {
        let (Self::Plan { bar, .. } | Self::Time(bar)) = self;
        bar.finish();
    }
}

fn name_of(progress: &PlayProgress<'_>) -> String {
    match (progress.design.odds(progress.part), progress.part) {
        (Some(odds), PartId::Imbalance { sample: ImbalanceSample::Confirmatory, .. }) => {
            format!("{odds}, confirmatory sample")
        }
        (Some(odds), _) => odds.to_string(),
        (None, _) => "all setups".to_string(),
    }
}
