//! The ledger of a member by day, the latest day first.

use maud::{Markup, html};
use pointbook_access::console_kit::Visit;
use pointbook_access::console_kit::components::{activity_type, clipped};
use pointbook_access::console_kit::icons::{Icon, icon};
use pointbook_access::console_kit::lists::{Column, Rows, no_rows, summed_table};
use pointbook_access::console_kit::path_part::segment;
use pointbook_access::console_kit::plots::long_date;
use pointbook_domain::{
    Activity, ActivityType, BonusOrigin, Day, PageWindow, Points, Scope, Timestamp, User,
};
use pointbook_http::pages::{PageError, Words, clock_time, moment_text, pager, signed};
use pointbook_store::ports::{LedgerEntry, LedgerFilter};

use super::asked_rows::Asked;
use super::export::parts;
use super::paths::{SECTION, may, row_path};
use super::transaction::{order_of, origin};
use super::verdicts::first_verdicts;
use crate::earning::explain::explain;
use crate::earning::reverse_transaction::reversals_of;

const ROWS: u32 = 32;
/// Titles and source ids have up to 1,000 characters. The page of the row has all of them.
const SHOWN_CHARS: usize = 80;
/// An activity that was recorded within this time happened then, as far as members care.
const PROMPT_SECONDS: u32 = 60;
/// The most rows of a day that is summed across pages.
const MOST_OF_DAY: u32 = 1_000;
/// The parameter with the number of the row that is explained.
const EXPLAIN: &str = "explain";
const COLUMNS: [Column; 7] = [
    Column::text("ledger-what"),
    Column::text("ledger-time").rank(2),
    Column::text("ledger-source").rank(3),
    Column::number("ledger-seq").rank(3),
    Column::number("ledger-bonus").rank(2),
    Column::number("ledger-points"),
    Column::number("ledger-explain"),
];
/// The place of the points among the columns.
const POINTS: usize = 5;

pub(super) async fn of(visit: &Visit<'_>, user: &User) -> Result<Markup, PageError> {
    let (page, asked_for) = (visit.page(ROWS), Asked::of(visit));
    let filter = asked_for.filter(visit);
    let is_part = filter.kind.is_some() || filter.has_bonus || filter.source_part.is_some();
    let entries = visit.served.data.entries_by_time(&user.id, &filter, page).await?;
    let window = page.window(entries.total);
    let may_explain = may(visit, Scope::CampaignsRead)?;
    let columns = if may_explain { &COLUMNS[..] } else { &COLUMNS[..COLUMNS.len() - 1] };
    let asked = visit.query(EXPLAIN).parse().ok().filter(|_| may_explain);
    let below = format!("{SECTION}/{}", segment(user.id.as_str()));
    let mut above = None;
    let mut days: Vec<(Day, Rows)> = Vec::new();
    for entry in &entries.items {
        let day = visit.served.local_time(entry.transaction.activity.created_at).day;
        let is_explained = asked == Some(entry.seq);
        let mut rows = vec![row(visit, entry, above, may_explain.then_some((&*below, is_explained)))];
        if is_explained {
            rows.push(vec![explanation(visit, entry).await?]);
        }
        above = (!is_prompt(entry)).then_some(entry.recorded_at);
        match days.last_mut() {
            Some((last, known)) if *last == day => known.extend(rows),
            _ => days.push((day, rows)),
        }
    }
    let mut groups = Vec::new();
    for (day, rows) in days {
        let sum = sum_of_day(visit, user, day, (&entries.items, &window, is_part)).await?;
        let mut heading = vec![html! {}; columns.len()];
        for (place, cell) in [(0, long_date(day, visit.words)), (POINTS, sum.unwrap_or_default())] {
            if let Some(found) = heading.get_mut(place) {
                *found = html! { (cell) };
            }
        }
        groups.push((heading, rows));
    }
    let is_filtered = filter != LedgerFilter::default();
    let all = format!("{}1", Asked::address(visit, &below, &[]));
    Ok(html! {
        @if !groups.is_empty() || is_filtered { (asked_for.bar(visit, &below)) }
        @if groups.is_empty() {
            (no_rows(visit, &window, is_filtered, ("member-ledger-empty", None), &all))
        } @else {
            (summed_table(visit, &visit.words.say("member-ledger"), columns, &groups))
        }
        (pager(visit.words, &window, &Asked::address(visit, &below, &asked_for.parameters())))
        @if !groups.is_empty() && !is_filtered { (parts(visit, &user.id, entries.total)) }
    })
}

/// What all rows of a day moved. A day at the end of a page may go on at the next one, so its rows are read. `None` for very many rows, and when
/// the list leaves out some rows of such a day.
async fn sum_of_day(
    visit: &Visit<'_>,
    user: &User,
    day: Day,
    (entries, window, is_part): (&[LedgerEntry], &PageWindow, bool),
) -> Result<Option<String>, PageError> {
    let day_of = |at| visit.served.local_time(at).day;
    let time_of = |entry: &LedgerEntry| entry.transaction.activity.created_at;
    let ends = [(entries.first(), window.from > 1), (entries.last(), window.to < window.total)];
    let mut cut =
        ends.into_iter().filter(|(_, goes_on)| *goes_on).filter_map(|(entry, _)| Some(time_of(entry?)));
    let sum: i64 = if let Some(at) = cut.find(|at| day_of(*at) == day) {
        if is_part {
            return Ok(None);
        }
        let next = Day::from_days(day.as_days() + 1);
        let (from, until) = (visit.midnight(day), next.and_then(|next| visit.midnight(next)));
        let time = (from.unwrap_or(at.day().start()), until.unwrap_or(at.day().end()));
        let Some(rows) = visit.served.data.moved_points(&user.id, time, MOST_OF_DAY).await? else {
            return Ok(None);
        };
        // The next day begins at the end of this one.
        let rows = rows.iter().filter(|row| day_of(row.created_at) == day);
        rows.map(|row| row.points.saturating_add(row.bonus_points)).sum()
    } else {
        entries.iter().filter(|entry| day_of(time_of(entry)) == day).map(moved).sum()
    };
    Ok(Some(signed(sum, visit.words)))
}

fn moved(entry: &LedgerEntry) -> i64 {
    let activity = &entry.transaction.activity;
    activity.points.get().saturating_add(activity.bonuses.total().get())
}

/// Why the row has its bonuses, and the ways to more.
async fn explanation(visit: &Visit<'_>, entry: &LedgerEntry) -> Result<Markup, PageError> {
    let (words, transaction) = (visit.words, &entry.transaction);
    let explained = match transaction.bonus_origin {
        BonusOrigin::Campaigns { .. } | BonusOrigin::BackFill => {
            explain(&visit.context()?, &entry.user_id, &transaction.id).await?
        }
        // No campaign was asked.
        BonusOrigin::Undecided | BonusOrigin::BackOffice | BonusOrigin::Import => None,
    };
    let details = row_path(visit, &entry.user_id, transaction.id.as_str(), "");
    let may_reverse = may(visit, Scope::PointsReverse)?
        && order_of(visit, &transaction.activity).await?.is_none()
        && !reversals_of(&*visit.served.data, entry).await?.is_whole;
    Ok(html! {
        p .strong { (words.say(origin(transaction.bonus_origin))) }
        @if let Some(explained) = explained { (first_verdicts(visit, &explained).await?) }
        div .acts {
            @if may_reverse {
                a .button .danger href={ (details) "#reverse" } { (words.say("ledger-reverse-row")) }
            }
            a .button href=(details) { (words.say("ledger-details")) }
        }
    })
}

/// `above` is when the row above was recorded, if that was not when it happened. `explains` has the page, and whether the row is explained.
fn row(
    visit: &Visit<'_>,
    entry: &LedgerEntry,
    above: Option<Timestamp>,
    explains: Option<(&str, bool)>,
) -> Vec<Markup> {
    let LedgerEntry { user_id, seq, transaction, balance_after: _, recorded_at: _, hash: _, moves: _ } =
        entry;
    let (words, activity) = (visit.words, &transaction.activity);
    let (moved, bonuses) = (moved(entry), activity.bonuses.total().get());
    let details = row_path(visit, user_id, transaction.id.as_str(), "");
    // A narrow window has no column for the bonus.
    let bonus = (bonuses != 0).then(|| words.with("ledger-with-bonus", "points", signed(bonuses, words)));
    let mut cells = vec![
        html! {
            span .thing {
                span .no-picture { (icon(drawing(&activity.kind))) }
                span { (what(activity, words)) (recorded(visit, entry, above)) @if let Some(bonus) = &bonus { span .sub { (bonus) } } }
            }
        },
        html! { span .quiet { (clock_time(activity.created_at, &visit.served)) } },
        html! { span .mono .quiet { (clipped(activity.source_id.as_str(), SHOWN_CHARS)) } },
        html! { @if explains.is_some() { a .quiet href=(details) { (seq) } } @else { span .quiet { (seq) } } },
        html! { @if let Some(bonus) = &bonus { span .quiet { (bonus) } } },
        html! { span .strong .good[moved > 0] { (signed(moved, words)) } },
    ];
    if let Some((page, is_explained)) = explains {
        let number = seq.to_string();
        let value = if is_explained { "" } else { &number };
        let text = if is_explained { "ledger-explain-close" } else { "ledger-explain-link" };
        let address = visit.address_with(page, EXPLAIN, value);
        cells.push(html! { a #{ "row-" (seq) } href={ (address) "#row-" (seq) } { (words.say(text)) } });
    }
    cells
}

/// What an activity of this type looks like.
fn drawing(kind: &ActivityType) -> Icon {
    match kind.as_str() {
        "code" => Icon::Code,
        "video" => Icon::Video,
        "quiz" => Icon::Quiz,
        _ if kind.is_order() => Icon::Orders,
        _ => Icon::Star,
    }
}

/// What a member reads of the row: the subtitle says more than the title, which mostly repeats the type.
fn what(activity: &Activity, words: &Words) -> Markup {
    let [title, subtitle] = [&activity.title, &activity.subtitle].map(|text| clipped(text, SHOWN_CHARS));
    let kind = activity_type(activity.kind.as_str(), words);
    let is_refund = activity.kind.is_order() && activity.points > Points::ZERO;
    html! {
        @if is_refund { (words.say("ledger-refund")) " · " }
        @if activity.kind.is_order() && !subtitle.is_empty() { (title) " " span .quiet title=(kind) { (subtitle) } }
        @else if subtitle.is_empty() { (title) " " span .quiet { (kind) } }
        @else { (subtitle) " " span .quiet title=(kind) { (title) } }
    }
}

/// When the row was recorded, if that was at another time than it happened. Its number is of that moment. The rows of an
/// import have one time of recording, which stands in the first of them.
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
