//! Spaces: all the setups of a variant.

mod in_check;
mod side_ids;

use std::collections::HashSet;
use std::ops::Range;
use std::sync::Arc;

use backrank_rules::{Faults, FirstRank, Setup, Side, Variant, VariantError};
use rand::{Rng, RngExt};
use rayon::prelude::*;

use crate::army::Army;
use crate::constraint::{Constraint, Rule};
use crate::error::{NotInSpace, SpaceError};
use crate::file::{Note, SetupPart};
use crate::numbering::{Numbering, Placed};
use crate::pairs::Pairs;
use crate::rank_table::{RankTable, TooManyStates};
use crate::sides::Sides;

pub use in_check::InCheck;

/// All the setups of a variant. A space counts, numbers and produces them.
///
/// Ids are `u128` and start at 0. No list of the setups is ever held: each answer comes from a table with a layer for
/// each piece of the first rank.
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
    /// The variant's key.
    key: String,
    /// White's army and Black's.
    armies: [Army; 2],
    sides: Sides,
    constraints: Vec<Constraint>,
    /// The ranks that White can have, and Black if sides are independent.
    tables: [Arc<RankTable>; 2],
    /// The setups, if sides are independent and a constraint is on both ranks together.
    pairs: Option<Pairs>,
    numberings: Vec<Numbering>,
    default: usize,
    notes: Vec<Note>,
    narrowed: bool,
}

/// How many ids of a numbering are checked to be ids of setups.
const MAX_CHECKED: u64 = 4096;

impl Space {
    /// The space of a variant.
    ///
    /// # Errors
    ///
    /// When `[setup]` in the variant's file is wrong. The error says where.
    pub fn new(variant: &Variant) -> Result<Self, SpaceError> {
        Self::narrowed(variant, &[])
    }

    /// Everything that is wrong with the text of a variant file, in the order of its places, and not only the first of it; if
    /// nothing is, the variant and its space. Errors call the file `path`.
    ///
    /// ```
    /// use backrank_enumerate::Space;
    /// use backrank_rules::Variant;
    ///
    /// let chess = Variant::find("chess960")?;
    /// let text = chess.text().replace("betza = \"N\"", "betza = \"Y\"").replace("between =", "betwen =");
    /// let faults = Space::diagnose("mine", "mine.toml", &text).unwrap_err();
    /// assert_eq!(faults.len(), 2);
    /// # Ok::<(), backrank_rules::FindError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When something is wrong.
    pub fn diagnose(key: &str, path: &str, text: &str) -> Result<(Variant, Self), Vec<SpaceError>> {
        let mut faults = Faults::default();
        let variant = Variant::diagnose(key, path, text, &mut faults);
        SetupPart::diagnose(text, variant.as_ref(), &mut faults);
        let space = match variant.filter(|_| faults.is_empty()) {
            Some(variant) => Self::new(&variant).map(|space| (variant, space)).map_err(|error| vec![error]),
            None => Err(Vec::new()),
        };
        space.map_err(|errors| {
            let faults = faults.into_errors(path, text).into_iter().map(SpaceError::from);
            faults.chain(errors).collect()
        })
    }

    /// The setups of a variant that also satisfy further constraints, with ids of their own.
    ///
    /// A narrowed space has only those numberings that every space has, because the variant's own count other setups.
    /// If the setups are listed, a constraint is on White's rank.
    ///
    /// # Errors
    ///
    /// As for [`Space::new`], and when a constraint is about pieces or files that the army does not have.
    pub fn narrowed(variant: &Variant, further: &[Constraint]) -> Result<Self, SpaceError> {
        let SetupPart { armies, sides, constraints, numberings, default, notes } =
            SetupPart::read(variant, further)?;
        let mut space = Self::of_parts(&variant.key, armies, sides, constraints, notes, !further.is_empty())?;
        if further.is_empty() {
            for (index, (placed, span)) in numberings.into_iter().enumerate() {
                space
                    .validate(&placed)
                    .map_err(|problem| VariantError::new(variant.path(), variant.text(), span, problem))?;
                if default == Some(index) {
                    space.default = space.numberings.len();
                }
                space.numberings.push(Numbering::Placed(placed));
            }
        }
        Ok(space)
    }

    /// A space that has only those numberings that every space has.
    fn of_parts(
        key: &str,
        armies: [Army; 2],
        mut sides: Sides,
        constraints: Vec<Constraint>,
        notes: Vec<Note>,
        narrowed: bool,
    ) -> Result<Self, SpaceError> {
        if let Sides::Listed(setups) = &mut sides {
            setups.retain(|(_, setup)| {
                constraints.iter().all(|constraint| constraint.holds_for(setup, &armies))
            });
        }
        let is_on_pairs = |constraint: &&Constraint| is_on_pairs(&sides, constraint);
        let (on_pairs, on_ranks): (Vec<_>, Vec<_>) = constraints.iter().partition(is_on_pairs);
        let rules: Vec<&dyn Rule> = on_ranks.into_iter().map(Constraint::rule).collect();
        let [white, black] = &armies;
        let table = |army| RankTable::new(army, &rules).map(Arc::new);
        let are_alike = white.is_like(black)
            && !constraints.iter().any(|constraint| matches!(constraint, Constraint::OfSide(_)));
        let tables = table(white).and_then(|of_white| {
            let of_black = match sides {
                Sides::Independent if !are_alike => table(black)?,
                _ => of_white.clone(),
            };
            Ok([of_white, of_black])
        });
        let up_to_reflection =
            on_pairs.iter().any(|constraint| matches!(constraint, Constraint::UpToReflection(_)));
        let no_check = on_pairs.iter().any(|constraint| matches!(constraint, Constraint::NoCheck(_)));
        let pairs = (!on_pairs.is_empty()).then(|| Pairs::new(&armies, &rules, up_to_reflection, no_check));
        let too_many = |TooManyStates| SpaceError::TooManyStates { key: key.to_string() };
        let mut space = Self {
            key: key.to_string(),
            tables: tables.map_err(too_many)?,
            pairs: pairs.transpose().map_err(too_many)?,
            armies,
            sides,
            constraints,
            numberings: vec![Numbering::Lex],
            default: 0,
            notes,
            narrowed,
        };
        if matches!(space.sides, Sides::Listed(_)) {
            space.numberings.push(Numbering::Listed);
        }
        Ok(space)
    }

    /// Checks that a numbering is one of this space.
    fn validate(&self, placed: &Placed) -> Result<(), String> {
        if matches!(self.sides, Sides::Listed(_)) {
            return Err("listed setups are numbered as they are listed".to_string());
        }
        if self.pairs.is_some() {
            return Err(
                "where sides are independent and a constraint is on both ranks together, setups are numbered by `lex` only".to_string()
            );
        }
        let [white, black] = &self.tables;
        if !Arc::ptr_eq(white, black) {
            return Err(
                "where each side has an army or constraints of its own, setups are numbered by `lex` only"
                    .to_string(),
            );
        }
        let ranks = white.len() / self.army().pawn_choices().ways();
        if placed.len() != ranks {
            return Err(format!("this numbers {} ranks, and there are {ranks}", placed.len()));
        }
        // There are as many numbers as ranks, so the numbering is one-to-one if no number leads out of the space. Some
        // of the numbers are enough to see whether the steps, which are the same for all, fit the constraints.
        let step = placed.len().div_ceil(MAX_CHECKED).max(1) as usize;
        for rank in (0..placed.len()).step_by(step).map(|id| placed.unrank(id)) {
            self.side_index(Side::White, &rank)
                .map_err(|problem| format!("this numbers {rank}, which is not a setup: {problem}"))?;
        }
        Ok(())
    }

    /// White's army, which in most games is Black's as well.
    pub fn army(&self) -> &Army {
        &self.armies[0]
    }

    /// The army of a side.
    pub fn army_of(&self, side: Side) -> &Army {
        &self.armies[side as usize]
    }

    /// Whether each side has an army of its own.
    pub fn has_two_armies(&self) -> bool {
        self.armies[0].pattern() != self.armies[1].pattern()
    }

    /// How Black is set up.
    pub fn sides(&self) -> &Sides {
        &self.sides
    }

    /// The constraints on the rank of each side.
    pub fn constraints(&self) -> &[Constraint] {
        &self.constraints
    }

    /// Whether constraints besides the variant's own narrow it.
    pub fn is_narrowed(&self) -> bool {
        self.narrowed
    }

    /// The number of setups.
    pub fn len(&self) -> u128 {
        match (&self.sides, &self.pairs) {
            (Sides::Mirror(_) | Sides::Rotate(_), _) => self.tables[0].len().into(),
            (Sides::Independent, None) => self.tables.iter().map(|table| u128::from(table.len())).product(),
            (Sides::Independent, Some(pairs)) => pairs.len(),
            (Sides::Listed(setups), _) => setups.len() as u128,
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

    /// The numbering that is used where none is named.
    pub fn default_numbering(&self) -> &Numbering {
        &self.numberings[self.default]
    }

    /// The id of a setup in the default numbering.
    ///
    /// # Errors
    ///
    /// When the setup is not in the space. The error says which constraint it does not satisfy.
    pub fn rank(&self, setup: &Setup) -> Result<u128, NotInSpace> {
        self.rank_by(self.default_numbering(), setup)
    }

    /// The setup with an id in the default numbering; `None` past the end.
    pub fn unrank(&self, id: u128) -> Option<Setup> {
        self.unrank_by(self.default_numbering(), id)
    }

    /// The id of a setup in a numbering of this space.
    ///
    /// # Errors
    ///
    /// When the setup is not in the space. The error says which constraint it does not satisfy.
    pub fn rank_by(&self, numbering: &Numbering, setup: &Setup) -> Result<u128, NotInSpace> {
        let ranked = |side: Side, rank: &FirstRank| self.rank_side(numbering, side, rank);
        match &self.sides {
            Sides::Listed(listed) => self.rank_listed(listed, numbering, setup),
            Sides::Independent => {
                let (white, black) = (ranked(Side::White, &setup.white)?, ranked(Side::Black, &setup.black)?);
                match &self.pairs {
                    None => Ok(u128::from(white) * u128::from(self.tables[1].len()) + u128::from(black)),
                    Some(pairs) => pairs.index_of(setup).ok_or_else(|| self.why_no_pair(setup)),
                }
            }
            symmetric => {
                let id = ranked(Side::White, &setup.white)?;
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

    /// The setup with an id in a numbering of this space; `None` past the end.
    pub fn unrank_by(&self, numbering: &Numbering, id: u128) -> Option<Setup> {
        if id >= self.len() {
            return None;
        }
        let side = |side: Side, id: u64| self.unrank_side(numbering, side, id);
        Some(match (&self.sides, &self.pairs) {
            (Sides::Listed(listed), _) => match numbering {
                Numbering::Listed => listed[id as usize].1,
                _ => sorted(listed)[id as usize],
            },
            (Sides::Independent, Some(pairs)) => pairs.unrank(id),
            (Sides::Independent, None) => {
                let ranks = u128::from(self.tables[1].len());
                Setup {
                    white: side(Side::White, (id / ranks) as u64),
                    black: side(Side::Black, (id % ranks) as u64),
                }
            }
            (symmetric, _) => {
                let white = side(Side::White, id as u64);
                Setup { white, black: symmetric.black(&white).unwrap_or(white) }
            }
        })
    }

    /// The rank of one side with an id, which must be below the number of these ranks.
    fn unrank_side(&self, numbering: &Numbering, side: Side, id: u64) -> FirstRank {
        match numbering {
            Numbering::Placed(placed) => {
                let pawns = self.army_of(side).pawn_choices();
                pawns.place(placed.unrank(id / pawns.ways()), id % pawns.ways())
            }
            Numbering::Lex | Numbering::Listed => self.tables[side as usize].unrank(id),
        }
    }

    fn rank_side(&self, numbering: &Numbering, side: Side, rank: &FirstRank) -> Result<u64, NotInSpace> {
        let index = self.side_index(side, rank)?;
        Ok(match numbering {
            Numbering::Placed(placed) => {
                let pawns = self.army_of(side).pawn_choices();
                placed.rank(rank) * pawns.ways() + index % pawns.ways()
            }
            Numbering::Lex | Numbering::Listed => index,
        })
    }

    /// The number of a rank of one side in alphabetical order.
    fn side_index(&self, side: Side, rank: &FirstRank) -> Result<u64, NotInSpace> {
        self.tables[side as usize].index_of(rank).ok_or_else(|| self.why_no_side(side, rank))
    }

    fn why_no_side(&self, side: Side, rank: &FirstRank) -> NotInSpace {
        let army = self.army_of(side);
        if let Err(error) = army.validate(rank) {
            return error.into();
        }
        let broken = self
            .constraints
            .iter()
            .filter(|constraint| !is_on_pairs(&self.sides, constraint))
            .find(|constraint| !constraint.holds(rank, army));
        let broken = broken.expect("a rank of the army that is not in the table breaks a constraint");
        breaks(rank.to_string(), broken)
    }

    fn why_no_pair(&self, setup: &Setup) -> NotInSpace {
        let on_pairs = self.constraints.iter().filter(|constraint| is_on_pairs(&self.sides, constraint));
        let broken = on_pairs.into_iter().find(|constraint| !constraint.holds_for(setup, &self.armies));
        let broken = broken.expect("two ranks that do not go together break a constraint on pairs");
        breaks(format!("{}/{}", setup.white, setup.black), broken)
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

    /// The setups with the ids in a range of a numbering, in order; ids past the end are left out.
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

    /// A setup drawn with equal probabilities, and its id in a numbering; `None` if there are no setups.
    ///
    /// The same random numbers give the same setups, whatever the numbering.
    pub fn random_by(&self, numbering: &Numbering, rng: &mut impl Rng) -> Option<(u128, Setup)> {
        let setup = self.unrank(self.random_id(rng)?)?;
        let id = self.rank_by(numbering, &setup).expect("a setup of this space");
        Some((id, setup))
    }

    /// The id in `lex` of the setup that [`Space::random_by`] draws from the same random numbers.
    pub fn random_id(&self, rng: &mut impl Rng) -> Option<u128> {
        (!self.is_empty()).then(|| rng.random_range(0..self.len()))
    }

    /// Distinct setups drawn with equal probabilities, and their ids in a numbering, until there are no more. They are those of
    /// [`Space::random_by`] from the same random numbers, each the first time that it is drawn.
    pub fn distinct_by<'a>(
        &'a self,
        numbering: &'a Numbering,
        rng: &'a mut impl Rng,
    ) -> impl Iterator<Item = (u128, Setup)> + 'a {
        let mut drawn = HashSet::new();
        std::iter::from_fn(move || {
            while (drawn.len() as u128) < self.len() {
                let found = self.random_by(numbering, rng)?;
                if drawn.insert(found.0) {
                    return Some(found);
                }
            }
            None
        })
    }

    /// The variant's notes on a setup, and its name if the setups are listed.
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
}

fn sorted(listed: &[(String, Setup)]) -> Vec<Setup> {
    let mut setups: Vec<Setup> = listed.iter().map(|(_, setup)| *setup).collect();
    setups.sort_unstable();
    setups
}

/// Whether a constraint is on both ranks together, rather than on each.
fn is_on_pairs(sides: &Sides, constraint: &Constraint) -> bool {
    matches!(
        (sides, constraint),
        (Sides::Independent, Constraint::UpToReflection(_) | Constraint::NoCheck(_))
    )
}

/// The error for a rank, or for both ranks with a slash between them, that does not satisfy a constraint.
fn breaks(setup: String, constraint: &Constraint) -> NotInSpace {
    NotInSpace::Breaks { setup, name: constraint.name(), meaning: constraint.to_string() }
}
