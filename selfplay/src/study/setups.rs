//! The setups that a study plays.

use std::sync::{Mutex, PoisonError};

use backrank_enumerate::{Numbering, Space};
use backrank_rules::Setup;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

use super::definition::Study;
use super::setup_choice::{SetupChoice, SetupsError};

/// The setups of a study, by their index in it.
///
/// ```
/// use backrank_rules::Variant;
/// use backrank_selfplay::{Study, StudySetups};
///
/// let chess960 = Variant::find("chess960")?;
/// let setups = StudySetups::of(&Study::new(&chess960, "518..520".to_string(), "scharnagl", 2))?;
/// let (id, setup) = setups.get(0);
/// assert_eq!((setups.len(), id, setup.white.to_string().as_str()), (2, 518, "RNBQKBNR"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct StudySetups {
    choice: SetupChoice,
    space: Space,
    numbering: Numbering,
    drawn: Mutex<DrawnIds>,
}

/// The ids that were drawn so far. A study may ask for many more setups than it will ever play.
#[derive(Debug)]
struct DrawnIds {
    rng: ChaCha8Rng,
    ids: Vec<u128>,
}

impl StudySetups {
    /// The setups of a study. `random:N` draws those that `backrank random -n N` prints for the same seed.
    ///
    /// When the study does not have these setups.
    ///
    /// When the study has no such setups.
    pub fn of(study: &Study) -> Result<Self, SetupsError> {
        let (choice, space) = (study.setup_choice()?, study.space()?);
        let variant = || study.variant.key.clone();
        let numbering = space.numbering(&study.numbering).cloned();
        let numbering = numbering.ok_or_else(|| SetupsError::Numbering {
            variant: variant(),
            numbering: study.numbering.clone(),
        })?;
        if space.is_empty() {
            return Err(SetupsError::Empty(variant()));
        }
        let beyond = match &choice {
            SetupChoice::Ids(ids) => (u128::from(ids.end) > space.len()).then(|| choice.to_string()),
            SetupChoice::Listed(ids) => {
                ids.iter().find(|&&id| u128::from(id) >= space.len()).map(ToString::to_string)
            }
            SetupChoice::All | SetupChoice::Random(_) => None,
        };
        if let Some(setups) = beyond {
            return Err(SetupsError::PastTheEnd { setups, variant: variant(), last: space.len() - 1 });
        }
        let drawn = DrawnIds { rng: ChaCha8Rng::seed_from_u64(study.seed), ids: Vec::new() };
        Ok(Self { choice, space, numbering, drawn: Mutex::new(drawn) })
    }

    /// The number of setups; one that was drawn or listed twice counts twice.
    pub fn len(&self) -> u64 {
        match &self.choice {
            SetupChoice::All => self.space.len().try_into().unwrap_or(u64::MAX),
            SetupChoice::Ids(ids) => ids.end - ids.start,
            SetupChoice::Random(number) => *number,
            SetupChoice::Listed(ids) => ids.len() as u64,
        }
    }

    /// Whether there are no setups, which is possible only for a list.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// A setup and its id.
    ///
    /// # Panics
    ///
    /// When the index is not less than [`StudySetups::len`].
    pub fn get(&self, index: u64) -> (u128, Setup) {
        let id = match &self.choice {
            SetupChoice::All => index.into(),
            SetupChoice::Ids(ids) => (ids.start + index).into(),
            SetupChoice::Listed(ids) => ids[index as usize].into(),
            SetupChoice::Random(_) => self.draw(index as usize),
        };
        (id, self.space.unrank_by(&self.numbering, id).expect("ids were checked against the space"))
    }

    /// The id that is drawn at an index, whichever were asked for before.
    fn draw(&self, index: usize) -> u128 {
        let mut drawn = self.drawn.lock().unwrap_or_else(PoisonError::into_inner);
        while drawn.ids.len() <= index {
            let (id, _) =
                self.space.random_by(&self.numbering, &mut drawn.rng).expect("a space that is not empty");
            drawn.ids.push(id);
        }
        drawn.ids[index]
    }
}
