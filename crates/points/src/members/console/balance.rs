//! What is known of a member at a glance: the balance of the last weeks, and what was earned, spent and ordered.

use maud::{Markup, html};
use pointbook_access::console_kit::Visit;
use pointbook_access::console_kit::components::facts;
use pointbook_access::console_kit::plots::points_by_day;
use pointbook_domain::{Day, OrderStatus, PageNumber, PageRequest, PageSize, Scope, User};
use pointbook_http::pages::{PageError, date, moment, number, points};
use pointbook_store::ports::{LedgerEntry, OrderFilter};

use super::paths::{may, member_path};

/// How many days the curve has.
const DAYS: i32 = 90;
/// The days whose points are summed.
const SUMMED_DAYS: i32 = 28;
/// The most rows of the ledger that are read for the curve. Of a member with more of them in this time, there is none.
const MOST: u32 = 2_000;

/// The points of a day: those of activities with what was reversed, and those of orders without what was refunded.
#[derive(Default, Clone, Copy)]
struct Moved {
    earned: i64,
    spent: i64,
}

/// The two boxes below the head of the page.
pub(super) async fn glance(visit: &Visit<'_>, user: &User) -> Result<Markup, PageError> {
    let size = PageSize::new(MOST).unwrap_or(PageSize::DEFAULT);
    let first = PageRequest { number: PageNumber::FIRST, size };
    let entries = visit.served.data.entries_of(&user.id, first).await?;
    let today = visit.served.local_time(visit.now).day;
    let days: Vec<Day> = (0..DAYS).rev().filter_map(|ago| Day::from_days(today.as_days() - ago)).collect();
    let is_whole = entries.total <= u64::from(MOST);
    let moved = days.iter().map(|day| moved_on(visit, &entries.items, *day)).collect::<Vec<_>>();
    Ok(html! {
        div .cards {
            section .card .eight {
                h2 { (visit.words.say("member-balance")) }
                p .balance-now { (points(user.balance.get(), visit.words)) }
                @if is_whole && !entries.items.is_empty() {
                    (points_by_day(visit, "member-balance-days", days, &balances(user.balance.get(), &moved)))
                }
            }
            section .card .four { (known(visit, user, is_whole.then_some(&moved[..])).await?) }
        }
    })
}

fn moved_on(visit: &Visit<'_>, entries: &[LedgerEntry], day: Day) -> Moved {
    let on_day =
        |entry: &&LedgerEntry| visit.served.local_time(entry.transaction.activity.created_at).day == day;
    entries.iter().filter(on_day).fold(Moved::default(), |moved, entry| {
        let activity = &entry.transaction.activity;
        let points = activity.points.get().saturating_add(activity.bonuses.total().get());
        if activity.kind.is_order() {
            Moved { spent: moved.spent - points, ..moved }
        } else {
            Moved { earned: moved.earned + points, ..moved }
        }
    })
}

/// The balance at the end of each day: that of now without what came later.
fn balances(mut balance: i64, moved: &[Moved]) -> Vec<Option<i64>> {
    let mut balances: Vec<Option<i64>> = moved
        .iter()
        .rev()
        .map(|Moved { earned, spent }| {
            let at_end = balance;
            balance -= earned - spent;
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
        let lately = || moved.iter().rev().take(usize::try_from(SUMMED_DAYS).unwrap_or_default());
        let (earned, spent) =
            lately().fold((0, 0), |(earned, spent), day| (earned + day.earned, spent + day.spent));
        known.push(("member-earned-28", html! { (number(earned, words)) }));
        known.push(("member-spent-28", html! { (number(spent, words)) }));
    }
    if may(visit, Scope::OrdersRead)? {
        known.push(("orders", orders(visit, user).await?));
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
        let moved = moved.map(|(earned, spent)| Moved { earned, spent });
        assert_eq!(balances(70, &moved), [100, 80, 80, 70].map(Some));
    }
}
