//! The page.

use backrank_rules::{Diagram, Drawing, MoveDiagram, Piece, Variant};

use super::{Checkup, PieceFacts, QuickGames, SetupFacts};
use crate::report::{PAGE_STYLE, PLOT_STYLE};
use crate::table::{escape, thousands};

impl Checkup<'_> {
    /// The page: HTML with its style and its pictures embedded, without links to other files.
    pub fn to_html(&self) -> String {
        let variant = self.variant;
        let name = escape(&variant.name);
        let board = Diagram::of_setup(variant, &variant.written_setup()).to_svg();
        let pieces: String = variant
            .pieces
            .iter()
            .zip(&self.pieces)
            .map(|(piece, facts)| card(variant, piece, facts))
            .collect();
        let games = self.games.as_ref().map_or(String::new(), |games| {
            format!("<section id=\"games\"><h2>Quick games</h2>{}</section>\n", of_games(variant, games))
        });
        format!(
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <title>{name}: what the game is like</title>\n<link rel=\"icon\" href=\"data:,\">\n\
             <style>\n{PLOT_STYLE}{PAGE_STYLE}</style>\n</head>\n<body>\n<main>\n\
             <header><h1>{name}</h1><p>{} · {}</p></header>\n{}\
             <section id=\"board\"><h2>The start</h2><div class=\"cards\"><div class=\"card board\">{board}</div>{}</div></section>\n\
             <section id=\"pieces\"><h2>The pieces</h2><div class=\"cards pieces\">{pieces}</div>\
             <p class=\"note\">Mobility is the mean number of squares over the board, a third of which is occupied.</p></section>\n\
             {games}<section id=\"made\"><h2>How to make this page</h2><pre tabindex=\"0\" role=\"group\" aria-label=\"Command\">{}</pre></section>\n</main>\n</body>\n</html>\n",
            escape(&variant.board.to_string()),
            escape(&variant.source),
            self.tiles(),
            of_setups(&self.setups),
            escape(&self.command),
        )
    }

    fn tiles(&self) -> String {
        let mut tiles = vec![(thousands(self.setups.number), "setups".to_string())];
        if let Some(games) = &self.games {
            if let Some(found) = games.score() {
                let interval = found.score.interval;
                tiles.push((
                    format!("{:.1} %", 100.0 * found.score.value),
                    format!("for White ({:.0} to {:.0} %)", 100.0 * interval.low, 100.0 * interval.high),
                ));
            }
            tiles.push((format!("{:.0} %", 100.0 * games.draws()), "draws".to_string()));
            tiles.push((games.median_moves().to_string(), "moves, the median game".to_string()));
        }
        let tiles: String = tiles
            .iter()
            .map(|(figure, of)| format!("<div class=\"figure\"><b>{figure}</b><span>{of}</span></div>"))
            .collect();
        format!("<div class=\"figures\">{tiles}</div>\n")
    }
}

fn card(variant: &Variant, piece: &Piece, facts: &PieceFacts) -> String {
    let board = variant.board;
    let mut diagram = MoveDiagram::new(board, MoveDiagram::centre(board), &piece.betza);
    if let Some(drawing) = Drawing::of(variant, piece.letter) {
        diagram = diagram.drawn(drawing.shapes());
    }
    let mobility = if (facts.moves - facts.captures).abs() < 0.005 {
        format!("{:.1} squares", facts.moves)
    } else {
        format!("{:.1} squares without capturing, {:.1} to capture", facts.moves, facts.captures)
    };
    format!(
        "<figure class=\"card\"><h3>{} {} <small>{}</small></h3><div class=\"plot\">{}</div>\
         <figcaption>{}<br>Mobility: {mobility}. It {}.{}</figcaption></figure>\n",
        facts.letter,
        escape(&facts.name),
        escape(&facts.betza),
        diagram.to_svg(),
        escape(&facts.words),
        facts.reach(board.squares()),
        match facts.mating {
            super::Mating::King => String::new(),
            ref mating => format!(" Against a bare king: {}.", escape(&mating.to_string())),
        },
    )
}

fn of_setups(setups: &SetupFacts) -> String {
    let items: String = setups
        .lines()
        .iter()
        .map(|(what, text)| format!("<p><b>{}</b>: {}</p>", escape(what), escape(text)))
        .collect();
    format!("<div class=\"card\">{items}</div>")
}

impl SetupFacts {
    /// What is told of the setups: a name and a text each.
    pub fn lines(&self) -> Vec<(&'static str, String)> {
        let all = thousands(self.number);
        let counted = match self.brute_force {
            Some(counted) if counted == self.number => {
                format!("{all} setups, by the table of the space and by brute force")
            }
            Some(counted) => {
                format!("{all} setups by the table of the space, but {} by brute force", thousands(counted))
            }
            None => format!("{all} setups, by the table of the space; too many arrangements for brute force"),
        };
        let checks = match &self.in_check {
            None => "in no setup a king stands in check before the first move".to_string(),
            Some(found) => format!(
                "in {} setups a king stands in check before the first move, such as {}/{}",
                thousands(found.number),
                found.first.white,
                found.first.black
            ),
        };
        let mut lines = vec![("setups", counted), ("checks", checks)];
        lines.extend(self.unprotected.map(|unprotected| {
            let text = match unprotected {
                0 => "in every setup a piece protects each pawn".to_string(),
                some => format!("in {} setups some pawn is protected by no piece", thousands(some)),
            };
            ("pawns", text)
        }));
        lines
    }
}

fn of_games(variant: &Variant, games: &QuickGames) -> String {
    let [won, drawn, lost] = games.results;
    let all = games.games().max(1);
    let percent = |number: u64| format!("{:.0} %", 100.0 * number as f64 / all as f64);
    let endings: String = games
        .endings
        .iter()
        .map(|(ending, number)| {
            format!(
                "<tr><td>{}</td><td class=\"n\">{number}</td><td class=\"n\">{}</td></tr>",
                escape(ending),
                percent(*number)
            )
        })
        .collect();
    let traded: String = games
        .traded
        .iter()
        .filter_map(|(letter, traded)| {
            let name = variant.piece(*letter).map_or("pawn", |piece| &piece.name);
            let share = traded.share()?;
            let bar = format!("<svg viewBox=\"0 0 100 10\" preserveAspectRatio=\"none\" width=\"100%\" height=\"10\" aria-hidden=\"true\"><rect width=\"{:.1}\" height=\"10\" fill=\"var(--bars)\"/></svg>", 100.0 * share.min(1.0));
            Some(format!("<tr><td>{letter}</td><td>{}</td><td class=\"n\">{:.0} %</td><td style=\"width:50%\">{bar}</td></tr>", escape(name), 100.0 * share))
        })
        .collect();
    format!(
        "<p>{} games of {} nodes a move, from setups drawn at random: {won} won by White, {drawn} drawn, {lost} lost. They are to show \
         what the game is like, and are too few and too quick to measure anything by.</p>\
         <div class=\"cards\"><div class=\"card\"><h3>How they ended</h3><table>{endings}</table></div>\
         <div class=\"card\"><h3>Captured, of those at the start</h3><table>{traded}</table></div></div>",
        thousands(games.games()),
        thousands(games.nodes),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::checkup::Mating;
    use backrank_rules::{Letter, Rules};

    /// Whatever a file calls its pieces stays text on the page.
    #[test]
    fn texts_of_the_file_are_escaped() {
        let chess = Variant::find("chess").unwrap();
        let text = chess.text().replace("\"knight\"", "\"<script>\"").replace("name = \"", "name = \"<b>");
        let variant = Variant::parse("evil", "evil.toml", &text).unwrap();
        let rules = Rules::new(&variant);
        let pieces = PieceFacts::of(&rules, |letter| match letter {
            Letter::N => Mating::Never,
            _ => Mating::Unknown("<i>".to_string()),
        });
        let setups = SetupFacts { number: 1, brute_force: Some(2), in_check: None, unprotected: Some(0) };
        let page = Checkup { variant: &variant, pieces, setups, games: None, command: "a < b".to_string() }
            .to_html();
        assert!(!page.contains("<script>") && !page.contains("<i>") && !page.contains("a < b"), "{page}");
        assert!(page.contains("1 setups by the table of the space, but 2 by brute force"));
    }
}
