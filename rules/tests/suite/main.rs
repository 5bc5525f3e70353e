//! The tests of the rules, one program: linked once, not once a file.

mod adjustment;
mod castling;
mod catalogue;
mod common;
mod endings;
mod fairy;
mod fairy_stockfish;
mod fen;
mod insufficient;
mod invalid_fens;
mod keys;
mod notation;
mod perft;
mod piece_texts;
mod pieces;
mod removal;
mod slow;
mod slow_and_fast;
mod slow_reference;
mod start_checks;
mod variant_files;
mod walk;
