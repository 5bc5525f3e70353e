//! Tables as CSV, for people and in HTML.

use backrank_analysis::stats::{Estimate, Interval};
use backrank_analysis::table::{Alignment, Format, Table};

/// A row: its name, a count, an estimate, and a note.
type Row = (&'static str, Option<u64>, Option<Estimate>, &'static str);

fn table<'t>() -> Table<'t, Row> {
    Table::<Row>::new()
        .text("name", |row| row.0)
        .count_if_any("games", |row| row.1)
        .estimate("effect", |row| row.2)
        .ends("low", "high")
        .heading("White's effect")
        .unit("percent")
        .format(Format::digits(1).times(100.0).signed())
        .missing("", "none")
        .text("note", |row| row.3)
}

const ROWS: [Row; 3] = [
    ("a, \"b\"", Some(1234), Some(Estimate { value: -0.25, interval: Interval::UNBOUNDED }), ""),
    ("=1+1", None, None, ""),
    ("<i>", Some(0), Some(Estimate { value: 0.5, interval: Interval { low: 0.5, high: 0.5 } }), ""),
];

fn csv(table: &Table<'_, Row>, rows: &[Row]) -> String {
    let mut out = Vec::new();
    table.write_csv(rows, &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

#[test]
fn csv_has_every_digit_and_tells_empty_text_from_a_missing_value() {
    let head = "name,games,effect,low,high,note\n";
    let rows = "\"a, \"\"b\"\"\",1234,-0.25,-inf,inf,\"\"\n'=1+1,,,,,\"\"\n<i>,0,0.5,0.5,0.5,\"\"\n";
    assert_eq!(csv(&table(), &ROWS), format!("{head}{rows}"));
    assert_eq!(csv(&table(), &[]), head);
    let verbatim = Table::<Row>::new().text("name", |row| row.0).verbatim();
    assert_eq!(csv(&verbatim, &ROWS[1..2]), "name\n=1+1\n");
}

#[test]
fn people_read_an_interval_in_a_column_of_its_own() {
    let shown = table().for_people(ROWS);
    let headings: Vec<(&str, Alignment)> =
        shown.columns.iter().map(|(text, side)| (text.as_str(), *side)).collect();
    let (left, right) = (Alignment::Left, Alignment::Right);
    let expected =
        [("name", left), ("games", right), ("White's effect", right), ("95 %", right), ("note", left)];
    assert_eq!(headings, expected);
    assert_eq!(shown.rows[0], ["a, \"b\"", "1,234", "-25.0", "−∞ to ∞", ""]);
    assert_eq!(shown.rows[1], ["=1+1", "", "", "none", ""]);
    assert_eq!(shown.rows[2], ["<i>", "0", "+50.0", "+50.0 to +50.0", ""]);
}

#[test]
fn a_column_can_be_for_some_only() {
    let table = || Table::<Row>::new().text("name", |row| row.0).estimate("effect", |row| row.2);
    for (table, names, headings) in [
        (table().in_csv_only(), "name,effect,effect_low,effect_high", vec!["name"]),
        (table().shown_if(true), "name,effect,effect_low,effect_high", vec!["name", "effect", "95 %"]),
        (table().for_people_only(), "name", vec!["name", "effect", "95 %"]),
        (table().narrow(), "name,effect,effect_low,effect_high", vec!["name", "effect"]),
        (table().without(&["name"]), "name,effect,effect_low,effect_high", vec!["effect", "95 %"]),
    ] {
        assert_eq!(csv(&table, &[]).trim_end(), names);
        let shown = table.for_people(ROWS);
        assert_eq!(shown.columns.iter().map(|(heading, _)| heading.as_str()).collect::<Vec<_>>(), headings);
        assert!(shown.rows.iter().all(|row| row.len() == headings.len()));
    }
}

#[test]
fn html_is_escaped_and_leaves_out_columns_without_text() {
    let html = table().to_html(ROWS);
    assert!(
        html.contains(
            r#"<th>name</th><th class="n">games</th><th class="n">White’s effect, percent</th></tr>"#
        ),
        "{html}"
    );
    assert!(html.contains("<td>a, &quot;b&quot;</td>"), "{html}");
    assert!(html.contains(r#"<td class="n">−25.0 <small>(−∞ to ∞)</small></td>"#), "{html}");
    assert!(html.contains(r#"<td>=1+1</td><td class="n"></td><td class="n">none</td>"#), "{html}");
    assert!(html.contains("<td>&lt;i&gt;</td>"), "{html}");
}

#[test]
fn formats() {
    for (format, value, expected) in [
        (Format::SHORTEST, 0.5, "0.5"),
        (Format::SHORTEST, -3.0, "-3"),
        (Format::SHORTEST.signed(), 3.0, "+3"),
        (Format::digits(0), 2.5, "2"),
        (Format::digits(2), f64::NEG_INFINITY, "−∞"),
        (Format::PERCENT, 1.0, "100.0 %"),
        (Format::digits(1).with_suffix(" bits"), 7.25, "7.2 bits"),
    ] {
        assert_eq!(format.number(value), expected);
    }
    assert_eq!(Format::SHORTEST.count(1234), "1,234");
    assert_eq!(Format::PLAIN.count(1234), "1234");
    let exact = Interval { low: 5.0, high: 5.0 };
    assert_eq!(Format::digits(1).interval(exact), "5.0 to 5.0");
    assert_eq!(Format::digits(1).unless_exact().interval(exact), "");
    assert_eq!(Format::PERCENT.interval(Interval { low: 0.25, high: 0.5 }), "25.0 to 50.0");
}
