//! A directory with a definition and its rows, as studies and atlases are: `study.toml` beside `games.csv`, and `atlas.toml`
//! beside `atlas.csv`.
//!
//! A [`Directory`] is locked against other runs. What has a [`Definition`] says what its files are called, and how two
//! definitions differ. [`RowsWriter`] appends rows so that a crash leaves a beginning of the whole file, and [`WholeLines`] reads
//! them, without a last line that is torn. A file of rows that is finished has a [`Checksum`] beside it. [`durable`] puts files on
//! the disk before they get their names, and [`inside`](open_inside) writes only what is inside the directory.

mod checksum;
mod differences;
mod directory;
pub mod durable;
mod error;
mod files;
mod hash;
mod inside;
mod kind;
mod publication;
mod rows_writer;
mod whole_lines;

pub use checksum::{Checksum, Sum, read_sealed, sealed};
pub use differences::{check_unchanged, differences};
pub use directory::{Definition, Directory, WholeRows};
pub use error::StoreError;
pub use files::{create_directory, is_there, is_torn, lock, read_toml, write_whole};
pub use hash::sha256;
pub use inside::{check_below, make_below, open_inside, write_inside};
pub use kind::DirectoryKind;
pub use rows_writer::{RecordRow, RowsWriter, sum_of_rows};
pub use whole_lines::WholeLines;
