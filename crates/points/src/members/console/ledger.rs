//! The ledger of a member, the newest row first.

use maud::{Markup, html};
use pointbook_access::console_kit::Visit;
use pointbook_access::console_kit::components::{activity_type, clipped, empty_list};
use pointbook_access::console_kit::lists::{Column, Rows, grouped_table};
use pointbook_access::console_kit::path_part::segment;
use pointbook_domain::{Activity, Day, Scope, Timestamp, User};
use pointbook_http::pages::{PageError, Words, clock_time, date, moment_text, number, pager, signed};
use pointbook_store::ports::LedgerEntry;

use super::export::parts;
use super::paths::{SECTION, may, row_path};

const ROWS: u32 = 40;
/// Titles and source ids have up to 1,000 characters. The page of the row has all of them.
const SHOWN_CHARS: usize = 80;
/// An activity that was recorded within this time happened then, as far as members care.
const PROMPT_SECONDS: u32 = 60;
const COLUMNS: [Column; 7] = [
    Column::text("ledger-what"),
    Column::text("ledger-time").rank(2),
    Column::text("ledger-source").rank(3),
    Column::number("ledger-seq").rank(3),
    Column::number("ledger-points"),
    Column::number("ledger-balance").rank(2),
    Column::number("ledger-explain"),
];

pub(super) async fn of(visit: &Visit<'_>, user: &User) -> Result<Markup, PageError> {
    let page = visit.page(ROWS);
    let entries = visit.served.data.entries_of(&user.id, page).await?;
    let window = page.window(entries.total);
    let may_explain = may(visit, Scope::CampaignsRead)?;
    let columns = if may_explain { &COLUMNS[..] } else { &COLUMNS[..COLUMNS.len() - 1] };
    let mut above = None;
    let mut days: Vec<(Day, Rows)> = Vec::new();
    for entry in &entries.items {
        let day = visit.served.local_time(entry.transaction.activity.created_at).day;
        let row = row(visit, entry, above, may_explain);
        above = (!is_prompt(entry)).then_some(entry.recorded_at);
        match days.last_mut() {
            Some((last, rows)) if *last == day => rows.push(row),
            _ => days.push((day, vec![row])),
        }
    }
    let days: Vec<(String, Rows)> =
        days.into_iter().map(|(day, rows)| (date(day, visit.words), rows)).collect();
    let address = visit.address_of_pages(&format!("{SECTION}/{}", segment(user.id.as_str())), &[]);
    Ok(html! {
        @if days.is_empty() {
            (empty_list(visit, &window, "member-ledger-empty"))
        } @else {
            (grouped_table(visit, &visit.words.say("member-ledger"), columns, &days))
        }
        (pager(visit.words, &window, &address))
        @if !days.is_empty() { (parts(visit, &user.id, entries.total)) }
    })
}

/// `above` is when the row above was recorded, if that was not when it happened.
fn row(visit: &Visit<'_>, entry: &LedgerEntry, above: Option<Timestamp>, may_explain: bool) -> Vec<Markup> {
    let LedgerEntry { user_id, seq, transaction, balance_after, recorded_at: _, hash: _ } = entry;
    let (words, activity) = (visit.words, &transaction.activity);
    let bonuses = activity.bonuses.total().get();
    let moved = activity.points.get().saturating_add(bonuses);
    let mut cells = vec![
        html! { (what(activity, words)) (recorded(visit, entry, above)) },
        html! { span .quiet { (clock_time(activity.created_at, &visit.served)) } },
        html! { span .mono .quiet { (clipped(activity.source_id.as_str(), SHOWN_CHARS)) } },
        html! { span .quiet { (seq) } },
        html! {
            span .strong .good[moved > 0] { (signed(moved, words)) }
            @if bonuses != 0 { " " span .quiet { (words.with("ledger-with-bonus", "points", signed(bonuses, words))) } }
        },
        html! { span .quiet { (number(balance_after.get(), words)) } },
    ];
    if may_explain {
        let href = row_path(visit, user_id, transaction.id.as_str(), "");
        cells.push(html! { a href=(href) { (words.say("ledger-explain-link")) } });
    }
    cells
}

/// What a member reads of the row: the subtitle says more than the title, which mostly repeats the type.
fn what(activity: &Activity, words: &Words) -> Markup {
    let [title, subtitle] = [&activity.title, &activity.subtitle].map(|text| clipped(text, SHOWN_CHARS));
    let kind = activity_type(activity.kind.as_str(), words);
    html! {
        @if subtitle.is_empty() { (title) " " span .quiet { (kind) } }
        @else { (subtitle) " " span .quiet title=(kind) { (title) } }
    }
}

/// When the row was recorded, which is the order of the rows, if that was at another time than it happened. The rows of an import have
/// one time of recording, which stands in the first of them.
fn recorded(visit: &Visit<'_>, entry: &LedgerEntry, above: Option<Timestamp>) -> Markup {
    let recorded = entry.recorded_at;
    let is_repeated = above.is_some_and(|above| minute(above) == minute(recorded));
    html! {
        @if !is_prompt(entry) && !is_repeated {
            " " span .quiet { (visit.words.with("ledger-recorded-at", "time", moment_text(recorded, &visit.served, visit.words))) }
        }
    }
}

/// Whether the row was recorded when it happened.
fn is_prompt(entry: &LedgerEntry) -> bool {
    let (happened, recorded) = (entry.transaction.activity.created_at, entry.recorded_at);
    happened.max(recorded) <= happened.min(recorded).plus_seconds(PROMPT_SECONDS)
}

/// Moments of one minute look the same.
fn minute(at: Timestamp) -> i64 {
    at.as_micros().div_euclid(60_000_000)
}
