//! Which setups a study plays.

use std::fmt;
use std::ops::Range;
use std::str::FromStr;
use std::sync::{Mutex, PoisonError};

use backrank_analysis::thousands;
use backrank_enumerate::{Numbering, Space};
use backrank_rules::Setup;
use backrank_selfplay::Study;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

use crate::failure::Failure;

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
    /// These ids, from a file.
    Listed(Vec<u64>),
}

/// How a study says that it lists the ids.
const LISTED: &str = "listed";

impl SetupsArg {
    /// The ids, where they are listed.
    pub fn ids(&self) -> &[u64] {
        match self {
            Self::Listed(ids) => ids,
            _ => &[],
        }
    }

    fn read(path: &str) -> Result<Self, String> {
        let text = std::fs::read_to_string(path).map_err(|error| format!("cannot read {path}: {error}"))?;
        let lines = text.lines().enumerate().map(|(line, text)| (line + 1, text.trim()));
        let ids = lines.filter(|(_, text)| !text.is_empty()).map(|(line, text)| {
            text.parse().map_err(|_| format!("{path}, line {line}: `{text}` is not an id"))
        });
        match ids.collect::<Result<Vec<u64>, _>>()? {
            ids if ids.is_empty() => Err(format!("{path} holds no id")),
            ids => Ok(Self::Listed(ids)),
        }
    }
}

impl fmt::Display for SetupsArg {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::All => write!(f, "all"),
            Self::Ids(ids) => write!(f, "{}..{}", ids.start, ids.end),
            Self::Random(number) => write!(f, "random:{number}"),
            Self::Listed(_) => f.write_str(LISTED),
        }
    }
}

impl FromStr for SetupsArg {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong =
            || "setups are written as all, 0..100, random:500, or the path of a file of ids".to_string();
        if text == "all" {
            return Ok(Self::All);
        }
        if let Some(number) = text.strip_prefix("random:") {
            return number.parse().ok().filter(|&number| number > 0).map(Self::Random).ok_or_else(wrong);
        }
        // Before files: what a study says does not depend on what lies in the folder.
        if let Some((start, end)) = text.split_once("..")
            && let (Ok(start), Ok(end)) = (start.parse(), end.parse())
        {
            return if start < end {
                Ok(Self::Ids(start..end))
            } else {
                Err(format!("{text} holds no setup"))
            };
        }
        if std::path::Path::new(text).is_file() { Self::read(text) } else { Err(wrong()) }
    }
}

/// The setups of a study, by their index in it.
pub struct StudySetups<'a> {
    asked: SetupsArg,
    space: &'a Space,
    numbering: &'a Numbering,
    drawn: Mutex<Drawn>,
}

/// What was drawn so far: a study may ask for many more setups than it will get to.
struct Drawn {
    chance: ChaCha8Rng,
    ids: Vec<u128>,
}

impl<'a> StudySetups<'a> {
    /// The setups of a study. `random:N` draws those that `backrank random -n N` prints for the same seed.
    pub fn of(study: &Study, space: &'a Space) -> Result<Self, Failure> {
        let asked = match study.setups.as_str() {
            LISTED => SetupsArg::Listed(study.setup_ids.clone()),
            text => text.parse().map_err(Failure::Input)?,
        };
        let numbering = space.numbering(&study.numbering).ok_or_else(|| {
            Failure::Input(format!("{} has no numbering `{}`", study.variant.key, study.numbering))
        })?;
        let beyond = |what: String| {
            let setups = thousands(space.len());
            Err(Failure::Input(format!(
                "--setups: {what} goes past the end: there are {setups} setups, from 0"
            )))
        };
        match &asked {
            SetupsArg::Ids(ids) if u128::from(ids.end) > space.len() => return beyond(asked.to_string()),
            SetupsArg::Listed(ids) => {
                if let Some(id) = ids.iter().find(|&&id| u128::from(id) >= space.len()) {
                    return beyond(id.to_string());
                }
            }
            SetupsArg::Random(_) if space.is_empty() => {
                return Err(Failure::Input("no setup to draw: the space is empty".to_string()));
            }
            _ => (),
        }
        let drawn = Drawn { chance: ChaCha8Rng::seed_from_u64(study.seed), ids: Vec::new() };
        Ok(Self { asked, space, numbering, drawn: Mutex::new(drawn) })
    }

    /// The number of setups; one that was drawn or listed twice counts twice.
    pub fn len(&self) -> u64 {
        match &self.asked {
            SetupsArg::All => self.space.len().try_into().unwrap_or(u64::MAX),
            SetupsArg::Ids(ids) => ids.end - ids.start,
            SetupsArg::Random(number) => *number,
            SetupsArg::Listed(ids) => ids.len() as u64,
        }
    }

    /// A setup and its id.
    pub fn get(&self, index: u64) -> (u128, Setup) {
        let id = match &self.asked {
            SetupsArg::All => index.into(),
            SetupsArg::Ids(ids) => (ids.start + index).into(),
            SetupsArg::Listed(ids) => ids[index as usize].into(),
            SetupsArg::Random(_) => self.draw(index as usize),
        };
        (id, self.space.unrank_by(self.numbering, id).expect("ids were checked against the space"))
    }

    /// The id that is drawn at an index, whatever was asked for before.
    fn draw(&self, index: usize) -> u128 {
        let mut drawn = self.drawn.lock().unwrap_or_else(PoisonError::into_inner);
        while drawn.ids.len() <= index {
            let (id, _) =
                self.space.random_by(self.numbering, &mut drawn.chance).expect("a space that is not empty");
            drawn.ids.push(id);
        }
        drawn.ids[index]
    }
}
