//! Many numbers, such as those of tasks, in few words.

/// Numbers in ascending order, with those in a row together: `3, 7 to 9`.
pub fn ranges(numbers: &[u64]) -> String {
    let texts: Vec<String> = runs(numbers)
        .into_iter()
        .map(|(first, last)| if first == last { first.to_string() } else { format!("{first} to {last}") })
        .collect();
    texts.join(", ")
}

/// The first and the last of the numbers that are in a row, of numbers in ascending order.
pub fn runs(numbers: &[u64]) -> Vec<(u64, u64)> {
    let mut runs: Vec<(u64, u64)> = Vec::new();
    for &number in numbers {
        match runs.last_mut() {
            Some((_, last)) if *last + 1 == number => *last = number,
            _ => runs.push((number, number)),
        }
    }
    runs
}
