//! Studies read from files, and whether intervals cover what is true.

mod coverage;
mod network;
mod reading;
mod reference;
mod tables;
mod values;
