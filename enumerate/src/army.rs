//! The army, and the files on which it is arranged.

use std::sync::Arc;

use backrank_rules::{Colour, File, FirstRank, Letter, Rules, Setup, Side, Variant};

use crate::error::RankError;
use crate::gaze::{ByLetterAndFile, Files, Gaze, StartAttacks, files_of};
use crate::pawn_choices::PawnChoices;
use crate::sides::{Counterparts, Sides};

/// The pieces of one side's first rank without their order, the files they stand on, and the pawns they protect.
///
/// In games with pieces on several ranks, the first rank is the one that is shuffled. A constraint may depend on all of this besides
/// the arrangement itself.
#[derive(Clone, Debug)]
pub struct Army {
    side: Side,
    pattern: FirstRank,
    row: usize,
    kinds: Vec<(Letter, usize)>,
    /// The files of the pawns that a piece protects, by its letter and file.
    protects: ByLetterAndFile,
    /// For each file, those of the pawns that any piece could protect from a later file.
    protectable_after: [Files; 16],
    /// The files of the pawns, and of those that need no piece of this rank to be protected.
    pawns: Files,
    protected: Files,
    pawn_choices: PawnChoices,
    /// Where pawns start on one of two ranks, the rules, which are asked what attacks what.
    rules: Option<Arc<Rules>>,
    gaze: Arc<Gaze>,
    /// What pieces attack on the other side's first rank.
    attacks: Arc<StartAttacks>,
    /// The files of the other side's first rank that any of a side's pieces could attack from any of its files: White's, Black's.
    reach_of_checks: [Files; 2],
    /// The files of each side's pieces.
    files: [Files; 2],
    follows: Follows,
}

/// How Black's rank follows from White's.
#[derive(Clone, Copy, Debug)]
struct Follows {
    counterparts: Option<Counterparts>,
    is_reversed: bool,
}

impl Army {
    /// White's army in a variant.
    pub fn new(variant: &Variant) -> Self {
        Self::of(variant, Side::White)
    }

    /// The army of a side in a variant.
    pub fn of(variant: &Variant, side: Side) -> Self {
        let [white, black] = Self::of_sides(variant);
        if side == Side::White { white } else { black }
    }

    /// White's army and Black's.
    pub(crate) fn of_sides(variant: &Variant) -> [Self; 2] {
        let gaze = Arc::new(Gaze::new(variant));
        let rules = (variant.pawn_choices != [0; 2]).then(|| Arc::new(Rules::new(variant)));
        let armies = Side::BOTH.map(|side| {
            let pattern = variant.armies[side as usize];
            let mut letters: Vec<Letter> = pattern.into_letters().collect();
            letters.sort_unstable();
            let files = variant.armies.map(|army| files_of(&army));
            let (protects, protected, pawns) = gaze.protected(side, files);
            let kinds: Vec<_> =
                letters.chunk_by(|a, b| a == b).map(|chunk| (chunk[0], chunk.len())).collect();
            let by_any = |file: usize| {
                let by = |kind: &(Letter, usize)| protects[kind.0][file];
                kinds.iter().map(by).fold(0, |union, files| union | files)
            };
            let later = |file: usize| (file + 1..16).filter(|later| files[side as usize] >> later & 1 != 0);
            let protectable_after =
                std::array::from_fn(|file| later(file).map(by_any).fold(0, |union, files| union | files));
            Self {
                side,
                pattern,
                row: variant.first_rank,
                kinds,
                protects,
                protectable_after,
                pawns,
                protected,
                pawn_choices: PawnChoices::of(variant.pawn_choices[side as usize]),
                rules: rules.clone(),
                gaze: gaze.clone(),
                attacks: Arc::new(gaze.attacks(files)),
                reach_of_checks: [0; 2],
                files,
                follows: Follows { counterparts: None, is_reversed: false },
            }
        });
        Self::facing_each_other(armies)
    }

    /// The same armies set up in a way.
    pub(crate) fn set_up(mut armies: [Self; 2], sides: &Sides) -> [Self; 2] {
        let follows = match sides {
            Sides::Mirror(counterparts) => Follows { counterparts: Some(*counterparts), is_reversed: false },
            Sides::Rotate(counterparts) => Follows { counterparts: Some(*counterparts), is_reversed: true },
            Sides::Independent | Sides::Listed(_) => Follows { counterparts: None, is_reversed: false },
        };
        let black = armies[1].pattern;
        let black = if follows.is_reversed { black.reversed() } else { black };
        let files = [files_of(&armies[0].pattern), files_of(&black)];
        let attacks = Arc::new(armies[0].gaze.attacks(files));
        for army in &mut armies {
            (army.follows, army.files, army.attacks) = (follows, files, attacks.clone());
        }
        Self::facing_each_other(armies)
    }

    /// Works out what each of two armies could attack of the other.
    fn facing_each_other(mut armies: [Self; 2]) -> [Self; 2] {
        let reach = [0, 1].map(|side| {
            let army = &armies[side];
            let files = (0..16).filter(|file| army.files[side] >> file & 1 != 0);
            let from_each = |file: usize| {
                let of = move |kind: &(Letter, usize)| army.attacks.of(army.side, kind.0, file);
                army.kinds.iter().map(of).fold(0, |union, files| union | files)
            };
            files.map(from_each).fold(0, |union, files| union | files)
        });
        armies.iter_mut().for_each(|army| army.reach_of_checks = reach);
        armies
    }

    /// Whose army it is.
    pub fn side(&self) -> Side {
        self.side
    }

    /// Whether any constraint holds for the same ranks of both armies.
    pub(crate) fn is_like(&self, other: &Self) -> bool {
        self.kinds == other.kinds
            && self.files().eq(other.files())
            && (&self.protects, self.pawns, self.protected) == (&other.protects, other.pawns, other.protected)
            && self.pawn_choices == other.pawn_choices
    }

    pub(crate) fn gaze(&self) -> &Gaze {
        &self.gaze
    }

    /// The rules, where pawns start on one of two ranks, so that they do not stand alike in all setups.
    pub(crate) fn rules(&self) -> Option<&Rules> {
        self.rules.as_deref()
    }

    /// What pieces attack on the other side's first rank.
    pub(crate) fn attacks(&self) -> &StartAttacks {
        &self.attacks
    }

    /// Black's rank, if White's determines it; White's own where sides are independent.
    pub(crate) fn black_rank(&self, white: &FirstRank) -> FirstRank {
        let mut black = *white;
        if let Some(counterparts) = self.follows.counterparts {
            white.pieces().for_each(|(file, letter)| black.set(file, counterparts.black(letter)));
        }
        if self.follows.is_reversed { black.reversed() } else { black }
    }

    /// The number of kings on a first rank.
    pub(crate) fn kings(&self) -> usize {
        self.kinds.iter().filter(|kind| self.gaze.is_king(kind.0)).map(|kind| kind.1).sum()
    }

    /// The files of the other side's first rank that any of a side's pieces could attack from any of the files that have a
    /// piece of its rank.
    pub(crate) fn reach_of_checks(&self, side: Side) -> Files {
        self.reach_of_checks[side as usize]
    }

    /// Whether any piece of either side could give check before the first move, from any file.
    pub(crate) fn can_give_check(&self) -> bool {
        let has_fixed_king = Side::BOTH.into_iter().any(|side| self.gaze.fixed_king(side).is_some());
        let reaches = |side: Side| {
            let attacked = self.reach_of_checks(side) | self.attacks.of_fixed(side);
            attacked & self.files[side.other() as usize] != 0
        };
        has_fixed_king || Side::BOTH.into_iter().any(reaches)
    }

    /// The files of White's rank on which a king cannot stand whatever the arrangement: what is fixed of Black's attacks it there, or
    /// what is fixed of White's attacks Black's king, which stands opposite.
    pub(crate) fn always_forbidden_to_kings(&self) -> Files {
        let [white, black] = Side::BOTH.map(|side| self.attacks.of_fixed(side));
        self.seen_from_white(white) | black
    }

    /// The files of White's rank on which a king cannot stand if a piece with this letter stands on a file of it: it would
    /// attack Black's king, or Black's piece would attack White's. Black's rank follows from White's.
    pub(crate) fn forbidden_to_kings(&self, letter: Letter, file: File) -> Files {
        let (of_black, black_file) = self.opposite(letter, file);
        let white = self.attacks.of(Side::White, letter, file.0.into());
        self.seen_from_white(white) | self.attacks.of(Side::Black, of_black, black_file.0.into())
    }

    /// Whether a piece of White's, or that of Black's which stands for it, attacks a king that is fixed.
    pub(crate) fn hits_fixed_king(&self, letter: Letter, file: File) -> bool {
        let (of_black, black_file) = self.opposite(letter, file);
        self.attacks.hits_fixed_king(Side::White, letter, file)
            || self.attacks.hits_fixed_king(Side::Black, of_black, black_file)
    }

    /// The piece of Black's that stands for one of White's, and its file.
    fn opposite(&self, letter: Letter, file: File) -> (Letter, File) {
        let of_black = self.follows.counterparts.map_or(letter, |counterparts| counterparts.black(letter));
        let last = self.board_files() as u8 - 1;
        (of_black, if self.follows.is_reversed { File(last - file.0) } else { file })
    }

    /// The files of White's rank on which what stands opposite to some files of Black's stands.
    fn seen_from_white(&self, black: Files) -> Files {
        match self.follows.is_reversed {
            true => black.reverse_bits() >> (Files::BITS as usize - self.board_files()),
            false => black,
        }
    }

    /// The number of files of the board.
    pub fn board_files(&self) -> usize {
        self.pattern.files()
    }

    /// The arrangement in the variant's file, which says which files are empty.
    pub fn pattern(&self) -> FirstRank {
        self.pattern
    }

    /// The files that have pieces, from the a-file.
    pub fn files(&self) -> impl DoubleEndedIterator<Item = File> + '_ {
        (0..self.pattern.files() as u8).map(File).filter(|&file| self.pattern.at(file).is_some())
    }

    /// The letters and how many there are of each, in alphabetical order.
    pub fn kinds(&self) -> &[(Letter, usize)] {
        &self.kinds
    }

    /// The number of pieces with a letter.
    pub fn count(&self, letter: Letter) -> usize {
        self.kinds.iter().find(|kind| kind.0 == letter).map_or(0, |kind| kind.1)
    }

    /// The number of pieces.
    pub fn len(&self) -> usize {
        self.kinds.iter().map(|kind| kind.1).sum()
    }

    /// Whether it has no pieces.
    pub fn is_empty(&self) -> bool {
        self.kinds.is_empty()
    }

    /// The colour of White's first-rank square on a file.
    pub fn colour(&self, file: File) -> Colour {
        Colour::of(file, self.row)
    }

    /// The number of arrangements without any constraint, those of pawns that start on one of two ranks included.
    pub fn arrangements(&self) -> u128 {
        let factorial = |n: usize| (1..=n as u128).product::<u128>();
        let of_pieces = self.kinds.iter().fold(factorial(self.len()), |ways, kind| ways / factorial(kind.1));
        of_pieces * u128::from(self.pawn_choices.ways())
    }

    /// The pawns that start on one of two ranks.
    pub(crate) fn pawn_choices(&self) -> PawnChoices {
        self.pawn_choices
    }

    /// Whether some pawns start on one of two ranks.
    pub fn has_pawn_choices(&self) -> bool {
        self.pawn_choices.ways() > 1
    }

    /// The files of the pawns that a piece with this letter protects from a file, as bits.
    pub(crate) fn protects(&self, letter: Letter, from: File) -> Files {
        self.protects[letter].get(usize::from(from.0)).copied().unwrap_or(0)
    }

    /// The files of the pawns that any piece could protect from a later file, as bits.
    pub(crate) fn protectable_after(&self, file: File) -> Files {
        self.protectable_after[usize::from(file.0)]
    }

    /// The files of the pawns that need a piece of the first rank to be protected, as bits.
    pub(crate) fn pawns_to_protect(&self) -> Files {
        self.pawns & !self.protected
    }

    /// The files of the pawns that no piece of a first rank protects; where pawns start on one of two ranks, no pawn either.
    ///
    /// ```
    /// use backrank_enumerate::Army;
    /// use backrank_rules::{File, FirstRank, Variant};
    ///
    /// let army = Army::new(&Variant::find("chess960")?);
    /// let rank = FirstRank::new(b"BBNNRKRQ").unwrap();
    /// assert_eq!(army.unprotected_pawns(&rank), [File(3)]);
    /// # Ok::<(), backrank_rules::FindError>(())
    /// ```
    pub fn unprotected_pawns(&self, rank: &FirstRank) -> Vec<File> {
        if let Some(rules) = &self.rules {
            // What protects a pawn is of its own side, and so the other side may stand in any way.
            let [white, black] = rules.variant().armies;
            let setup = match self.side {
                Side::White => Setup { white: *rank, black },
                Side::Black => Setup { white, black: *rank },
            };
            let files = rules.unprotected_pawns(&setup).map_or(0, |files| files[self.side as usize]);
            return (0..self.board_files() as u8).map(File).filter(|file| files >> file.0 & 1 != 0).collect();
        }
        let protected = rank.pieces().fold(0, |files, (file, letter)| files | self.protects(letter, file));
        let left = self.pawns_to_protect() & !protected;
        (0..self.board_files() as u8).map(File).filter(|file| left >> file.0 & 1 != 0).collect()
    }

    /// Reads an arrangement of this army: its letters from the a-file in either case. Dots for empty files may be left
    /// out. In games whose pawns start on one of two ranks, the files of those on the farther one follow behind a colon.
    ///
    /// # Errors
    ///
    /// When letters are missing or too many, an empty file is in the wrong place, or a pawn has no second rank to start on.
    pub fn read_rank(&self, text: &str) -> Result<FirstRank, RankError> {
        self.read_rank_on(self.pattern, text)
    }

    /// Reads an arrangement on the files of a pattern, which are this army's or their reflection.
    pub(crate) fn read_rank_on(&self, pattern: FirstRank, text: &str) -> Result<FirstRank, RankError> {
        let (text, advanced) = text.trim().split_once(':').unwrap_or((text.trim(), ""));
        let letters: Vec<char> = text.chars().map(|letter| letter.to_ascii_uppercase()).collect();
        let pieces: Vec<char> = letters.iter().copied().filter(|&letter| letter != '.').collect();
        self.check_letters(text, &pieces)?;
        let mut rank = pattern;
        for ((file, _), letter) in pattern.pieces().zip(&pieces) {
            rank.set(file, Letter::from_char(*letter));
        }
        let dotted = letters.len() != pieces.len();
        if dotted && !letters.iter().copied().eq(rank.as_bytes().iter().map(|&letter| letter as char)) {
            return Err(other_files(pattern, text));
        }
        let file_of = |letter: char| {
            let file = self.pawn_choices.files().find(|file| file.letter() == letter.to_ascii_lowercase());
            file.ok_or_else(|| self.no_such_pawn(advanced))
        };
        Ok(rank.with_advanced_pawns(advanced.chars().map(file_of).collect::<Result<Vec<_>, _>>()?))
    }

    /// Checks that a rank is an arrangement of this army.
    pub(crate) fn validate(&self, rank: &FirstRank) -> Result<(), RankError> {
        let pieces: Vec<char> = rank.pieces().map(|(_, letter)| letter.as_char()).collect();
        self.check_letters(&rank.to_string(), &pieces)?;
        let same_files =
            rank.files() == self.board_files() && rank.pieces().map(|(file, _)| file).eq(self.files());
        if !same_files {
            return Err(other_files(self.pattern, &String::from_utf8_lossy(rank.as_bytes())));
        }
        match self.pawn_choices.number_of(rank) {
            Some(_) => Ok(()),
            None => Err(self.no_such_pawn(&rank.advanced_pawns().map(File::letter).collect::<String>())),
        }
    }

    fn no_such_pawn(&self, given: &str) -> RankError {
        let files = self.pawn_choices.files().map(File::letter).collect();
        RankError::Pawns { given: given.to_string(), files }
    }

    fn check_letters(&self, text: &str, pieces: &[char]) -> Result<(), RankError> {
        let mut extra: Vec<char> = pieces.to_vec();
        let mut missing = String::new();
        for (_, letter) in self.pattern().pieces() {
            match extra.iter().position(|&given| given == letter.as_char()) {
                Some(place) => {
                    extra.remove(place);
                }
                None => missing.push(letter.as_char()),
            }
        }
        if extra.is_empty() && missing.is_empty() {
            return Ok(());
        }
        let extra = extra.into_iter().collect();
        Err(RankError::Letters { text: text.to_string(), army: self.pattern().to_string(), missing, extra })
    }
}

fn other_files(pattern: FirstRank, text: &str) -> RankError {
    let pattern = String::from_utf8_lossy(pattern.as_bytes()).into_owned();
    RankError::Files { text: text.to_string(), pattern }
}
