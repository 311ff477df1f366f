//! The months of "My points" as bars.

use maud::{Markup, html};
use pointbook_http::pages::{Words, number};
use pointbook_points::members::months::{MONTHS, Month};

/// The letters of the names of months below the bars.
const SHORT: usize = 3;

/// Two bars for each month, and below them the sums. Those who do not see the bars get a table. Nothing without any points.
pub(super) fn chart(words: &Words, months: &[Month; MONTHS]) -> Markup {
    let highest = months.iter().map(|month| month.earned.max(month.spent)).max().unwrap_or(0);
    if highest <= 0 {
        return html! {};
    }
    let top = top_of_axis(highest);
    let name = |month: &Month| words.say(&format!("month-{}", month.month)).into_owned();
    let sum = |of: fn(&Month) -> i64| number(months.iter().map(of).fold(0, i64::saturating_add), words);
    let [earned, spent] =
        [(words.say("earned"), sum(|month| month.earned)), (words.say("spent"), sum(|month| month.spent))];
    html! {
        section .months {
            h2 { (words.with("months", "count", MONTHS)) }
            p .axis aria-hidden="true" { @for tick in [top, top / 2, 0] { span { (number(tick, words)) } } }
            svg viewBox={ "0 0 " (MONTHS * 20) " 100" } preserveAspectRatio="none" aria-hidden="true" {
                @for (place, month) in months.iter().enumerate() {
                    (bar(place * 20 + 3, month.earned, top, "earned"))
                    (bar(place * 20 + 11, month.spent, top, "spent"))
                }
            }
            p .names aria-hidden="true" { @for month in months { span { (name(month).chars().take(SHORT).collect::<String>()) } } }
            p .legend { span .earned { (earned.0) " " (earned.1) } span .spent { (spent.0) " " (spent.1) } }
            div .unseen {
                table {
                    tr { td {} th scope="col" { (earned.0) } th scope="col" { (spent.0) } }
                    @for month in months {
                        tr { th scope="row" { (name(month)) } td { (number(month.earned, words)) } td { (number(month.spent, words)) } }
                    }
                }
            }
        }
    }
}

/// The least 2, 4 or 10 times a power of ten that is at least this: it and its half are round.
fn top_of_axis(highest: i64) -> i64 {
    let units = std::iter::successors(Some(1_i64), |unit| unit.checked_mul(10));
    let mut tops = units.flat_map(|unit| [2, 4, 10].map(|factor| unit.saturating_mul(factor)));
    tops.find(|top| *top >= highest).unwrap_or(i64::MAX)
}

/// A bar from the base line upwards. A month is 20 wide, and the axis 100 high.
fn bar(x: usize, value: i64, top: i64, class: &str) -> Markup {
    let height = i128::from(value.max(0)) * 100 / i128::from(top);
    html! { rect class=(class) x=(x) y=(100 - height) width="6" height=(height) {} }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_axis_ends_at_a_round_number_whose_half_is_round() {
        for (highest, top) in [(1, 2), (3, 4), (5, 10), (1_360, 2_000), (6_500, 10_000), (i64::MAX, i64::MAX)]
        {
            assert_eq!(top_of_axis(highest), top, "{highest}");
        }
    }
}
