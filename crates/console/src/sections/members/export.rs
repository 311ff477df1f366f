//! The ledger of a member as CSV files.

use maud::{Markup, html};
use pointbook_app::ports::LedgerEntry;
use pointbook_app::spreadsheet_text;
use pointbook_domain::{Bonus, UserId};
use pointbook_http_kernel::Response;
use pointbook_page_kit::{PageError, number};

use super::paths::{find, member_path};
use crate::csv_file::csv_file;
use crate::visit::Visit;

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
    let mut lines = csv::WriterBuilder::new().terminator(csv::Terminator::CRLF).from_writer(Vec::new());
    // A vector takes every byte.
    let _ = lines.write_record(COLUMNS);
    for entry in &entries.items {
        let _ = lines.write_record(cells(entry));
    }
    Ok(csv_file(&format!("ledger-{}.csv", page.number.get()), lines.into_inner().unwrap_or_default()))
}

/// Texts of members and of other systems never become formulas.
fn cells(entry: &LedgerEntry) -> [String; COLUMNS.len()] {
    let LedgerEntry { user_id: _, seq, transaction, balance_after, recorded_at, hash: _ } = entry;
    let activity = &transaction.activity;
    let bonus = |bonus: &Bonus| format!("{} {} {}", bonus.points.get(), bonus.kind, bonus.title);
    let bonuses: Vec<_> = activity.bonuses.breakdown().iter().map(bonus).collect();
    [
        seq.to_string(),
        recorded_at.to_string(),
        activity.created_at.to_string(),
        spreadsheet_text(activity.kind.to_string()),
        spreadsheet_text(activity.source_id.to_string()),
        activity.points.get().to_string(),
        activity.bonuses.total().get().to_string(),
        bonuses.join("; "),
        spreadsheet_text(activity.title.clone()),
        spreadsheet_text(activity.subtitle.clone()),
        balance_after.get().to_string(),
        spreadsheet_text(transaction.id.to_string()),
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
