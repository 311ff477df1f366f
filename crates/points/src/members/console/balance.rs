//! What is known of a member at a glance: the balance of the last weeks, and what was earned, spent and ordered.

use maud::{Markup, html};
use pointbook_access::console_kit::Visit;
use pointbook_access::console_kit::components::facts;
use pointbook_access::console_kit::plots::{DayChart, series_of};
use pointbook_domain::{Day, OrderStatus, PageNumber, PageRequest, PageSize, Points, Scope, Timestamp, User};
use pointbook_http::charts::Shape;
use pointbook_http::pages::{PageError, date, moment, number, points, signed};
use pointbook_store::ports::OrderFilter;
use pointbook_store::schema::rows_of_service::MovedPoints;

use super::paths::{may, member_path};

/// The periods to choose from, in days. The address names another one than the usual.
const PERIODS: [i32; 3] = [28, 90, 365];
const USUAL: i32 = 90;
pub(super) const PARAMETER: &str = "days";
/// The days whose points are summed: no period is shorter.
const SUMMED_DAYS: usize = 28;
/// The most rows of the ledger that are read for the curve. Of a member with more of them in this time, there is none.
const MOST: u32 = 2_000;

/// The points of a day: those of activities with what was reversed, those of orders without what was refunded, and those that ended.
#[derive(Default, Clone, Copy)]
struct Moved {
    earned: i64,
    spent: i64,
    ended: i64,
}

impl Moved {
    fn net(&self) -> i64 {
        self.earned - self.spent - self.ended
    }
}

/// The two boxes below the head of the page, which is at this path below the console.
pub(super) async fn glance(visit: &Visit<'_>, user: &User, page: &str) -> Result<Markup, PageError> {
    let words = visit.words;
    let period = visit.query(PARAMETER).parse().ok();
    let period = period.filter(|days| PERIODS.contains(days)).unwrap_or(USUAL);
    let today = visit.served.local_time(visit.now).day;
    let days: Vec<Day> = (0..period).rev().filter_map(|ago| Day::from_days(today.as_days() - ago)).collect();
    // A day of the tenant may begin before the same day of UTC.
    let since = days.first().and_then(|first| Day::from_days(first.as_days() - 1)).unwrap_or(today).start();
    let rows = visit.served.data.moved_points(&user.id, (since, Timestamp::MAX), MOST).await?;
    let moved = rows.map(|rows| moved(visit, &rows, &days));
    let balance = user.balance.get();
    let has_curve = |moved: &[Moved]| {
        balance != 0 || moved.iter().any(|day| day.earned != 0 || day.spent != 0 || day.ended != 0)
    };
    let name = words.say("member-balance");
    Ok(html! {
        div .cards {
            section .card .low .eight {
                header .card-head {
                    div {
                        h2 { (name) }
                        p {
                            span .balance-now { (points(balance, words)) } " "
                            @if let Some(moved) = &moved {
                                @let sum: i64 = moved.iter().map(Moved::net).sum();
                                span .small .quiet { (words.with_all("member-moved", [("points", signed(sum, words)), ("count", period.to_string())])) }
                            }
                        }
                    }
                    nav .segments aria-label=(words.say("period")) {
                        @for days in PERIODS {
                            a href=(visit.address_with(page, PARAMETER, &days.to_string())) aria-current=[(days == period).then_some("true")] {
                                (words.with("period-days", "count", days.to_string()))
                            }
                        }
                    }
                }
                @if let Some(moved) = moved.as_ref().filter(|moved| has_curve(moved)) {
                    @let series = [series_of(&name, &balances(balance, moved))];
                    (DayChart { title: "member-balance", days, series: &series, before: &[], shape: Shape::Steps }.picture(visit))
                }
                @if moved.is_none() { p .quiet { (words.with("member-curve-too-long", "count", number(i64::from(MOST), words))) } }
            }
            section .card .four { (known(visit, user, moved.as_deref()).await?) }
        }
    })
}

/// What these rows moved, by day.
fn moved(visit: &Visit<'_>, rows: &[MovedPoints], days: &[Day]) -> Vec<Moved> {
    let mut moved = vec![Moved::default(); days.len()];
    for MovedPoints { created_at, kind, source_id, points, bonus_points } in rows {
        let day = visit.served.local_time(*created_at).day;
        let place = days.first().and_then(|first| usize::try_from(day.as_days() - first.as_days()).ok());
        let Some(moved) = place.and_then(|place| moved.get_mut(place)) else { continue };
        let points = points.saturating_add(*bonus_points);
        match () {
            () if source_id.is_of_expiry(points) => moved.ended -= points,
            () if kind.takes_points() => moved.spent -= points,
            () => moved.earned += points,
        }
    }
    moved
}

/// The balance at the end of each day: that of now without what came later.
fn balances(mut balance: i64, moved: &[Moved]) -> Vec<Option<i64>> {
    let mut balances: Vec<Option<i64>> = moved
        .iter()
        .rev()
        .map(|moved| {
            let at_end = balance;
            balance -= moved.net();
            Some(at_end)
        })
        .collect();
    balances.reverse();
    balances
}

async fn known(visit: &Visit<'_>, user: &User, moved: Option<&[Moved]>) -> Result<Markup, PageError> {
    let words = visit.words;
    let mut known = Vec::new();
    if let Some(moved) = moved {
        // A period of 28 days says nothing of those before.
        let mut spans = moved.rchunks_exact(SUMMED_DAYS);
        let (now, before) = (spans.next().unwrap_or_default(), spans.next());
        let sum = |of: fn(&Moved) -> i64| {
            let sum = |days: &[Moved]| number(days.iter().map(of).sum(), words);
            html! {
                (sum(now))
                @if let Some(before) = before { " " span .small .quiet { (words.with("figure-from", "count", sum(before))) } }
            }
        };
        known.push(("member-earned-28", sum(|day| day.earned)));
        known.push(("member-spent-28", sum(|day| day.spent)));
    }
    if may(visit, Scope::OrdersRead)? {
        known.push(("orders", orders(visit, user).await?));
    }
    if let Some((last_day, amount)) = user.lots.as_ref().and_then(|lots| lots.ending().next()) {
        let what = html! { (points(amount, words)) ", " (date(last_day, words)) };
        known.push(("member-ends-next", what));
    }
    if let Some(pending) = user.pending.filter(|pending| *pending > Points::ZERO) {
        known.push(("member-pending", html! { (points(pending.get(), words)) }));
    }
    let first_day = visit.served.data.first_day(&user.id).await?;
    known.push((
        "member-first-activity",
        html! { (first_day.map_or_else(|| "–".to_owned(), |day| date(day, words))) },
    ));
    known.push(("member-since", moment(user.created_at, &visit.served, words)));
    Ok(facts(visit, known))
}

/// How many orders the member has, and how many of them wait, as a link to them.
async fn orders(visit: &Visit<'_>, user: &User) -> Result<Markup, PageError> {
    let words = visit.words;
    let page = PageRequest { number: PageNumber::FIRST, size: PageSize::DEFAULT };
    let count = async |status| {
        let filter = OrderFilter { user_id: Some(user.id.clone()), status, search: None };
        visit.served.data.orders(&filter, page).await.map(|orders| orders.total)
    };
    let (all, waiting) = (count(None).await?, count(Some(OrderStatus::Placed)).await?);
    let orders = member_path(visit, &user.id, "/orders");
    let shown = |count: u64| number(i64::try_from(count).unwrap_or(i64::MAX), words);
    Ok(html! {
        @if all == 0 { span .quiet { "0" } } @else { a href=(orders) { (shown(all)) } }
        @if waiting > 0 { ", " span { (words.with("member-orders-wait", "count", shown(waiting))) } }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn balances_of_days_lead_to_that_of_now() {
        let moved = [(100, 0), (0, 20), (0, 0), (40, 50)];
        let moved = moved.map(|(earned, spent)| Moved { earned, spent, ended: 0 });
        assert_eq!(balances(70, &moved), [100, 80, 80, 70].map(Some));
    }
}
