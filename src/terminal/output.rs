//! The destination of a command's result.

use std::fmt::Display;
use std::io::{self, BufWriter, Stdout, Write};
use std::path::{Path, PathBuf};

use backrank_rules::files::check_regular;
use backrank_rules::{Diagram, printable};
use backrank_selfplay::atlas::AtlasDirectory;
use backrank_selfplay::store::durable::{Unpublished, remove_litter};
use backrank_selfplay::study::StudyDirectory;

use crate::terminal::failure::Failure;
use crate::terminal::signals::RemovedOnSignal;
use crate::terminal::width::{wrapped, wrapped_after};

/// Standard output, or a file that gets its name only when it is complete.
pub enum Output {
    /// Text for people, in which nothing is left that a terminal would obey.
    Text(BufWriter<Stdout>),
    /// Data, such as JSON or CSV, as they are.
    Stdout(BufWriter<Stdout>),
    /// A temporary file beside the one that it will replace.
    Replacing { file: BufWriter<Unpublished>, path: PathBuf, _removed_on_signal: RemovedOnSignal },
    /// A file that cannot be replaced, such as a pipe.
    Into(BufWriter<std::fs::File>, PathBuf),
}

/// The size of the buffer. It is large, because lists of millions of setups go through it.
const BUFFER: usize = 1 << 16;

impl Output {
    /// Standard output for people: what comes from files may hold anything, but a terminal shows it and obeys none of it.
    pub fn stdout() -> Self {
        Self::Text(BufWriter::with_capacity(BUFFER, io::stdout()))
    }

    /// Standard output for programs: every byte as it is.
    pub fn data() -> Self {
        Self::Stdout(BufWriter::with_capacity(BUFFER, io::stdout()))
    }

    /// Opens the file that the user names, or standard output if there is no name or it is `-`.
    ///
    /// Symbolic links are followed. A file that is read-only or that a study needs is not replaced. Other hard links to
    /// the file keep the old contents, so a link to the games of a study does no harm.
    pub fn open(path: Option<&Path>) -> Result<Self, Failure> {
        let Some(path) = path.filter(|path| *path != Path::new("-")) else { return Ok(Self::data()) };
        let target = target(path).map_err(|error| Failure::writing(path, &error))?;
        let study = StudyDirectory::of_file(&target).map(|directory| ("study", directory));
        let owner = study.or_else(|| Some(("atlas", AtlasDirectory::of_file(&target)?)));
        if let Some((what, directory)) = owner {
            let directory = if directory == Path::new("") { Path::new(".") } else { directory };
            return Err(Failure::Input(format!(
                "{} belongs to the {what} in {} and is not overwritten; write to another file",
                path.display(),
                directory.display()
            )));
        }
        check_link(path, &target)?;
        Self::replace(path)
    }

    /// Opens a file inside a directory of ours under a name that we give it: there may be nothing but a regular file.
    pub fn own(path: &Path) -> Result<Self, Failure> {
        let found = match path.symlink_metadata() {
            Ok(found) => check_regular(&found),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            Err(error) => Err(error),
        };
        found.and_then(|()| Self::to_file(path)).map_err(|error| Failure::writing(path, &error))
    }

    /// Writes a whole file as [`Output::own`] opens it.
    pub fn write_own(
        path: &Path,
        write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<(), Failure> {
        let mut out = Self::own(path)?;
        write(&mut out).map_err(|error| Failure::writing(path, &error))?;
        out.finish()
    }

    /// Writes a whole file.
    pub fn write(path: &Path, contents: &[u8]) -> Result<(), Failure> {
        Self::write_by(path, |out| out.write_all(contents))
    }

    /// Writes a whole file by a function.
    pub fn write_by(
        path: &Path,
        write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<(), Failure> {
        let mut out = Self::open(Some(path))?;
        write(&mut out).map_err(|error| Failure::writing(path, &error))?;
        out.finish()
    }

    /// Like [`Output::open`], but for a file that may belong to a study.
    pub fn replace(path: &Path) -> Result<Self, Failure> {
        Self::to_file(path).map_err(|error| Failure::writing(path, &error))
    }

    fn to_file(path: &Path) -> io::Result<Self> {
        let existing = match path.metadata() {
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            metadata => Some(metadata?),
        };
        if let Some(existing) = &existing {
            // Root could write to it nevertheless, but whoever made it read-only does not want it to change.
            if existing.is_file() && existing.permissions().readonly() {
                return Err(io::Error::new(io::ErrorKind::PermissionDenied, "the file is read-only"));
            }
            let file = std::fs::OpenOptions::new().write(true).open(path)?;
            if !existing.is_file() {
                return Ok(Self::Into(BufWriter::with_capacity(BUFFER, file), path.to_path_buf()));
            }
        }
        let path = target(path)?;
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        remove_litter(folder);
        let (file, removed_on_signal) = RemovedOnSignal::create(|| Unpublished::beside(&path))?;
        if let Some(existing) = existing {
            file.as_file().set_permissions(existing.permissions())?;
        }
        Ok(Self::Replacing {
            file: BufWriter::with_capacity(BUFFER, file),
            path,
            _removed_on_signal: removed_on_signal,
        })
    }

    /// Writes the rest, and gives the file its name.
    pub fn finish(self) -> Result<(), Failure> {
        match self {
            Self::Text(mut out) | Self::Stdout(mut out) => Ok(out.flush()?),
            Self::Into(mut out, path) => out.flush().map_err(|error| Failure::writing(&path, &error)),
            Self::Replacing { file, path, .. } => {
                let file = file.into_inner().map_err(|error| Failure::writing(&path, error.error()))?;
                file.publish(&path).map_err(|error| Failure::writing(&path, &error))?;
                Ok(())
            }
        }
    }

    /// Writes sentences for people, in lines that fit the terminal.
    pub fn say(&mut self, text: impl Display) -> io::Result<()> {
        writeln!(self, "{}", wrapped(&text.to_string()))
    }

    /// Writes a name and what there is to say of it.
    pub fn say_of(&mut self, name: &str, text: impl Display) -> io::Result<()> {
        writeln!(self, "{}", wrapped_after(name, &text.to_string()))
    }

    fn inner(&mut self) -> &mut dyn Write {
        match self {
            Self::Text(out) | Self::Stdout(out) => out,
            Self::Replacing { file, .. } => file,
            Self::Into(out, _) => out,
        }
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let Self::Text(out) = self else { return self.inner().write(bytes) };
        match std::str::from_utf8(bytes) {
            Ok(text) => out.write_all(printable(text).as_bytes())?,
            // Text comes in whole letters.
            Err(_) => out.write_all(printable(&String::from_utf8_lossy(bytes)).as_bytes())?,
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner().flush()
    }
}

/// Refuses a symbolic link in the directory of a study or an atlas that leads out of it: whoever made the directory may have
/// chosen the file.
fn check_link(path: &Path, target: &Path) -> Result<(), Failure> {
    if !path.is_symlink() {
        return Ok(());
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let Ok(folder) = folder.canonicalize() else { return Ok(()) };
    let is_own = |folder: &&Path| StudyDirectory::is_in(folder) || AtlasDirectory::is_in(folder);
    match folder.ancestors().filter(is_own).last() {
        Some(own) if !target.starts_with(own) => Err(Failure::Input(format!(
            "{} is a symbolic link that leads out of {}, to {}, and is not written through; name that file itself",
            path.display(),
            own.display(),
            target.display()
        ))),
        _ => Ok(()),
    }
}

/// The file to which a path leads, whether it exists or not.
fn target(path: &Path) -> io::Result<PathBuf> {
    path.canonicalize().or_else(|_| end_of_links(path))
}

/// The target of a path whose last links lead to a file that does not exist yet.
fn end_of_links(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_path_buf();
    // Linux follows this many links; links that lead in a circle have no end.
    for _ in 0..40 {
        let Ok(target) = path.read_link() else { return Ok(path) };
        path = path.parent().unwrap_or(Path::new("")).join(target);
    }
    Err(io::Error::other("too many symbolic links"))
}

/// A number in JSON: as text beyond 2^53, where many programs that read JSON would round it.
pub fn json_number(number: u128) -> serde_json::Value {
    match u64::try_from(number) {
        Ok(number) if is_safe_in_json(number.into()) => number.into(),
        _ => number.to_string().into(),
    }
}

/// Whether every JSON reader keeps a number exact: those that store numbers as floats do up to 2^53.
pub fn is_safe_in_json(number: u128) -> bool {
    number <= 1 << 53
}

/// Serializes a number as [`json_number`] does.
pub fn serialize_number<S: serde::Serializer>(number: &u128, serializer: S) -> Result<S::Ok, S::Error> {
    serde::Serialize::serialize(&json_number(*number), serializer)
}

/// Prints a value as indented JSON and a newline.
pub fn print_json(value: &impl serde::Serialize) -> Result<(), Failure> {
    let mut out = Output::data();
    serde_json::to_writer_pretty(&mut out, value).map_err(io::Error::from)?;
    writeln!(out)?;
    out.finish()
}

/// Writes a diagram to a file.
pub fn write_svg(path: &Path, diagram: &Diagram) -> Result<(), Failure> {
    Output::write(path, diagram.to_svg().as_bytes())
}
