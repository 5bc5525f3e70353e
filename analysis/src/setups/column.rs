//! Columns by which games are divided according to their setups.

use backrank_rules::{Letter, Side, Variant};

use super::groups::GroupError;
use super::rank_features::{BOTH_COLOURS, GroupColumn, RankFeatures};

/// A column of setups, by White's first rank: whether the bishops start on one colour or on both (`bishops`), the file of a single piece
/// (`queen`), the piece on a file (`a`), and so on.
///
/// ```
/// use backrank_analysis::setups::SetupColumn;
/// use backrank_rules::Variant;
///
/// let chess = Variant::find("chess960")?;
/// let bishops = SetupColumn::find(&chess, "bishops")?;
/// assert_eq!(bishops.of("RNBQKBNR").unwrap(), "both colours");
/// assert!(SetupColumn::find(&chess, "wizard").err().unwrap().to_string().contains("the columns are"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct SetupColumn<'v> {
    features: RankFeatures<'v>,
    column: GroupColumn,
}

impl<'v> SetupColumn<'v> {
    /// The column of this name.
    ///
    /// # Errors
    ///
    /// When there is none, with the names that there are.
    pub fn find(variant: &'v Variant, name: &str) -> Result<Self, GroupError> {
        let features = RankFeatures::new(variant, Side::White);
        let mut columns = features.group_columns();
        match columns.iter().position(|column| column.name == name) {
            Some(at) => Ok(Self { column: columns.swap_remove(at), features }),
            None => {
                let known = columns.into_iter().map(|column| column.name).collect();
                Err(GroupError::Unknown { name: name.to_string(), known })
            }
        }
    }

    /// Where it says whether two pieces of a kind start on both colours: their letter, and what it says where they do.
    pub fn pair(&self) -> Option<(Letter, &'static str)> {
        Some((self.column.pair()?, BOTH_COLOURS))
    }

    /// What it says of a first rank as `games.csv` has it; `None` if that is not a rank of the game.
    pub fn of(&self, rank: &str) -> Option<String> {
        Some(self.features.describe(&self.column, &self.features.read(rank)?).to_string())
    }
}
