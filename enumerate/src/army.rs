//! The army, and the files on which it is arranged.

use backrank_rules::{ByLetter, Colour, File, FirstRank, Letter, Passage, Side, Variant};

use crate::error::RankError;
use crate::gaze::{Files, Gaze, StartAttacks};
use crate::sides::Sides;

/// The pieces of one side's first rank without their order, the files they stand on, and the pawns they protect.
///
/// A constraint may depend on all of this besides the arrangement itself.
#[derive(Clone, Debug)]
pub struct Army {
    pattern: FirstRank,
    row: usize,
    kinds: Vec<(Letter, usize)>,
    /// For each letter, the files of the pawns that its piece protects, relative to its own.
    protects: ByLetter<Vec<i8>>,
    gaze: Gaze,
    /// What pieces attack on the other side's first rank.
    attacks: StartAttacks,
    /// Whether Black's rank is White's read from the other end.
    black_is_reversed: bool,
}

impl Army {
    /// The army of a variant.
    pub fn new(variant: &Variant) -> Self {
        let mut kinds: Vec<(Letter, usize)> = Vec::new();
        let mut letters: Vec<Letter> = variant.army.pieces().map(|(_, letter)| letter).collect();
        letters.sort_unstable();
        for chunk in letters.chunk_by(|a, b| a == b) {
            kinds.push((chunk[0], chunk.len()));
        }
        let mut protects = ByLetter::<Vec<i8>>::default();
        for piece in &variant.pieces {
            // The pawns stand one rank ahead, so only a ray's first step can reach one. A leap that passes the rest of the first
            // rank must be free to do so, or must leap over it; a hop or a bend ends elsewhere.
            let mut files: Vec<i8> = piece
                .betza
                .rays()
                .iter()
                .filter(|ray| {
                    ray.captures && ray.dy == 1 && matches!(ray.passage, Passage::Free | Passage::Jump)
                })
                .map(|ray| ray.dx)
                .collect();
            files.sort_unstable();
            files.dedup();
            protects[piece.letter] = files;
        }
        let gaze = Gaze::new(variant);
        let files = files_of(&variant.army);
        let attacks = gaze.attacks(files, files);
        Self {
            pattern: variant.army,
            row: variant.first_rank,
            kinds,
            protects,
            gaze,
            attacks,
            black_is_reversed: false,
        }
    }

    /// The same army, whose enemy is set up in a way.
    pub(crate) fn facing(mut self, sides: &Sides) -> Self {
        self.black_is_reversed = matches!(sides, Sides::Rotate);
        if self.black_is_reversed {
            self.attacks = self.gaze.attacks(files_of(&self.pattern), files_of(&self.pattern.reversed()));
        }
        self
    }

    pub(crate) fn gaze(&self) -> &Gaze {
        &self.gaze
    }

    /// What pieces attack on the other side's first rank.
    pub(crate) fn attacks(&self) -> &StartAttacks {
        &self.attacks
    }

    /// Whether Black's rank is White's read from the other end.
    pub(crate) fn black_is_reversed(&self) -> bool {
        self.black_is_reversed
    }

    /// The number of kings on a first rank.
    pub(crate) fn kings(&self) -> usize {
        self.kinds.iter().filter(|kind| self.gaze.is_king(kind.0)).map(|kind| kind.1).sum()
    }

    /// The files of the other side's first rank that any of a side's pieces could attack from any of the files that have a
    /// piece of its rank.
    pub(crate) fn reach_of_checks(&self, side: Side, own: &FirstRank) -> Files {
        let from_each =
            |letter: Letter| own.pieces().map(move |(file, _)| self.attacks.of(side, letter, file.0.into()));
        self.kinds.iter().flat_map(|kind| from_each(kind.0)).fold(0, |union, files| union | files)
    }

    /// Whether any piece of either side could give check before the first move, from any file.
    pub(crate) fn can_give_check(&self) -> bool {
        let own = self.pattern;
        let black = if self.black_is_reversed { own.reversed() } else { own };
        let reaches =
            |side, own: FirstRank, enemy: FirstRank| self.reach_of_checks(side, &own) & files_of(&enemy) != 0;
        self.kings() > 0 && (reaches(Side::White, own, black) || reaches(Side::Black, black, own))
    }

    /// The files of White's rank on which a king cannot stand if a piece with this letter stands on a file of it: it would
    /// attack Black's king, or Black's piece would attack White's. Black's rank is White's, perhaps reversed.
    pub(crate) fn forbidden_to_kings(&self, letter: Letter, file: File) -> Files {
        let (place, last) = (usize::from(file.0), self.board_files() - 1);
        let [white, black] =
            [Side::White, Side::Black].map(|side| move |file| self.attacks.of(side, letter, file));
        match self.black_is_reversed {
            true => white(place).reverse_bits() >> (Files::BITS as usize - 1 - last) | black(last - place),
            false => white(place) | black(place),
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

    /// The number of arrangements without any constraint.
    pub fn arrangements(&self) -> u128 {
        let factorial = |n: usize| (1..=n as u128).product::<u128>();
        self.kinds.iter().fold(factorial(self.len()), |ways, kind| ways / factorial(kind.1))
    }

    /// Whether a piece with this letter on the file `from` protects the pawn on `file`.
    pub fn protects(&self, letter: Letter, from: File, file: File) -> bool {
        self.reach(letter).contains(&(file.0 as i8 - from.0 as i8))
    }

    /// The files of the pawns that a piece protects, relative to its own, in ascending order.
    pub(crate) fn reach(&self, letter: Letter) -> &[i8] {
        &self.protects[letter]
    }

    /// The files of the pawns that no piece of a first rank protects.
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
        rank.pieces()
            .map(|(file, _)| file)
            .filter(|&pawn| !rank.pieces().any(|(file, letter)| self.protects(letter, file, pawn)))
            .collect()
    }

    /// Reads an arrangement of this army: its letters from the a-file in either case. Dots for empty files may be left
    /// out.
    ///
    /// # Errors
    ///
    /// When letters are missing or too many, or an empty file is in the wrong place.
    pub fn read_rank(&self, text: &str) -> Result<FirstRank, RankError> {
        let letters: Vec<char> = text.trim().chars().map(|letter| letter.to_ascii_uppercase()).collect();
        let pieces: Vec<char> = letters.iter().copied().filter(|&letter| letter != '.').collect();
        self.check_letters(text.trim(), &pieces)?;
        let mut rank = self.pattern();
        for (file, letter) in self.files().zip(&pieces) {
            rank.set(file, Letter::from_char(*letter));
        }
        let dotted = letters.len() != pieces.len();
        if dotted && !letters.iter().copied().eq(rank.as_bytes().iter().map(|&letter| letter as char)) {
            return Err(self.other_files(text));
        }
        Ok(rank)
    }

    /// Checks that a rank is an arrangement of this army.
    pub(crate) fn validate(&self, rank: &FirstRank) -> Result<(), RankError> {
        let pieces: Vec<char> = rank.pieces().map(|(_, letter)| letter.as_char()).collect();
        self.check_letters(&rank.to_string(), &pieces)?;
        let same_files =
            rank.files() == self.board_files() && rank.pieces().map(|(file, _)| file).eq(self.files());
        if same_files { Ok(()) } else { Err(self.other_files(&String::from_utf8_lossy(rank.as_bytes()))) }
    }

    fn other_files(&self, text: &str) -> RankError {
        let pattern = String::from_utf8_lossy(self.pattern().as_bytes()).into_owned();
        RankError::Files { text: text.to_string(), pattern }
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

/// The files that have a piece, as bits.
fn files_of(rank: &FirstRank) -> Files {
    rank.pieces().fold(0, |files, (file, _)| files | 1 << file.0)
}
