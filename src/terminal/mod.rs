//! What a person sees and does at the terminal: results, notes, failures, signals.

#[cfg(target_arch = "x86_64")]
pub mod cpu;
pub mod failure;
pub mod notes;
pub mod output;
pub mod processors;
pub mod ranges;
pub mod reproduce;
pub mod rows;
pub mod signals;
pub mod table;
pub mod width;
