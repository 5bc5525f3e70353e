//! What a misspelt name may have been meant to be.

/// The known names most like a name, the most similar first, at most three. Case, `-` and `_` do not matter.
///
/// ```
/// use backrank_rules::nearest;
///
/// assert_eq!(nearest("opposite_colors", ["same_colour", "opposite_colours"]), ["opposite_colours"]);
/// assert!(nearest("knight", ["rook"]).is_empty());
/// ```
pub fn nearest<'n>(name: &str, known: impl IntoIterator<Item = &'n str>) -> Vec<&'n str> {
    let mut near: Vec<(usize, &str)> = known
        .into_iter()
        .map(|known| (strsim::damerau_levenshtein(&normal(known), &normal(name)), known))
        .filter(|&(distance, known)| distance <= 1 + known.len() / 3)
        .collect();
    near.sort_unstable();
    near.truncate(3);
    near.into_iter().map(|(_, known)| known).collect()
}

/// A name in lower case, without `-` and `_`.
pub(crate) fn normal(name: &str) -> String {
    name.chars().filter(|letter| !matches!(letter, '-' | '_')).flat_map(char::to_lowercase).collect()
}
