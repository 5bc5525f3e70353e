use std::fmt;

use backrank_rules::{File, FirstRank, Letter, Side};

use super::{Constraint, Rule, RuleState};
use crate::army::Army;

/// A constraint on the rank of one side, where sides are independent: `white.between=K,R,R`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OfSide {
    /// Whose rank it is on.
    pub side: Side,
    /// What the rank must satisfy.
    pub constraint: Box<Constraint>,
}

impl OfSide {
    /// The side that stands before the point in a name such as `white.between`, and what follows.
    pub(super) fn split(name: &str) -> Option<(Side, &str)> {
        let (side, name) = name.split_once('.')?;
        Some((Self::side(side.trim())?, name.trim()))
    }

    /// The side with a name in lower case.
    pub(super) fn side(name: &str) -> Option<Side> {
        Side::BOTH.into_iter().find(|side| Self::name_of(*side) == name)
    }

    fn name_of(side: Side) -> &'static str {
        match side {
            Side::White => "white",
            Side::Black => "black",
        }
    }

    /// Wraps a constraint, which must be on a single rank.
    pub(super) fn new(side: Side, constraint: Constraint) -> Result<Self, String> {
        match constraint {
            Constraint::UpToReflection(_) | Constraint::NoCheck(_) => Err(format!(
                "{} is about both sides together, so that no side stands before it",
                constraint.name()
            )),
            Constraint::OfSide(_) => Err("one side is enough".to_string()),
            constraint => Ok(Self { side, constraint: Box::new(constraint) }),
        }
    }

    fn is_about(&self, army: &Army) -> bool {
        army.side() == self.side
    }
}

impl Rule for OfSide {
    fn holds(&self, rank: &FirstRank, army: &Army) -> bool {
        !self.is_about(army) || self.constraint.rule().holds(rank, army)
    }

    fn start(&self, army: &Army) -> RuleState {
        if self.is_about(army) { self.constraint.rule().start(army) } else { 0 }
    }

    fn step(&self, state: RuleState, file: File, letter: Letter, army: &Army) -> Option<RuleState> {
        if self.is_about(army) { self.constraint.rule().step(state, file, letter, army) } else { Some(state) }
    }

    fn accepts(&self, state: RuleState, army: &Army) -> bool {
        !self.is_about(army) || self.constraint.rule().accepts(state, army)
    }

    fn validate(&self, army: &Army) -> Result<(), String> {
        if self.is_about(army) { self.constraint.rule().validate(army) } else { Ok(()) }
    }
}

impl fmt::Display for OfSide {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.side, self.constraint)
    }
}
