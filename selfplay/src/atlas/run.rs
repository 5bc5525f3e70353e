//! What is needed to judge the setups of an atlas.

use std::ops::Range;

use backrank_rules::{Rules, Setup};

use super::definition::Atlas;
use crate::study::{SetupsError, StudySetups};

/// What is needed to make an atlas.
///
/// ```
/// use std::convert::Infallible;
/// use std::ops::ControlFlow;
/// use std::sync::atomic::AtomicBool;
///
/// use backrank_rules::Variant;
/// use backrank_selfplay::atlas::{Atlas, AtlasRun};
///
/// let atlas = Atlas::new(&Variant::find("chess960")?, 500)?;
/// let run = AtlasRun::new(atlas)?;
/// let mut rows = Vec::new();
/// run.judge(518..519, 1, &AtomicBool::new(false), |row| {
///     rows.push(row);
///     Ok::<_, Infallible>(ControlFlow::Continue(()))
/// })?;
/// assert_eq!(rows[0].white_rank, "RNBQKBNR");
/// assert!(rows[0].complexity > 0.0 && rows[0].complexity <= 20.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct AtlasRun {
    atlas: Atlas,
    rules: Rules,
    without_adjustment: Option<Rules>,
    setups: StudySetups,
}

impl AtlasRun {
    /// Prepares to make an atlas.
    ///
    /// # Errors
    ///
    /// When the variant has no such setups.
    pub fn new(atlas: Atlas) -> Result<Self, SetupsError> {
        let rules = Rules::new(&atlas.variant()?);
        let without_adjustment = rules.has_adjustment().then(|| rules.clone().without_adjustment());
        let setups = atlas.setups()?;
        setups.check_kings()?;
        let part = atlas.range(setups.len());
        if part.end > setups.len() {
            let all = setups.len();
            return Err(SetupsError::Text(format!(
                "shard: setups {}..{} are not all in the atlas, which has {all} setups",
                part.start, part.end
            )));
        }
        Ok(Self { atlas, rules, without_adjustment, setups })
    }

    /// The definition of the atlas.
    pub fn atlas(&self) -> &Atlas {
        &self.atlas
    }

    /// The rules of the atlas's variant.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    pub(super) fn without_adjustment(&self) -> Option<&Rules> {
        self.without_adjustment.as_ref()
    }

    /// The indices, in the whole atlas, of the setups that are judged here.
    pub fn range(&self) -> Range<u64> {
        self.atlas.range(self.setups.len())
    }

    /// The number of setups of the whole atlas, not only of the part that is made here.
    pub fn all_setups(&self) -> u64 {
        self.setups.len()
    }

    /// A setup and its id, by its index in the whole atlas.
    pub(super) fn setup(&self, index: u64) -> (u128, Setup) {
        self.setups.get(index)
    }

    /// The id of a setup's left–right reflection, if the game is the same when reflected and the space contains it.
    pub(super) fn reflection(&self, setup: &Setup) -> Option<u128> {
        let reflection = Setup { white: setup.white.reversed(), black: setup.black.reversed() };
        let is_symmetric = self.rules.variant().is_symmetric();
        is_symmetric.then(|| self.setups.id_of(&reflection)).flatten()
    }
}
