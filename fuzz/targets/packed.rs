//! Any bytes as a compressed archive: an error, or games that are recorded or counted.
#![no_main]

mod importers;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &[u8]| {
    // What begins as neither gzip nor zstd is made to.
    let archive = match input {
        [0x1f, 0x8b, ..] | [0x28, 0xb5, 0x2f, 0xfd, ..] | [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..] => {
            input.to_vec()
        }
        [first, rest @ ..] if first & 1 == 0 => [&[0x28, 0xb5, 0x2f, 0xfd], rest].concat(),
        [_, rest @ ..] => [&[0x1f, 0x8b, 8, 0], rest].concat(),
        [] => return,
    };
    importers::read("chess", &archive, false);
});
