//! What a store that is in order says of one user, made by hand, and what an auditor says of that.

use std::collections::BTreeSet;

use pointbook_domain::audit::{
    AuditFact, AuditedUser, Auditor, RowContent, StoredLots, StoredRow, StoredUser,
};
use pointbook_domain::expiry::Moves;
use pointbook_domain::ledger::{CHAIN_START, ChainHash, LedgerRow};
use pointbook_domain::{
    Activity, ActivityType, Bonus, Bonuses, EarnedCounts, Order, Points, SourceId, Timestamp, Transaction,
    TransactionId, UserId,
};

const DAY_MICROS: i64 = 86_400_000_000;

/// The facts of one user, each open to be broken.
#[derive(Debug, Clone)]
pub(crate) struct Facts {
    pub(crate) user: Option<StoredUser>,
    pub(crate) orders: Vec<Order>,
    /// The `seq` and the points of each award.
    pub(crate) awards: Vec<(i64, i64)>,
    /// The `seq` of the row before each change of lots, and what it moved.
    pub(crate) lot_changes: Vec<(i64, Moves)>,
    pub(crate) rows: Vec<StoredRow>,
}

impl Facts {
    /// What a store remembers of these activities of the first user.
    pub(crate) fn of(activities: impl IntoIterator<Item = Activity>) -> Self {
        let (mut balance, mut last_hash) = (Points::ZERO, CHAIN_START);
        let (mut days, mut rows) = (BTreeSet::new(), Vec::new());
        let mut earned = EarnedCounts::NONE;
        for (seq, activity) in (1..).zip(activities) {
            balance = balance.checked_add(activity.net_points().unwrap()).unwrap();
            earned.add(&activity);
            days.insert(activity.created_at.day());
            let row = stored(seq, activity, balance, &last_hash);
            last_hash = row.hash;
            rows.push(row);
        }
        let (day_count, last_seq) = ((days.len() as u64).cast_signed(), (rows.len() as u64).cast_signed());
        let earned = earned.to_string();
        let user = Some(StoredUser {
            balance: balance.get(),
            day_count,
            last_seq,
            last_hash,
            earned,
            lots: StoredLots::default(),
        });
        Self { user, orders: Vec::new(), awards: Vec::new(), lot_changes: Vec::new(), rows }
    }

    pub(crate) fn in_order(self) -> Vec<AuditFact> {
        let user = self.user.map(AuditFact::User).into_iter();
        let orders = self.orders.into_iter().map(|order| AuditFact::Order(Box::new(order)));
        let award = |(seq, points)| AuditFact::Award { campaign_id: "spring".to_owned(), seq, points };
        let awards = self.awards.into_iter().map(award);
        let change = |(after_seq, moves)| AuditFact::LotChange { after_seq, moves };
        let changes = self.lot_changes.into_iter().map(change);
        let rows = self.rows.into_iter().map(|row| AuditFact::Row(Box::new(row)));
        user.chain(orders).chain(awards).chain(changes).chain(rows).collect()
    }

    /// What an auditor finds.
    pub(crate) fn differences(self) -> Vec<String> {
        let audited = audit([self.in_order()]);
        assert_eq!(audited.len(), 1);
        audited[0].differences.iter().map(|difference| difference.what.clone()).collect()
    }
}

/// The row of an activity of the first user, after the row with this hash.
pub(crate) fn stored(seq: i64, activity: Activity, balance_after: Points, before: &ChainHash) -> StoredRow {
    moving(seq, activity, balance_after, None, before)
}

/// The same, with what it moved in lots.
pub(crate) fn moving(
    seq: i64,
    activity: Activity,
    balance_after: Points,
    moves: Option<Moves>,
    before: &ChainHash,
) -> StoredRow {
    let id = TransactionId::new(format!("t-{}", activity.source_id)).unwrap();
    let transaction = Transaction { id, activity, bonus_origin: pointbook_domain::BonusOrigin::Undecided };
    let (user_id, recorded_at) = (&user_id(0), Timestamp::from_micros(seq).unwrap());
    let row = LedgerRow {
        user_id,
        seq: seq.cast_unsigned(),
        transaction: &transaction,
        balance_after,
        recorded_at,
        moves: moves.as_ref(),
    };
    let (hash, bonus_points) = (link(&row, before), transaction.activity.bonuses.total().get());
    StoredRow {
        seq,
        hash,
        bonus_points,
        content: Ok(RowContent { transaction, balance_after, recorded_at, moves }),
    }
}

/// Stands in for SHA-256, which this crate does not know: FNV-1a.
pub(crate) fn link(row: &LedgerRow<'_>, before: &ChainHash) -> ChainHash {
    let fold = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
    let hash = row.canonical_form(before).iter().fold(0xcbf2_9ce4_8422_2325, fold);
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&hash.to_be_bytes());
    bytes
}

pub(crate) fn audit(users: impl IntoIterator<Item = Vec<AuditFact>>) -> Vec<AuditedUser> {
    let mut auditor = Auditor::new(link);
    let mut audited = Vec::new();
    for (number, facts) in users.into_iter().enumerate() {
        audited.extend(facts.into_iter().filter_map(|fact| auditor.take(user_id(number), fact)));
    }
    audited.extend(auditor.finish());
    audited
}

pub(crate) fn user_id(number: usize) -> UserId {
    UserId::new(format!("u{number:03}")).unwrap()
}

pub(crate) fn scan(source: &str, day: i32, points: i64, bonus: i64) -> Activity {
    let bonus =
        Bonus { kind: "campaign".into(), points: Points::new(bonus).unwrap(), title: "Spring".into() };
    Activity {
        kind: ActivityType::new("code").unwrap(),
        source_id: SourceId::new(source).unwrap(),
        points: Points::new(points).unwrap(),
        bonuses: Bonuses::new(vec![bonus]).unwrap(),
        title: "Scan".into(),
        subtitle: "Tea".into(),
        created_at: on_day(day),
        attributes: pointbook_domain::Attributes::NONE,
    }
}

pub(crate) fn on_day(day: i32) -> Timestamp {
    Timestamp::from_micros(i64::from(day) * DAY_MICROS + 7).unwrap()
}

/// Three scans on two days, of 14 points altogether.
pub(crate) fn sample() -> Facts {
    Facts::of([scan("s1", 1, 10, 2), scan("s2", 1, -5, 0), scan("s3", 3, 7, 0)])
}

/// What a row of scans says, to be changed behind the service's back.
pub(crate) fn content(row: &mut StoredRow) -> &mut RowContent {
    row.content.as_mut().unwrap()
}

/// Faults of a scan.
pub(crate) fn faulty<T: AsRef<str>>(seq: i64, source: &str, faults: &[T]) -> String {
    let faults: Vec<&str> = faults.iter().map(AsRef::as_ref).collect();
    format!("transaction {seq} (code {source:?}, id \"t-{source}\"): {}", faults.join("; "))
}
