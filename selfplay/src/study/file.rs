//! `study.toml`: the form in which a study is written.

use std::path::Path;

use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};

use super::adjudication::Adjudication;
use super::book::Book;
use super::imported::ImportedGames;
use super::odds::Odds;
use super::recorded::RecordedGames;
use super::shard::Shard;
use super::spec::{MoveLimits, Opening, StudySpec, VariantText};
use super::sprt::Sprt;
use super::starts::Starts;
use super::variant_file::VariantRecord;
use crate::player::PlayerSpec;
use crate::store::differences;

/// What `study.toml` holds, in its order; [`StudySpec`] says what each means.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StudyFile {
    version: String,
    /// [`Starts::text`].
    setups: String,
    /// The ids of the setups, if they are listed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    setup_ids: Vec<u64>,
    #[serde(default, rename = "where", skip_serializing_if = "Vec::is_empty")]
    constraints: Vec<String>,
    numbering: String,
    number_of_setups: u64,
    games: u64,
    pairs: bool,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    swap_sides: bool,
    seed: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    shard: Option<Shard>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    scores: bool,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    without_moves: bool,
    limits: MoveLimits,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    odds: Option<Odds>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pawns_in_turn: bool,
    opening: Opening,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    book: Option<Book>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    from: Option<RecordedGames>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    import: Option<ImportedGames>,
    #[serde(default, skip_serializing_if = "Adjudication::is_off")]
    adjudication: Adjudication,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    sprt: Option<Sprt>,
    white: PlayerSpec,
    black: PlayerSpec,
    pub(super) variant: VariantRecord,
    /// Earlier versions kept the plan of an experiment here.
    #[serde(default, skip_serializing)]
    #[expect(dead_code, reason = "it is accepted and ignored")]
    plan: Option<IgnoredAny>,
}

impl From<&StudySpec> for StudyFile {
    fn from(spec: &StudySpec) -> Self {
        let StudySpec { starts, variant, .. } = spec;
        let VariantText { key, sha256, text } = variant.clone();
        Self {
            version: spec.version.clone(),
            setups: starts.text(),
            setup_ids: starts.choice().map(|choice| choice.listed().to_vec()).unwrap_or_default(),
            constraints: spec.constraints.clone(),
            numbering: spec.numbering.clone(),
            number_of_setups: spec.number_of_setups,
            games: spec.games,
            pairs: spec.pairs,
            swap_sides: spec.swap_sides,
            seed: spec.seed,
            shard: spec.shard.clone(),
            scores: spec.scores,
            without_moves: spec.without_moves,
            limits: spec.limits,
            odds: spec.odds.clone(),
            pawns_in_turn: spec.pawns_in_turn,
            opening: spec.opening,
            book: starts.book().cloned(),
            from: starts.recorded().cloned(),
            import: starts.imported().cloned(),
            adjudication: spec.adjudication,
            sprt: spec.sprt,
            white: spec.white.clone(),
            black: spec.black.clone(),
            variant: VariantRecord { key, sha256, text: Some(text), file: None },
            plan: None,
        }
    }
}

impl StudySpec {
    /// The text of a `study.toml` that repeats its variant's text.
    pub fn to_toml(&self) -> String {
        StudyFile::from(self).to_toml()
    }

    /// The settings that differ from those of another study: the name of each in `study.toml`, its value here and its value
    /// there.
    pub fn differences_from(&self, other: &Self) -> Vec<[String; 3]> {
        // The variant's hash repeats its text. Books and recorded games are identified by their hashes, so their paths
        // may differ.
        let left_out = ["variant.sha256", "book.path", "from.path"];
        differences(&StudyFile::from(self), &StudyFile::from(other), &left_out)
    }
}

impl StudyFile {
    /// The text of the file.
    pub(super) fn to_toml(&self) -> String {
        toml::to_string(self).expect("a study has nothing that TOML cannot hold")
    }

    /// What the file in a directory asks for.
    ///
    /// # Errors
    ///
    /// When it is not consistent, or its variant's file is not there. The text names the key, and says what would be right.
    pub fn spec(self, directory: &Path) -> Result<StudySpec, String> {
        Ok(StudySpec {
            version: self.version,
            starts: Starts::read(&self.setups, &self.setup_ids, self.book, self.from, self.import)?,
            number_of_setups: self.number_of_setups,
            constraints: self.constraints,
            numbering: self.numbering,
            games: self.games,
            pairs: self.pairs,
            swap_sides: self.swap_sides,
            seed: self.seed,
            shard: self.shard,
            scores: self.scores,
            without_moves: self.without_moves,
            limits: self.limits,
            odds: self.odds,
            pawns_in_turn: self.pawns_in_turn,
            opening: self.opening,
            adjudication: self.adjudication,
            sprt: self.sprt,
            white: self.white,
            black: self.black,
            variant: self.variant.read(directory)?,
        })
    }
}
