//! The value of a position with best play.

use std::fmt;

use backrank_rules::Side;

/// The value of a position for the side to move when both sides play perfectly, and how far the end is.
///
/// The winner ends the game as soon as possible, and the loser as late as possible. The fifty-move rule and repetitions
/// do not count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EndgameValue {
    /// The side to move wins.
    Win {
        /// The number of moves of either side until the game is over; 0 if it is over, as against a bare king that
        /// loses.
        plies: u16,
    },
    /// Neither side can win.
    Draw,
    /// The side to move loses.
    Loss {
        /// The number of moves of either side until the game is over; 0 if it is over, as in checkmate.
        plies: u16,
    },
}

impl EndgameValue {
    /// The number of moves that the winner still plays; `None` for a draw.
    ///
    /// ```
    /// use backrank_endgames::EndgameValue;
    ///
    /// assert_eq!(EndgameValue::Win { plies: 1 }.moves(), Some(1)); // mate in one
    /// assert_eq!(EndgameValue::Loss { plies: 2 }.moves(), Some(1)); // mated in one
    /// assert_eq!(EndgameValue::Draw.moves(), None);
    /// ```
    pub fn moves(self) -> Option<u16> {
        match self {
            Self::Win { plies } => Some(plies.div_ceil(2)),
            Self::Draw => None,
            Self::Loss { plies } => Some(plies / 2),
        }
    }

    /// The number of moves of either side until the game is over; `None` for a draw.
    pub fn plies(self) -> Option<u16> {
        match self {
            Self::Win { plies } | Self::Loss { plies } => Some(plies),
            Self::Draw => None,
        }
    }

    /// The winner, if `to_move` is to move.
    pub fn winner(self, to_move: Side) -> Option<Side> {
        match self {
            Self::Win { .. } => Some(to_move),
            Self::Draw => None,
            Self::Loss { .. } => Some(to_move.other()),
        }
    }

    /// The value of a move that leads to a position of this value, for the side that plays the move.
    #[must_use]
    pub fn of_move_here(self) -> Self {
        match self {
            Self::Win { plies } => Self::Loss { plies: plies + 1 },
            Self::Draw => Self::Draw,
            Self::Loss { plies } => Self::Win { plies: plies + 1 },
        }
    }

    /// A sort key from the worst value for the side to move to the best. A loss is better the later it comes, and a win
    /// the sooner.
    pub fn preference(self) -> i32 {
        match self {
            Self::Win { plies } => i32::from(u16::MAX) - i32::from(plies),
            Self::Draw => 0,
            Self::Loss { plies } => i32::from(plies) - i32::from(u16::MAX),
        }
    }
}

impl fmt::Display for EndgameValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self, self.moves().unwrap_or(0)) {
            (Self::Draw, _) => f.write_str("draw"),
            (Self::Win { .. }, moves) => write!(f, "win in {moves}"),
            (Self::Loss { .. }, moves) => write!(f, "loss in {moves}"),
        }
    }
}

/// A value in two bytes: twice the plies to the end, plus one for a win. So lower codes are sooner.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Code(pub u16);

impl Code {
    /// Nobody can win; while a table is made, also a value that is not yet known.
    pub const DRAW: Self = Self(u16::MAX - 1);

    /// The position is not legal.
    pub const ILLEGAL: Self = Self(u16::MAX);

    /// More plies than any code can hold.
    pub const MAX_PLIES: u16 = Self::DRAW.0 / 2;

    pub fn win(plies: u16) -> Self {
        debug_assert!(plies < Self::MAX_PLIES);
        Self(plies << 1 | 1)
    }

    pub fn loss(plies: u16) -> Self {
        debug_assert!(plies < Self::MAX_PLIES);
        Self(plies << 1)
    }

    /// The plies to the end; [`Code::MAX_PLIES`] or more if there is none.
    pub fn plies(self) -> u16 {
        self.0 >> 1
    }

    pub fn is_decided(self) -> bool {
        self < Self::DRAW
    }

    pub fn is_win(self) -> bool {
        self.is_decided() && self.0 & 1 == 1
    }

    pub fn is_loss(self) -> bool {
        self.is_decided() && self.0 & 1 == 0
    }

    /// The value; `None` if the position is not legal.
    pub fn value(self) -> Option<EndgameValue> {
        match self {
            Self::ILLEGAL => None,
            Self::DRAW => Some(EndgameValue::Draw),
            code if code.is_win() => Some(EndgameValue::Win { plies: code.plies() }),
            code => Some(EndgameValue::Loss { plies: code.plies() }),
        }
    }
}
