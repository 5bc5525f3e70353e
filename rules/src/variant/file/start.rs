//! `[board]` and `[setup]`, as far as they say where pieces stand at the start.

use std::ops::Range;

use super::letters::PieceLetters;
use super::tables::ArmyEntry;
use super::{Faults, Problem, Tables};
use crate::board::{Board, File};
use crate::letter::Letter;
use crate::setup::FirstRank;
use crate::square::{Side, Square};

/// The ways in which `[setup]` can say where pieces stand.
const WAYS: &str = "the pieces of both sides are first_rank = \"RNBQKBNR\", or ranks = [\"RNBQKBNR\", \"PPPPPPPP\"] with the pawns; those of each side are white = … and black = …; and a start of any kind is position = \"FEN\"";

/// Their keys.
const WAY_KEYS: [&str; 5] = ["first_rank", "ranks", "white", "black", "position"];

/// What stands where at the start.
pub(super) struct Start {
    /// The rank that is shuffled, counted from 0 and from the own side.
    pub first_rank: usize,
    /// The pieces that are shuffled, White's and Black's.
    pub armies: [FirstRank; 2],
    /// Everything else.
    pub fixed_pieces: Vec<(Square, Side, Letter)>,
    /// The part of the file that says so.
    pub span: Range<usize>,
}

/// The ranks of one side from its own first one, each a letter or `.` for every file, and the bytes of the file that say so.
struct Ranks {
    rows: Vec<FirstRank>,
    span: Range<usize>,
}

impl Start {
    /// The foremost rank on which a pawn starts, counted from 0 and from its own side.
    pub fn foremost_pawns(&self, board: Board) -> Option<usize> {
        let pawns = self.fixed_pieces.iter().filter(|piece| piece.2 == Letter::PAWN);
        let rank = |&(square, side, _): &(Square, Side, Letter)| match side {
            Side::White => board.rank_of(square),
            Side::Black => board.ranks() - 1 - board.rank_of(square),
        };
        pawns.map(rank).max()
    }
}

impl PieceLetters<'_> {
    /// Reads where pieces stand.
    pub fn start(&self, tables: Tables<'_>, faults: &mut Faults) -> Option<Start> {
        // Where that could not be read, it is not missing.
        let is_left_out = faults.left_out_of("setup").any(|key| WAY_KEYS.contains(&key));
        let start = self.start_unchecked(tables);
        let start = if is_left_out { start.ok() } else { faults.keep(start) }?;
        faults.keep(self.check_kings(tables, &start));
        Some(start)
    }

    /// The files of White's pawns and of Black's that start on one of two ranks, as bits.
    pub fn pawn_choices(
        &self,
        tables: Tables<'_>,
        fixed_pieces: &[(Square, Side, Letter)],
    ) -> Result<[u16; 2], Problem> {
        let Some(given) = &tables.setup.get_ref().pawn_ranks else { return Ok([0; 2]) };
        let wrong = |problem: String| Err((given.span(), problem));
        if tables.setup.get_ref().position.is_some() {
            return wrong(
                "a start by its `position` is the only one, so that no pawn has a choice".to_string(),
            );
        }
        let own_rank = |side: Side, square: Square| match side {
            Side::White => self.board.rank_of(square),
            Side::Black => self.board.ranks() - 1 - self.board.rank_of(square),
        };
        let mut choices = [0; 2];
        let mut ranks: Vec<usize> = Vec::new();
        for &(square, side, _) in fixed_pieces.iter().filter(|piece| piece.2 == Letter::PAWN) {
            choices[side as usize] |= 1 << self.board.file_of(square).0;
            ranks.push(own_rank(side, square));
        }
        let &[home, ref others @ ..] = &ranks[..] else {
            return wrong("there are no pawns, and so none that start on one of two ranks".to_string());
        };
        if others.iter().any(|&rank| rank != home) {
            return wrong("the pawns already start on several ranks, which `ranks` says".to_string());
        }
        let next = home + 1;
        if 2 * (next + 1) > self.board.ranks()
            || fixed_pieces.iter().any(|piece| own_rank(piece.1, piece.0) == next)
        {
            return wrong(format!("there is no room for pawns on rank {}", next + 1));
        }
        if given.get_ref()[..] != [home + 1, next + 1] {
            return wrong(format!(
                "pawns start on rank {0} or on the next one, which is pawn_ranks = [{0}, {1}]",
                home + 1,
                next + 1
            ));
        }
        Ok(choices)
    }

    fn start_unchecked(&self, tables: Tables<'_>) -> Result<Start, Problem> {
        let setup = tables.setup.get_ref();
        let ways = [
            setup.first_rank.as_ref().map(|given| ("first_rank", given.span())),
            setup.ranks.as_ref().map(|given| ("ranks", given.span())),
            setup.white.as_ref().or(setup.black.as_ref()).map(|given| ("white and black", given.span())),
            setup.position.as_ref().map(|given| ("position", given.span())),
        ];
        let mut given = ways.into_iter().flatten();
        let Some((first, _)) = given.next() else {
            return Err((tables.setup.span(), format!("nothing says how the pieces stand; {WAYS}")));
        };
        if let Some((second, span)) = given.next() {
            return Err((span, format!("`{first}` and `{second}` both say how the pieces stand; {WAYS}")));
        }
        match &setup.position {
            Some(fen) => self.start_of_position(tables, fen.get_ref(), fen.span()),
            None => self.start_of_ranks(tables),
        }
    }

    fn start_of_ranks(&self, tables: Tables<'_>) -> Result<Start, Problem> {
        let setup = tables.setup.get_ref();
        let of_side = |given: &Option<toml::Spanned<ArmyEntry>>, side: &str| match given {
            Some(given) => self.army_ranks(tables, given.get_ref(), given.span()),
            None => Err((tables.setup.span(), format!("{side}'s pieces are missing; {WAYS}"))),
        };
        let (white, black) = match (&setup.first_rank, &setup.ranks) {
            (Some(given), _) => {
                let ranks = self.first_rank_ranks(tables, given.get_ref(), given.span())?;
                (ranks, None)
            }
            (None, Some(given)) => (self.listed_ranks(tables, given.get_ref(), given.span())?, None),
            (None, None) => (of_side(&setup.white, "White")?, Some(of_side(&setup.black, "Black")?)),
        };
        let first_rank = self.first_rank(tables, &white)?;
        let is_rotated = setup.symmetry.as_ref().and_then(toml::Value::as_str) == Some("rotate");
        let black = black.as_ref().unwrap_or(&white);
        if white.rows.len() + black.rows.len() > self.board.ranks() {
            let [whites, blacks] = [&white, black].map(|ranks| ranks.rows.len());
            let all = self.board.ranks();
            let problem =
                format!("White's {whites} ranks and Black's {blacks} overlap on a board of {all} ranks");
            return Err((black.span.clone(), problem));
        }
        let mut armies = [FirstRank::empty(self.board.files()); 2];
        let mut fixed_pieces = Vec::new();
        for (side, ranks) in Side::BOTH.into_iter().zip([&white, black]) {
            let Some(shuffled) = ranks.rows.get(first_rank) else {
                let problem =
                    format!("rank {} is shuffled, and there are {}", first_rank + 1, ranks.rows.len());
                return Err((ranks.span.clone(), problem));
            };
            armies[side as usize] = *shuffled;
            if armies[side as usize].pieces().next().is_none() {
                let problem = "no pieces on the first rank; there is nothing to set up".to_string();
                return Err((ranks.span.clone(), problem));
            }
            for (row, letters) in ranks.rows.iter().enumerate().filter(|&(row, _)| row != first_rank) {
                let row = if side == Side::White { row } else { self.board.ranks() - 1 - row };
                // Where the board is rotated, Black's pieces and pawns are White's read from the other end.
                let letters = if is_rotated && side == Side::Black { letters.reversed() } else { *letters };
                let place = |(file, letter)| (self.board.square(file, row), side, letter);
                fixed_pieces.extend(letters.pieces().map(place));
            }
        }
        Ok(Start { first_rank, armies, fixed_pieces, span: white.span })
    }

    /// The rank that is shuffled, counted from 0.
    fn first_rank(&self, tables: Tables<'_>, white: &Ranks) -> Result<usize, Problem> {
        let board = tables.board.get_ref();
        let setup = tables.setup.get_ref();
        let is_list = setup.ranks.is_some()
            || [&setup.white, &setup.black]
                .into_iter()
                .flatten()
                .any(|given| matches!(given.get_ref(), ArmyEntry::Ranks(_)));
        match (&board.first_rank, &setup.shuffled_rank) {
            (None, None) => Ok(0),
            (Some(given), _) if is_list => {
                let problem = "a list of ranks begins with the side's own first one, so that `first_rank` of [board] says nothing; an empty rank is a rank of dots";
                Err((given.span(), problem.to_string()))
            }
            (Some(given), None) => self.board_first_rank(*given.get_ref(), given.span()),
            (_, Some(given)) if !is_list => {
                let problem =
                    "only one of several ranks is said to be shuffled; with one rank, it is the one";
                Err((given.span(), problem.to_string()))
            }
            (_, Some(given)) => match given.get_ref() {
                rank if (1..=white.rows.len()).contains(rank) => Ok(rank - 1),
                _ => Err((given.span(), format!("shuffled_rank is 1 to {} here", white.rows.len()))),
            },
        }
    }

    /// The rank that `[board]` says, counted from 0.
    fn board_first_rank(&self, rank: usize, span: Range<usize>) -> Result<usize, Problem> {
        let last = self.board.ranks() / 2 - 1;
        if (1..=last).contains(&rank) {
            return Ok(rank - 1);
        }
        Err((span, format!("first_rank is 1 to {last}, so that both sides' pawns have room")))
    }

    fn army_ranks(
        &self,
        tables: Tables<'_>,
        given: &ArmyEntry,
        span: Range<usize>,
    ) -> Result<Ranks, Problem> {
        match given {
            ArmyEntry::FirstRank(text) => self.first_rank_ranks(tables, text, span),
            ArmyEntry::Ranks(texts) => self.listed_ranks(tables, texts, span),
        }
    }

    /// A rank of pieces, each with a pawn before it.
    fn first_rank_ranks(&self, tables: Tables<'_>, text: &str, span: Range<usize>) -> Result<Ranks, Problem> {
        let first = match &tables.board.get_ref().first_rank {
            Some(given) => self.board_first_rank(*given.get_ref(), given.span())?,
            None => 0,
        };
        let pieces = self.row(text, span.clone(), false)?;
        let mut pawns = FirstRank::empty(self.board.files());
        pieces.pieces().for_each(|(file, _)| pawns.set(file, Letter::PAWN));
        let mut rows = vec![FirstRank::empty(self.board.files()); first];
        rows.extend([pieces, pawns]);
        Ok(Ranks { rows, span })
    }

    fn listed_ranks(
        &self,
        tables: Tables<'_>,
        texts: &[String],
        span: Range<usize>,
    ) -> Result<Ranks, Problem> {
        let shuffled = tables.setup.get_ref().shuffled_rank.as_ref().map_or(1, |given| *given.get_ref());
        let row = |(index, text): (usize, &String)| {
            let may_have_pawns = index > 0 && index + 1 != shuffled;
            self.row(text, span.clone(), may_have_pawns)
                .map_err(|(span, problem)| (span, format!("rank {}: {problem}", index + 1)))
        };
        let rows = texts.iter().enumerate().map(row).collect::<Result<Vec<_>, _>>()?;
        if rows.is_empty() {
            return Err((span, "a list without ranks; there is nothing to set up".to_string()));
        }
        Ok(Ranks { rows, span })
    }

    fn row(&self, text: &str, span: Range<usize>, may_have_pawns: bool) -> Result<FirstRank, Problem> {
        let files = self.board.files();
        let given = text.chars().count();
        if given != files {
            let problem =
                format!("a rank of {given} files on a board of {files}; an empty file is written `.`");
            return Err((span, problem));
        }
        let mut rank = FirstRank::empty(files);
        for (file, letter) in (0..).map(File).zip(text.chars()) {
            match letter {
                '.' => (),
                'P' if may_have_pawns => rank.set(file, Letter::PAWN),
                _ => rank.set(file, self.known(letter, span.clone())?),
            }
        }
        Ok(rank)
    }

    /// The pieces of a FEN. Those on a side's first rank are its army.
    fn start_of_position(&self, tables: Tables<'_>, fen: &str, span: Range<usize>) -> Result<Start, Problem> {
        if let Some(given) = &tables.setup.get_ref().shuffled_rank {
            return Err((given.span(), "a start by its `position` has nothing that is shuffled".to_string()));
        }
        let first_rank = match &tables.board.get_ref().first_rank {
            Some(given) => self.board_first_rank(*given.get_ref(), given.span())?,
            None => 0,
        };
        let placement = fen.split_whitespace().next().unwrap_or("");
        let mut armies = [FirstRank::empty(self.board.files()); 2];
        let mut fixed_pieces = Vec::new();
        for (square, side, letter) in self.placed(placement, span.clone())? {
            let own_rank = self.board.rank_of(square);
            let own_rank = if side == Side::White { own_rank } else { self.board.ranks() - 1 - own_rank };
            if own_rank == first_rank && letter != Letter::PAWN {
                armies[side as usize].set(self.board.file_of(square), letter);
            } else {
                fixed_pieces.push((square, side, letter));
            }
        }
        Ok(Start { first_rank, armies, fixed_pieces, span })
    }

    /// What stands on which square. Whether all ranks are whole is looked at when the position is read by the rules.
    fn placed(&self, placement: &str, span: Range<usize>) -> Result<Vec<(Square, Side, Letter)>, Problem> {
        let (files, ranks) = (self.board.files(), self.board.ranks());
        let mut placed = Vec::new();
        for (row, text) in placement.split('/').take(ranks).enumerate() {
            let (mut file, mut run) = (0, 0);
            for letter in text.chars() {
                if let Some(digit) = letter.to_digit(10) {
                    run = (10 * run + digit as usize).min(files);
                    continue;
                }
                file += std::mem::take(&mut run);
                let side = if letter.is_ascii_uppercase() { Side::White } else { Side::Black };
                let known = match letter.to_ascii_uppercase() {
                    'P' => Letter::PAWN,
                    letter => self.known(letter, span.clone())?,
                };
                if file < files {
                    placed.push((self.board.square(File(file as u8), ranks - 1 - row), side, known));
                }
                file += 1;
            }
        }
        Ok(placed)
    }

    fn check_kings(&self, tables: Tables<'_>, start: &Start) -> Result<(), Problem> {
        for side in Side::BOTH {
            let shuffled = start.armies[side as usize].into_letters();
            let fixed = start.fixed_pieces.iter().filter(|piece| piece.1 == side).map(|piece| piece.2);
            let kings = shuffled.chain(fixed).filter(|&letter| self.is_royal(letter)).count();
            if kings != 1 && !tables.file.count_only {
                let whose = match tables.setup.get_ref().white {
                    Some(_) => format!(" of {side}'s"),
                    None => String::new(),
                };
                let problem = format!(
                    "{kings} kings (pieces with `royal = true`){whose} at the start; a game needs one for each side"
                );
                return Err((start.span.clone(), problem));
            }
        }
        Ok(())
    }
}
