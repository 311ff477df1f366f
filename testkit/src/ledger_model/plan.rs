//! Random requests with few users, products, sources and keys, so that they collide.

use std::hash::{DefaultHasher, Hash, Hasher};

use pointbook_domain::{
    Activity, ActivityType, FieldChange, Order, OrderId, Product, ProductPatch, Timestamp, TransactionId,
    UserId,
};
use pointbook_points::earning::reverse_transaction::ReverseTransaction;
use pointbook_points::held::VoidActivity;
use pointbook_points::ledger::Terms;
use pointbook_store::ports::{
    ActivityToRecord, NewOrder, NewTransaction, OrderStep, ProductEdit, ProductUpsert, RequestKey,
};
use proptest::collection::vec;
use proptest::prelude::{Just, Strategy, any};
use proptest::sample::select;
use proptest::{option, prop_oneof};

use super::NaiveTenant;
use super::write::Write;
use crate::build;
use crate::build::{activity, order_id, pieces, price, product, product_id, recorded};

/// Every user of the random requests.
pub(super) const USERS: [&str; 3] = ["u1", "u10", "か"];
const PRODUCTS: [&str; 3] = ["mug", "pen", "か"];

/// A network failure of a request.
#[derive(Debug, Clone, Copy)]
pub(super) enum Mishap {
    /// The request does not arrive.
    RequestLost,
    /// The response does not arrive.
    AnswerLost,
}

/// A request. After a mishap it is sent again.
#[derive(Debug, Clone)]
pub(super) struct Request {
    pub(super) plan: Plan,
    /// The number of its key, if it has one.
    key: Option<u8>,
    pub(super) mishap: Option<Mishap>,
}

/// The plan of a request. Each attempt gets new ids and a new time.
#[derive(Debug, Clone)]
pub(super) enum Plan {
    Activity(PlannedActivity),
    History(Vec<PlannedActivity>),
    /// The reversal of one of the last rows of all users, counted from the last one.
    Reversal {
        row: usize,
        part: Option<i64>,
        is_partial: bool,
        max_points: Option<i64>,
        may_overdraw: bool,
    },
    /// An activity that waits for so many seconds.
    Hold(PlannedActivity, u32),
    /// The release of one of the activities that wait or were voided, counted from the last one.
    Release {
        held: usize,
    },
    Void {
        held: usize,
    },
    Order {
        user: &'static str,
        product: &'static str,
        quantity: i64,
    },
    /// A step of one of the last orders, counted from the last one.
    Step {
        order: usize,
        cancels: bool,
    },
    Product(PlannedProduct),
    /// A difference of the stock, or another price.
    Edit {
        product: &'static str,
        difference: Option<i64>,
        price: i64,
    },
    Retirement {
        product: &'static str,
    },
}

#[derive(Debug, Clone)]
pub(super) struct PlannedActivity {
    user: &'static str,
    source: Source,
    points: i64,
    bonus: i64,
    day: Option<i64>,
}

/// The source id of an activity.
#[derive(Debug, Clone, Copy)]
enum Source {
    /// A code of the back office.
    Code(u8),
    /// The source id of the spending or the refund of one of the last orders, counted from the last one.
    Order { order: usize, is_refund: bool },
}

#[derive(Debug, Clone)]
pub(super) struct PlannedProduct {
    id: &'static str,
    regular_price: i64,
    sale_price: Option<i64>,
    stock: FieldChange<u32>,
    active: bool,
}

/// The beginning of every sequence: a product, a customer with many points, one with few, and one in debt.
pub(super) fn opening() -> [Plan; 4] {
    let award = |(user, points)| PlannedActivity {
        user,
        source: Source::Code(u8::MAX),
        points,
        bonus: 0,
        day: Some(-1),
    };
    let product = |id, regular_price, stock| {
        Plan::Product(PlannedProduct {
            id,
            regular_price,
            sale_price: None,
            stock: FieldChange::Set(stock),
            active: true,
        })
    };
    let [many, few, debt] = USERS;
    let [mug, pen, gift] = PRODUCTS;
    [
        Plan::History([(many, 500), (few, 40), (debt, -50)].map(award).into()),
        product(mug, 10, Some(8)),
        product(pen, 15, None),
        product(gift, 0, Some(3)),
    ]
}

/// A sequence of requests.
pub(super) fn requests() -> impl Strategy<Value = Vec<Request>> {
    vec(request(), 1..60)
}

pub(super) fn request() -> impl Strategy<Value = Request> {
    let mishap = select(vec![Mishap::RequestLost, Mishap::AnswerLost]);
    (plan(), option::weighted(0.4, 0_u8..40), option::weighted(0.2, mishap))
        .prop_map(|(plan, key, mishap)| Request { plan, key, mishap })
}

fn plan() -> impl Strategy<Value = Plan> {
    let (user, product) = (select(&USERS[..]), select(&PRODUCTS[..]));
    prop_oneof![
        4 => planned_activity().prop_map(Plan::Activity),
        2 => vec(planned_activity(), 0..4).prop_map(Plan::History),
        2 => (0_usize..6, option::weighted(0.5, 1_i64..30), any::<bool>(), option::weighted(0.3, 0_i64..70), any::<bool>())
            .prop_map(|(row, part, is_partial, max_points, may_overdraw)| {
                Plan::Reversal { row, part, is_partial, max_points, may_overdraw }
            }),
        1 => (planned_activity(), 0_u32..60_000).prop_map(|(activity, seconds)| Plan::Hold(activity, seconds)),
        1 => (0_usize..4).prop_map(|held| Plan::Release { held }),
        1 => (0_usize..4).prop_map(|held| Plan::Void { held }),
        6 => (user, product.clone(), 1_i64..4)
            .prop_map(|(user, product, quantity)| Plan::Order { user, product, quantity }),
        5 => (0_usize..4, any::<bool>()).prop_map(|(order, cancels)| Plan::Step { order, cancels }),
        4 => planned_product().prop_map(Plan::Product),
        3 => (product.clone(), option::weighted(0.6, -6_i64..6), 0_i64..30)
            .prop_map(|(product, difference, price)| Plan::Edit { product, difference, price }),
        1 => product.prop_map(|product| Plan::Retirement { product }),
    ]
}

/// Half of the activities are functions of user and source, so that both repetitions and conflicts occur.
fn planned_activity() -> impl Strategy<Value = PlannedActivity> {
    let content = prop_oneof![Just((60, 0, Some(0))), (-60_i64..60, 0_i64..3, option::of(0_i64..4)),];
    let source = prop_oneof![
        9 => (0_u8..8).prop_map(Source::Code),
        1 => (0_usize..4, any::<bool>()).prop_map(|(order, is_refund)| Source::Order { order, is_refund }),
    ];
    (select(&USERS[..]), source, content).prop_map(|(user, source, (points, bonus, day))| PlannedActivity {
        user,
        source,
        points,
        bonus,
        day,
    })
}

fn planned_product() -> impl Strategy<Value = PlannedProduct> {
    let stock = prop_oneof![
        1 => Just(FieldChange::Keep),
        2 => option::weighted(0.8, 0_u32..9).prop_map(FieldChange::Set),
    ];
    let regular_price = prop_oneof![1 => Just(0), 4 => 1_i64..30];
    (
        select(&PRODUCTS[..]),
        regular_price,
        option::weighted(0.3, 0_i64..20),
        stock,
        proptest::bool::weighted(0.9),
    )
        .prop_map(|(id, regular_price, sale_price, stock, active)| PlannedProduct {
            id,
            regular_price,
            sale_price,
            stock,
            active,
        })
}

impl Request {
    /// The key of the request, the same for each attempt.
    pub(super) fn key(&self) -> Option<RequestKey> {
        let key = match self.plan {
            Plan::Retirement { .. } | Plan::Release { .. } => return None,
            _ => self.key?,
        };
        let mut hasher = DefaultHasher::new();
        format!("{:?}", self.plan).hash(&mut hasher);
        let mut fingerprint = [0; 32];
        fingerprint[..8].copy_from_slice(&hasher.finish().to_be_bytes());
        Some(RequestKey { fingerprint, ..build::request_key(&key.to_string(), 0) })
    }
}

impl Plan {
    /// The write of this attempt, at this time. Attempts are counted over all requests.
    pub(super) fn write(&self, attempt: u32, now: Timestamp, naive: &NaiveTenant) -> Write {
        let orders = &naive.orders;
        match self {
            Self::Activity(planned) => Write::Activity(ActivityToRecord {
                new: planned.transaction(&format!("{attempt}"), now, orders),
                has_own_time: planned.day.is_some(),
            }),
            Self::History(rows) => {
                let row = |(place, row): (usize, &PlannedActivity)| {
                    row.transaction(&format!("{attempt}/{place}"), now, orders)
                };
                Write::History(rows.iter().enumerate().map(row).collect())
            }
            Self::Reversal { row, part, is_partial, max_points, may_overdraw } => {
                Write::Reversal(ReverseTransaction {
                    part: part.map(build::points),
                    is_partial: *is_partial,
                    max_points: max_points.map(build::points),
                    may_overdraw: *may_overdraw,
                    ..reversal(*row, &format!("r{attempt}"), now, naive)
                })
            }
            Self::Hold(planned, seconds) => {
                let planned = PlannedActivity { points: planned.points.abs(), ..planned.clone() };
                let new = planned.transaction(&format!("{attempt}"), now, orders);
                Write::Hold(build::held(new, now, now.plus_seconds(*seconds)), planned.day.is_some())
            }
            Self::Release { held } => Write::Release(naive.nth_held(*held, now)),
            Self::Void { held } => {
                let held = naive.nth_held(*held, now);
                let is_recorded = naive.rows.iter().any(|row| row.new.transaction.id == held.id);
                let (user_id, reason) = (held.user_id.clone(), "returned".to_owned());
                let held = naive.held.contains(&held).then_some(held);
                Write::Void(VoidActivity {
                    held,
                    user_id,
                    is_recorded,
                    reason,
                    at: now,
                    terms: Terms::default(),
                })
            }
            Self::Order { user, product, quantity } => {
                let new = build::order(&format!("o{attempt}"), user, product);
                Write::Order(NewOrder { at: now, ..pieces(*quantity, new) })
            }
            Self::Step { order, cancels } => {
                let id = nth_last(orders, *order);
                let cancel = build::cancel(&format!("{attempt}"));
                Write::Step(id, if *cancels { cancel } else { OrderStep::Fulfil })
            }
            Self::Product(planned) => Write::Product(Box::new(planned.upsert())),
            Self::Edit { product, difference, price } => {
                Write::Edit(product_id(product), edit(*difference, *price))
            }
            Self::Retirement { product } => Write::Retirement(product_id(product)),
        }
    }
}

/// A missing row counts as one of the first user.
fn reversal(row: usize, id: &str, at: Timestamp, naive: &NaiveTenant) -> ReverseTransaction {
    let row = naive.rows.iter().nth_back(row).map(|row| row.new.clone());
    let (user_id, original) = match row {
        Some(NewTransaction { user_id, transaction }) => (user_id, Some(transaction.into())),
        None => (UserId::new(USERS[0]).unwrap(), None),
    };
    build::reversal(user_id, original, TransactionId::new(id).unwrap(), at)
}

fn edit(difference: Option<i64>, regular_price: i64) -> ProductEdit {
    let patch = || ProductPatch { regular_price: Some(price(regular_price)), ..ProductPatch::default() };
    difference.map_or_else(|| ProductEdit::Patch(Box::new(patch())), ProductEdit::AddStock)
}

fn nth_last(orders: &[Order], nth: usize) -> OrderId {
    orders.iter().nth_back(nth).map_or(order_id("never"), |order| order.id.clone())
}

impl PlannedActivity {
    fn transaction(&self, id: &str, now: Timestamp, orders: &[Order]) -> NewTransaction {
        let Self { user, source, points, bonus, day } = self;
        let created_at = day.map_or(now, build::on_day);
        let bonuses = build::bonuses(&[*bonus]);
        let activity = Activity { bonuses, created_at, ..source.activity(*points, orders) };
        build::again(&recorded(user, activity), id)
    }
}

impl Source {
    fn activity(self, points: i64, orders: &[Order]) -> Activity {
        match self {
            Self::Code(number) => activity(&number.to_string(), points),
            Self::Order { order, is_refund } => {
                let id = nth_last(orders, order);
                let source_id = if is_refund { id.refund_source() } else { id.spending_source() };
                Activity { kind: ActivityType::order(), source_id, ..activity("order", points) }
            }
        }
    }
}

impl PlannedProduct {
    fn upsert(&self) -> ProductUpsert {
        let Self { id, regular_price, sale_price, stock, active } = self;
        let (stock, keep_stock) = match stock {
            FieldChange::Keep => (None, true),
            FieldChange::Set(stock) => (*stock, false),
        };
        let product = Product {
            regular_price: price(*regular_price),
            sale_price: sale_price.map(price),
            stock,
            active: *active,
            ..product(id)
        };
        ProductUpsert { product, keep_published_at: false, keep_stock }
    }
}
