//! A transaction as the back office sees it: the documented members, and its place in the ledger.

use pointbook_http::describe::{Schema, required};
use pointbook_http::views::values::DateTimeView;
use pointbook_store::ports::LedgerEntry;
use serde::Serialize;

use crate::earning::view::{AttributesView, TransactionView, attributes_field, transaction_fields};

#[derive(Serialize)]
pub struct LedgerEntryView<'e> {
    #[serde(flatten)]
    transaction: TransactionView<'e>,
    id: &'e str,
    source_id: &'e str,
    #[serde(skip_serializing_if = "Option::is_none")]
    attributes: Option<AttributesView<'e>>,
    seq: u64,
    balance_after: i64,
    recorded_at: DateTimeView,
}

impl<'e> From<&'e LedgerEntry> for LedgerEntryView<'e> {
    fn from(entry: &'e LedgerEntry) -> Self {
        let LedgerEntry { user_id: _, seq, transaction, balance_after, recorded_at, hash: _ } = entry;
        Self {
            transaction: transaction.into(),
            id: transaction.id.as_str(),
            source_id: transaction.activity.source_id.as_str(),
            attributes: AttributesView::of(&transaction.activity),
            seq: *seq,
            balance_after: balance_after.get(),
            recorded_at: DateTimeView(*recorded_at),
        }
    }
}

pub fn ledger_entry_schema() -> Schema {
    let seq = Schema::count()
        .describe("The position among the transactions of the user, in the order of recording, from 1.");
    let recorded_at =
        Schema::date_time().describe("When the server recorded it; `created_at` may be earlier.");
    let known_by = [
        required("id", Schema::id()),
        required(
            "source_id",
            Schema::id().describe("The id of the cause in the system that reported the activity."),
        ),
        attributes_field(),
        required("seq", seq),
        required(
            "balance_after",
            Schema::points().describe("The balance of the user after this transaction."),
        ),
        required("recorded_at", recorded_at),
    ];
    Schema::object(transaction_fields().into_iter().chain(known_by))
}
