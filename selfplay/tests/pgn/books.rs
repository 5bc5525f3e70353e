//! Books of openings.

use std::path::Path;

use backrank_rules::{Rules, Variant};
use backrank_selfplay::study::{Book, BookFormat};

fn openings(key: &str, text: &[u8], format: BookFormat) -> Result<Vec<String>, String> {
    let rules = Rules::new(&Variant::find(key).unwrap());
    Book::parse(Path::new("book"), text, format, None, &rules).map_err(|error| error.to_string())
}

const KINGS_PAWN: &str = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2";
const QUEENS_PAWN: &str = "rnbqkbnr/ppp1pppp/8/3p4/3P4/8/PPP1PPPP/RNBQKBNR w KQkq - 0 2";
const ENGLISH: &str = "rnbqkbnr/pppppppp/8/8/2P5/8/PP1PPPPP/RNBQKBNR b KQkq - 0 1";

#[test]
fn books_from_the_field_are_read() {
    let semicolon = openings("chess960", include_bytes!("books/c_semi.epd"), BookFormat::Positions).unwrap();
    assert_eq!(semicolon, ["bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w FHfh - 0 1"]);
    let marked = openings("chess", include_bytes!("books/d_bomcrlf.epd"), BookFormat::Positions).unwrap();
    assert_eq!(marked.len(), 2);
    let games = openings("chess", include_bytes!("books/s.pgn"), BookFormat::Games).unwrap();
    assert_eq!(games, [KINGS_PAWN, QUEENS_PAWN, ENGLISH]);
    let other = openings("chess", include_bytes!("books/zz_var.pgn"), BookFormat::Games).unwrap_err();
    assert_eq!(other, "book, line 1: the game's variant is `Atomic`; the openings are those of chess");
}

#[test]
fn openings_are_read_as_people_write_them() {
    let three = [KINGS_PAWN, QUEENS_PAWN, ENGLISH];
    for text in [
        "1. e4 e5\n\n1. d4 d5\n\n1. c4",
        "1. e4 e5\n1. d4 d5\n1. c4\n",
        "e4 e5\n\nd4 d5\n\nc4\n",
        "1. e4 e5 * 1. d4 d5 * 1. c4 *",
        "\u{feff}1. e4 e5\r\r1. d4 d5\r\r1. c4\r",
        "[white \"a\"]\n1. e2-e4 e7-e5 =\n[white \"b\"]\n1. d4 N, d5 (1... Nf6) ±\n[white \"c\"]\n1. c4!? {English}",
        "[Variant \"Standard\"]\n\n1.e4 e5 1/2\n\n[Variant \"From Position\"]\n\n1 d4 1... d5\n\n1. c4",
    ] {
        assert_eq!(
            openings("chess", text.as_bytes(), BookFormat::Games).as_deref(),
            Ok(&three.map(String::from)[..]),
            "{text:?}"
        );
    }
    let start = "rnbqkbnr/pppppppp/8/8/2P5/8/PP1PPPPP/RNBQKBNR b KQkq -";
    for line in [
        "",
        " 0 1",
        " 0 0",
        " 0 1;",
        " 0 1 ;",
        ";",
        "\u{a0}0 1",
        " 0 1 ; the English; a good opening",
        " bm e5;",
    ] {
        for (mark, end) in [("", "\n"), ("\u{feff}", "\r\n"), ("", "\r")] {
            let text = format!("{mark}{start}{line}{end}{end}{start}{end}");
            let read = openings("chess", text.as_bytes(), BookFormat::Positions);
            assert_eq!(read.as_deref(), Ok(&[ENGLISH, ENGLISH].map(String::from)[..]), "{text:?}");
        }
    }
}

#[test]
fn a_book_that_is_none_is_refused() {
    for (text, format, says) in [
        (&b"PK\x03\x04..........."[..], BookFormat::Games, "book: this is a zip archive"),
        (b"\xff\xfe1\0.\0 \0e\x004\0", BookFormat::Games, "book: this is text in UTF-16"),
        (b"1\0.\0 \0e\x004\0", BookFormat::Games, "book: this is text in UTF-16"),
        (b"1. e4 e5\n\n1. d4 --", BookFormat::Games, "book, line 3: `--` is a null move"),
        (b"1. e4 e5\n\n1. d4 d5 2. Nf4", BookFormat::Games, "book, line 3: `Nf4` is not legal here"),
        (
            b"[Variant \"Crazyhouse\"]\n1. e4",
            BookFormat::Games,
            "book, line 1: the game's variant is `Crazyhouse`",
        ),
        (
            b"1. f3 e5 2. g4 Qh4#\n\n1. e4",
            BookFormat::Games,
            "book, line 1: the opening leaves nothing to play",
        ),
    ] {
        let refused = openings("chess", text, format).unwrap_err();
        assert!(refused.starts_with(says), "{refused}");
    }
}
