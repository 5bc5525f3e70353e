//! Setups as a person writes them.

use backrank_rules::{FirstRank, Setup};

use crate::error::{NotInSpace, RankError};
use crate::sides::Sides;
use crate::space::Space;

impl Space {
    /// Reads a setup of this space: White's rank, both ranks with `/` between them, or the name of a listed setup.
    ///
    /// # Errors
    ///
    /// When the text is not a setup of this space. The error says which letters are wrong, or which constraint is not
    /// satisfied.
    pub fn read(&self, text: &str) -> Result<Setup, NotInSpace> {
        let setup = match (text.split_once('/'), self.sides()) {
            (Some((white, black)), _) => {
                Setup { white: self.army().read_rank(white)?, black: self.army().read_rank(black)? }
            }
            (None, Sides::Listed(listed)) => {
                match listed.iter().find(|(name, _)| name.eq_ignore_ascii_case(text.trim())) {
                    Some((_, setup)) => *setup,
                    None => {
                        let white = self.army().read_rank(text)?;
                        let mut fitting = listed.iter().filter(|(_, setup)| setup.white == white);
                        match (fitting.next(), fitting.next()) {
                            (Some((_, setup)), None) => *setup,
                            _ => return Err(self.one_side(&white).into()),
                        }
                    }
                }
            }
            (None, sides) => {
                let white = self.army().read_rank(text)?;
                let black = sides.black(&white).ok_or_else(|| self.one_side(&white))?;
                Setup { white, black }
            }
        };
        self.rank(&setup).map(|_| setup)
    }

    fn one_side(&self, white: &FirstRank) -> RankError {
        RankError::OneSide { text: white.to_string(), sides: self.sides().name() }
    }
}
