//! Studies that are played in several parts, on several machines.

use serde::{Deserialize, Serialize};

/// One of several equal parts of a study's games.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Shard {
    /// The number of the part, from 1.
    pub number: u64,
    /// The number of parts.
    pub of: u64,
}

impl std::str::FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parts =
            text.split_once('/').and_then(|(number, of)| Some((number.parse().ok()?, of.parse().ok()?)));
        match parts {
            Some((_, 0)) => {
                Err("there are no shards of 0; a shard is written as 3/8, the third of eight".to_string())
            }
            Some((number, of)) if (1..=of).contains(&number) => Ok(Self { number, of }),
            Some((_, of)) => Err(format!("of {of} shards the first is 1/{of} and the last {of}/{of}")),
            None => Err("a shard is written as 3/8, the third of eight".to_string()),
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
        format!("{}/{}", shard.number, shard.of)
    }
}
