//! A number beside the one of the period before.

use maud::{Markup, html};
use pointbook_http::pages::{Words, number, percent};

/// A percentage of fewer than this says more than happened.
const SMALL: i64 = 10;

/// By how much a number grew or fell, in percent or, from a small number, as the difference, with the number before. Nothing where one of them
/// is not known. `is_better_up` gives it a colour.
pub fn change(words: &Words, is_better_up: Option<bool>, before: Sum, now: Sum) -> Markup {
    let (Some(from), Some(to), false) = (before.value, now.value, before.is_least || now.is_least) else {
        return html! {};
    };
    // In tenths of a percent, so that no number of points is rounded away. More than a thousand percent say nothing.
    let tenths = ((i128::from(to) - i128::from(from)) * 1_000 / i128::from(from.max(1))).abs();
    let tenths = i64::try_from(tenths).ok().filter(|tenths| from >= SMALL && *tenths < 10_000);
    let class = match is_better_up {
        Some(is_better_up) if (to > from) == is_better_up => "good",
        Some(_) => "bad",
        None => "quiet",
    };
    let text = words.with("figure-from", "count", number(from, words));
    html! {
        p .quiet {
            @if to != from {
                @let sign = if to > from { "▲" } else { "▼" };
                span class=(class) {
                    (sign) " " @if let Some(tenths) = tenths { (percent(tenths, words)) } @else { (number(to.saturating_sub(from).saturating_abs(), words)) }
                } " "
            }
            (text)
        }
    }
}

/// A sum of numbers, some of which may be hidden from the operator: then it is the least that it can be.
#[derive(Debug, Clone, Copy)]
pub struct Sum {
    pub value: Option<i64>,
    pub is_least: bool,
}

impl Sum {
    /// A number that is no sum. `None` when it is not known.
    pub fn one(value: Option<i64>) -> Self {
        Self { value, is_least: false }
    }

    pub fn of(values: &[Option<i64>]) -> Self {
        let is_unknown = values.iter().all(Option::is_none);
        let value = (!is_unknown).then(|| values.iter().flatten().sum());
        Self { value, is_least: values.contains(&None) }
    }

    pub fn shown(self, words: &Words) -> String {
        let text = self.value.map_or_else(|| "–".to_owned(), |value| number(value, words));
        if self.is_least && self.value.is_some() { format!("≥ {text}") } else { text }
    }
}
