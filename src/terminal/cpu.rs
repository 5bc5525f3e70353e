//! A check that this processor has the instruction sets for which the program was built.

use std::io::Write;
use std::process::exit;

/// Ends the program with a message if this processor lacks an instruction set that the compiler may have used.
///
/// Nothing is formatted or copied here, because the compiler might use the missing instructions for it.
pub fn check() {
    let Some(missing) = backrank_rules::missing_instructions() else { return };
    say("error: this backrank was built for newer processors; this one does not have ");
    say(missing);
    say("; `RUSTFLAGS=\"\" cargo build --release` builds one for any processor\n");
    exit(1)
}

fn say(text: &'static str) {
    let _ = std::io::stderr().write_all(text.as_bytes());
}
