//! Endgame tables for any chess variant: who wins every position with few men, and how many moves it takes.
//!
//! The tables are made by retrograde analysis: from the positions in which the game is over, back to all positions from
//! which such an end can be forced. Nothing in this crate knows a piece by its name. Boards, moves, promotions and
//! endings are those of the [`Rules`](backrank_rules::Rules) that it is given.
//!
//! # Making tables
//!
//! An [`Endgame`] says which men are on the board. [`EndgameTables::build`] makes its table, and the tables of all
//! endgames that captures and promotions lead to.
//!
//! ```
//! use backrank_endgames::{Endgame, EndgameTables};
//! use backrank_rules::{Rules, Side, Variant};
//!
//! let rules = Rules::new(&Variant::find("pmrc")?);
//! let endgame = Endgame::parse("KMvK", &rules)?;
//! let tables = EndgameTables::build(&rules, &[endgame.clone()], 400 << 20, |_| ())?;
//!
//! // A king and a prime minister win from every position if they are to move, in 21 moves at most.
//! let table = tables.get(&endgame).unwrap();
//! let count = table.count(Side::White);
//! assert_eq!((count.won, count.drawn, count.lost), (378_544, 0, 0));
//! assert_eq!(table.longest_win(Side::White).unwrap().moves, 21);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Looking positions up
//!
//! [`EndgameTables::three_men`] has every piece of a game, and the pawn, against the bare king: a few MiB, made in less
//! than a second. [`EndgameTables::for_play`] adds the pairs of pieces that can mate a bare king only together, such as
//! bishop and knight. These are made by a method of their own, which takes about a second for all of them and a byte
//! for each position; [`EndgameTables::build_for_probing`] makes more of them. [`EndgameTables::probe`] is fast enough
//! for a search, and threads can share the tables.
//!
//! ```
//! use backrank_endgames::{EndgameTables, EndgameValue};
//! use backrank_rules::{Position, Rules, Variant};
//!
//! let rules = Rules::new(&Variant::find("chess")?);
//! let tables = EndgameTables::three_men(&rules);
//!
//! // Black has the opposition.
//! let draw = Position::from_fen(&rules, "8/4k3/8/4K3/4P3/8/8/8 w - - 0 1")?;
//! assert_eq!(tables.probe(&draw), Some(EndgameValue::Draw));
//!
//! // A king on the sixth rank before its pawn wins, whoever is to move.
//! let win = Position::from_fen(&rules, "4k3/8/4K3/4P3/8/8/8/8 w - - 0 1")?;
//! let moves = tables.probe_moves(&win).unwrap();
//! let (best, value) = moves[0];
//! assert_eq!((win.notation(best).as_str(), value), ("Kd6", EndgameValue::Win { plies: 21 }));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # What a value means
//!
//! An [`EndgameValue`] is for the side to move. Its distance is the number of plies to the end of the game, which is
//! checkmate or, in games in which that loses, a bare king. The fifty-move rule and repetitions do not count;
//! [`LongestWin::is_longer_than_fifty`] says whether the fifty-move rule could matter. All men count as having moved: a
//! position with a right to castle, to adjust or to a first move has no value. En passant captures are taken into
//! account.
//!
//! # How large tables get
//!
//! A table has two bytes for each placement of its men and each side to move, less what the symmetries of the board
//! save. An eighth is left if all pieces move alike in all directions, and half with pawns. On 81 squares four men take
//! 31 MiB without pawns and 91 MiB with them.
//!
//! # Pieces on their own
//!
//! [`LonePiece`] says which pieces can checkmate without their king.

mod bare_king;
mod endgame;
mod for_play;
mod known;
mod layout;
mod lone;
mod moves;
mod solve;
mod symmetry;
mod table;
mod tables;
mod value;

pub use endgame::{Endgame, EndgameError, MAX_MEN, Man};
pub use lone::LonePiece;
pub use table::{EndgameTable, LongestWin, WinsDrawsLosses};
pub use tables::{EndgameTables, TableProgress, TablesError};
pub use value::EndgameValue;
