//! Builders of values with sensible defaults. All fields are public, so a test takes a default and names only the
//! differences, as in `Product { popular: true, ..product("p1") }`.

use std::fmt::Debug;
use std::sync::Arc;

use pointbook_domain::history::ReadRow;
use pointbook_domain::{
    Activity, ActivityType, BaseUrl, Bonus, Bonuses, Category, CategoryId, CategoryTree, ClockOffset, Email,
    Environment, EventTypes, FieldChange, HistoryRows, Locale, Operator, OperatorId, OperatorName,
    OperatorSession, OrderId, PageNumber, PageRequest, PageSize, Points, Price, Product, ProductId, Quantity,
    Role, Slug, SourceId, Tenant, TenantId, TenantSettings, Timestamp, TokenHash, TokenKind, TokenRecord,
    Transaction, TransactionId, UserId, Webhook, WebhookAttempt, WebhookMode, WebhookProgress, WebhookSecret,
    WebhookState,
};
use pointbook_points::earning::record_activities::RecordHistory;
use pointbook_points::earning::reverse_transaction::{ReverseTransaction, reversal_source};
use pointbook_points::held::held_activity;
use pointbook_points::ledger::Terms;
use pointbook_points::members::put::ImportUsers;
use pointbook_store::ports::tokens::token_hash;
use pointbook_store::ports::{
    ActivityToRecord, NewAnswer, NewOrder, NewTransaction, Once, OrderStep, ProductUpsert, RequestKey,
    StoredAnswer, UserChange, UserProfile,
};
use pointbook_store::schema::rows::HeldActivity;
use pointbook_store::{Actor, Author, Context, Origin, ServedTenant};

use crate::SequentialIds;

/// 2024-02-29T12:00:00Z, and the default of every time here.
pub const NOON_MICROS: i64 = 1_709_208_000_000_000;

pub const DAY_MICROS: i64 = 86_400_000_000;

/// [`NOON_MICROS`] as a time.
pub fn noon() -> Timestamp {
    at(0)
}

/// This many microseconds after noon. A negative number is before noon.
pub fn at(micros_after_noon: i64) -> Timestamp {
    Timestamp::from_micros(NOON_MICROS + micros_after_noon).unwrap()
}

/// Noon, this many days later. A negative number is earlier.
pub fn on_day(days_later: i64) -> Timestamp {
    at(days_later * DAY_MICROS)
}

pub fn user_id(text: &str) -> UserId {
    UserId::new(text).unwrap()
}

pub fn product_id(text: &str) -> ProductId {
    ProductId::new(text).unwrap()
}

pub fn points(amount: i64) -> Points {
    Points::new(amount).unwrap()
}

pub fn price(amount: i64) -> Price {
    Price::new(amount).unwrap()
}

/// A production tenant at `https://SLUG.example/api`, whose id is its slug.
pub fn tenant(slug: &str) -> Tenant {
    Tenant {
        id: TenantId::new(slug).unwrap(),
        slug: Slug::new(slug).unwrap(),
        environment: Environment::Production,
        base_url: BaseUrl::parse(&format!("https://{slug}.example/api")).unwrap(),
        name: format!("The {slug} store"),
        locale: Locale::new("en").unwrap(),
        settings: TenantSettings::default(),
        created_at: noon(),
        clock: ClockOffset::NONE,
    }
}

/// An active token of this user that never expires. `None` is a super-user. The number determines the hash.
pub fn token(number: u8, user: Option<&str>) -> TokenRecord {
    let kind = user.map_or(TokenKind::SuperUser, |user| TokenKind::Customer(user_id(user)));
    TokenRecord::new(TokenHash([number; 32]), kind, noon())
}

/// An active webhook for all events, from the first one on.
pub fn webhook(id: &str) -> Webhook {
    Webhook {
        id: id.to_owned(),
        url: "https://hooks.example/in".to_owned(),
        types: EventTypes::default(),
        mode: WebhookMode::Each,
        lanes: 1,
        secret: webhook_secret('A'),
        previous_secret: None,
        previous_secret_until: None,
        state: WebhookState::Active,
        disabled_because: None,
        state_since: noon(),
        epoch: 1,
        start_generation: 1,
        start_position: 0,
        created_at: noon(),
    }
}

/// A secret whose base64 repeats this letter.
pub fn webhook_secret(letter: char) -> WebhookSecret {
    let base64: String = std::iter::repeat_n(letter, 42).collect();
    WebhookSecret::parse(&format!("whsec_{base64}A=")).unwrap()
}

/// The progress of a webhook after a delivery that failed once.
pub fn blocked(webhook: &Webhook, position: u64) -> WebhookProgress {
    WebhookProgress {
        position: position - 1,
        failures: 1,
        failing_since: Some(noon()),
        retry_at: Some(at(5_000_000)),
        failed_position: Some(position),
        failed_count: 1,
        ..WebhookProgress::begin(webhook, None)
    }
}

/// A failed attempt.
pub fn attempt(webhook: &Webhook, slot: u32) -> WebhookAttempt {
    let (webhook_id, status) = (webhook.id.clone(), Some(503));
    let error = Some("status".to_owned());
    WebhookAttempt { webhook_id, slot, at: noon(), duration_ms: 7, position: 1, status, error }
}

/// A profile without optional fields.
pub fn profile(id: &str) -> UserProfile {
    UserProfile { id: user_id(id), birth_date: None, locale: None }
}

/// An active product for 100 points, published at noon, in unlimited stock and no category.
pub fn product(id: &str) -> Product {
    Product {
        sku: format!("sku-{id}"),
        title: format!("Product {id}"),
        description: "<p>Good.</p>".to_owned(),
        description_source: "<p>Good.".to_owned(),
        regular_price: price(100),
        ..Product::blank(product_id(id), noon())
    }
}

/// An upsert of the product with its `published_at`.
pub fn upsert(product: Product) -> ProductUpsert {
    ProductUpsert { product, keep_published_at: false, keep_stock: false }
}

/// A category with its id in its label.
pub fn category(id: &str, children: Vec<Category>) -> Category {
    Category { id: CategoryId::new(id).unwrap(), label: format!("Category {id}"), children }
}

pub fn tree(roots: Vec<Category>) -> CategoryTree {
    CategoryTree::new(roots).unwrap()
}

/// A `code` activity at noon, without bonuses.
pub fn activity(source: &str, amount: i64) -> Activity {
    Activity {
        kind: ActivityType::new("code").unwrap(),
        source_id: SourceId::new(source).unwrap(),
        points: points(amount),
        bonuses: Bonuses::default(),
        title: "QR code scan".to_owned(),
        subtitle: format!("Item {source}"),
        created_at: noon(),
        attributes: pointbook_domain::Attributes::NONE,
    }
}

/// Bonuses of these amounts, one campaign each.
pub fn bonuses(amounts: &[i64]) -> Bonuses {
    let bonus =
        |amount: &i64| Bonus { kind: "campaign".into(), points: points(*amount), title: "Spring".into() };
    Bonuses::new(amounts.iter().map(bonus).collect()).unwrap()
}

/// The activity as a new transaction. Its id consists of user, type and source.
pub fn recorded(user: &str, activity: Activity) -> NewTransaction {
    let id = format!("{user}/{}/{}", activity.kind, activity.source_id);
    let transaction = Transaction {
        id: TransactionId::new(id).unwrap(),
        activity,
        bonus_origin: pointbook_domain::BonusOrigin::Undecided,
    };
    NewTransaction { user_id: user_id(user), transaction }
}

/// History rows as a store reads them, without orders of the store. The newest comes first. Rows of the same time are
/// ordered by id, the largest first.
pub fn history_rows<'t>(transactions: impl IntoIterator<Item = &'t Transaction>) -> HistoryRows {
    history_rows_of_orders(transactions, |_| false)
}

/// History rows that include orders of the store: rows of the type `order` with a source id for which `is_own_source` is
/// true.
pub fn history_rows_of_orders<'t>(
    transactions: impl IntoIterator<Item = &'t Transaction>,
    is_own_source: impl Fn(&str) -> bool,
) -> HistoryRows {
    let mut sorted: Vec<_> = transactions.into_iter().collect();
    sorted.sort_by(|a, b| (b.activity.created_at, &b.id).cmp(&(a.activity.created_at, &a.id)));
    let mut rows = HistoryRows::default();
    for transaction in sorted {
        let Activity { kind, source_id, .. } = &transaction.activity;
        let is_own_order = kind.is_order() && is_own_source(source_id.as_str());
        rows.push(ReadRow { is_own_order, ..transaction.into() }).unwrap();
    }
    rows
}

/// The same transaction under another id, because a second attempt generates new ids.
pub fn again(new: &NewTransaction, id: &str) -> NewTransaction {
    let NewTransaction { user_id, transaction: Transaction { id: _, activity, bonus_origin: _ } } =
        new.clone();
    NewTransaction {
        user_id,
        transaction: Transaction {
            id: TransactionId::new(id).unwrap(),
            activity,
            bonus_origin: pointbook_domain::BonusOrigin::Undecided,
        },
    }
}

/// An import of transactions, recorded at noon.
pub fn history(rows: impl IntoIterator<Item = NewTransaction>) -> RecordHistory {
    RecordHistory::new(rows.into_iter().collect(), noon())
}

/// An import of users at noon.
pub fn import(profiles: impl IntoIterator<Item = UserProfile>) -> ImportUsers {
    ImportUsers { profiles: profiles.into_iter().collect(), now: noon() }
}

/// An activity of a back office with the time when it happened.
pub fn to_record(user: &str, activity: Activity) -> ActivityToRecord {
    ActivityToRecord { new: recorded(user, activity), has_own_time: true }
}

pub fn order_id(text: &str) -> OrderId {
    OrderId::new(text).unwrap()
}

/// An order of one piece at noon. Its number and its transaction id contain the order's id.
pub fn order(id: &str, user: &str, product: &str) -> NewOrder {
    NewOrder {
        id: order_id(id),
        number: format!("NO-{id}"),
        transaction_id: TransactionId::new(format!("{id}/spending")).unwrap(),
        user_id: user_id(user),
        product_id: product_id(product),
        quantity: Quantity::ONE,
        at: noon(),
    }
}

pub fn pieces(quantity: i64, order: NewOrder) -> NewOrder {
    NewOrder { quantity: Quantity::new(quantity).unwrap(), ..order }
}

/// The cancellation of an order. The id of its transaction depends on the order, so it is unique for one cancellation.
pub fn cancel(order: &str) -> OrderStep {
    let transaction_id = TransactionId::new(format!("{order}/refund")).unwrap();
    OrderStep::Cancel { transaction_id, reason: None }
}

/// A change that changes nothing.
pub fn user_change(id: &str) -> UserChange {
    UserChange { id: user_id(id), birth_date: FieldChange::Keep, locale: FieldChange::Keep, disabled: None }
}

/// The reversal of all of a transaction, for a tenant whose points never end.
pub fn reversal(
    user_id: UserId,
    original: Option<Arc<Transaction>>,
    id: TransactionId,
    at: Timestamp,
) -> ReverseTransaction {
    let original = original.map(|original| {
        let source = reversal_source(&original.id).unwrap();
        (original, source)
    });
    ReverseTransaction {
        user_id,
        original,
        moved: None,
        id,
        reason: "returned".to_owned(),
        part: None,
        is_partial: false,
        max_points: None,
        may_overdraw: false,
        at,
        awards: Vec::new(),
        holder: String::new(),
        terms: Terms::default(),
    }
}

/// A held activity, for which no campaign is asked.
pub fn held(new: NewTransaction, held_at: Timestamp, release_at: Timestamp) -> HeldActivity {
    held_activity(new, false, held_at, release_at)
}

/// The context of a use case without a key, with ids that count from 1.
pub fn context<T>(tenant: &Arc<ServedTenant>, actor: Actor, now: Timestamp) -> Context<T> {
    Context::new(tenant.clone(), actor, now, Arc::new(SequentialIds::default()))
}

/// The address of an operator with this name.
pub fn email(name: &str) -> Email {
    Email::parse(&format!("{name}@example.com")).unwrap()
}

pub fn operator(name: &str, role: Role) -> Operator {
    Operator {
        email: email(name),
        id: OperatorId::new(format!("id-of-{name}")).unwrap(),
        name: OperatorName::new(name).unwrap(),
        role,
        created_at: noon(),
        created_by: "command-line".to_owned(),
    }
}

/// The session of an operator from noon on, whose token is `session-` and this number.
pub fn operator_session(number: u8, name: &str, expires_at: Timestamp) -> OperatorSession {
    let hash = token_hash(format!("session-{number}").as_bytes());
    OperatorSession {
        id: hash.id(),
        operator_id: operator(name, Role::Owner).id,
        hash,
        created_at: noon(),
        expires_at,
        address: Some("203.0.113.9".to_owned()),
        last_used_at: None,
    }
}

/// An author with every field: the key `k1`, which sent the request `r-1` from 203.0.113.9 at noon.
pub fn author() -> Author {
    let (request_id, address) = (Some("r-1".into()), Some([203, 0, 113, 9].into()));
    let origin = Origin { request_id, address, system_user: None };
    Author { actor: Actor::Key { id: "k1".into(), label: None }, origin, at: noon() }
}

/// A request key of the customer u1. The number determines the content of the request.
pub fn request_key(key: &str, content: u8) -> RequestKey {
    RequestKey {
        principal: "customer:u1".to_owned(),
        key: key.to_owned(),
        fingerprint: [content; 32],
        max_kept: None,
    }
}

/// The request, sent at this time. Its response is the outcome of the write in Rust's debug format.
pub fn once<T: Debug>(key: RequestKey, now: Timestamp) -> Option<Once<T>> {
    let kept = |outcome: &T| Some(NewAnswer { answer: answer(outcome), is_refusal: false });
    Some(Once { key, now, answer: Arc::new(kept) })
}

/// The response that [`once`] keeps.
pub fn answer<T: Debug>(outcome: &T) -> StoredAnswer {
    StoredAnswer(format!("{outcome:?}").into_bytes())
}

pub fn page(number: u32, size: u32) -> PageRequest {
    PageRequest { number: PageNumber::new(number).unwrap(), size: PageSize::new(size).unwrap() }
}
