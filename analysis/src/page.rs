//! Pages from templates.

/// A template with each mark, such as `{{name}}`, replaced by its text. Marks come in the order of the parts.
///
/// # Panics
///
/// When the template has not all marks in this order.
pub(crate) fn filled(template: &str, parts: &[(&str, String)]) -> String {
    let mut page =
        String::with_capacity(parts.iter().map(|part| part.1.len()).sum::<usize>() + template.len());
    let mut rest = template;
    for (mark, text) in parts {
        let (before, after) = rest.split_once(mark).expect("the template has each mark, in this order");
        page.push_str(before);
        page.push_str(text);
        rest = after;
    }
    page.push_str(rest);
    page
}

/// JSON that can stand in a script of a page: nothing in it ends the script.
pub(crate) fn json_in_page(value: &impl serde::Serialize) -> String {
    serde_json::to_string(value).expect("it has text keys only").replace("</", "<\\/")
}
