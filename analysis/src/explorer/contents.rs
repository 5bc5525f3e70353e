//! The contents of the page.

use backrank_enumerate::Space;
use backrank_rules::Variant;
use backrank_selfplay::study::{GameRecord, MoveScore};

use super::atlas::AtlasTable;
use super::bundle;
use super::games::PackedGames;
use super::listing::{Listing, MAX_LISTED};
use crate::error::AnalysisError;
use crate::setups::SetupStatistics;
use crate::values::ValueRow;

/// The contents of an explorer: a game, and the results for its setups.
///
/// ```
/// use backrank_analysis::explorer::Explorer;
/// use backrank_enumerate::Space;
/// use backrank_rules::Variant;
///
/// let variant = Variant::find("chess960")?;
/// let space = Space::new(&variant)?;
/// let page = Explorer::new(&variant, &space).to_html()?;
/// assert!(page.starts_with("<!DOCTYPE html>") && page.contains("Chess960"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Explorer<'a> {
    pub(super) variant: &'a Variant,
    pub(super) listing: Listing<'a>,
    pub(super) games: PackedGames,
    /// Atlases of the game's setups.
    pub atlases: Vec<AtlasTable>,
    /// The statistics of setups, if there are games that start from setups.
    pub setups: Option<SetupStatistics>,
    /// Piece values by every method.
    pub values: Vec<ValueRow>,
    /// The data dictionary in Markdown, `data/README.md`, from which the page takes the meanings of columns.
    pub dictionary: &'a str,
    /// The command that made the page.
    pub command: String,
}

impl<'a> Explorer<'a> {
    /// The largest space of which a page lists every setup. Of a larger space it lists only the setups that occur in
    /// games or atlases.
    pub const MAX_LISTED: u128 = MAX_LISTED;

    /// A page with only the setups.
    pub fn new(variant: &'a Variant, space: &'a Space) -> Self {
        Self {
            variant,
            listing: Listing::new(space),
            games: PackedGames::default(),
            atlases: Vec::new(),
            setups: None,
            values: Vec::new(),
            dictionary: "",
            command: String::new(),
        }
    }

    /// Adds a recorded game with the scores of its moves, which may be none, so that the page can replay it. Games at odds, from books and from recorded positions do
    /// not start from a setup and are ignored.
    ///
    /// # Errors
    ///
    /// When the setup of the game is not in the space, or its moves are not in UCI notation. The text says what is
    /// wrong.
    pub fn add_game(
        &mut self,
        study: &str,
        record: &GameRecord,
        scores: &[Option<MoveScore>],
    ) -> Result<(), String> {
        if record.white_rank.is_empty() || record.source.is_some() || !record.odds.is_empty() {
            return Ok(());
        }
        let setup = self.listing.index_of(&record.white_rank, &record.black_rank);
        let setup = setup.map_err(|error| error.to_string())?;
        self.games.add(self.variant, study, setup, record, scores)
    }

    /// The page: HTML with its style, script and data embedded, without links to other files.
    ///
    /// # Errors
    ///
    /// When an atlas or the statistics contain a setup that is not in the space, or when the space is too large to be
    /// listed and there are no results for any of its setups.
    pub fn to_html(mut self) -> Result<String, AnalysisError> {
        let data = self.data()?;
        Ok(bundle::page(&self.variant.name, &data, &self.games.moves))
    }
}
