//! Facts made by hand, and the decisions of commands about them.
#![expect(clippy::unwrap_used, reason = "what cannot happen ends a test")]

use std::sync::Arc;

use pointbook_domain::ledger::CHAIN_START;
use pointbook_domain::{
    Activity, ActivityType, Bonuses, Day, OrderId, Points, Price, Product, ProductId, Quantity, SourceId,
    Timestamp, Transaction, TransactionId, UserId,
};
use pointbook_points::orders::place::PlaceOrder;

use pointbook_store::commands::{
    AccountState, Addition, AwardRange, Command, CommandError, Facts, Needs, Overdraft, ProductFacts,
    Reported, StockGuard, StoredEntry,
};
use pointbook_store::ports::{NewOrder, NewTransaction, PlaceOrderOutcome};
use pointbook_store::schema::rows::{AwardRow, MemberProfile, UserAccount};

fn noon() -> Timestamp {
    Timestamp::from_micros(1_700_000_000_000_000).unwrap()
}

fn user() -> UserId {
    UserId::new("u1").unwrap()
}

fn mug() -> ProductId {
    ProductId::new("mug").unwrap()
}

fn product(price: i64, stock: Option<u32>) -> ProductFacts {
    let product = Product {
        id: mug(),
        sku: "M".into(),
        title: "Mug".into(),
        description: String::new(),
        description_source: String::new(),
        regular_price: Price::new(price).unwrap(),
        sale_price: None,
        thumbnail: String::new(),
        gallery: vec![],
        categories: vec![],
        stock,
        popular: false,
        published_at: noon(),
        active: true,
    };
    ProductFacts { product, is_retired: false, reserved: 0, version: 7, low_stock_threshold: 5 }
}

fn account(balance: i64) -> AccountState {
    let balance = Points::new(balance).unwrap();
    AccountState {
        balance,
        day_count: 3,
        last_seq: 9,
        last_hash: CHAIN_START,
        earned: pointbook_domain::EarnedCounts::NONE,
    }
}

fn order(id: &str, pieces: i64) -> PlaceOrder {
    PlaceOrder(NewOrder {
        id: OrderId::new(id).unwrap(),
        number: format!("N-{id}"),
        transaction_id: TransactionId::new(id).unwrap(),
        user_id: user(),
        product_id: mug(),
        quantity: Quantity::new(pieces).unwrap(),
        at: noon(),
    })
}

fn needs(commands: &[&PlaceOrder], facts: &Facts) -> Needs {
    let mut needs = Needs::default();
    for command in commands {
        command.needs(&mut needs);
    }
    facts.missing(needs)
}

/// A user with this balance, a product, and nothing else.
fn facts(points: i64, product: ProductFacts, commands: &[&PlaceOrder]) -> Facts {
    let mut facts = Facts::default();
    let member =
        MemberProfile { birth_date: None, birth_date_set_at: None, locale: None, created_at: noon() };
    facts.put_account(user(), Some(UserAccount { id: user(), state: account(points), member }));
    facts.put_product(mug(), Some(product));
    let rest = needs(commands, &facts);
    facts.put_absent(rest, true);
    facts
}

fn balance_after(outcome: &PlaceOrderOutcome) -> Option<i64> {
    match outcome {
        PlaceOrderOutcome::Placed(written) => Some(written.user_points.get()),
        PlaceOrderOutcome::Refused(_) => None,
    }
}

#[test]
fn commands_of_a_group_see_what_the_ones_before_changed() {
    let (first, second, third) = (order("o1", 2), order("o2", 2), order("o3", 2));
    let mut facts = facts(1_000, product(200, Some(10)), &[&first, &second, &third]);
    let outcomes = [&first, &second, &third].map(|command| command.decide(&mut facts).unwrap());
    assert_eq!(outcomes.each_ref().map(balance_after), [Some(600), Some(200), None]);
    let changes = facts.into_changes();
    let seqs: Vec<u64> = changes.entries.iter().map(|entry| entry.seq).collect();
    assert_eq!((seqs, changes.new_orders.len()), (vec![10, 11], 2));
    assert_eq!(changes.accounts.len(), 1, "a user's row is written once");
    assert_eq!(changes.accounts[0].before, Some(account(1_000)));
    assert_eq!((changes.accounts[0].after.last_seq, changes.accounts[0].after.day_count), (11, 4));
    assert_eq!(changes.days.iter().map(|day| day.added).collect::<Vec<_>>(), [2]);
    assert_eq!(
        changes.stocks.iter().map(|stock| (stock.stock, stock.reserved)).collect::<Vec<_>>(),
        [(-4, 4)]
    );
}

#[test]
fn a_change_that_no_client_sees_is_guarded_by_the_bounds_of_its_class() {
    let guard = |stock: Option<u32>, pieces| {
        let command = order("o1", pieces);
        let mut facts = facts(1_000, product(1, stock), &[&command]);
        command.decide(&mut facts).unwrap();
        facts.into_changes().stocks.remove(0).guard
    };
    let unseen = |bounds| StockGuard::Unseen { version: 7, bounds };
    assert_eq!(guard(Some(9), 1), unseen(Some((6, u32::MAX))));
    assert_eq!(guard(Some(5), 1), unseen(Some((1, 5))));
    assert_eq!(guard(None, 1), unseen(None));
    assert_eq!(guard(Some(6), 1), StockGuard::Shown { version: 7, stock: 6 });
    assert_eq!(guard(Some(1), 1), StockGuard::Shown { version: 7, stock: 1 });
}

#[test]
fn a_refused_command_changes_nothing() {
    let command = order("o1", 1);
    let mut facts = facts(199, product(200, Some(10)), &[&command]);
    assert_eq!(balance_after(&command.decide(&mut facts).unwrap()), None);
    let changes = facts.into_changes();
    let is_empty = changes.accounts.is_empty()
        && changes.entries.is_empty()
        && changes.days.is_empty()
        && changes.stocks.is_empty()
        && changes.new_orders.is_empty();
    assert!(is_empty);
}

#[test]
fn facts_that_were_not_loaded_are_no_absent_ones() {
    let command = order("o1", 1);
    let mut facts = Facts::default();
    facts.put_product(mug(), Some(product(1, None)));
    assert!(matches!(command.decide(&mut facts), Err(CommandError::Corrupt(_))));
    // Another writer may hold the account, so it stays missing.
    let rest = needs(&[&command], &facts);
    facts.put_absent(rest, false);
    let rest = needs(&[&command], &facts);
    assert_eq!(rest.accounts, [user()].into());
    assert_eq!(rest.entries.len(), 1, "what was read beside it may be old when it is held");
}

#[test]
fn a_row_of_an_order_is_recorded_by_the_order_alone() {
    let activity = |points, source: &str| Activity {
        kind: ActivityType::order(),
        source_id: SourceId::new(source).unwrap(),
        points: Points::new(points).unwrap(),
        bonuses: Bonuses::default(),
        title: String::new(),
        subtitle: String::new(),
        created_at: noon(),
        attributes: pointbook_domain::Attributes::NONE,
    };
    let report = |source: &str| {
        let transaction = Transaction {
            id: TransactionId::new(source).unwrap(),
            activity: activity(5, source),
            bonus_origin: pointbook_domain::BonusOrigin::Undecided,
        };
        Reported::from(NewTransaction { user_id: user(), transaction })
    };
    let reports = ["o1", "o1:refund", "elsewhere"].map(report);
    let mut facts = Facts::default();
    facts.put_order_name("o1".to_owned(), true);
    let mut needs = Needs::default();
    for report in &reports {
        needs.reported(report);
    }
    facts.put_absent(needs, true);
    let added = reports.map(|report| {
        let addition = facts.record_reported(&report, noon(), Overdraft::Refused).unwrap();
        addition.is_some_and(|addition| matches!(addition, Addition::Added { .. }))
    });
    assert_eq!(added, [false, false, true]);
    let again = Arc::new(Transaction {
        id: TransactionId::new("x").unwrap(),
        activity: activity(5, "elsewhere"),
        bonus_origin: pointbook_domain::BonusOrigin::Undecided,
    });
    let addition = facts.record(&user(), &again, noon(), Overdraft::Refused).unwrap();
    assert!(matches!(addition, Addition::AlreadyRecorded(StoredEntry { seq: 1, .. })));
}

#[test]
fn an_award_belongs_to_the_ranges_of_its_user_and_campaign_with_its_day() {
    let day = |number| Day::from_days(number).unwrap();
    let ever = (Timestamp::MIN.day(), Timestamp::MAX.day());
    let range = |user: &str, campaign: &str, days| AwardRange {
        user_id: UserId::new(user).unwrap(),
        campaign_id: campaign.to_owned(),
        days,
    };
    let with = [ever, (day(1), day(5)), (day(5), day(5)), (day(5), day(9))];
    let without = [(day(1), day(4)), (day(6), day(6))];
    let neighbours = [("u0", "b"), ("u1", "a"), ("u1", "c"), ("u1", "b1"), ("u2", "b")];
    let mut facts = Facts::default();
    for days in with.into_iter().chain(without) {
        facts.put_awards(range("u1", "b", days), Vec::new());
        for (user, campaign) in neighbours {
            facts.put_awards(range(user, campaign, days), Vec::new());
        }
    }
    let (campaign_id, points) = ("b".to_owned(), Points::new(7).unwrap());
    let award =
        AwardRow { user_id: user(), campaign_id, day: day(5), seq: 1, version: 1, points, birthday: None };
    facts.add_awards(std::slice::from_ref(&award));
    let known = |user, campaign, days| facts.awards(&range(user, campaign, days)).unwrap();
    assert!(with.into_iter().all(|days| known("u1", "b", days) == [award.clone()]));
    assert!(without.into_iter().all(|days| known("u1", "b", days).is_empty()));
    for (user, campaign) in neighbours {
        assert!(with.into_iter().all(|days| known(user, campaign, days).is_empty()), "{user} {campaign}");
    }
}
