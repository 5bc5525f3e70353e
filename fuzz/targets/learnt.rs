//! Any bytes as weights or as a network: read, or refused with a sentence. What is read is written and read again.
//!
//! The first line of the input is the key of a variant, which need not be one for weights.
#![no_main]

mod variants;

use backrank_engine::{Net, Weights};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &[u8]| {
    let end = input.iter().position(|&byte| byte == b'\n').unwrap_or(0);
    let (key, bytes) = (&input[..end], input.get(end + 1..).unwrap_or_default());
    let rules = variants::rules(std::str::from_utf8(key).unwrap_or(""));
    if let Ok(text) = std::str::from_utf8(bytes)
        && let Err(error) = Weights::parse(text, rules)
    {
        assert!(!error.message().is_empty());
    }
    match Net::from_bytes(bytes, rules) {
        Ok(net) => assert!(Net::from_bytes(&net.to_bytes(), rules).is_ok()),
        Err(error) => assert!(!error.to_string().is_empty()),
    }
});
