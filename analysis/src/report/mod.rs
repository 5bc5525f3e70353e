//! The report: everything about some studies on one page that needs nothing else.

mod dictionary;
mod plots;
mod sections;
mod svg;

pub(crate) use svg::escape;

use backrank_rules::Variant;
use backrank_selfplay::Study;

use crate::games::{GamesRead, Sampling};
use crate::setups::SetupStatistics;
use crate::tables::ValueRow;
use crate::values::{ImbalanceValues, Mobility, PublishedValues, RegressionValues, Unit};

/// What a report is made of.
#[derive(Clone, Debug)]
pub struct Report<'a> {
    /// The game.
    pub variant: &'a Variant,
    /// What the studies are called, and what was asked of them.
    pub studies: Vec<(String, &'a Study)>,
    /// How many games there were.
    pub read: GamesRead,
    /// Which positions were looked at.
    pub sampling: Sampling,
    /// By regression, where there are games without odds.
    pub regression: Option<RegressionValues>,
    /// By regression on decided games alone.
    pub decided: Option<RegressionValues>,
    /// By the network of imbalances, where there are games at odds.
    pub imbalances: Option<ImbalanceValues>,
    /// The same by games at imbalances and numbers that were fixed before, where there are any.
    pub confirmed: Option<ImbalanceValues>,
    /// What values are measured in.
    pub unit: Unit,
    /// By mobility, and at which density; nothing where the game has nothing to scale by.
    pub mobility: (Vec<Mobility>, f64),
    /// What others have published.
    pub published: Vec<PublishedValues>,
    /// Setups, where there are games without odds.
    pub setups: Option<SetupStatistics>,
    /// The data dictionary in Markdown: `data/README.md`, of which the sections about a study's files are shown.
    pub dictionary: &'a str,
    /// The command that made it.
    pub command: String,
    /// The version of the program.
    pub version: &'a str,
}

impl Report<'_> {
    /// The values by every method, row by row.
    fn rows(&self) -> Vec<ValueRow> {
        let mut rows: Vec<ValueRow> = self.imbalances.iter().flat_map(ImbalanceValues::rows).collect();
        for regression in [&self.regression, &self.decided] {
            rows.extend(regression.iter().flat_map(RegressionValues::rows));
        }
        rows.extend(self.mobility.0.iter().map(Mobility::row));
        rows
    }

    /// The page: HTML with its style and its pictures in it, and nothing from anywhere else.
    pub fn to_html(&self) -> String {
        let parts: Vec<(&str, &str, String)> = [
            ("values", "What pieces are worth", self.values()),
            ("imbalances", "How it was measured: imbalances", self.matches()),
            ("regression", "Regression, which only observes", self.observed()),
            ("methods", "Methods side by side", Some(self.side_by_side())),
            ("setups", "White’s score over setups", self.scores()),
            ("boards", "Most and least balanced setups", self.boards()),
            ("features", "What goes with White’s score", self.features()),
            ("adjustment", "The Bishop Adjustment", self.adjustment()),
            ("endings", "How games ended", self.endings()),
            ("asked", "What was asked", Some(self.asked())),
            ("dictionary", "Data dictionary", Some(dictionary::html(self.dictionary))),
            ("again", "How to make it again", Some(self.again())),
        ]
        .into_iter()
        .filter_map(|(id, title, html)| Some((id, title, html?)))
        .collect();
        let links: String =
            parts.iter().map(|(id, title, _)| format!(r##"<a href="#{id}">{title}</a>"##)).collect();
        let body: String = parts
            .iter()
            .map(|(id, title, html)| format!("<section id=\"{id}\"><h2>{title}</h2>{html}</section>\n"))
            .collect();
        let name = escape(&self.variant.name);
        format!(
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <title>{name}: values and setups</title>\n<link rel=\"icon\" href=\"data:,\">\n\
             <style>\n{}</style>\n</head>\n<body>\n<main>\n\
             <header><h1>{name}</h1><p>{}</p><nav>{links}</nav></header>\n{body}</main>\n</body>\n</html>\n",
            include_str!("style.css"),
            escape(&self.subtitle())
        )
    }
}
