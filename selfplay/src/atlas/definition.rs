//! The definition of an atlas: everything that determines its rows.

use std::ops::Range;
use std::sync::atomic::AtomicBool;

use backrank_engine::Weights;
use backrank_enumerate::Space;
use backrank_rules::{Rules, Variant, VariantError};
use serde::{Deserialize, Serialize};

use super::engine::JudgingEngine;
use super::score_curve::ScoreCurve;
use crate::player::{PlayerError, fingerprint};
use crate::study::{
    LARGEST_HASH, SetupChoice, SetupsError, Shard, StudySetups, VariantText, narrowed_space, within,
};

/// The definition of an atlas, as `atlas.toml` holds it: everything that determines the atlas's rows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Atlas {
    /// The version of the program that makes the atlas.
    pub version: String,
    /// Which setups are judged: `all`, `0..100`, `random:500` or `listed`. One that is drawn or listed twice is judged
    /// once.
    pub setups: String,
    /// The ids of the setups, if `setups` is `listed`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub setup_ids: Vec<u64>,
    /// Constraints that narrow the variant's space. Setups and ids are then those of the narrowed space.
    #[serde(default, rename = "where", skip_serializing_if = "Vec::is_empty")]
    pub constraints: Vec<String>,
    /// The numbering to which the ids belong.
    pub numbering: String,
    /// The seed by which random setups are drawn.
    pub seed: u64,
    /// The part of the setups that is judged here, such as `3/8`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shard: Option<Shard>,
    /// The number of nodes for the search of a setup. Each later position of the line of best play is searched with a
    /// tenth of them.
    pub nodes: u64,
    /// The number of best first moves that are searched for.
    pub best_moves: usize,
    /// The size of the transposition table in MiB.
    pub hash: u32,
    /// Whether the engine evaluates positions by the net that comes with it, if it has one for this game, and not by its
    /// weights alone.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub net: bool,
    /// Whether moves of the line of best play are searched again when the position after them shows that they lose. Atlases
    /// of earlier versions do not have that, and cannot be continued.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub verified: bool,
    /// The embedded engine's [`fingerprint`], a hash of how it plays this game; empty if another engine judges.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub fingerprint: String,
    /// The engine that judges, if it is not the embedded one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub engine: Option<JudgingEngine>,
    /// The curve that turns centipawns into an expected score.
    pub expected_score: ScoreCurve,
    /// The variant.
    pub variant: VariantText,
}

/// The most best moves that are searched for. No position has more moves.
const MOST_BEST_MOVES: usize = 1_000;

/// The most setups that are drawn for an atlas, which keeps their ids.
const MOST_DRAWN: u64 = 100_000_000;

impl Atlas {
    /// An atlas of all setups of a variant, with this number of nodes for each, by the engine's weights alone.
    ///
    /// # Errors
    ///
    /// When the variant has no space.
    pub fn new(variant: &Variant, nodes: u64) -> Result<Self, SetupsError> {
        let space = Space::new(variant)?;
        let mut atlas = Self {
            version: String::new(),
            setups: SetupChoice::All.to_string(),
            setup_ids: Vec::new(),
            constraints: Vec::new(),
            numbering: space.default_numbering().name().to_string(),
            seed: 0,
            shard: None,
            nodes,
            best_moves: 4,
            hash: 16,
            net: false,
            verified: true,
            fingerprint: String::new(),
            engine: None,
            expected_score: ScoreCurve::of_game(&variant.key),
            variant: VariantText::new(variant),
        };
        atlas.set_to_this_program()?;
        Ok(atlas)
    }

    /// Checks everything that can be checked of an `atlas.toml`, whoever wrote it.
    ///
    /// # Errors
    ///
    /// When something is wrong. The text names the key, and says what would be right.
    pub(super) fn check(&self) -> Result<(), String> {
        if !self.variant.is_whole() {
            return Err("the variant's sha256 is not that of its text, which must not be edited".to_string());
        }
        let largest = i64::MAX as u64;
        within("seed", self.seed, 0, largest)?;
        within("nodes", self.nodes, 1, largest)?;
        within("best_moves", self.best_moves, 2, MOST_BEST_MOVES)?;
        within("hash", self.hash, 1, LARGEST_HASH)?;
        if let Some(id) = self.setup_ids.iter().find(|&&id| id > largest) {
            return Err(format!("setup_ids: {id} is more than {largest}"));
        }
        if let Ok(SetupChoice::Random(number)) = SetupChoice::read(&self.setups, &self.setup_ids) {
            within("setups = random", number, 1, MOST_DRAWN)?;
        }
        let curve = &self.expected_score;
        within("expected_score.slope", curve.slope, -1.0, 1.0)?;
        Ok(within("expected_score.standard_error", curve.standard_error, 0.0, 1.0)?)
    }

    /// What the engine evaluates positions by.
    pub(super) fn weights(&self, rules: &Rules) -> Weights {
        let weights = Weights::new(rules);
        if self.net { weights } else { weights.without_net() }
    }

    /// Lets another engine judge, or the embedded one. The engine still has to be asked for its name.
    ///
    /// # Errors
    ///
    /// When the variant's text is not valid, or the variant has no space.
    pub fn judge_by(&mut self, engine: Option<JudgingEngine>) -> Result<(), SetupsError> {
        self.engine = engine;
        self.set_to_this_program()
    }

    /// Starts the engine that judges, if it is not the embedded one, and writes down the name that it gives itself, and the
    /// curve for it.
    ///
    /// # Errors
    ///
    /// When it cannot be started, or cannot play the variant.
    pub fn ask_engine(&mut self, rules: &Rules, stop: &AtomicBool) -> Result<(), PlayerError> {
        let Some(engine) = &mut self.engine else { return Ok(()) };
        let reported = engine.start(self.hash, rules, stop)?.reported().to_string();
        self.expected_score = ScoreCurve::by_engine(&self.variant.key, &reported);
        engine.reported = Some(reported);
        Ok(())
    }

    /// Who judges: the name that the engine gives itself, or that of this program.
    pub fn judge(&self) -> String {
        match &self.engine {
            Some(engine) => engine.reported.as_ref().unwrap_or(&engine.command).clone(),
            None => format!("backrank {}{}", self.version, if self.net { " by its net" } else { "" }),
        }
    }

    /// Sets the version, the engine's fingerprint, how lines are followed, and the curve of expected scores to those of this
    /// program.
    ///
    /// # Errors
    ///
    /// When the variant's text is not valid, or the variant has no space.
    pub fn set_to_this_program(&mut self) -> Result<(), SetupsError> {
        let variant = self.variant()?;
        let (space, rules) = (Space::new(&variant)?, Rules::new(&variant));
        self.version = env!("CARGO_PKG_VERSION").to_string();
        self.verified = true;
        match self.engine.as_ref().map(|engine| engine.reported.as_deref().unwrap_or_default()) {
            None => {
                self.fingerprint = fingerprint(&rules, &space, &self.weights(&rules));
                self.expected_score = ScoreCurve::of_game(&variant.key);
            }
            Some(reported) => {
                self.fingerprint = String::new();
                self.expected_score = ScoreCurve::by_engine(&variant.key, reported);
            }
        }
        Ok(())
    }

    /// The atlas's variant.
    ///
    /// # Errors
    ///
    /// When the text is not a valid variant.
    pub fn variant(&self) -> Result<Variant, VariantError> {
        self.variant.parse("the variant in atlas.toml")
    }

    /// The space that setups are chosen from: the variant's setups that meet the atlas's own constraints.
    ///
    /// # Errors
    ///
    /// When the variant or a constraint is wrong.
    pub fn space(&self) -> Result<Space, SetupsError> {
        narrowed_space(&self.variant()?, &self.constraints)
    }

    /// Sets the choice of setups.
    pub fn choose_setups(&mut self, choice: &SetupChoice) {
        self.setups = choice.to_string();
        self.setup_ids = choice.listed().to_vec();
    }

    /// The setups of the whole atlas, in the order of their ids.
    ///
    /// # Errors
    ///
    /// When the variant has no such setups.
    pub fn setups(&self) -> Result<StudySetups, SetupsError> {
        let choose = |choice| {
            let space = self.space()?;
            let numbering = space.numbering(&self.numbering).cloned();
            let numbering = numbering.ok_or_else(|| SetupsError::Numbering {
                variant: self.variant.key.clone(),
                numbering: self.numbering.clone(),
            })?;
            StudySetups::choose(choice, space, numbering, self.seed, &self.variant.key)
        };
        let choice = SetupChoice::read(&self.setups, &self.setup_ids).map_err(SetupsError::Text)?;
        if matches!(choice, SetupChoice::All | SetupChoice::Ids(_)) {
            return choose(choice);
        }
        let chosen = choose(choice)?;
        let ids = (0..chosen.len()).map(|index| {
            let (id, _) = chosen.get(index);
            u64::try_from(id).map_err(|_| SetupsError::Text(format!("setup {id} is beyond 2^64")))
        });
        let mut ids = ids.collect::<Result<Vec<u64>, _>>()?;
        ids.sort_unstable();
        ids.dedup();
        choose(SetupChoice::Listed(ids))
    }

    /// The indices, among the `setups` rows of the whole atlas, of the rows that are made here.
    pub fn range(&self, setups: u64) -> Range<u64> {
        self.shard.as_ref().map_or(0..setups, |shard| shard.range(setups))
    }
}
