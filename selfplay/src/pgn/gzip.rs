//! Reading gzip: all the members of a file, and what stands after them.

use std::io::{self, BufRead, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use flate2::bufread::GzDecoder;

/// Decompresses members, one after another. Zeros after the last one are padding; other bytes are counted.
pub(super) struct GzipReader<R: BufRead> {
    state: GzipState<R>,
    left_over: Arc<AtomicU64>,
}

enum GzipState<R: BufRead> {
    BetweenMembers(R),
    InMember(GzDecoder<R>),
    /// After the last member, or after an error.
    Ended,
}

impl<R: BufRead> GzipReader<R> {
    /// A reader of the decompressed contents of a source, which counts the bytes that stand after them.
    pub fn new(source: R, left_over: Arc<AtomicU64>) -> Self {
        Self { state: GzipState::InMember(GzDecoder::new(source)), left_over }
    }
}

impl<R: BufRead> Read for GzipReader<R> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        loop {
            match std::mem::replace(&mut self.state, GzipState::Ended) {
                GzipState::BetweenMembers(mut source) => match source.fill_buf()? {
                    [] => return Ok(0),
                    [0x1f] | [0x1f, 0x8b, ..] => self.state = GzipState::InMember(GzDecoder::new(source)),
                    _ => {
                        let (mut count, mut is_padding) = (0, true);
                        loop {
                            let rest = source.fill_buf()?;
                            if rest.is_empty() {
                                break;
                            }
                            is_padding &= rest.iter().all(|&byte| byte == 0);
                            let length = rest.len();
                            count += length as u64;
                            source.consume(length);
                        }
                        self.left_over.fetch_add(if is_padding { 0 } else { count }, Ordering::Relaxed);
                        return Ok(0);
                    }
                },
                GzipState::InMember(mut member) => {
                    let read = member.read(bytes)?;
                    if read > 0 || bytes.is_empty() {
                        self.state = GzipState::InMember(member);
                        return Ok(read);
                    }
                    self.state = GzipState::BetweenMembers(member.into_inner());
                }
                GzipState::Ended => return Ok(0),
            }
        }
    }
}
