//! A transaction as the back office sees it: the documented members, and its place in the ledger.

use pointbook_http::describe::{Sample, Schema};
use pointbook_http::view;
use pointbook_http::views::values::DateTimeView;
use pointbook_store::ports::LedgerEntry;

use crate::earning::view::{AttributesView, TransactionView};

view! {
    pub struct LedgerEntryView<'e> as "LedgerEntry" {
        #[serde(flatten)]
        transaction: TransactionView<'e>,
        id: &'e str => Schema::id(),
        /// The id of the cause in the system that reported the activity.
        source_id: &'e str => Schema::id(),
        /// Present only when the activity has some.
        #[serde(skip_serializing_if = "Option::is_none")]
        attributes: Option<AttributesView<'e>>,
        /// The position among the transactions of the user, in the order of recording, from 1.
        seq: u64,
        /// The balance of the user after this transaction.
        balance_after: i64 => Schema::points(),
        /// When the server recorded it; `created_at` may be earlier.
        recorded_at: DateTimeView,
    }
}

impl Sample for LedgerEntryView<'_> {
    const SAMPLE: &'static str = include_str!("ledger_entry.json");
}

impl<'e> From<&'e LedgerEntry> for LedgerEntryView<'e> {
    fn from(entry: &'e LedgerEntry) -> Self {
        let LedgerEntry { user_id: _, seq, transaction, balance_after, recorded_at, hash: _, moves: _ } =
            entry;
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
