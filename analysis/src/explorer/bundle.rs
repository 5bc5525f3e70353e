//! The page as one file: the template with its style, its script and its data.

use std::io::Write;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use flate2::Compression;
use flate2::write::GzEncoder;

use crate::page::filled;
use crate::table::escape;

/// The modules of the page's script. Each comes after those it imports from.
const MODULES: [&str; 22] = [
    include_str!("page/rules.mjs"),
    include_str!("page/notation.mjs"),
    include_str!("page/reading.mjs"),
    include_str!("page/data.mjs"),
    include_str!("page/dom.mjs"),
    include_str!("page/board.mjs"),
    include_str!("page/evaluation.mjs"),
    include_str!("page/piece_card.mjs"),
    include_str!("page/line.mjs"),
    include_str!("page/setup_panel.mjs"),
    include_str!("page/games_panel.mjs"),
    include_str!("page/side_by_side.mjs"),
    include_str!("page/find_panel.mjs"),
    include_str!("page/presets.mjs"),
    include_str!("page/draw.mjs"),
    include_str!("page/arranging.mjs"),
    include_str!("page/search.mjs"),
    include_str!("page/table.mjs"),
    include_str!("page/plots.mjs"),
    include_str!("page/values.mjs"),
    include_str!("page/address.mjs"),
    include_str!("page/main.mjs"),
];

const LOOK: &str = include_str!("page/look.css");

/// The files by which another page shows the same board, and the evaluation along a game as the explorer does, by their names: modules that
/// import one another, and their style.
pub const BOARD_FILES: [(&str, &str); 5] = [
    ("rules.mjs", include_str!("page/rules.mjs")),
    ("dom.mjs", include_str!("page/dom.mjs")),
    ("board.mjs", include_str!("page/board.mjs")),
    ("evaluation.mjs", include_str!("page/evaluation.mjs")),
    ("look.css", LOOK),
];

/// The page of a game from its data, as JSON, and the moves of its recorded games.
pub(super) fn page(name: &str, data: &str, moves: &[u8]) -> String {
    let parts = [
        ("{{name}}", escape(name)),
        ("{{style}}", [LOOK, include_str!("page/style.css")].concat()),
        ("{{heading}}", escape(name)),
        ("{{data}}", packed(data.as_bytes())),
        ("{{moves}}", packed(moves)),
        ("{{program}}", MODULES.map(without_imports).concat()),
    ];
    filled(include_str!("page/page.html"), &parts)
}

/// A module as a part of one script: without imports, since the imported modules come before it, and without the word
/// `export`. An import must begin a line and end with a semicolon.
fn without_imports(module: &str) -> String {
    let mut script = String::with_capacity(module.len());
    let mut importing = false;
    for line in module.lines() {
        importing |= line.starts_with("import ");
        if !importing {
            script.push_str(line.strip_prefix("export ").unwrap_or(line));
            script.push('\n');
        }
        importing &= !line.ends_with(';');
    }
    script
}

/// Bytes as text: compressed by gzip, in base64.
fn packed(bytes: &[u8]) -> String {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes).expect("a vector takes all bytes");
    BASE64_STANDARD.encode(encoder.finish().expect("a vector takes all bytes"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modules_become_one_script() {
        let module = "// A.\nimport { a } from \"./a.mjs\";\nimport {\n  b,\n  c,\n} from \"./b.mjs\";\nexport const d = 1;\nconst text = \"import x\";\n";
        assert_eq!(without_imports(module), "// A.\nconst d = 1;\nconst text = \"import x\";\n");
    }

    #[test]
    fn a_module_comes_after_those_it_imports() {
        // Names of modules occur only in imports.
        let whole = MODULES.map(without_imports).concat();
        assert!(!whole.contains(".mjs\""), "an import is left");
    }
}
