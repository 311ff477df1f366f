use pointbook_domain::ledger::CHAIN_START;
use pointbook_domain::{Attributes, BonusOrigin, Bonuses, Price, ProductId, Quantity, TransactionId};
use pointbook_store::commands::{Command, Guard};
use pointbook_store::ports::{NewOrder, PlaceOrderOutcome};
use pointbook_store::schema::Cell;
use pointbook_store::schema::rows::{CatalogueState, ProductOffer};

use super::*;
use crate::orders::place::PlaceOrder;

fn noon() -> Timestamp {
    Timestamp::from_micros(1_700_000_000_000_000).unwrap()
}

fn user() -> UserId {
    UserId::new("u1").unwrap()
}

fn product(price: i64, stock: Option<u32>) -> ProductOffer {
    ProductOffer {
        id: ProductId::new("mug").unwrap(),
        sku: "M".into(),
        title: "Mug".into(),
        regular_price: Price::new(price).unwrap(),
        sale_price: None,
        stock,
        popular: false,
        published_at: noon(),
        active: true,
        retired_at: None,
        reserved: 0,
        version: 7,
        stock_supplied: stock.map_or(0, i64::from),
    }
}

fn order(id: &str, pieces: i64) -> PlaceOrder {
    PlaceOrder::without_end(NewOrder {
        id: OrderId::new(id).unwrap(),
        number: format!("N-{id}"),
        transaction_id: TransactionId::new(id).unwrap(),
        user_id: user(),
        product_id: ProductId::new("mug").unwrap(),
        quantity: Quantity::new(pieces).unwrap(),
        at: noon(),
    })
}

/// A user with this balance, a product, and nothing else.
fn facts(points: i64, product: ProductOffer, commands: &[&PlaceOrder]) -> Facts {
    let mut facts = Facts::default();
    let balance = Points::new(points).unwrap();
    let (day_count, last_seq, last_hash) = (3, 9, CHAIN_START);
    let state = AccountState {
        balance,
        day_count,
        last_seq,
        last_hash,
        earned: EarnedCounts::NONE,
        lots: None,
        pending: None,
    };
    facts.load(UserRow { id: user(), state, profile: new_profile(noon()), disabled_at: None });
    facts.load(product);
    facts.load(CatalogueState { version: 20, low_stock_threshold: 5 });
    facts.put_any("transactions", rows_on(&user(), noon().day()), false);
    for command in commands {
        let spending = command.order.id.spending_source();
        facts.load_none::<EntryRow>(&(user(), ActivityType::order(), spending));
    }
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
    let state = facts.get::<UserRow>(&user()).unwrap().unwrap().state.clone();
    assert_eq!((state.last_seq, state.day_count), (11, 4));
    let offer = facts.get::<ProductOffer>("mug").unwrap().unwrap();
    assert_eq!((offer.stock, offer.reserved), (Some(6), 4));
    let changes = facts.into_changes();
    let count = |changes: Option<&pointbook_store::commands::TableChanges>| {
        changes.map(|changes| (changes.inserted.len(), changes.updated.len()))
    };
    assert_eq!(count(changes.of::<UserRow>()), Some((0, 1)), "a user's row is written once");
    assert_eq!(count(changes.of::<EntryRow>()), Some((2, 0)));
    assert_eq!(count(changes.of::<Order>()), Some((2, 0)));
    assert_eq!(count(changes.of::<ProductOffer>()), Some((0, 1)));
}

#[test]
fn a_change_that_no_client_sees_is_guarded_by_the_bounds_of_its_class() {
    let guards = |stock: Option<u32>, pieces| {
        let command = order("o1", pieces);
        let mut facts = facts(1_000, product(1, stock), &[&command]);
        command.decide(&mut facts).unwrap();
        let changes = facts.into_changes();
        let guards = changes.of::<ProductOffer>().unwrap().updated[0].guards().to_vec();
        (guards, changes.of::<CatalogueState>().is_some())
    };
    let always = [Guard::Within("reserved", [0, i64::MAX]), Guard::Is("version", Cell::Integer(7))];
    let with = |guard: Guard, raises: bool| ([&always[..], &[guard]].concat(), raises);
    assert_eq!(guards(Some(9), 1), with(Guard::Within("stock", [6, u32::MAX.into()]), false));
    assert_eq!(guards(Some(5), 1), with(Guard::Within("stock", [1, 5]), false));
    assert_eq!(guards(None, 1), (always.to_vec(), false));
    assert_eq!(guards(Some(6), 1), with(Guard::Is("stock", Cell::Integer(6)), true));
    assert_eq!(guards(Some(1), 1), with(Guard::Is("stock", Cell::Integer(1)), true));
}

#[test]
fn a_refused_command_changes_nothing() {
    let command = order("o1", 1);
    let mut facts = facts(199, product(200, Some(10)), &[&command]);
    assert_eq!(balance_after(&command.decide(&mut facts).unwrap()), None);
    assert_eq!(facts.into_changes().rows(), []);
}

#[test]
fn facts_that_were_not_loaded_are_no_absent_ones() {
    let command = order("o1", 1);
    let mut facts = Facts::default();
    facts.load(product(1, None));
    assert!(matches!(command.decide(&mut facts), Err(CommandError::Corrupt(_))));
}

#[test]
fn a_row_of_an_order_is_recorded_by_the_order_alone() {
    let transaction = |source: &str| Transaction {
        id: TransactionId::new(source).unwrap(),
        activity: Activity {
            kind: ActivityType::order(),
            source_id: SourceId::new(source).unwrap(),
            points: Points::new(5).unwrap(),
            bonuses: Bonuses::default(),
            title: String::new(),
            subtitle: String::new(),
            created_at: noon(),
            attributes: Attributes::NONE,
        },
        bonus_origin: BonusOrigin::Undecided,
    };
    let report =
        |source| Reported::from(NewTransaction { user_id: user(), transaction: transaction(source) });
    let reports = ["o1", "o1:refund", "elsewhere"].map(report);
    let mut facts = Facts::default();
    facts.load_none::<UserRow>(&user());
    facts.put_any("transactions", rows_on(&user(), noon().day()), false);
    for Reported { transaction, .. } in &reports {
        let Activity { kind, source_id, .. } = &transaction.activity;
        facts.load_none::<EntryRow>(&(user(), kind, source_id));
        for name in OrderId::candidates(source_id.as_str()) {
            facts.load_existence::<Order>(name, name == "o1");
        }
    }
    let terms = Terms::default();
    let recording = Recording { at: noon(), overdraft: Overdraft::Refused, terms: &terms };
    let added = reports.map(|report| {
        let addition = recording.record_reported(&mut facts, &report).unwrap();
        addition.is_some_and(|addition| matches!(addition, Addition::Added { .. }))
    });
    assert_eq!(added, [false, false, true]);
    let again = Arc::new(Transaction { id: TransactionId::new("x").unwrap(), ..transaction("elsewhere") });
    let addition = recording.record(&mut facts, &user(), &again).unwrap();
    assert!(matches!(addition, Addition::AlreadyRecorded(StoredEntry { seq: 1, .. })));
}
