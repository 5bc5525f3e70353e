//! How people read the cells of a column.

use std::cmp::Ordering;

use crate::stats::{Interval, number_text};

/// A number with commas between thousands.
///
/// ```
/// assert_eq!(backrank_analysis::table::thousands(15_120_u64), "15,120");
/// ```
pub fn thousands(number: impl Into<u128>) -> String {
    let digits = number.into().to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// The side on which the cells of a column begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Alignment {
    /// On the left, as text.
    Left,
    /// On the right, as numbers.
    Right,
}

/// How people read the numbers of a column. CSV has them as they are.
///
/// ```
/// use backrank_analysis::table::Format;
///
/// assert_eq!(Format::digits(2).number(0.125), "0.12");
/// assert_eq!(Format::PERCENT.number(0.125), "12.5 %");
/// assert_eq!(Format::digits(1).times(100.0).signed().number(0.125), "+12.5");
/// assert_eq!(Format::SHORTEST.number(3.0), "3");
/// assert_eq!(Format::digits(0).signed().number(-0.3), "0");
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Format {
    /// The number of decimal places; `None` for as many as it takes.
    digits: Option<usize>,
    /// What the number is multiplied by.
    factor: f64,
    is_signed: bool,
    /// What follows a number, and does not follow an interval.
    suffix: &'static str,
    /// Whether counts have commas between thousands.
    has_commas: bool,
    /// Whether the interval of a value that is exact is left out.
    hides_exact: bool,
}

impl Format {
    /// As many digits as it takes; counts have commas between thousands.
    pub const SHORTEST: Self = Self {
        digits: None,
        factor: 1.0,
        is_signed: false,
        suffix: "",
        has_commas: true,
        hides_exact: false,
    };

    /// A share in percent, to a tenth.
    pub const PERCENT: Self = Self { digits: Some(1), factor: 100.0, suffix: " %", ..Self::SHORTEST };

    /// A count without commas.
    pub const PLAIN: Self = Self { has_commas: false, ..Self::SHORTEST };

    /// This many decimal places.
    pub const fn digits(digits: usize) -> Self {
        Self { digits: Some(digits), ..Self::SHORTEST }
    }

    /// The same for a multiple of the number.
    pub const fn times(self, factor: f64) -> Self {
        Self { factor, ..self }
    }

    /// The same with a plus sign before positive numbers.
    pub const fn signed(self) -> Self {
        Self { is_signed: true, ..self }
    }

    /// The same with a word or a unit after the number.
    pub const fn with_suffix(self, suffix: &'static str) -> Self {
        Self { suffix, ..self }
    }

    /// The same without the interval of a value that is exact, such as that of the unit itself.
    pub const fn unless_exact(self) -> Self {
        Self { hides_exact: true, ..self }
    }

    /// A number.
    pub fn number(&self, value: f64) -> String {
        format!("{}{}", self.bare(value), self.suffix)
    }

    /// A number of things.
    pub fn count(&self, number: u64) -> String {
        let number = if self.has_commas { thousands(number) } else { number.to_string() };
        format!("{number}{}", self.suffix)
    }

    /// An interval.
    pub fn interval(&self, interval: Interval) -> String {
        if self.hides_exact && interval.low.partial_cmp(&interval.high) != Some(Ordering::Less) {
            return String::new();
        }
        format!("{} to {}", self.bare(interval.low), self.bare(interval.high))
    }

    fn bare(&self, value: f64) -> String {
        number_text(self.factor * value, self.digits, self.is_signed)
    }
}
