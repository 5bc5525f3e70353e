//! Setups as a person writes them.

use backrank_rules::{File, FirstRank, MAX_FILES, Setup, Side, StartFen, Variant};

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
                Setup { white: self.army().read_rank(white)?, black: self.read_black(black)? }
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

    /// Reads a setup of this space, which is one of the variant: as [`Space::read`] does, or from the FEN of a starting position,
    /// of which only the placement of the pieces must be there.
    ///
    /// ```
    /// use backrank_enumerate::Space;
    /// use backrank_rules::Variant;
    ///
    /// let variant = Variant::find("chess960")?;
    /// let space = Space::new(&variant)?;
    /// let fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1";
    /// assert_eq!(space.read_start(&variant, fen)?, space.read("RNBQKBNR")?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When the text is not a setup of this space, or not a starting position of the variant.
    pub fn read_start(&self, variant: &Variant, text: &str) -> Result<Setup, NotInSpace> {
        // Two ranks have one slash between them; the ranks of a board have at least three.
        match text.matches('/').count() > 1 {
            true => self.read_fen(variant, text),
            false => self.read(text),
        }
    }

    fn read_fen(&self, variant: &Variant, fen: &str) -> Result<Setup, NotInSpace> {
        let wrong =
            |problem: String| NotInSpace::Fen { fen: fen.to_string(), variant: variant.key.clone(), problem };
        let mut fields = fen.split_whitespace();
        let placement = fields.next().unwrap_or("");
        let ranks: Vec<&str> = placement.split('/').collect();
        if ranks.len() != variant.board.ranks() {
            let (given, needed) = (ranks.len(), variant.board.ranks());
            return Err(wrong(format!("it has {given} ranks, not {needed}")));
        }
        let letters = |row: usize| ranks[row].chars().filter(char::is_ascii_alphabetic).collect::<String>();
        // Of a side the pieces, and behind a colon the files of the pawns on the farther of two ranks.
        let of_side = |side: Side| {
            let row = |own: usize| if side == Side::White { ranks.len() - 1 - own } else { own };
            let pawns = self.army_of(side).pawn_choices();
            let advanced: String = match pawns.ways() {
                1 => String::new(),
                _ => pawn_files(ranks[row(variant.pawn_rank(side) + 1)]),
            };
            let colon = if advanced.is_empty() { "" } else { ":" };
            format!("{}{colon}{advanced}", letters(row(variant.first_rank)))
        };
        let (white, black) = (of_side(Side::White), of_side(Side::Black));
        let setup = self.read(&format!("{white}/{black}")).map_err(|error| wrong(error.to_string()))?;
        let start = StartFen::new(variant).of(&setup);
        let start = start.split(' ').next().unwrap_or("");
        match fields.next() {
            _ if placement != start => Err(wrong(format!("with these first ranks it would be `{start}`"))),
            None | Some("w") => Ok(setup),
            Some(_) => Err(wrong("White is to move".to_string())),
        }
    }

    /// Reads Black's rank, whose empty files are the reflection of White's where the board is rotated.
    fn read_black(&self, text: &str) -> Result<FirstRank, RankError> {
        let army = self.army_of(Side::Black);
        match self.sides() {
            Sides::Rotate(_) => army.read_rank_on(army.pattern().reversed(), text),
            _ => army.read_rank(text),
        }
    }

    fn one_side(&self, white: &FirstRank) -> RankError {
        RankError::OneSide { text: white.to_string(), sides: self.sides().name() }
    }
}

/// The files of the pawns on a rank of a FEN.
fn pawn_files(rank: &str) -> String {
    let (mut files, mut file, mut empty) = (String::new(), 0, 0);
    for sign in rank.chars() {
        if let Some(digit) = sign.to_digit(10) {
            empty = (10 * empty + digit as usize).min(MAX_FILES);
            continue;
        }
        file += std::mem::take(&mut empty);
        if sign.eq_ignore_ascii_case(&'P') && file < MAX_FILES {
            files.push(File(file as u8).letter());
        }
        file += 1;
    }
    files
}
