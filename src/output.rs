//! Where a command's result goes.

use std::io::{self, BufWriter, StdoutLock, Write};
use std::path::{Path, PathBuf};

use backrank_rules::Diagram;
use tempfile::NamedTempFile;

use crate::failure::Failure;

/// Standard output, or a file that gets its name only when it is whole.
pub enum Output {
    Stdout(BufWriter<StdoutLock<'static>>),
    /// A file to be, beside the one it will replace.
    Replacing(BufWriter<NamedTempFile>, PathBuf),
    /// Something that cannot be replaced, such as a pipe.
    Into(BufWriter<std::fs::File>, PathBuf),
}

/// Large, because lists of millions of setups go through it.
const BUFFER: usize = 1 << 16;

impl Output {
    /// Standard output.
    pub fn stdout() -> Self {
        Self::Stdout(BufWriter::with_capacity(BUFFER, io::stdout().lock()))
    }

    /// A file, or standard output where there is none.
    pub fn open(path: Option<&Path>) -> Result<Self, Failure> {
        let Some(path) = path else { return Ok(Self::stdout()) };
        let failed = |error: io::Error| Failure::writing(path, &error);
        if path.exists() && !path.is_file() {
            let file = std::fs::OpenOptions::new().write(true).open(path).map_err(failed)?;
            return Ok(Self::Into(BufWriter::with_capacity(BUFFER, file), path.to_path_buf()));
        }
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let mut builder = tempfile::Builder::new();
        #[cfg(unix)]
        {
            // What any newly made file would have; the umask takes its part of it.
            use std::os::unix::fs::PermissionsExt;
            builder.permissions(std::fs::Permissions::from_mode(0o666));
        }
        let file = builder.prefix(".backrank-").tempfile_in(folder).map_err(failed)?;
        Ok(Self::Replacing(BufWriter::with_capacity(BUFFER, file), path.to_path_buf()))
    }

    /// Writes what is left and gives a file its name.
    pub fn finish(self) -> Result<(), Failure> {
        match self {
            Self::Stdout(mut out) => Ok(out.flush()?),
            Self::Into(mut out, path) => out.flush().map_err(|error| Failure::writing(&path, &error)),
            Self::Replacing(out, path) => {
                let file = out.into_inner().map_err(|error| Failure::writing(&path, error.error()))?;
                file.persist(&path).map_err(|error| Failure::writing(&path, &error.error))?;
                Ok(())
            }
        }
    }

    fn inner(&mut self) -> &mut dyn Write {
        match self {
            Self::Stdout(out) => out,
            Self::Replacing(out, _) => out,
            Self::Into(out, _) => out,
        }
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.inner().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner().flush()
    }
}

/// Prints a value as indented JSON and a newline.
pub fn print_json(value: &impl serde::Serialize) -> Result<(), Failure> {
    let mut out = Output::stdout();
    serde_json::to_writer_pretty(&mut out, value).map_err(io::Error::from)?;
    writeln!(out)?;
    out.finish()
}

/// Writes a diagram to a file.
pub fn write_svg(path: &Path, diagram: &Diagram) -> Result<(), Failure> {
    let mut out = Output::open(Some(path))?;
    out.write_all(diagram.to_svg().as_bytes()).map_err(|error| Failure::writing(path, &error))?;
    out.finish()
}
