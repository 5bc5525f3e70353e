//! The tests of the spaces, one program: linked once, not once a file.

mod against_brute_force;
mod catalogue;
mod constraint_texts;
mod numberings;
mod random_games;
