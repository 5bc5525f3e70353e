//! A sheet of setups to print: one page of HTML, which a browser prints or saves as PDF, on A4 and on letter paper.

use backrank_rules::{Diagram, FirstRank, Letter, Setup, Side, StartFen, Variant};

use crate::table::escape;

/// The setups of a sheet, with the words above them.
///
/// ```
/// use backrank_analysis::sheet::{PerPage, Sheet};
/// use backrank_enumerate::Space;
/// use backrank_rules::Variant;
///
/// let variant = Variant::find("chess960")?;
/// let space = Space::new(&variant)?;
/// let setups = [0, 518].map(|id| (id.to_string(), space.unrank(id).unwrap()));
/// let sheet = Sheet { variant: &variant, note: "two setups", per_page: PerPage::Six, setups: &setups };
/// assert_eq!(sheet.to_html().matches("<figure>").count(), 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Sheet<'a> {
    /// The game.
    pub variant: &'a Variant,
    /// What stands below the name of the game on every page, such as how the setups were drawn.
    pub note: &'a str,
    /// How many setups a page has.
    pub per_page: PerPage,
    /// The setups, each with its id as it is shown.
    pub setups: &'a [(String, Setup)],
}

/// How many setups a page of a sheet has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PerPage {
    /// Six, in two columns.
    Six,
    /// Twelve, in three columns.
    Twelve,
}

impl PerPage {
    /// The number.
    pub fn number(self) -> usize {
        match self {
            Self::Six => 6,
            Self::Twelve => 12,
        }
    }
}

impl Sheet<'_> {
    /// The most setups of a sheet: a browser takes long to lay out more.
    pub const LARGEST: usize = 1000;

    /// The page.
    pub fn to_html(&self) -> String {
        let name = escape(&self.variant.name);
        let per_page = self.per_page.number();
        let pages = self.setups.len().div_ceil(per_page);
        let class = if self.per_page == PerPage::Twelve { "page twelve" } else { "page" };
        let fen = StartFen::new(self.variant);
        let sections = self.setups.chunks(per_page).enumerate().map(|(page, setups)| {
            let figures = setups.iter().enumerate().map(|(at, (id, setup))| {
                self.figure(&fen, page * per_page + at + 1, id, setup)
            });
            format!(
                "<section class=\"{class}\"><header><span class=\"number\">{} of {pages}</span><h1>{name}</h1><p>{}</p></header>\n<div class=\"boards\">\n{}</div></section>\n",
                page + 1,
                escape(self.note),
                figures.collect::<String>()
            )
        });
        format!(
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <title>{name}: setups</title>\n<link rel=\"icon\" href=\"data:,\">\n<style>\n{}</style>\n</head>\n<body>\n<main>\n{}</main>\n</body>\n</html>\n",
            include_str!("style.css"),
            sections.collect::<String>()
        )
    }

    /// A setup: its board, its place in the sheet, its id, its castlings and its FEN.
    fn figure(&self, fen: &StartFen, place: usize, id: &str, setup: &Setup) -> String {
        let board = Diagram::of_setup(self.variant, setup).to_svg();
        let castlings = self.castlings(fen, setup);
        // A FEN breaks where its ranks do.
        let text = escape(&fen.of(setup)).replace('/', "/<wbr>");
        format!(
            "<figure>{board}<figcaption><b>{place}. &#8470;&nbsp;{}</b><span>{castlings}</span><code>{text}</code></figcaption></figure>\n",
            escape(id)
        )
    }

    /// The castlings of a setup with the squares on which the pieces land: White's, and Black's where they are others.
    fn castlings(&self, fen: &StartFen, setup: &Setup) -> String {
        let words = |side: Side, rank: &FirstRank, row: usize| {
            let castlings = fen.castlings(side, rank).into_iter().map(|found| {
                let king = rank.at(found.king).map_or(' ', Letter::as_char);
                let (to, lands) = (found.king_lands, found.partner_lands);
                format!("{}&nbsp;{king}{to}{row}&nbsp;{}{lands}{row}", escape(found.notation), found.letter)
            });
            castlings.collect::<Vec<String>>().join(", ")
        };
        let row = self.variant.first_rank + 1;
        let white = words(Side::White, &setup.white, row);
        if words(Side::Black, &setup.black, row) == white {
            return if white.is_empty() { "no castling".to_string() } else { white };
        }
        let black = words(Side::Black, &setup.black, self.variant.board.ranks() + 1 - row);
        let or_none = |words: String| if words.is_empty() { "none".to_string() } else { words };
        format!("White: {}; Black: {}", or_none(white), or_none(black))
    }
}
