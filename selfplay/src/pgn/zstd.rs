//! Reading zstd: all the frames of a file, of which archives that are packed in parallel have many.

use std::io::{self, BufRead, Chain, Cursor, Read};

use ruzstd::decoding::{FrameDecoder, StreamingDecoder};

use super::not_games::NotGames;

/// The first four bytes of a frame to be skipped, without their lowest four bits.
const SKIPPABLE: u32 = 0x184d_2a50;

/// The first four bytes of any other frame.
const FRAME: u32 = 0xfd2f_b528;

/// The largest window that a frame may ask for, which is held in memory: the limit of the program zstd.
const MAX_WINDOW: u64 = 128 << 20;

/// A source whose first bytes were read already.
type Begun<R> = Chain<Cursor<Vec<u8>>, R>;

/// Decompresses frames, one after another.
pub(super) struct ZstdReader<R: BufRead> {
    state: ZstdState<R>,
}

enum ZstdState<R: BufRead> {
    BetweenFrames(R),
    InFrame(Box<StreamingDecoder<Begun<R>, FrameDecoder>>),
    /// After an error.
    Broken,
}

impl<R: BufRead> ZstdReader<R> {
    /// A reader of the decompressed contents of a source.
    pub fn new(source: R) -> Self {
        Self { state: ZstdState::BetweenFrames(source) }
    }
}

impl<R: BufRead> Read for ZstdReader<R> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        loop {
            match std::mem::replace(&mut self.state, ZstdState::Broken) {
                ZstdState::BetweenFrames(mut source) => {
                    if source.fill_buf()?.is_empty() {
                        self.state = ZstdState::BetweenFrames(source);
                        return Ok(0);
                    }
                    self.state = begin_frame(source)?;
                }
                ZstdState::InFrame(mut frame) => {
                    let read = frame.read(bytes).map_err(unpackable)?;
                    if read > 0 || bytes.is_empty() {
                        self.state = ZstdState::InFrame(frame);
                        return Ok(read);
                    }
                    let (_, source) = frame.into_inner().into_inner();
                    self.state = ZstdState::BetweenFrames(source);
                }
                ZstdState::Broken => return Err(io::ErrorKind::InvalidData.into()),
            }
        }
    }
}

/// The error for a frame that cannot be read: one of the operating system, or a damaged frame.
fn unpackable(error: io::Error) -> io::Error {
    match error.raw_os_error() {
        Some(_) => error,
        None if error.get_ref().is_some_and(<dyn std::error::Error + Send + Sync>::is::<NotGames>) => error,
        None => io::Error::new(io::ErrorKind::InvalidData, "a zstd frame is truncated or damaged"),
    }
}

/// Begins the next frame, or skips it if it is to be skipped.
fn begin_frame<R: BufRead>(mut source: R) -> io::Result<ZstdState<R>> {
    let mut magic = [0; 4];
    source.read_exact(&mut magic)?;
    if u32::from_le_bytes(magic) & !0xf == SKIPPABLE {
        let mut length = [0; 4];
        source.read_exact(&mut length)?;
        let length = u64::from(u32::from_le_bytes(length));
        let skipped = io::copy(&mut source.by_ref().take(length), &mut io::sink())?;
        if skipped < length {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        return Ok(ZstdState::BetweenFrames(source));
    }
    if u32::from_le_bytes(magic) != FRAME {
        let problem = "what comes after a zstd frame is not another one";
        return Err(io::Error::new(io::ErrorKind::InvalidData, problem));
    }
    let header = frame_header(&mut source, magic)?;
    let frame = StreamingDecoder::new(Cursor::new(header).chain(source));
    let frame = frame.map_err(|error| unpackable(io::Error::other(error)))?;
    Ok(ZstdState::InFrame(Box::new(frame)))
}

/// The header of a frame, which says how much memory it takes (RFC 8878, 3.1.1.1).
fn frame_header(source: &mut impl Read, magic: [u8; 4]) -> io::Result<Vec<u8>> {
    let mut header = magic.to_vec();
    let mut read = |bytes: usize| {
        let mut field = vec![0; bytes];
        source.read_exact(&mut field)?;
        header.extend(&field);
        Ok::<_, io::Error>(field)
    };
    let descriptor = read(1)?[0];
    let is_single_segment = descriptor & 0x20 != 0;
    let window = match is_single_segment {
        true => None,
        false => Some(read(1)?[0]),
    };
    read([0, 1, 2, 4][usize::from(descriptor & 3)])?;
    let content_size = read(match descriptor >> 6 {
        0 => usize::from(is_single_segment),
        flag => 1 << flag,
    })?;
    let window = match window {
        Some(byte) => {
            let base = 1_u64 << (10 + (byte >> 3));
            base + base / 8 * u64::from(byte & 7)
        }
        // The window is the whole of the content.
        None => {
            let mut size = [0; 8];
            size[..content_size.len()].copy_from_slice(&content_size);
            u64::from_le_bytes(size).saturating_add(if content_size.len() == 2 { 256 } else { 0 })
        }
    };
    if window > MAX_WINDOW {
        let problem = format!(
            "a zstd frame in it asks for a window of {} MiB in memory, and gets at most {}, as from zstd itself; unpack it with zstd -d --long=31 if there is so much",
            window >> 20,
            MAX_WINDOW >> 20
        );
        return Err(NotGames(problem).into());
    }
    Ok(header)
}
