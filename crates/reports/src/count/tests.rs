use pointbook_domain::ledger::CHAIN_START;
use pointbook_domain::{Activity, ActivityType, BonusOrigin, SourceId, Transaction};

use super::*;

fn entry(user: &str, seq: u64) -> LedgerEntry {
    let at = pointbook_domain::Timestamp::from_micros(0).unwrap();
    let activity = Activity {
        kind: ActivityType::new("code").unwrap(),
        source_id: SourceId::new(format!("s{seq}")).unwrap(),
        points: Points::new(5).unwrap(),
        bonuses: pointbook_domain::Bonuses::default(),
        title: String::new(),
        subtitle: String::new(),
        created_at: at,
        attributes: pointbook_domain::Attributes::NONE,
    };
    let id = TransactionId::new(format!("{user}-{seq}")).unwrap();
    LedgerEntry {
        user_id: UserId::new(user).unwrap(),
        seq,
        transaction: Transaction { id, activity, bonus_origin: BonusOrigin::default() },
        balance_after: Points::ZERO,
        recorded_at: at,
        hash: CHAIN_START,
        moves: None,
    }
}

fn counted(rows: &[LedgerEntry], origin: Rows, before: &Counted) -> Result<Counted, Gap> {
    let members = before.members.clone().into_iter().collect();
    count(rows, origin, Loaded { members, ..Loaded::default() }, &Zone::UTC)
}

#[test]
fn rows_that_are_counted_change_nothing() {
    let rows = [entry("ann", 1), entry("ann", 2), entry("ben", 1)];
    let first = counted(&rows, Rows::OfLedger, &Counted::default()).unwrap();
    assert_eq!(first.members.len(), 2);
    for origin in [Rows::OfLedger, Rows::OfEvents] {
        assert_eq!(counted(&rows, origin, &first), Ok(Counted::default()));
    }
    let more = [entry("ann", 2), entry("ben", 1), entry("ben", 2)];
    let more = counted(&more, Rows::OfEvents, &first).unwrap();
    let changed: Vec<&str> = more.members.keys().map(UserId::as_str).collect();
    assert_eq!(changed, ["ben"], "ann has no new row and is not written");
}

#[test]
fn a_row_after_rows_that_were_never_counted_is_a_gap() {
    let rows = [entry("ann", 2)];
    assert_eq!(counted(&rows, Rows::OfEvents, &Counted::default()), Err(Gap));
    assert!(counted(&rows, Rows::OfLedger, &Counted::default()).is_ok());
}
