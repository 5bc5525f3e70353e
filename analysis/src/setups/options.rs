//! Options of the statistics of setups.

/// Options of the statistics of setups.
#[derive(Clone, Copy, Debug)]
pub struct SetupOptions {
    /// The number of permutations for the test of whether setups differ.
    pub permutations: u32,
    /// The seed of the permutations.
    pub seed: u64,
}

impl Default for SetupOptions {
    fn default() -> Self {
        Self { permutations: 999, seed: 0 }
    }
}
