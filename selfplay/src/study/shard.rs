//! Shards: parts of a study or an atlas that are worked on separately, for example on several machines.

use std::ops::Range;

use serde::{Deserialize, Serialize};

/// A part of a study's games, or of an atlas's setups.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Shard {
    /// One of several equal parts: `3/8`.
    Equal {
        /// The number of the part, from 1.
        number: u64,
        /// The number of parts.
        of: u64,
    },
    /// The games with these numbers: `4000..8000`.
    Games(Range<u64>),
}

impl Shard {
    /// The range of this part, of `all` games or setups.
    ///
    /// ```
    /// use backrank_selfplay::study::Shard;
    ///
    /// assert_eq!(Shard::Equal { number: 2, of: 3 }.range(10), 3..6);
    /// ```
    pub fn range(&self, all: u64) -> Range<u64> {
        match self {
            Self::Equal { number, of } => {
                let until = |shards: u64| (u128::from(all) * u128::from(shards) / u128::from(*of)) as u64;
                until(number - 1)..until(*number)
            }
            Self::Games(games) => games.clone(),
        }
    }
}

impl std::str::FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong =
            || "a shard is written as 3/8, the third of eight, or by its games as 4000..8000".to_string();
        let numbers = |separator: &str| {
            let (first, second) = text.split_once(separator)?;
            Some((first.parse().ok()?, second.parse().ok()?))
        };
        if let Some((start, end)) = numbers("..") {
            return if start < end {
                Ok(Self::Games(start..end))
            } else {
                Err(format!("{text} holds no game"))
            };
        }
        match numbers("/") {
            Some((_, 0)) => Err(format!("there are no shards of 0; {}", wrong())),
            Some((number, of)) if (1..=of).contains(&number) => Ok(Self::Equal { number, of }),
            Some((_, of)) => Err(format!("of {of} shards the first is 1/{of} and the last {of}/{of}")),
            None => Err(wrong()),
        }
    }
}

impl TryFrom<String> for Shard {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

impl From<Shard> for String {
    fn from(shard: Shard) -> Self {
        match shard {
            Shard::Equal { number, of } => format!("{number}/{of}"),
            Shard::Games(games) => format!("{}..{}", games.start, games.end),
        }
    }
}
