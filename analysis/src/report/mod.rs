//! The report: everything about some studies on one self-contained page.
//!
//! [`Findings`](crate::findings::Findings) make a [`Report`] of what they found; [`Report::to_html`] writes the page, and
//! [`Report::picture`] its plot of piece values alone. Its tables are those that the command line prints
//! ([`table`](crate::table)).

mod dictionary;
mod plots;
mod sections;
mod svg;

use backrank_rules::Variant;
use backrank_selfplay::study::Study;

use crate::games::{GamesRead, Sampling};
use crate::setups::SetupStatistics;
use crate::table::escape;
use crate::values::{ImbalanceValues, Mobility, PublishedValues, RegressionValues, Unit, ValueRow};

/// The contents of a report.
#[derive(Clone, Debug)]
pub struct Report<'a> {
    /// The variant.
    pub variant: &'a Variant,
    /// The name and the definition of each study.
    pub studies: Vec<(String, &'a Study)>,
    /// The numbers of games that were read.
    pub read: GamesRead,
    /// Which positions were sampled.
    pub sampling: Sampling,
    /// Piece values by regression, if there are games without odds.
    pub regression: Option<RegressionValues>,
    /// Piece values by regression on decided games only.
    pub decided: Option<RegressionValues>,
    /// Piece values by the network of imbalances, if there are games at odds.
    pub imbalances: Option<ImbalanceValues>,
    /// The same by the confirmatory sample, if there is one: its imbalances and their numbers of games were set before it was
    /// played.
    pub confirmatory: Option<ImbalanceValues>,
    /// The unit of the values.
    pub unit: Unit,
    /// Piece values by mobility, and the density of occupied squares. Empty if the game has no piece to scale them by.
    pub mobility: (Vec<Mobility>, f64),
    /// Published values.
    pub published: Vec<PublishedValues>,
    /// The statistics of setups, if there are games without odds.
    pub setups: Option<SetupStatistics>,
    /// The data dictionary in Markdown, `data/README.md`. The sections on a study's files are shown.
    pub dictionary: &'a str,
    /// The command that made the report.
    pub command: String,
    /// The version of the program.
    pub version: &'a str,
}

/// The style of plots.
pub(crate) const PLOT_STYLE: &str = include_str!("plots.css");
/// What sorts the tables of the page where scripts run.
const SORT: &str = include_str!("sort.js");
/// The style of pages.
pub(crate) const PAGE_STYLE: &str = include_str!("style.css");

impl Report<'_> {
    /// The plot of piece values as an SVG file of its own, in light colours. `None` if there are no games.
    pub fn picture(&self) -> Option<String> {
        let picture = self.plot_of_values()?;
        let head = format!(
            r##" class="plot"><style>
{PLOT_STYLE}</style><rect width="100%" height="100%" fill="#fff"/>"##
        );
        Some(picture.replacen('>', &head, 1) + "\n")
    }

    /// The values by every method.
    fn rows(&self) -> Vec<ValueRow> {
        let mut rows: Vec<ValueRow> = self.imbalances.iter().flat_map(ImbalanceValues::rows).collect();
        for regression in [&self.regression, &self.decided] {
            rows.extend(regression.iter().flat_map(RegressionValues::rows));
        }
        rows.extend(self.mobility.0.iter().map(Mobility::row));
        rows
    }

    /// The page: HTML with its style and its plots embedded, without links to other files.
    pub fn to_html(&self) -> String {
        let parts: Vec<(&str, &str, String)> = [
            ("values", "What pieces are worth", self.values()),
            ("imbalances", "Imbalances: how the values were measured", self.matches()),
            ("regression", "Regression: an observational estimate", self.observed()),
            ("methods", "Methods side by side", Some(self.side_by_side())),
            ("setups", "White’s score over setups", self.scores()),
            ("boards", "Setups that stand out", self.boards()),
            ("features", "Features associated with White’s score", self.features()),
            ("adjustment", "The Bishop Adjustment", self.adjustment()),
            ("endings", "How games ended", self.endings()),
            ("studies", "The studies", Some(self.studies())),
            ("dictionary", "Data dictionary", Some(dictionary::html(self.dictionary))),
            ("reproduce", "How to reproduce this page", Some(self.reproduction())),
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
             <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; \
             script-src 'unsafe-inline'; img-src data:\">\n\
             <title>{name}: values and setups</title>\n<link rel=\"icon\" href=\"data:,\">\n\
             <style>\n{}{}</style>\n</head>\n<body>\n<main>\n\
             <header><h1>{name}</h1><p>{}</p>{}<nav aria-label=\"Contents\">{links}</nav></header>\n\
             {body}</main>\n<script>\n{SORT}</script>\n</body>\n</html>\n",
            PLOT_STYLE,
            PAGE_STYLE,
            escape(&self.subtitle()),
            self.figures()
        )
    }
}
