//! A recorded activity for the back office.

use pointbook_domain::activity::{DOCUMENTED_ACTIVITY_TYPES, MAX_ACTIVITY_TYPE_CHARS};
use pointbook_domain::attributes::{MAX_ATTRIBUTE_NAME_CHARS, MAX_ATTRIBUTE_VALUE_CHARS};
use pointbook_domain::{Activity, Attributes, Bonus, Points, Transaction};
use pointbook_http::describe::{Field, Schema, optional, required};
use pointbook_http::views::values::DateTimeView;
use pointbook_store::ports::RecordedActivity;
use serde::{Serialize, Serializer};

/// The transaction of the history, with its ids.
#[derive(Serialize)]
pub struct ActivityView<'a> {
    #[serde(flatten)]
    transaction: TransactionView<'a>,
    id: &'a str,
    source_id: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    attributes: Option<AttributesView<'a>>,
    seq: u64,
}

/// The attributes of an activity, by name.
pub(crate) struct AttributesView<'a>(&'a Attributes);

impl<'a> AttributesView<'a> {
    /// `None` without attributes.
    pub(crate) fn of(activity: &'a Activity) -> Option<Self> {
        (!activity.attributes.is_empty()).then_some(Self(&activity.attributes))
    }
}

impl Serialize for AttributesView<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter())
    }
}

impl<'a> From<&'a RecordedActivity> for ActivityView<'a> {
    fn from(recorded: &'a RecordedActivity) -> Self {
        let RecordedActivity { transaction, seq, user_points: _ } = recorded;
        Self {
            transaction: (&**transaction).into(),
            id: transaction.id.as_str(),
            source_id: transaction.activity.source_id.as_str(),
            attributes: AttributesView::of(&transaction.activity),
            seq: *seq,
        }
    }
}

/// A transaction of the history. [`crate::members::history_view`] writes the same.
#[derive(Serialize)]
pub struct TransactionView<'h> {
    #[serde(rename = "type")]
    kind: &'h str,
    points: i64,
    bonus_points: i64,
    title: &'h str,
    subtitle: &'h str,
    created_at: DateTimeView,
    #[serde(skip_serializing_if = "Option::is_none")]
    bonus_breakdown: Option<BreakdownView<'h>>,
}

impl<'h> From<&'h Transaction> for TransactionView<'h> {
    fn from(transaction: &'h Transaction) -> Self {
        let Transaction { id: _, activity, bonus_origin: _ } = transaction;
        let Activity { kind, source_id: _, points, bonuses, title, subtitle, created_at, attributes: _ } =
            activity;
        let has_bonus = bonuses.total() > Points::ZERO;
        Self {
            kind: kind.as_str(),
            points: points.get(),
            bonus_points: bonuses.total().get(),
            title,
            subtitle,
            created_at: DateTimeView(*created_at),
            bonus_breakdown: has_bonus.then(|| BreakdownView(bonuses.breakdown())),
        }
    }
}

struct BreakdownView<'h>(&'h [Bonus]);

impl Serialize for BreakdownView<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.iter().map(BonusView::from))
    }
}

#[derive(Serialize)]
struct BonusView<'h> {
    #[serde(rename = "type")]
    kind: &'h str,
    points: i64,
    title: &'h str,
}

impl<'h> From<&'h Bonus> for BonusView<'h> {
    fn from(bonus: &'h Bonus) -> Self {
        let Bonus { kind, points, title } = bonus;
        Self { kind, points: points.get(), title }
    }
}

/// Attributes of an activity in a response.
pub(crate) fn attributes_field() -> Field {
    optional("attributes", attributes_schema().describe("Present only when the activity has some."))
}

/// The attributes of an activity.
pub fn attributes_schema() -> Schema {
    let name = Schema::matching(&format!("^[a-z0-9_-]{{1,{MAX_ATTRIBUTE_NAME_CHARS}}}$"));
    Schema::map(name, Schema::title_to(MAX_ATTRIBUTE_VALUE_CHARS))
}

/// The schema of a transaction of the history.
pub fn transaction_schema() -> Schema {
    Schema::object(transaction_fields())
}

/// What a source id is.
pub const SOURCE_ID: &str = "The id of the activity in your system, such as the number of a code. A user gets points for the same `type` and \
                             `source_id` only once, for ever.";

/// The schema of a recorded activity.
pub fn activity_schema() -> Schema {
    let seq = Schema::count().describe(
        "The position among the transactions of the user, in the order of recording, \
                                        from 1.",
    );
    let known_by = [
        required("id", Schema::id()),
        required("source_id", Schema::id().describe(SOURCE_ID)),
        attributes_field(),
        required("seq", seq),
    ];
    Schema::object(transaction_fields().into_iter().chain(known_by))
}

/// What a bonus looks like.
pub fn bonus_schema() -> Schema {
    Schema::object([
        required(
            "type",
            Schema::text().describe("`birthday`, `campaign`, or another kind. The set is open."),
        ),
        required("points", Schema::price()),
        required("title", Schema::text().describe("The text for people.")),
    ])
}

pub fn activity_type_schema() -> Schema {
    let documented = DOCUMENTED_ACTIVITY_TYPES.map(|kind| format!("`{kind}`")).join(", ");
    Schema::matching(&format!("^[a-z0-9_-]{{1,{MAX_ACTIVITY_TYPE_CHARS}}}$"))
        .describe(&format!("{documented}, or a type that the tenant declares."))
}

/// The members of a transaction, as the history shows them.
pub fn transaction_fields() -> [Field; 7] {
    let breakdown = Schema::list(Schema::named("BonusDetail")).at_least(1);
    [
        required("type", activity_type_schema()),
        required("points", Schema::points().describe("Base points. Negative when points were spent.")),
        required("bonus_points", Schema::price().describe("On top of the base points.")),
        required("title", Schema::text()),
        required(
            "subtitle",
            Schema::text().describe("The product, the content or the order number. May be empty."),
        ),
        required("created_at", Schema::date_time().describe("When it happened.")),
        optional("bonus_breakdown", breakdown.describe("Present only when `bonus_points` is above 0.")),
    ]
}
