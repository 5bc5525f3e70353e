//! Any bytes as an archive that is divided into games, whose moves are not played. As many games are found with other ends
//! of lines.
#![no_main]

mod importers;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|archive: &[u8]| {
    let Some((_, imported)) = importers::read("chess", archive, false) else { return };
    // A carriage return of its own is an end of a line, too.
    if archive.contains(&b'\r') || archive.contains(&0) || imported.left_over_bytes > 0 {
        return;
    }
    let is_packed = archive.starts_with(b"\x1f\x8b")
        || archive.get(1..4) == Some(b"\x2a\x4d\x18")
        || archive.starts_with(b"\x28\xb5");
    if is_packed {
        return;
    }
    let returns: Vec<u8> = archive.iter().map(|&byte| if byte == b'\n' { b'\r' } else { byte }).collect();
    let again = importers::read("chess", &returns, false).map(|(_, imported)| imported.read);
    assert_eq!(again, Some(imported.read));
});
