use pointbook_domain::{Operator, OperatorSession, Picture, Webhook, WebhookAttempt, WebhookProgress};

use super::*;
use crate::schema::audit::{AuditedRow, AuditedUser, OrderOfProduct};
use crate::schema::{Cell, Group, TABLES, cells};

/// The columns of a group that its table does not have.
fn unknown_columns<G: Group>() -> Vec<String> {
    let names = |column: &Column| format!("{}.{} {:?}", G::TABLE.name, column.name, column.kind);
    let is_unknown = |column: &Column| {
        let is_tenant = column.name == G::TABLE.tenant_column;
        !is_tenant && !G::TABLE.columns.contains(column)
    };
    assert!(TABLES.contains(G::TABLE));
    G::list().iter().filter(|column| is_unknown(column)).map(names).collect()
}

#[test]
fn groups_only_have_columns_of_their_tables() {
    macro_rules! all {
        ($($group:ty)+) => { [$(unknown_columns::<$group>()),+].concat() };
    }
    let unknown = all!(
        Tenant NewTenant<'_> User AccountState UserRow MemberProfile TenantClock CatalogueState TreeRow Product ProductRow
        ProductOffer StockRow OrderedPieces Transaction Activity LedgerEntry EntryRow HistoryLine<'_>
        RawHistoryLine<'_> Order OrderedProduct Operator OperatorSession KeptRequest<'_> SealedDataKey JobId JobRow TenantSecret
        TokenRecord AuditedUser AuditedRow OrderOfProduct
        Webhook WebhookProgress WebhookAttempt Picture PictureBytes
    );
    assert_eq!(unknown, [""; 0]);
}

/// `docs/operating/copy.md` says so.
#[test]
fn feed_is_copied_after_its_blocks_and_the_webhooks_and_tokens_come_last() {
    let names: Vec<_> = TABLES.iter().filter(|table| table.is_copied).map(|table| table.name).collect();
    assert!(
        names.ends_with(&["webhooks", "webhook_progress", "feed_blocks", "feeds", "tokens"]),
        "{names:?}"
    );
}

/// A row without a driver.
struct Row(Vec<Cell>);

impl Source for Row {
    fn integer(&self, column: usize) -> Result<Option<i64>, String> {
        match self.0[column] {
            Cell::Integer(number) => Ok(Some(number)),
            Cell::Null => Ok(None),
            Cell::Text(_) | Cell::Bytes(_) => Err("not a number".to_owned()),
        }
    }

    fn truth(&self, column: usize) -> Result<Option<bool>, String> {
        Ok(self.integer(column)?.map(|number| number != 0))
    }

    fn text(&self, column: usize) -> Result<Option<&str>, String> {
        if let Cell::Text(text) = &self.0[column] { Ok(Some(text)) } else { Ok(None) }
    }

    fn raw_text(&self, column: usize) -> Result<Option<&[u8]>, String> {
        Ok(self.text(column)?.map(str::as_bytes))
    }

    fn bytes(&self, column: usize) -> Result<Option<&[u8]>, String> {
        if let Cell::Bytes(bytes) = &self.0[column] { Ok(Some(bytes)) } else { Ok(None) }
    }

    fn is_null(&self, column: usize) -> bool {
        self.0[column] == Cell::Null
    }

    fn column_name(&self, column: usize) -> &str {
        ["hash", "user_id", "kind", "last"][column]
    }

    fn describe(&self, column: usize) -> String {
        format!("{:?}", self.0[column])
    }
}

fn text(text: &str) -> Cell {
    Cell::Text(text.into())
}

#[test]
fn outer_join_without_match_is_none() {
    let row = |kind, user| Row(vec![Cell::Integer(7), user, kind, Cell::Integer(9)]);
    let read = |row: Row| Record::new("tokens", 1, &row).read::<(u64, Option<(String, String)>, u64)>();
    assert_eq!(read(row(text("b"), text("a"))).unwrap(), (7, Some(("a".into(), "b".into())), 9));
    assert_eq!(read(row(Cell::Null, Cell::Null)).unwrap(), (7, None, 9));
}

#[test]
fn error_names_table_key_and_column() {
    let row = Row(vec![Cell::Integer(7), text("ann"), text("super_user"), Cell::Integer(-1)]);
    let record = Record::new("tokens", 1, &row);
    let error = record.read::<(u64, TokenKind)>().unwrap_err();
    assert_eq!(error.0, "table tokens, key (Integer(7)), column kind: does not match the user_id");
    let error = record.read::<(u64, String, String, u64)>().unwrap_err();
    assert_eq!(error.0, "table tokens, key (Integer(7)), column last: a count out of range");
}

#[test]
fn token_is_written_to_the_columns_it_is_read_from() {
    let user = UserId::new("ann").unwrap();
    let names: Vec<_> = TokenRecord::list().iter().map(|column| column.name).skip(1).take(2).collect();
    let kind = TokenKind::Customer(user);
    assert_eq!(names, ["user_id", "kind"]);
    assert_eq!(cells(&kind), [CellRef::Text("ann".into()), CellRef::Text("customer".into())]);
    assert_eq!(cells(&TokenKind::SuperUser), [CellRef::Null, CellRef::Text("super_user".into())]);
}
