//! A recorded activity for the back office.

use pointbook_domain::activity::{DOCUMENTED_ACTIVITY_TYPES, MAX_ACTIVITY_TYPE_CHARS};
use pointbook_domain::attributes::{MAX_ATTRIBUTE_NAME_CHARS, MAX_ATTRIBUTE_VALUE_CHARS};
use pointbook_domain::{Activity, Attributes, Bonus, Points, Transaction};
use pointbook_http::describe::{Described, NamedSchema, Schema};
use pointbook_http::view;
use pointbook_http::views::values::DateTimeView;
use pointbook_store::ports::RecordedActivity;
use serde::{Serialize, Serializer};

view! {
    /// The transaction of the history, with its ids.
    pub struct ActivityView<'a> as "RecordedActivity" {
        #[serde(flatten)]
        transaction: TransactionView<'a>,
        id: &'a str => Schema::id(),
        source_id: &'a str => Schema::id().describe(SOURCE_ID),
        /// Present only when the activity has some.
        #[serde(skip_serializing_if = "Option::is_none")]
        attributes: Option<AttributesView<'a>>,
        /// The position among the transactions of the user, in the order of recording, from 1.
        seq: u64,
    }

    /// A transaction of the history. [`crate::members::history_view`] writes the same.
    pub struct TransactionView<'h> as "Transaction" {
        #[serde(rename = "type")]
        kind: &'h str => activity_type_schema(),
        /// Base points. Negative when points were spent.
        points: i64 => Schema::points(),
        /// On top of the base points.
        bonus_points: i64 => Schema::price(),
        title: &'h str,
        /// The product, the content or the order number. May be empty.
        subtitle: &'h str,
        /// When it happened.
        created_at: DateTimeView,
        /// Present only when `bonus_points` is above 0.
        #[serde(skip_serializing_if = "Option::is_none")]
        bonus_breakdown: Option<BreakdownView<'h>>,
    }

    pub struct BonusView<'h> as "BonusDetail" {
        /// `birthday`, `campaign`, or another kind. The set is open.
        #[serde(rename = "type")]
        kind: &'h str,
        points: i64 => Schema::price(),
        /// The text for people.
        title: &'h str,
    }
}

/// What a source id is.
pub const SOURCE_ID: &str = "The id of the activity in your system, such as the number of a code. A user gets points for the same `type` and \
                             `source_id` only once, for ever.";

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

impl<'h> From<&'h Bonus> for BonusView<'h> {
    fn from(bonus: &'h Bonus) -> Self {
        let Bonus { kind, points, title } = bonus;
        Self { kind, points: points.get(), title }
    }
}

impl Described for AttributesView<'_> {
    fn schema() -> Schema {
        attributes_schema()
    }
}

impl Described for BreakdownView<'_> {
    fn schema() -> Schema {
        Vec::<BonusView<'_>>::schema().at_least(1)
    }

    fn add_components(all: &mut Vec<NamedSchema>) {
        <BonusView<'_> as Described>::add_components(all);
    }
}

/// The attributes of an activity.
pub fn attributes_schema() -> Schema {
    let name = Schema::matching(&format!("^[a-z0-9_-]{{1,{MAX_ATTRIBUTE_NAME_CHARS}}}$"));
    Schema::map(name, Schema::title_to(MAX_ATTRIBUTE_VALUE_CHARS))
}

pub fn activity_type_schema() -> Schema {
    let documented = DOCUMENTED_ACTIVITY_TYPES.map(|kind| format!("`{kind}`")).join(", ");
    Schema::matching(&format!("^[a-z0-9_-]{{1,{MAX_ACTIVITY_TYPE_CHARS}}}$"))
        .describe(&format!("{documented}, or a type that the tenant declares."))
}
