//! The setups that a study plays.

use std::sync::{Mutex, PoisonError};

use backrank_enumerate::{Numbering, Space};
use backrank_rules::{Position, Rules, Setup};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

use super::definition::Study;
use super::odds::{MissingPawns, Odds};
use super::schedule::ScheduledGame;
use super::setup_choice::{SetupChoice, SetupsError};
use super::spec::StudySpec;
use super::start_positions::NoStart;
use super::starts::Starts;

/// The setups of a study, by their index in it.
///
/// ```
/// use backrank_rules::Variant;
/// use backrank_selfplay::study::{SetupChoice, StudySetups, StudySpec};
///
/// let chess960 = Variant::find("chess960")?;
/// let choice = SetupChoice::Ids(518..520);
/// let setups = StudySetups::of(&StudySpec::new(&chess960, choice.into(), "scharnagl", 2))?;
/// let (id, setup) = setups.get(0);
/// assert_eq!((setups.len(), id, setup.white.to_string().as_str()), (2, 518, "RNBQKBNR"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct StudySetups {
    choice: SetupChoice,
    space: Space,
    numbering: Numbering,
    /// The variant's key.
    variant: String,
    drawn: Mutex<DrawnIds>,
}

/// The ids in `lex` of randomly drawn setups, block by block: a study may ask for many more setups than it will ever
/// play, and a task of a cluster begins far from the first one.
#[derive(Debug)]
struct DrawnIds {
    /// The state of the generator at the beginning of each block, up to the last one used so far.
    blocks: Vec<ChaCha8Rng>,
    /// The two blocks that were used last, since games that are played at the same time may be in two blocks.
    kept: [(usize, Vec<u128>); 2],
}

/// The number of ids in a block.
const BLOCK: usize = 1 << 16;

impl StudySetups {
    /// The setups of a study. `random:N` draws those that `backrank random -n N` prints for the same seed.
    ///
    /// # Errors
    ///
    /// When the study's variant has no such setups.
    pub fn of(study: &StudySpec) -> Result<Self, SetupsError> {
        let choice = match &study.starts {
            Starts::Setups(choice) => choice.clone(),
            other => return Err(SetupsError::NoChoice(other.text())),
        };
        let space = study.space()?;
        let numbering = study.numbering_of(&space)?.clone();
        Self::choose(choice, space, numbering, study.seed, &study.variant.key)
    }

    /// The setups of a study that has been defined: at least as many as its definition says.
    ///
    /// # Errors
    ///
    /// When the study's variant has no such setups, or too few.
    pub(super) fn of_defined(study: &StudySpec) -> Result<Self, SetupsError> {
        let setups = Self::of(study)?;
        match setups.len() {
            len if len < study.number_of_setups => Err(SetupsError::Text(format!(
                "number_of_setups = {}, but setups = {} are {len}",
                study.number_of_setups,
                study.starts.text()
            ))),
            _ => Ok(setups),
        }
    }

    /// A choice of the setups of a space, by their ids in a numbering; `key` names the variant in errors.
    pub(crate) fn choose(
        choice: SetupChoice,
        space: Space,
        numbering: Numbering,
        seed: u64,
        key: &str,
    ) -> Result<Self, SetupsError> {
        let variant = || key.to_string();
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
        let drawn = DrawnIds { blocks: vec![ChaCha8Rng::seed_from_u64(seed)], kept: Default::default() };
        Ok(Self { choice, space, numbering, variant: variant(), drawn: Mutex::new(drawn) })
    }

    /// Checks that in none of the setups a king stands in check before the first move.
    ///
    /// # Errors
    ///
    /// When there is such a setup. Where setups are drawn, or are too many to be looked at, those of the whole space count.
    pub fn check_kings(&self) -> Result<(), SetupsError> {
        const MAX_CHOSEN: u64 = 1 << 20;
        let few =
            matches!(self.choice, SetupChoice::Ids(_) | SetupChoice::Listed(_)) && self.len() <= MAX_CHOSEN;
        let is_drawn = matches!(self.choice, SetupChoice::Random(_)) && self.len() <= MAX_CHOSEN;
        let (setups, variant) = (self.space.len(), self.variant.clone());
        let text = |setup: &Setup| format!("{}/{}", setup.white, setup.black);
        match self.space.in_check() {
            Ok(None) => Ok(()),
            Ok(Some(found)) if !few => {
                Err(SetupsError::InCheck { number: found.number, setups, variant, first: text(&found.first) })
            }
            // Those that are drawn can still be looked at, one by one.
            Err(error) if !few && !is_drawn => Err(error.into()),
            found => {
                let mut chosen = (0..self.len()).map(|index| self.get(index).1);
                let Some(first) = chosen.find(|setup| self.space.has_check(setup)) else { return Ok(()) };
                let number = found.ok().flatten().map_or(1, |found| found.number);
                Err(SetupsError::InCheck { number, setups, variant, first: text(&first) })
            }
        }
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
            SetupChoice::Random(_) => {
                let drawn =
                    self.drawn.lock().unwrap_or_else(PoisonError::into_inner).id(&self.space, index as usize);
                let setup = self.space.unrank(drawn).expect("it was drawn from the space");
                let id = self.space.rank_by(&self.numbering, &setup).expect("a setup of this space");
                return (id, setup);
            }
        };
        (id, self.space.unrank_by(&self.numbering, id).expect("ids were checked against the space"))
    }

    /// A setup and its id, and the starting positions of both games of a pair at odds from it. Where setups are drawn, and no game can
    /// start from this one without what the odds take away, others are drawn from `rng`: a nightrider in the place of a knight,
    /// say, could take the king of some.
    ///
    /// # Errors
    ///
    /// When no game can start from the setup, nor from those that are drawn instead.
    pub(super) fn start_at_odds<'r>(
        &self,
        scheduled: ScheduledGame,
        study: &Study,
        odds: &Odds,
        rules: &'r Rules,
        rng: &mut ChaCha8Rng,
    ) -> Result<StartAtOdds<'r>, NoStart> {
        const DRAWS: usize = 100;
        let pawns = match study.pawns_in_turn {
            true => MissingPawns::InTurn { seed: study.seed, pair: scheduled.stream },
            false => MissingPawns::Drawn,
        };
        let first = self.get(scheduled.start);
        let error = match odds.starts(rules, &first.1, pawns, rng) {
            Ok(positions) => return Ok(StartAtOdds { id: first.0, setup: first.1, positions }),
            Err(error) => error,
        };
        for _ in 0..if matches!(self.choice, SetupChoice::Random(_)) { DRAWS } else { 0 } {
            let (id, setup) = self.space.random_by(&self.numbering, rng).expect("a space that is not empty");
            if let Ok(positions) = odds.starts(rules, &setup, pawns, rng) {
                return Ok(StartAtOdds { id, setup, positions });
            }
        }
        Err(NoStart::of(&first.1, Some(odds), error))
    }

    /// The id of a setup; `None` if the space does not contain it.
    pub(crate) fn id_of(&self, setup: &Setup) -> Option<u128> {
        self.space.rank_by(&self.numbering, setup).ok()
    }
}

/// What both games of a pair at odds start from.
pub(super) struct StartAtOdds<'r> {
    /// The setup's id in the study's numbering.
    pub id: u128,
    pub setup: Setup,
    /// The positions of both games.
    pub positions: [Position<'r>; 2],
}

impl DrawnIds {
    /// The id that is drawn at an index, regardless of which were asked for before.
    fn id(&mut self, space: &Space, index: usize) -> u128 {
        let draw = |rng: &mut ChaCha8Rng| space.random_id(rng).expect("a space that is not empty");
        let block = index / BLOCK;
        let is_kept = |(kept, ids): &(usize, Vec<u128>)| *kept == block && !ids.is_empty();
        if !is_kept(&self.kept[0]) {
            self.kept.swap(0, 1);
        }
        if !is_kept(&self.kept[0]) {
            while self.blocks.len() <= block {
                let mut rng = self.blocks[self.blocks.len() - 1].clone();
                for _ in 0..BLOCK {
                    draw(&mut rng);
                }
                self.blocks.push(rng);
            }
            let mut rng = self.blocks[block].clone();
            self.kept[0] = (block, (0..BLOCK).map(|_| draw(&mut rng)).collect());
        }
        self.kept[0].1[index % BLOCK]
    }
}

#[cfg(test)]
mod tests {
    use backrank_rules::Variant;

    use super::*;

    #[test]
    fn drawn_setups_do_not_depend_on_the_order_of_access() {
        let variant = Variant::find("pmrc").unwrap();
        let starts = Starts::Setups(SetupChoice::Random(1_000_000));
        let study = StudySpec { seed: 7, ..StudySpec::new(&variant, starts, "mrc", 1_000_000) };
        let space = study.space().unwrap();
        let numbering = space.numbering("mrc").unwrap();
        let mut rng = ChaCha8Rng::seed_from_u64(7);
        let one_by_one: Vec<(u128, Setup)> =
            (0..4 * BLOCK).map(|_| space.random_by(numbering, &mut rng).unwrap()).collect();
        let setups = StudySetups::of(&study).unwrap();
        for index in [3 * BLOCK + 5, 0, BLOCK - 1, BLOCK, 3 * BLOCK + 6, 1, 4 * BLOCK - 1] {
            assert_eq!(setups.get(index as u64), one_by_one[index], "{index}");
        }
    }
}
