//! The ledger of a member as CSV files.

use maud::{Markup, html};
use pointbook_access::console_kit::Visit;
use pointbook_access::console_kit::csv_file::{CsvCell, csv_of_rows};
use pointbook_domain::{Bonus, UserId};
use pointbook_http::kernel::Response;
use pointbook_http::pages::{PageError, number};
use pointbook_store::ports::LedgerEntry;

use super::paths::{find, member_path};

/// A longer ledger has several files.
const ROWS: u32 = 5_000;
const COLUMNS: [&str; 12] = [
    "seq",
    "recorded_at",
    "created_at",
    "type",
    "source_id",
    "points",
    "bonus_points",
    "bonuses",
    "title",
    "subtitle",
    "balance_after",
    "id",
];

/// A page of the list of transactions, the newest first.
pub(super) async fn export(visit: &Visit<'_>) -> Result<Response, PageError> {
    let user = find(visit).await?;
    let page = visit.page(ROWS);
    let entries = visit.served.data.entries_of(&user.id, page).await?;
    let name = format!("ledger-{}.csv", page.number.get());
    Ok(csv_of_rows(&name, &COLUMNS, entries.items.iter().map(cells)))
}

fn cells(entry: &LedgerEntry) -> Vec<CsvCell> {
    let LedgerEntry { user_id: _, seq, transaction, balance_after, recorded_at, hash: _, moves: _ } = entry;
    let activity = &transaction.activity;
    let bonus = |bonus: &Bonus| format!("{} {} {}", bonus.points.get(), bonus.kind, bonus.title);
    let bonuses: Vec<_> = activity.bonuses.breakdown().iter().map(bonus).collect();
    vec![
        CsvCell::text(seq),
        CsvCell::text(recorded_at),
        CsvCell::text(&activity.created_at),
        CsvCell::text(&activity.kind),
        CsvCell::text(&activity.source_id),
        CsvCell::Number(activity.points.get()),
        CsvCell::Number(activity.bonuses.total().get()),
        CsvCell::Text(bonuses.join("; ")),
        CsvCell::text(&activity.title),
        CsvCell::text(&activity.subtitle),
        CsvCell::Number(balance_after.get()),
        CsvCell::text(&transaction.id),
    ]
}

/// Links to the files of a ledger with this many rows.
pub(super) fn parts(visit: &Visit<'_>, user: &UserId, total: u64) -> Markup {
    let words = visit.words;
    let files = total.div_ceil(u64::from(ROWS));
    let path = member_path(visit, user, "/ledger.csv?page=");
    let part = |file: u64| number(i64::try_from(file).unwrap_or(i64::MAX), words);
    html! {
        p .downloads {
            @if files == 1 {
                a href={ (path) "1" } { (words.say("member-export")) }
            } @else {
                @for file in 1..=files.min(MAX_LINKS) {
                    a href={ (path) (file) } { (words.with("member-export-part", "number", part(file))) } " "
                }
            }
        }
    }
}

/// The most files that a page links to.
const MAX_LINKS: u64 = 100;
