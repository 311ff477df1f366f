//! Converts rows to the facts of an audit. An invalid value is a fact too, so that the audit reports every invalid row and
//! not only the first. A reader fails only when it cannot tell which user owns the row.

use pointbook_domain::audit::{AuditFact, RowContent, StoredLots, StoredRow, StoredUser, UnreadableRow};
use pointbook_domain::expiry::Moves;
use pointbook_domain::ledger::ChainHash;
use pointbook_domain::{Order, OrderId, Points, ProductId, Timestamp, Transaction, TransactionId, UserId};

use crate::schema::{ColumnAt, Corrupt, Group, Read, Record, Source};

rows! {
    /// A user's account. The balance and the counts may be invalid.
    AuditedUser of USERS / 1, read {
        id: UserId, balance: i64, day_count: i64, last_seq: i64, last_hash: Result<ChainHash, Corrupt>,
        earned as "earned_counts": String, lots: Option<String>, next_expiry_on: Option<i64>,
    }

    /// A change of lots without a row.
    AuditedLotChange of LOT_CHANGES / 3, read {
        user_id: UserId, after_seq: i64, changed_at: ColumnAt, moves: Result<Moves, Corrupt>,
    }

    /// The first columns of an order.
    OrderOwner of ORDERS / 1, read {
        id: ColumnAt, number: ColumnAt, user_id: UserId,
    }

    /// An order whose product is missing.
    OrderOfProduct of ORDERS / 1, read {
        id: Result<OrderId, Corrupt>, product_id: Result<ProductId, Corrupt>, user_id: UserId,
    }

    /// An award. The numbers may be invalid.
    AuditedAward of AWARDS / 4, read {
        user_id: UserId, campaign_id: String, day: ColumnAt, seq: i64, points: i64,
    }

    /// A ledger row. All columns but the key may be invalid.
    AuditedRow of TRANSACTIONS / 2, read {
        user_id: UserId, seq: i64, transaction: Result<Transaction, Corrupt>,
        balance_after: Result<Points, Corrupt>, recorded_at: Result<Timestamp, Corrupt>,
        hash: Result<ChainHash, Corrupt>, bonus_points: i64, moves: Option<Result<Moves, Corrupt>>,
    }

    /// The first columns of [`AuditedRow`] as primitive values.
    UncheckedRow of TRANSACTIONS / 2, read {
        user_id: ColumnAt, seq: ColumnAt, id: Result<TransactionId, Corrupt>, created_at: i64, kind as "type": String,
        source_id: String, points: i64, bonus_breakdown: ColumnAt, title: ColumnAt, subtitle: ColumnAt,
        attributes: ColumnAt, bonus_origin: ColumnAt, balance_after: i64,
    }
}

/// A fact and the user it concerns.
pub type OwnedFact = (UserId, AuditFact);

/// Replaces a hash of the wrong length. No row has this hash.
const NO_HASH: ChainHash = [0xff; 32];

fn read<'r, T: Read<'r> + Group>(row: &'r impl Source) -> Result<T, Corrupt> {
    Record::new(T::TABLE.name, T::KEY, row).read()
}

/// Reads an [`AuditedUser`].
pub fn user(row: &impl Source) -> Result<OwnedFact, Corrupt> {
    let AuditedUser { id, balance, day_count, last_seq, last_hash, earned, lots, next_expiry_on } =
        read(row)?;
    let (last_hash, lots) = (last_hash.unwrap_or(NO_HASH), StoredLots { lots, next_expiry_on });
    Ok((id, AuditFact::User(StoredUser { balance, day_count, last_seq, last_hash, earned, lots })))
}

/// Reads an [`Order`].
pub fn order(row: &impl Source) -> Result<OwnedFact, Corrupt> {
    let fact = match read::<Order>(row) {
        Ok(order) => AuditFact::Order(Box::new(order)),
        Err(Corrupt(what)) => AuditFact::Unreadable(what),
    };
    Ok((read::<OrderOwner>(row)?.user_id, fact))
}

/// Reads an [`OrderOfProduct`].
pub fn order_without_product(row: &impl Source) -> Result<OwnedFact, Corrupt> {
    let OrderOfProduct { id, product_id, user_id } = read(row)?;
    let fact = match id.and_then(|order| Ok((order, product_id?))) {
        Ok((order, product)) => AuditFact::ProductMissing { order, product },
        Err(Corrupt(what)) => AuditFact::Unreadable(what),
    };
    Ok((user_id, fact))
}

/// Reads an [`AuditedAward`].
pub fn award(row: &impl Source) -> Result<OwnedFact, Corrupt> {
    let AuditedAward { user_id, campaign_id, day: _, seq, points } = read(row)?;
    Ok((user_id, AuditFact::Award { campaign_id, seq, points }))
}

/// Reads an [`AuditedLotChange`].
pub fn lot_change(row: &impl Source) -> Result<OwnedFact, Corrupt> {
    let AuditedLotChange { user_id, after_seq, changed_at: _, moves } = read(row)?;
    let fact = match moves {
        Ok(moves) => AuditFact::LotChange { after_seq, moves },
        Err(Corrupt(what)) => AuditFact::Unreadable(what),
    };
    Ok((user_id, fact))
}

/// Reads an [`AuditedRow`].
pub fn transaction(row: &impl Source) -> Result<OwnedFact, Corrupt> {
    let AuditedRow { user_id, seq, transaction, balance_after, recorded_at, hash, bonus_points, moves } =
        read(row)?;
    let content = transaction.and_then(|transaction| {
        let (balance_after, recorded_at, moves) = (balance_after?, recorded_at?, moves.transpose()?);
        Ok(RowContent { transaction, balance_after, recorded_at, moves })
    });
    let content = match content {
        Ok(content) => Ok(content),
        Err(Corrupt(why)) => Err(as_stored(read(row)?, why)),
    };
    let row = StoredRow { seq, hash: hash.unwrap_or(NO_HASH), bonus_points, content };
    Ok((user_id, AuditFact::Row(Box::new(row))))
}

fn as_stored(row: UncheckedRow, why: String) -> UnreadableRow {
    let UncheckedRow { id, created_at, kind, source_id, points, balance_after, .. } = row;
    let id = id.map_or_else(|_| "?".to_owned(), |id| id.to_string());
    UnreadableRow { id, kind, source_id, points, created_at, balance_after, why }
}
