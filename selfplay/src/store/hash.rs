//! SHA-256 in hexadecimal digits.

use sha2::{Digest, Sha256};

/// The SHA-256 of some bytes, in hexadecimal digits.
///
/// ```
/// assert!(backrank_selfplay::store::sha256(b"abc").starts_with("ba7816bf"));
/// ```
pub fn sha256(bytes: &[u8]) -> String {
    hexadecimal(&Sha256::digest(bytes))
}

/// Bytes in hexadecimal digits.
pub(super) fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
