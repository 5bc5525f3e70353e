//! The data dictionary: the sections of its Markdown text on the files of a study.

use crate::table::escape;

/// The beginnings of the headings of the sections that are shown.
const SECTIONS: [&str; 4] = ["### `games.csv`", "### `study.toml`", "### `values.csv`", "### `setups.csv`"];

/// Each of these sections as HTML, collapsed at first.
pub(super) fn html(dictionary: &str) -> String {
    SECTIONS.iter().filter_map(|heading| section(dictionary, heading)).collect()
}

/// A heading and the text under it, up to the next heading.
fn section(dictionary: &str, heading: &str) -> Option<String> {
    let mut lines = dictionary.lines().skip_while(|line| !line.starts_with(heading));
    let title = inline(lines.next()?.trim_start_matches('#').trim());
    let lines: Vec<&str> = lines.take_while(|line| !line.starts_with('#')).collect();
    let mut html = format!("<details><summary>{title}</summary>");
    for block in lines.split(|line| line.is_empty()).filter(|block| !block.is_empty()) {
        if block[0].starts_with('|') {
            html += &table(block);
        } else {
            html += &format!("<p>{}</p>", inline(&block.join(" ")));
        }
    }
    Some(html + "</details>")
}

fn table(lines: &[&str]) -> String {
    let row = |line: &str, tag: &str| -> String {
        let cells = line.trim_matches('|').split('|').map(|cell| inline(cell.trim()));
        format!("<tr>{}</tr>", cells.map(|cell| format!("<{tag}>{cell}</{tag}>")).collect::<String>())
    };
    let body: String = lines.iter().skip(2).map(|line| row(line, "td")).collect();
    let head = row(lines[0], "th");
    format!(
        r#"<div class="scroll" role="group" aria-label="Table" tabindex="0"><table><thead>{head}</thead><tbody>{body}</tbody></table></div>"#
    )
}

/// Inline Markdown as HTML: code between backticks. Links are reduced to their text.
fn inline(text: &str) -> String {
    let mut html = String::new();
    for (index, part) in text.split('`').enumerate() {
        let part = escape(part);
        if index % 2 == 1 {
            html += &format!("<code>{part}</code>");
        } else {
            html += &part.replace('*', "");
        }
    }
    html
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_section_ends_at_the_next_heading() {
        let dictionary = "# Data\n\n### `games.csv`: a row a game\n\nOne `row`.\n\n| column |\n|---|\n| `game` |\n\n## More\n\nNo.\n";
        let html = html(dictionary);
        assert!(
            html.contains(
                "<summary><code>games.csv</code>: a row a game</summary><p>One <code>row</code>.</p>"
            )
        );
        assert!(html.contains("<td><code>game</code></td>") && !html.contains("No."), "{html}");
    }
}
