//! The bytes of an archive: what they are, and unpacking them.

use std::io::{self, BufReader, Cursor, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::gzip::GzipReader;
use super::not_games::NotGames;
use super::zstd::ZstdReader;

/// The number of bytes by which a format is recognised.
const HEAD: u64 = 512;

/// The size of buffers.
const BUFFER: usize = 1 << 18;

/// The byte order mark of UTF-8.
pub(crate) const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// The unpacked bytes of an archive.
pub(super) struct Unpacked {
    pub source: Box<dyn Read + Send>,
    /// The number of bytes of the file itself that were read.
    pub read: Arc<AtomicU64>,
    /// The number of bytes after the end of what is packed in it.
    pub left_over: Arc<AtomicU64>,
}

/// Counts the bytes that go through it.
struct CountedBytes<R> {
    source: R,
    read: Arc<AtomicU64>,
}

impl<R: Read> Read for CountedBytes<R> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let read = self.source.read(bytes)?;
        self.read.fetch_add(read as u64, Ordering::Relaxed);
        Ok(read)
    }
}

impl Unpacked {
    /// Unpacks a source of bytes, whose first ones say whether it is compressed by gzip or by zstd.
    pub fn of(source: impl Read + Send + 'static) -> io::Result<Self> {
        let [read, left_over] = [(); 2].map(|()| Arc::new(AtomicU64::new(0)));
        let counted = CountedBytes { source, read: Arc::clone(&read) };
        let mut source: Box<dyn Read + Send> = Box::new(BufReader::with_capacity(BUFFER, counted));
        let mut first = head(&mut source)?;
        if let Some(packing) = Packing::of(&first) {
            let packed = BufReader::with_capacity(BUFFER, Cursor::new(first).chain(source));
            source = match packing {
                Packing::Gzip => Box::new(GzipReader::new(packed, Arc::clone(&left_over))),
                Packing::Zstd => Box::new(ZstdReader::new(packed)),
            };
            first = head(&mut source)?;
            if Packing::of(&first).is_some() {
                let problem = "what is compressed in it is compressed once more; unpack it once by hand";
                return Err(NotGames(problem.to_string()).into());
            }
        }
        check_format(&first)?;
        if first.starts_with(BYTE_ORDER_MARK) {
            first.drain(..BYTE_ORDER_MARK.len());
        }
        Ok(Self { source: Box::new(Cursor::new(first).chain(source)), read, left_over })
    }
}

fn head(source: &mut impl Read) -> io::Result<Vec<u8>> {
    let mut head = Vec::new();
    source.by_ref().take(HEAD).read_to_end(&mut head)?;
    Ok(head)
}

/// How an archive is compressed.
enum Packing {
    Gzip,
    Zstd,
}

impl Packing {
    fn of(head: &[u8]) -> Option<Self> {
        match *head {
            [0x1f, 0x8b, ..] => Some(Self::Gzip),
            // A frame, or one to be skipped, with which a file may begin.
            [0x28, 0xb5, 0x2f, 0xfd, ..] | [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..] => Some(Self::Zstd),
            _ => None,
        }
    }
}

/// Formats that are not read: their first bytes, their name, and what to do.
const OTHER_FORMATS: [(&[u8], &str, &str); 15] = [
    (b"BZh", "is compressed by bzip2", "unpack it first, with bunzip2"),
    (b"\xfd7zXZ\0", "is compressed by xz", "unpack it first, with unxz"),
    (b"LZIP", "is compressed by lzip", "unpack it first, with lzip -d"),
    (b"\x04\x22\x4d\x18", "is compressed by lz4", "unpack it first, with unlz4"),
    (b"\x1f\x9d", "is compressed by compress", "unpack it first, with uncompress"),
    (b"PK\x03\x04", "is a zip archive", "unpack it first, with unzip"),
    (b"PK\x05\x06", "is an empty zip archive", "there is nothing in it"),
    (b"7z\xbc\xaf\x27\x1c", "is a 7z archive", "unpack it first, with 7z x"),
    (b"Rar!\x1a\x07", "is a RAR archive", "unpack it first, with unrar x"),
    (b"%PDF-", "is a PDF document", "games are read from PGN, which is text"),
    (b"{\\rtf", "is a document in RTF", "save it as plain text first"),
    (
        b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",
        "is a document of an office program",
        "save it as plain text first",
    ),
    (b"\x89PNG\r\n\x1a\n", "is a picture in PNG", "games are read from PGN, which is text"),
    (b"SQLite format 3\0", "is an SQLite database", "export its games as PGN first"),
    (b"Scid.si", "is a database of Scid", "export its games as PGN first"),
];

/// Refuses what is certainly not PGN, by its first bytes.
pub(crate) fn check_format(head: &[u8]) -> Result<(), NotGames> {
    let refused =
        |what: &str, advice: &str| Err(NotGames(format!("this {what}, not PGN as plain text; {advice}")));
    if let Some((_, what, advice)) = OTHER_FORMATS.iter().find(|(magic, ..)| head.starts_with(magic)) {
        return refused(what, advice);
    }
    if head.get(257..262) == Some(b"ustar") {
        return refused("is a tar archive", "unpack it first, with tar xf");
    }
    if head.starts_with(b"\xff\xfe\0\0") || head.starts_with(b"\0\0\xfe\xff") {
        return refused("is text in UTF-32", "convert it to UTF-8 first: iconv -f UTF-32 -t UTF-8");
    }
    if is_utf_16(head) {
        return refused("is text in UTF-16", "convert it to UTF-8 first: iconv -f UTF-16 -t UTF-8");
    }
    let begin = head.trim_ascii_start().to_ascii_lowercase();
    if [&b"<!doctype"[..], b"<html", b"<?xml", b"<head", b"<body"].iter().any(|tag| begin.starts_with(tag)) {
        return refused("is a web page", "download the games themselves as PGN");
    }
    Ok(())
}

/// Whether a text begins with a byte order mark of UTF-16, or with characters of ASCII in it.
fn is_utf_16(head: &[u8]) -> bool {
    let units: Vec<&[u8]> = head.chunks_exact(2).take(8).collect();
    let is_ascii = |low: usize| units.iter().all(|unit| unit[1 - low] == 0 && (1..0x80).contains(&unit[low]));
    head.starts_with(b"\xff\xfe")
        || head.starts_with(b"\xfe\xff")
        || (units.len() >= 2 && (is_ascii(0) || is_ascii(1)))
}
