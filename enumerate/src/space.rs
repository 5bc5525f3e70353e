//! Spaces: all the setups of a variant.

use std::ops::Range;

use backrank_rules::{FirstRank, Setup, Variant, VariantError};
use rand::{Rng, RngExt};
use rayon::prelude::*;
use thiserror::Error;

use crate::army::Army;
use crate::brute_force::BruteForce;
use crate::constraint::Constraint;
use crate::file::{self, SetupPart};
use crate::numbering::{Numbering, Placed};
use crate::read::RankError;
use crate::table::{Table, TooManyStates};

/// All the setups of a variant: it counts them, numbers them and produces them.
///
/// Ids are `u128` and start at 0. No list of the setups is ever held: each answer comes from a table with as many layers
/// as the first rank has pieces.
///
/// ```
/// use backrank_enumerate::Space;
/// use backrank_rules::Variant;
///
/// let chess960 = Space::new(&Variant::find("chess960")?)?;
/// assert_eq!(chess960.len(), 960);
///
/// let setup = chess960.read("RNBQKBNR")?;
/// let scharnagl = chess960.numbering("scharnagl").unwrap();
/// assert_eq!(chess960.rank_by(scharnagl, &setup)?, 518);
/// assert_eq!(chess960.unrank_by(scharnagl, 518), Some(setup));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Space {
    army: Army,
    sides: Sides,
    constraints: Vec<Constraint>,
    table: Table,
    numberings: Vec<Numbering>,
    default: usize,
    notes: Vec<Note>,
    narrowed: bool,
}

/// How Black is set up.
#[derive(Clone, Debug)]
pub enum Sides {
    /// Black's piece on a file is White's.
    Mirror,
    /// The board turned half around.
    Rotate,
    /// Each side its own.
    Independent,
    /// These setups and no others, each with its name.
    Listed(Vec<(String, Setup)>),
}

/// What is known about one rank of a variant.
#[derive(Clone, Debug)]
pub(crate) struct Note {
    pub(crate) rank: FirstRank,
    pub(crate) text: String,
}

/// Why a variant has no space.
#[derive(Debug, Error)]
pub enum SpaceError {
    /// Its file is wrong.
    #[error(transparent)]
    Variant(#[from] VariantError),
    /// A constraint that narrows it asks for what the army does not have.
    #[error("{name}: {problem}")]
    Misfit {
        /// The constraint's name.
        name: &'static str,
        /// What does not fit.
        problem: String,
    },
    /// The constraints together remember too much of a rank's beginning.
    #[error(
        "the constraints of {key} depend on too much of a rank's beginning to be counted: over a million beginnings of one length differ in what may follow"
    )]
    TooManyStates {
        /// The variant's key.
        key: String,
    },
}

/// Why a setup is not in a space.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum NotInSpace {
    /// The letters are not the army's.
    #[error(transparent)]
    Letters(#[from] RankError),
    /// A constraint is broken.
    #[error("{rank} is not a setup: it breaks {name} ({meaning})")]
    Breaks {
        /// The rank.
        rank: FirstRank,
        /// The constraint's name.
        name: &'static str,
        /// What it asks.
        meaning: String,
    },
    /// Black's rank is not the one that goes with White's.
    #[error(
        "Black's {given} does not go with White's {white}: sides are {symmetry}, so it would be {expected}"
    )]
    Black {
        /// White's rank.
        white: FirstRank,
        /// Black's rank as given.
        given: FirstRank,
        /// Black's rank as it would be.
        expected: FirstRank,
        /// The name of the symmetry.
        symmetry: &'static str,
    },
    /// The setups are listed and this is none of them.
    #[error("{white}/{black} is none of the listed setups, which are {known}")]
    Unlisted {
        /// White's rank.
        white: FirstRank,
        /// Black's rank.
        black: FirstRank,
        /// The names of those that are listed.
        known: String,
    },
}

impl Sides {
    /// `mirror`, `rotate`, `independent` or `listed`.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Mirror => "mirror",
            Self::Rotate => "rotate",
            Self::Independent => "independent",
            Self::Listed(_) => "listed",
        }
    }

    /// Black's rank, where White's decides it.
    pub(crate) fn black(&self, white: &FirstRank) -> Option<FirstRank> {
        match self {
            Self::Mirror => Some(*white),
            Self::Rotate => Some(white.reversed()),
            Self::Independent | Self::Listed(_) => None,
        }
    }
}

impl Space {
    /// The space of a variant.
    ///
    /// # Errors
    ///
    /// When `[setup]` in the variant's file is wrong: the error says where.
    pub fn new(variant: &Variant) -> Result<Self, SpaceError> {
        Self::narrowed(variant, &[])
    }

    /// The part of a variant's space that keeps to further constraints, with ids of its own.
    ///
    /// A narrowed space has no numberings but those that exist for every space: the variant's own count other setups.
    /// Where the setups are listed, a constraint is on White's rank.
    ///
    /// # Errors
    ///
    /// As [`Space::new`], and when a constraint asks for what the army does not have.
    pub fn narrowed(variant: &Variant, further: &[Constraint]) -> Result<Self, SpaceError> {
        let SetupPart { army, mut sides, mut constraints, numberings, default, notes } = file::read(variant)?;
        for constraint in further {
            if let Some(problem) = constraint.rule().misfit(&army) {
                return Err(SpaceError::Misfit { name: constraint.name(), problem });
            }
            constraints.push(constraint.clone());
        }
        if let Sides::Listed(setups) = &mut sides {
            setups.retain(|(_, setup)| {
                constraints.iter().all(|constraint| constraint.holds(&setup.white, &army))
            });
        }
        let table = Table::new(&army, &constraints)
            .map_err(|TooManyStates| SpaceError::TooManyStates { key: variant.key.clone() })?;
        let mut space = Self {
            army,
            sides,
            constraints,
            table,
            numberings: vec![Numbering::Lex],
            default: 0,
            notes,
            narrowed: !further.is_empty(),
        };
        if matches!(space.sides, Sides::Listed(_)) {
            space.numberings.push(Numbering::Listed);
        }
        if further.is_empty() {
            for (index, (placed, span)) in numberings.into_iter().enumerate() {
                if let Some(problem) = space.misnumbered(&placed) {
                    return Err(VariantError::new(variant.path(), variant.text(), span, problem).into());
                }
                if default == Some(index) {
                    space.default = space.numberings.len();
                }
                space.numberings.push(Numbering::Placed(placed));
            }
        }
        Ok(space)
    }

    /// What is wrong with a numbering of this space, if something is.
    fn misnumbered(&self, placed: &Placed) -> Option<String> {
        if matches!(self.sides, Sides::Listed(_)) {
            return Some("listed setups are numbered as they are listed".to_string());
        }
        if placed.len() != self.table.len() {
            return Some(format!("this numbers {} ranks, and there are {}", placed.len(), self.table.len()));
        }
        // As many numbers as ranks: it is one to one when no number leads out of the space. Beyond so many, trust it.
        (0..placed.len().min(100_000))
            .map(|id| placed.unrank(id))
            .find(|rank| self.table.rank(rank).is_none())
            .map(|rank| {
                format!(
                    "this numbers {rank}, which is not a setup: {}",
                    self.why_not(&rank).unwrap_or_default()
                )
            })
    }

    /// The army that is arranged.
    pub fn army(&self) -> &Army {
        &self.army
    }

    /// How Black is set up.
    pub fn sides(&self) -> &Sides {
        &self.sides
    }

    /// The constraints on each side's rank.
    pub fn constraints(&self) -> &[Constraint] {
        &self.constraints
    }

    /// Whether constraints beside the variant's own narrow it.
    pub fn is_narrowed(&self) -> bool {
        self.narrowed
    }

    /// The number of setups.
    pub fn len(&self) -> u128 {
        match &self.sides {
            Sides::Mirror | Sides::Rotate => self.table.len().into(),
            Sides::Independent => u128::from(self.table.len()).pow(2),
            Sides::Listed(setups) => setups.len() as u128,
        }
    }

    /// Whether there are no setups at all.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The numberings; the first is [`Numbering::Lex`].
    pub fn numberings(&self) -> &[Numbering] {
        &self.numberings
    }

    /// The numbering with a name.
    pub fn numbering(&self, name: &str) -> Option<&Numbering> {
        self.numberings.iter().find(|numbering| numbering.name() == name)
    }

    /// The numbering that is meant where none is named.
    pub fn default_numbering(&self) -> &Numbering {
        &self.numberings[self.default]
    }

    /// The id of a setup in the default numbering.
    ///
    /// # Errors
    ///
    /// When the setup is not in the space: the error says which constraint it breaks.
    pub fn rank(&self, setup: &Setup) -> Result<u128, NotInSpace> {
        self.rank_by(self.default_numbering(), setup)
    }

    /// The setup with an id in the default numbering; none past the end.
    pub fn unrank(&self, id: u128) -> Option<Setup> {
        self.unrank_by(self.default_numbering(), id)
    }

    /// The id of a setup in a numbering of this space.
    ///
    /// # Errors
    ///
    /// When the setup is not in the space: the error says which constraint it breaks.
    pub fn rank_by(&self, numbering: &Numbering, setup: &Setup) -> Result<u128, NotInSpace> {
        let side = |rank: &FirstRank| self.rank_of_side(numbering, rank);
        match &self.sides {
            Sides::Listed(listed) => self.rank_listed(listed, numbering, setup),
            Sides::Independent => Ok(u128::from(side(&setup.white)?) * u128::from(self.table.len())
                + u128::from(side(&setup.black)?)),
            symmetric => {
                let id = side(&setup.white)?;
                match symmetric.black(&setup.white) {
                    Some(expected) if expected != setup.black => Err(NotInSpace::Black {
                        white: setup.white,
                        given: setup.black,
                        expected,
                        symmetry: self.sides.name(),
                    }),
                    _ => Ok(id.into()),
                }
            }
        }
    }

    /// The setup with an id in a numbering of this space; none past the end.
    pub fn unrank_by(&self, numbering: &Numbering, id: u128) -> Option<Setup> {
        if id >= self.len() {
            return None;
        }
        let side = |id: u64| match numbering {
            Numbering::Placed(placed) => placed.unrank(id),
            Numbering::Lex | Numbering::Listed => self.table.unrank(id),
        };
        Some(match &self.sides {
            Sides::Listed(listed) => match numbering {
                Numbering::Listed => listed[id as usize].1,
                _ => sorted(listed)[id as usize],
            },
            Sides::Independent => {
                let ranks = u128::from(self.table.len());
                Setup { white: side((id / ranks) as u64), black: side((id % ranks) as u64) }
            }
            symmetric => {
                let white = side(id as u64);
                Setup { white, black: symmetric.black(&white).unwrap_or(white) }
            }
        })
    }

    fn rank_of_side(&self, numbering: &Numbering, rank: &FirstRank) -> Result<u64, NotInSpace> {
        match (self.table.rank(rank), numbering) {
            (Some(_), Numbering::Placed(placed)) => Ok(placed.rank(rank)),
            (Some(id), _) => Ok(id),
            (None, _) => Err(self.why_not_in_space(rank)),
        }
    }

    fn rank_listed(
        &self,
        listed: &[(String, Setup)],
        numbering: &Numbering,
        setup: &Setup,
    ) -> Result<u128, NotInSpace> {
        let place = match numbering {
            Numbering::Listed => listed.iter().position(|(_, other)| other == setup),
            _ => sorted(listed).iter().position(|other| other == setup),
        };
        place.map(|place| place as u128).ok_or_else(|| NotInSpace::Unlisted {
            white: setup.white,
            black: setup.black,
            known: listed.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>().join(", "),
        })
    }

    fn why_not_in_space(&self, rank: &FirstRank) -> NotInSpace {
        match self.army.check(rank) {
            Err(error) => error.into(),
            Ok(()) => {
                let broken = self.constraints.iter().find(|constraint| !constraint.holds(rank, &self.army));
                let broken = broken.expect("a rank of the army that is not in the table breaks a constraint");
                NotInSpace::Breaks { rank: *rank, name: broken.name(), meaning: broken.to_string() }
            }
        }
    }

    /// What keeps a rank out of the space, if something does.
    fn why_not(&self, rank: &FirstRank) -> Option<String> {
        self.table.rank(rank).is_none().then(|| self.why_not_in_space(rank).to_string())
    }

    /// The setups with the ids of a range in a numbering, in order; ids past the end are left out.
    pub fn range_by<'a>(
        &'a self,
        numbering: &'a Numbering,
        range: Range<u128>,
    ) -> impl Iterator<Item = Setup> + 'a {
        (range.start..range.end.min(self.len())).filter_map(|id| self.unrank_by(numbering, id))
    }

    /// All setups in the order of the default numbering.
    pub fn iter(&self) -> impl Iterator<Item = Setup> + '_ {
        self.range_by(self.default_numbering(), 0..self.len())
    }

    /// All setups with their ids in the default numbering, in parallel.
    pub fn par_iter(&self) -> impl ParallelIterator<Item = (u128, Setup)> + '_ {
        (0..self.len()).into_par_iter().filter_map(|id| Some((id, self.unrank(id)?)))
    }

    /// A setup drawn with equal chances; none when there are no setups.
    pub fn random(&self, rng: &mut impl Rng) -> Option<Setup> {
        (!self.is_empty()).then(|| rng.random_range(0..self.len())).and_then(|id| self.unrank(id))
    }

    /// The notes of the variant's file on a setup, and its name where setups are listed.
    pub fn notes(&self, setup: &Setup) -> Vec<&str> {
        let name = match &self.sides {
            Sides::Listed(listed) => {
                listed.iter().find(|(_, other)| other == setup).map(|(name, _)| name.as_str())
            }
            _ => None,
        };
        let notes = self.notes.iter().filter(|note| note.rank == setup.white).map(|note| note.text.as_str());
        name.into_iter().chain(notes).collect()
    }

    /// The number of setups found by going through every arrangement of the army.
    ///
    /// `progress` is told, from any thread, how many more arrangements have been looked at; there are
    /// [`Army::arrangements`] of them.
    pub fn brute_force(&self, progress: &(dyn Fn(u64) + Sync)) -> u128 {
        let force = BruteForce { army: &self.army, constraints: &self.constraints, progress };
        match &self.sides {
            Sides::Mirror | Sides::Rotate => force.count().into(),
            Sides::Independent => u128::from(force.count()).pow(2),
            Sides::Listed(listed) => {
                listed.iter().map(|(_, setup)| u128::from(force.count_if(|rank| *rank == setup.white))).sum()
            }
        }
    }
}

fn sorted(listed: &[(String, Setup)]) -> Vec<Setup> {
    let mut setups: Vec<Setup> = listed.iter().map(|(_, setup)| *setup).collect();
    setups.sort_unstable();
    setups
}
