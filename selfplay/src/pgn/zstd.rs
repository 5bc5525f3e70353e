//! Reading zstd: all the frames of a file, of which archives that are packed in parallel have many.

use std::io::{self, BufRead, Chain, Cursor, Read};

use ruzstd::decoding::{FrameDecoder, StreamingDecoder};

/// The first four bytes of a frame to be skipped, without their lowest four bits.
const SKIPPABLE: u32 = 0x184d_2a50;

/// A source whose first bytes were read already.
type Begun<R> = Chain<Cursor<[u8; 4]>, R>;

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
    let frame = StreamingDecoder::new(Cursor::new(magic).chain(source));
    let frame = frame.map_err(|error| unpackable(io::Error::other(error)))?;
    Ok(ZstdState::InFrame(Box::new(frame)))
}
