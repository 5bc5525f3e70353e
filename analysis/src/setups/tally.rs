//! The results of games from one setup.

/// White's wins, draws and losses from one setup.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct SetupTally {
    pub results: [u64; 3],
}

impl SetupTally {
    pub fn games(&self) -> u64 {
        self.results.iter().sum()
    }

    pub fn half_points(&self) -> u64 {
        2 * self.results[0] + self.results[1]
    }

    pub fn score(&self) -> f64 {
        self.half_points() as f64 / (2 * self.games()) as f64
    }
}
