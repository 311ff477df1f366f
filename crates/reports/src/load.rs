//! Reads what the count of ledger rows needs.

use std::collections::{BTreeSet, HashMap};

use pointbook_domain::{Activity, Order, OrderId, Points, Transaction, TransactionId, UserId};
use pointbook_store::ports::{Query, RowReader, read_all};
use pointbook_store::schema::rows::{AwardRow, LedgerEntry, MemberRow};
use pointbook_store::{StoreError, StoreResult};

use crate::count::{Loaded, Member};
use crate::sums::Sums;

/// The members of the rows, and the orders, awards and transactions that the rows refer to.
pub(crate) async fn load(reader: &dyn RowReader, rows: &[LedgerEntry]) -> StoreResult<Loaded> {
    let users: BTreeSet<&str> = rows.iter().map(|entry| entry.user_id.as_str()).collect();
    let members = Query::of::<MemberRow>("member_figures", &["user_id"]).one_of("user_id", users);
    let members: Vec<MemberRow> = read_all(reader, members).await?;
    Ok(Loaded {
        members: members
            .into_iter()
            .map(|row| Ok((row.user_id.clone(), member(row)?)))
            .collect::<StoreResult<_>>()?,
        orders: orders(reader, rows).await?,
        awards: awards(reader, rows).await?,
        reversed: reversed(reader, rows).await?,
    })
}

fn member(row: MemberRow) -> StoreResult<Member> {
    let user_id = row.user_id.clone();
    let what = || StoreError::Corrupt(format!("table member_figures, key ({user_id:?}): cannot be read"));
    Member::from_row(row).ok_or_else(what)
}

async fn orders(reader: &dyn RowReader, rows: &[LedgerEntry]) -> StoreResult<HashMap<String, Order>> {
    let activities = rows.iter().map(|entry| &entry.transaction.activity);
    let ids = activities.filter(|activity| activity.kind.is_order());
    let ids: BTreeSet<&str> =
        ids.flat_map(|activity| OrderId::candidates(activity.source_id.as_str())).collect();
    if ids.is_empty() {
        return Ok(HashMap::new());
    }
    let orders: Vec<Order> =
        read_all(reader, Query::of::<Order>("orders", &["id"]).one_of("id", ids)).await?;
    Ok(orders.into_iter().map(|order| (order.id.as_str().to_owned(), order)).collect())
}

async fn awards(
    reader: &dyn RowReader,
    rows: &[LedgerEntry],
) -> StoreResult<HashMap<(UserId, u64), Vec<AwardRow>>> {
    let with_bonus = rows.iter().filter(|entry| entry.transaction.activity.bonuses.total() > Points::ZERO);
    let keys: Vec<_> = with_bonus.map(|entry| (entry.user_id.as_str(), entry.seq)).collect();
    if keys.is_empty() {
        return Ok(HashMap::new());
    }
    let awards = Query::of::<AwardRow>("awards", &["user_id", "campaign_id", "day", "seq"]);
    let awards = awards.with_key(&["user_id", "seq"], keys);
    let mut found: HashMap<_, Vec<AwardRow>> = HashMap::new();
    for award in read_all::<AwardRow>(reader, awards).await? {
        found.entry((award.user_id.clone(), award.seq)).or_default().push(award);
    }
    Ok(found)
}

async fn reversed(
    reader: &dyn RowReader,
    rows: &[LedgerEntry],
) -> StoreResult<HashMap<(UserId, TransactionId), Activity>> {
    let mut found = HashMap::new();
    for entry in rows {
        let user_id = &entry.user_id;
        let mut next = wanted(user_id, &entry.transaction.activity, &found);
        while let Some(id) = next {
            let reversed = Query::of::<LedgerEntry>("reversed", &["seq"]);
            let reversed = reversed.equal("user_id", Some(user_id)).equal("id", Some(&id)).limit(1);
            let Some(entry) = read_all::<LedgerEntry>(reader, reversed).await?.pop() else { break };
            let Transaction { id, activity, .. } = entry.transaction;
            next = wanted(user_id, &activity, &found);
            found.insert((user_id.clone(), id), activity);
        }
    }
    Ok(found)
}

/// The id of the transaction that this one reverses, unless it was found before.
fn wanted(
    user_id: &UserId,
    activity: &Activity,
    found: &HashMap<(UserId, TransactionId), Activity>,
) -> Option<TransactionId> {
    let id = TransactionId::new(activity.source_id.reversed_transaction()?).ok()?;
    (!found.contains_key(&(user_id.clone(), id.clone()))).then_some(id)
}

/// The stored sums under the keys of these sums.
pub(crate) async fn stored_sums(reader: &dyn RowReader, sums: &Sums) -> StoreResult<Sums> {
    let mut stored = Sums::default();
    for (table, keys) in sums.keys() {
        let columns: Vec<&'static str> = table.key().iter().map(|column| column.name).collect();
        for row in reader.rows(&Query::of_table("sums", table).with_key(&columns, keys)).await? {
            stored.add_stored(table, row);
        }
    }
    Ok(stored)
}
