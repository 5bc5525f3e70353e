//! Which setups a study plays.

use std::fmt;
use std::ops::Range;
use std::str::FromStr;

use backrank_enumerate::{Numbering, Space};
use backrank_rules::Setup;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

use crate::failure::Failure;
use crate::table::thousands;

/// As the command line says it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum SetupsArg {
    /// Every setup.
    #[default]
    All,
    /// The ids of a range.
    Ids(Range<u64>),
    /// So many, drawn with equal chances by the study's seed.
    Random(u64),
}

impl fmt::Display for SetupsArg {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::All => write!(f, "all"),
            Self::Ids(ids) => write!(f, "{}..{}", ids.start, ids.end),
            Self::Random(number) => write!(f, "random:{number}"),
        }
    }
}

impl FromStr for SetupsArg {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || "setups are written as all, 0..100 or random:500".to_string();
        if text == "all" {
            return Ok(Self::All);
        }
        if let Some(number) = text.strip_prefix("random:") {
            return number.parse().map(Self::Random).map_err(|_| wrong());
        }
        let (start, end) = text.split_once("..").ok_or_else(wrong)?;
        match (start.parse(), end.parse()) {
            (Ok(start), Ok(end)) if start < end => Ok(Self::Ids(start..end)),
            (Ok(start), Ok(end)) => Err(format!("{start}..{end} holds no setup")),
            _ => Err(wrong()),
        }
    }
}

/// The setups of a study, by their index in it.
pub struct Setups<'a> {
    asked: SetupsArg,
    space: &'a Space,
    numbering: &'a Numbering,
    drawn: Vec<(u128, Setup)>,
}

impl<'a> Setups<'a> {
    /// The setups that are asked for. `random:N` draws those that `backrank random -n N` prints for the same seed.
    pub fn new(
        asked: SetupsArg,
        seed: u64,
        space: &'a Space,
        numbering: &'a Numbering,
    ) -> Result<Self, Failure> {
        let mut drawn = Vec::new();
        match &asked {
            SetupsArg::All => (),
            SetupsArg::Ids(ids) if u128::from(ids.end) <= space.len() => (),
            SetupsArg::Ids(ids) => {
                let setups = thousands(space.len());
                return Err(Failure::Input(format!(
                    "--setups {}..{} goes past the end: there are {setups} setups",
                    ids.start, ids.end
                )));
            }
            SetupsArg::Random(number) => {
                let mut rng = ChaCha8Rng::seed_from_u64(seed);
                for _ in 0..*number {
                    let Some(setup) = space.random(&mut rng) else {
                        return Err(Failure::Other("no setup to draw: the space is empty".to_string()));
                    };
                    drawn.push((space.rank_by(numbering, &setup)?, setup));
                }
            }
        }
        Ok(Self { asked, space, numbering, drawn })
    }

    /// As it was asked for.
    pub fn asked(&self) -> &SetupsArg {
        &self.asked
    }

    /// The number of setups; one that was drawn twice counts twice.
    pub fn len(&self) -> u64 {
        match &self.asked {
            SetupsArg::All => self.space.len().try_into().unwrap_or(u64::MAX),
            SetupsArg::Ids(ids) => ids.end - ids.start,
            SetupsArg::Random(number) => *number,
        }
    }

    /// A setup and its id.
    pub fn get(&self, index: u64) -> (u128, Setup) {
        let id = match &self.asked {
            SetupsArg::All => index,
            SetupsArg::Ids(ids) => ids.start + index,
            SetupsArg::Random(_) => return self.drawn[index as usize],
        };
        let setup = self.space.unrank_by(self.numbering, id.into());
        (id.into(), setup.expect("ids were checked against the space"))
    }
}
