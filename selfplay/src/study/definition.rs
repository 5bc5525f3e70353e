//! A study that can be played.

use std::ops::{Deref, Range};
use std::sync::Arc;

use backrank_rules::Variant;

use super::checks::InvalidStudy;
use super::odds::Odds;
use super::shard::Shard;
use super::spec::StudySpec;
use crate::player::PlayerSpec;

/// A study: everything that determines its games. It can be played as far as that can be known without other files: it is made
/// of a [`StudySpec`] that was checked, and shows it, but not to be changed.
#[derive(Clone, Debug)]
pub struct Study {
    spec: StudySpec,
    variant: Arc<Variant>,
}

impl PartialEq for Study {
    fn eq(&self, other: &Self) -> bool {
        self.spec == other.spec
    }
}

impl Deref for Study {
    type Target = StudySpec;

    fn deref(&self) -> &StudySpec {
        &self.spec
    }
}

impl TryFrom<StudySpec> for Study {
    type Error = InvalidStudy;

    fn try_from(spec: StudySpec) -> Result<Self, InvalidStudy> {
        Self::new(spec)
    }
}

impl Study {
    /// Checks what is asked.
    ///
    /// # Errors
    ///
    /// When it cannot be played.
    pub fn new(spec: StudySpec) -> Result<Self, InvalidStudy> {
        if !spec.variant.is_whole() {
            return Err(InvalidStudy::EditedVariant);
        }
        let variant = Arc::new(spec.variant()?);
        spec.check(&variant)?;
        Ok(Self { spec, variant })
    }

    /// This study with changes.
    ///
    /// # Errors
    ///
    /// When it cannot be played so.
    pub fn changed(&self, change: impl FnOnce(&mut StudySpec)) -> Result<Self, InvalidStudy> {
        let mut spec = self.spec.clone();
        change(&mut spec);
        if spec.variant != self.spec.variant {
            return Self::new(spec);
        }
        spec.check(&self.variant)?;
        Ok(Self { spec, variant: self.variant.clone() })
    }

    /// What was asked, to ask for something else.
    pub fn into_spec(self) -> StudySpec {
        self.spec
    }

    /// The part of this study with these games.
    ///
    /// # Panics
    ///
    /// When they are not all games of it, or split a pair.
    pub fn with_games(&self, games: Range<u64>) -> Self {
        self.changed(|spec| spec.shard = Some(Shard::Games(games)))
            .expect("games of the study, in whole pairs")
    }

    /// A study like this one with a seed of its own and at odds, as [`StudySpec::part`] makes it.
    ///
    /// # Panics
    ///
    /// When the variant does not have the pieces of the odds, or this study cannot be played in pairs.
    pub fn part(&self, odds: Option<Odds>, seed: u64) -> Self {
        self.changed(|spec| *spec = spec.part(odds, seed)).expect("odds of this variant")
    }

    /// Records the [`fingerprint`](crate::player::fingerprint()) of the embedded engine for each player that uses it. The
    /// function is called once for players with the same options.
    ///
    /// # Errors
    ///
    /// When the function fails.
    pub fn set_fingerprints<E>(
        &mut self,
        mut fingerprint: impl FnMut(&PlayerSpec) -> Result<String, E>,
    ) -> Result<(), E> {
        let [white, black] = [&mut self.spec.white, &mut self.spec.black];
        white.fingerprint = white.is_builtin().then(|| fingerprint(white)).transpose()?;
        black.fingerprint = match black.is_builtin() {
            true if white.is_builtin() && white.options == black.options => white.fingerprint.clone(),
            true => Some(fingerprint(black)?),
            false => None,
        };
        Ok(())
    }

    /// Records the name that each player gives itself.
    ///
    /// # Errors
    ///
    /// When the function fails, which asks a player.
    pub fn set_reported<E>(
        &mut self,
        mut reported: impl FnMut(&PlayerSpec) -> Result<Option<String>, E>,
    ) -> Result<(), E> {
        for player in [&mut self.spec.white, &mut self.spec.black] {
            player.reported = reported(player)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::imported::ImportedGames;
    use super::super::setup_choice::SetupChoice;
    use super::super::starts::Starts;
    use super::*;

    #[test]
    fn a_study_cannot_be_brought_into_a_state_that_cannot_be_played() {
        let chess = Variant::find("chess").unwrap();
        let study = Study::new(StudySpec::new(&chess, SetupChoice::All.into(), "lex", 1)).unwrap();
        type Change = fn(&mut StudySpec);
        let cases: [(Change, &str); 11] = [
            (|spec| spec.games = 0, "games = 0"),
            (|spec| spec.pairs = true, "games = 1"),
            (|spec| spec.number_of_setups = u64::MAX, "number_of_setups = 18446744073709551615"),
            (
                |spec| spec.starts = SetupChoice::Ids(0..2).into(),
                "number_of_setups = 1, but setups = 0..2 are 2",
            ),
            (|spec| spec.limits.nodes = Some(0), "limits.nodes = 0: it must be from 1"),
            (|spec| spec.white.hash = 0, "white.hash = 0"),
            (|spec| spec.shard = Some(Shard::Games(0..3)), "shard: games 0..3 are not all in the study"),
            (|spec| spec.odds = Some("M:-".parse().unwrap()), "odds = M:-"),
            (|spec| spec.sprt = Some("0,5".parse().unwrap()), "sprt: "),
            (|spec| spec.variant.text.push('\n'), "sha256 is not that of its text"),
            (
                |spec| {
                    spec.shard = Some(Shard::Games(0..1));
                    spec.start_elsewhere(Starts::Imported(ImportedGames::default()), 0);
                },
                "shard: ",
            ),
        ];
        for (change, says) in cases {
            let error = study.changed(change).unwrap_err().to_string();
            assert!(error.contains(says), "{error}");
        }
        assert_eq!(study.changed(|spec| spec.seed = 7).unwrap().seed, 7);
    }
}
