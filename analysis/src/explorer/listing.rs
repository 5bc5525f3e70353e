//! The setups of a page.

use std::collections::HashMap;

use backrank_enumerate::{NotInSpace, Space};
use backrank_rules::Setup;

/// The largest space of which every setup is listed.
pub(super) const MAX_LISTED: u128 = 100_000;

/// The setups of a page, in the order of ids in the default numbering. Of a large space only setups with results are
/// listed, in order of first occurrence.
#[derive(Debug)]
pub(super) struct Listing<'a> {
    pub space: &'a Space,
    pub setups: Vec<Setup>,
    indices: HashMap<Setup, usize>,
    /// Whether every setup of the space is listed.
    pub whole: bool,
}

impl<'a> Listing<'a> {
    pub fn new(space: &'a Space) -> Self {
        let whole = space.len() <= MAX_LISTED;
        let setups: Vec<Setup> = if whole { space.iter().collect() } else { Vec::new() };
        let indices = setups.iter().enumerate().map(|(index, setup)| (*setup, index)).collect();
        Self { space, setups, indices, whole }
    }

    /// The index of the setup with these ranks, which is added to the list if need be.
    pub fn index_of(&mut self, white: &str, black: &str) -> Result<usize, NotInSpace> {
        let text = if black.is_empty() { white.to_string() } else { format!("{white}/{black}") };
        let setup = self.space.read(&text)?;
        let next = self.setups.len();
        let index = *self.indices.entry(setup).or_insert(next);
        if index == next {
            self.setups.push(setup);
        }
        Ok(index)
    }
}
