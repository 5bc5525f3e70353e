//! Archives that are compressed, and files that are something else.

use std::io::Write;

use flate2::Compression;
use flate2::write::GzEncoder;

use super::{importer, read, told};

const GAMES: &str = "1. e4 e5 1-0\n\n1. d4 d5 0-1\n\n";
const READ: [&str; 2] = ["e2e4 e7e5 1-0 resignation", "d2d4 d7d5 0-1 resignation"];

fn gzip(text: &[u8]) -> Vec<u8> {
    let mut packed = GzEncoder::new(Vec::new(), Compression::default());
    packed.write_all(text).unwrap();
    packed.finish().unwrap()
}

/// A zstd frame with a window of 2^(10 + `exponent`) bytes and one raw block.
fn zstd(text: &[u8], exponent: u8) -> Vec<u8> {
    let block = (text.len() as u32) << 3 | 1;
    [&[0x28, 0xb5, 0x2f, 0xfd, 0, exponent << 3], &block.to_le_bytes()[..3], text].concat()
}

/// A frame to be skipped.
fn skipped(magic: u8, bytes: &[u8]) -> Vec<u8> {
    [&[magic, 0x2a, 0x4d, 0x18], &(bytes.len() as u32).to_le_bytes()[..], bytes].concat()
}

#[test]
fn archives_are_unpacked_in_all_their_parts() {
    let (first, second) = GAMES.split_at(14);
    let [one, two] = [first, second].map(|text| gzip(text.as_bytes()));
    let frames = [first, second].map(|text| zstd(text.as_bytes(), 10));
    for packed in [
        gzip(GAMES.as_bytes()),
        [&one[..], &two].concat(),
        [&one[..], &two, &[0; 1000]].concat(),
        frames.concat(),
        [&skipped(0x50, b"pzstd")[..], &frames.concat()].concat(),
        [&skipped(0x5f, &[])[..], &frames[0], &skipped(0x57, &[7; 300]), &frames[1], &skipped(0x50, b"end")]
            .concat(),
        zstd(GAMES.as_bytes(), 17),
    ] {
        let (records, imported) = read(&importer("chess"), &packed).unwrap();
        assert_eq!((records.len(), imported.left_over_bytes), (2, 0));
        assert_eq!(told("chess", &packed), READ);
    }
    // What comes after the last member is nothing that gzip has packed, and is counted.
    let (_, imported) = read(&importer("chess"), &[&one[..], &two, b"garbage"].concat()).unwrap();
    assert_eq!((imported.games, imported.left_over_bytes), (2, 7));
}

#[test]
fn what_cannot_be_read_is_named() {
    let tar = {
        let mut tar = vec![0; 1024];
        tar[..9].copy_from_slice(b"games.pgn");
        tar[257..263].copy_from_slice(b"ustar\0");
        tar
    };
    let utf_16 = |bytes: fn(u16) -> [u8; 2], mark: &str| -> Vec<u8> {
        format!("{mark}{GAMES}").encode_utf16().flat_map(bytes).collect()
    };
    for (bytes, says) in [
        (
            b"BZh91AY&SY...".to_vec(),
            "this is compressed by bzip2, not PGN as plain text; unpack it first, with bunzip2",
        ),
        (b"PK\x03\x04\x14\0".to_vec(), "a zip archive"),
        (b"\xfd7zXZ\0\0\x04".to_vec(), "compressed by xz"),
        (b"7z\xbc\xaf\x27\x1c\0\x04".to_vec(), "a 7z archive"),
        (b"Rar!\x1a\x07\x01\0".to_vec(), "a RAR archive"),
        (b"%PDF-1.7\n".to_vec(), "a PDF document"),
        (b"\n <!DOCTYPE html>\n<html>".to_vec(), "a web page"),
        (utf_16(u16::to_le_bytes, "\u{feff}"), "text in UTF-16"),
        (utf_16(u16::to_be_bytes, "\u{feff}"), "text in UTF-16"),
        (utf_16(u16::to_le_bytes, ""), "text in UTF-16"),
        (utf_16(u16::to_be_bytes, ""), "text in UTF-16"),
        (tar.clone(), "a tar archive"),
        (gzip(&tar), "a tar archive"),
        (gzip(&gzip(GAMES.as_bytes())), "compressed once more"),
        // A frame that asks for 4 GiB.
        (zstd(GAMES.as_bytes(), 22), "asks for a window of 4096 MiB in memory, and gets at most 128"),
        ([zstd(GAMES.as_bytes(), 10), zstd(GAMES.as_bytes(), 18)].concat(), "asks for a window of 256 MiB"),
        // The same by the size of its content.
        ([&[0x28, 0xb5, 0x2f, 0xfd, 0xa0][..], &(1_u32 << 31).to_le_bytes(), &[0; 9]].concat(), "2048 MiB"),
        (
            [&zstd(GAMES.as_bytes(), 10)[..], b"garbage"].concat(),
            "what comes after a zstd frame is not another one",
        ),
        (zstd(GAMES.as_bytes(), 10)[..20].to_vec(), "damaged or truncated after 0 games"),
        (gzip(GAMES.as_bytes())[..30].to_vec(), "damaged or truncated after 0 games"),
    ] {
        let said = told("chess", &bytes);
        assert!(said.len() == 1 && said[0].contains(says), "{says}: {said:?}");
    }
}

/// A source that never ends.
struct Endless(u8);

impl std::io::Read for Endless {
    fn read(&mut self, bytes: &mut [u8]) -> std::io::Result<usize> {
        bytes.fill(self.0);
        Ok(bytes.len())
    }
}

#[test]
fn a_line_without_an_end_is_given_up() {
    for byte in [0, b'x', b' ', b'{'] {
        let error = importer("chess").read(Endless(byte)).unwrap_err().to_string();
        assert!(
            error.contains("there is no game in 1024 MiB from line 1 on: this is not PGN"),
            "{byte}: {error}"
        );
    }
}
