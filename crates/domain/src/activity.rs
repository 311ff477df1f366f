//! Activities earn and spend points. A recorded activity is a transaction of the ledger.

use std::convert::Infallible;
use std::fmt;

use crate::id::{FormError, IdError, texts};
use crate::order::is_refund;
use crate::points::OutOfRange;
use crate::{Attributes, Points, SourceId, Timestamp, TransactionId};

/// The longest activity type, in characters.
pub const MAX_ACTIVITY_TYPE_CHARS: usize = 32;

/// The activity types of the interface, which every tenant has.
pub const DOCUMENTED_ACTIVITY_TYPES: [&str; 4] = ["code", "video", "quiz", ORDER];

/// The activity type of orders in the gift store.
pub(crate) const ORDER: &str = "order";

/// The activity type of the end of points, where a tenant declares it.
pub(crate) const EXPIRY: &str = "expiry";

texts! {
    /// The kind of an activity: `code`, `video`, `quiz`, `order`, or one that the tenant declares.
    ActivityType;
}

pub(crate) const TYPE_RULE: FormError = FormError("must have 1 to 32 characters of a-z, 0-9, _ and -");

impl ActivityType {
    /// Takes 1 to [`MAX_ACTIVITY_TYPE_CHARS`] characters of `a-z`, `0-9`, `_` and `-`.
    ///
    /// # Errors
    /// [`FormError`] for anything else.
    pub fn new(text: &str) -> Result<Self, FormError> {
        let allowed = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"_-".contains(&byte);
        if (1..=MAX_ACTIVITY_TYPE_CHARS).contains(&text.len()) && text.bytes().all(allowed) {
            Ok(Self(text.into()))
        } else {
            Err(TYPE_RULE)
        }
    }

    /// The activity type of orders in the gift store.
    pub fn order() -> Self {
        Self(ORDER.into())
    }

    pub fn is_order(&self) -> bool {
        self.as_str() == ORDER
    }

    /// Whether its rows spend points or end them: `order`, and the type that a tenant may declare for the end of points.
    pub fn takes_points(&self) -> bool {
        self.is_order() || self.as_str() == EXPIRY
    }

    /// Whether the documented interface has it, so that every client knows it.
    pub fn is_documented(&self) -> bool {
        DOCUMENTED_ACTIVITY_TYPES.contains(&self.as_str())
    }
}

/// Points on top of an activity's base points, with the reason.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Bonus {
    /// `birthday`, `campaign`, or any other kind: the set is open.
    pub kind: String,
    pub points: Points,
    pub title: String,
}

/// The bonuses of one activity and their sum.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct Bonuses {
    breakdown: Vec<Bonus>,
    total: Points,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BonusesError {
    Negative,
    OutOfRange(OutOfRange),
}

impl fmt::Display for BonusesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Negative => f.write_str("must not have negative points"),
            Self::OutOfRange(range) => write!(f, "in total {range}"),
        }
    }
}

impl std::error::Error for BonusesError {}

impl Bonuses {
    pub const NONE: Self = Self { breakdown: Vec::new(), total: Points::ZERO };

    /// Takes bonuses of 0 or more points each.
    ///
    /// # Errors
    /// [`BonusesError`] for a negative bonus or a sum out of bounds.
    pub fn new(breakdown: Vec<Bonus>) -> Result<Self, BonusesError> {
        let mut total = Points::ZERO;
        for bonus in &breakdown {
            if bonus.points < Points::ZERO {
                return Err(BonusesError::Negative);
            }
            total = total.checked_add(bonus.points).map_err(BonusesError::OutOfRange)?;
        }
        Ok(Self { breakdown, total })
    }

    /// Each bonus, in the order given.
    pub fn breakdown(&self) -> &[Bonus] {
        &self.breakdown
    }

    /// The sum, never negative.
    pub fn total(&self) -> Points {
        self.total
    }
}

/// An event that earns or spends points, before it is recorded. (user, `kind`, `source_id`) is recorded once, for ever.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Activity {
    pub kind: ActivityType,
    pub source_id: SourceId,
    /// Base points. Negative for spending.
    pub points: Points,
    pub bonuses: Bonuses,
    pub title: String,
    /// Display subtitle: product name, content title or order number.
    pub subtitle: String,
    pub created_at: Timestamp,
    pub attributes: Attributes,
}

/// The end of the source id of each reversal. A return adds `:` and a number of points.
pub const REVERSAL_SUFFIX: &str = ":reversal";
/// The beginning of the source id of each row in which points ended.
pub const EXPIRY_PREFIX: &str = "expiry:";
/// The end of the source id of each row that a back-fill added.
pub const BACK_FILL_SUFFIX: &str = ":back-fill";

/// The id of the transaction that the row with this source id takes back.
pub(crate) fn reversed_transaction(source_id: &str) -> Option<&str> {
    let of_return = || {
        let (before, points) = source_id.rsplit_once(':')?;
        returned_points(points).and_then(|_| before.strip_suffix(REVERSAL_SUFFIX))
    };
    source_id.strip_suffix(REVERSAL_SUFFIX).or_else(of_return)
}

/// As a text, it comes after all numbers of points.
const LAST_TEXT: i64 = 999_999_999_999_999_999;

/// A number above 0, as [`SourceId::of_return`] writes it.
fn returned_points(text: &str) -> Option<i64> {
    let points = text.parse().ok().filter(|points: &i64| *points > 0)?;
    (points.to_string() == text).then_some(points)
}

impl SourceId {
    /// The source id of the reversal of a transaction.
    ///
    /// # Errors
    /// When the id of the transaction is too long for the suffix.
    pub fn of_reversal(id: &TransactionId) -> Result<Self, IdError> {
        Self::new(format!("{id}{REVERSAL_SUFFIX}"))
    }

    /// The source id of a return: the reversal of a part of a transaction. `returned` is how many of its base points are reversed then, this
    /// part included.
    ///
    /// # Errors
    /// When the id of the transaction is too long for what is added.
    pub fn of_return(id: &TransactionId, returned: i64) -> Result<Self, IdError> {
        Self::new(format!("{id}{REVERSAL_SUFFIX}:{returned}"))
    }

    /// The id of the transaction that the row with this source id takes back, whole or in part. `None` for other source ids.
    pub fn reversed_transaction(&self) -> Option<&str> {
        reversed_transaction(self.as_str())
    }

    /// The first and the last source id that a return of a transaction may have.
    ///
    /// # Errors
    /// As [`Self::of_return`].
    pub fn returns_of(id: &TransactionId) -> Result<[Self; 2], IdError> {
        Ok([Self::of_return(id, 1)?, Self::of_return(id, LAST_TEXT)?])
    }

    /// Of a return, how many base points of the transaction are reversed then. `None` for other source ids.
    pub fn returned(&self) -> Option<i64> {
        self.as_str().rsplit_once(':').and_then(|(before, points)| {
            before.ends_with(REVERSAL_SUFFIX).then(|| returned_points(points)).flatten()
        })
    }
}

impl SourceId {
    /// Whether points ended in a row with this source id and these points.
    pub fn is_of_expiry(&self, points: i64) -> bool {
        points < 0 && self.as_str().starts_with(EXPIRY_PREFIX)
    }
}

impl Activity {
    /// Whether it takes back another one. Its source id says so.
    pub fn is_reversal(&self) -> bool {
        self.source_id.reversed_transaction().is_some()
    }

    /// Whether points ended in it. Its source id says so.
    pub fn is_expiry(&self) -> bool {
        self.source_id.is_of_expiry(self.points.get())
    }

    /// Whether the member did it. The back office makes reversals and back-fills, and cancels orders, and points end of themselves.
    pub fn is_by_member(&self) -> bool {
        let source = || Ok::<_, Infallible>(self.source_id.as_str());
        let is_refund = is_refund(self.kind.as_str(), self.points, source).unwrap_or_default();
        let is_back_fill = self.source_id.as_str().ends_with(BACK_FILL_SUFFIX);
        !(self.is_reversal() || is_refund || is_back_fill || self.is_expiry())
    }

    /// The change of the balance: base and bonus points together.
    ///
    /// # Errors
    /// [`OutOfRange`] when the sum is out of range.
    pub fn net_points(&self) -> Result<Points, OutOfRange> {
        self.points.checked_add(self.bonuses.total())
    }
}

/// A recorded activity: a row of the ledger. It never changes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Transaction {
    pub id: TransactionId,
    pub activity: Activity,
    pub bonus_origin: BonusOrigin,
}

/// Who decided about the bonuses of a transaction.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum BonusOrigin {
    /// No decision: the row is an order or a reversal, or older than campaigns.
    #[default]
    Undecided,
    /// The request had bonuses, or said that there are none.
    BackOffice,
    /// An import, which evaluates no campaigns unless its caller wants it.
    Import,
    /// The campaigns. They added this many entries to the end of the breakdown; those before are of the request.
    Campaigns { awards: u32 },
    /// A back-fill: the row has no base points, and one award of a campaign for an earlier row.
    BackFill,
}

const BACK_OFFICE: &str = "back_office";
const IMPORT: &str = "import";
const CAMPAIGNS: &str = "campaigns:";
const BACK_FILL: &str = "back_fill";

impl BonusOrigin {
    /// Reads the form that [`fmt::Display`] writes.
    ///
    /// # Errors
    /// [`FormError`] for any other text.
    pub fn parse(text: &str) -> Result<Self, FormError> {
        match text {
            "" => Ok(Self::Undecided),
            BACK_OFFICE => Ok(Self::BackOffice),
            IMPORT => Ok(Self::Import),
            BACK_FILL => Ok(Self::BackFill),
            _ => {
                let awards = text.strip_prefix(CAMPAIGNS).and_then(|awards| awards.parse().ok());
                awards.map(|awards| Self::Campaigns { awards }).ok_or(FormError("not an origin of bonuses"))
            }
        }
    }

    /// How many of the last entries of the breakdown campaigns added.
    pub fn awards(self) -> usize {
        match self {
            Self::Campaigns { awards } => awards as usize,
            Self::BackFill => 1,
            Self::Undecided | Self::BackOffice | Self::Import => 0,
        }
    }
}

impl fmt::Display for BonusOrigin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Undecided => Ok(()),
            Self::BackOffice => f.write_str(BACK_OFFICE),
            Self::Import => f.write_str(IMPORT),
            Self::Campaigns { awards } => write!(f, "{CAMPAIGNS}{awards}"),
            Self::BackFill => f.write_str(BACK_FILL),
        }
    }
}

impl Transaction {
    /// The bonuses that the request had, without those that campaigns added.
    pub fn requested_bonuses(&self) -> &[Bonus] {
        let breakdown = self.activity.bonuses.breakdown();
        let own = breakdown.len().saturating_sub(self.bonus_origin.awards());
        breakdown.get(..own).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bonus(points: i64) -> Bonus {
        Bonus { kind: "campaign".into(), points: Points::new(points).unwrap(), title: "Spring".into() }
    }

    #[test]
    fn an_origin_is_read_as_it_is_written() {
        let origins = [
            BonusOrigin::Undecided,
            BonusOrigin::BackOffice,
            BonusOrigin::Import,
            BonusOrigin::Campaigns { awards: 0 },
            BonusOrigin::Campaigns { awards: 20 },
            BonusOrigin::BackFill,
        ];
        for origin in origins {
            assert_eq!(BonusOrigin::parse(&origin.to_string()), Ok(origin));
        }
        for bad in ["campaigns", "campaigns:", "campaigns:-1", "Import"] {
            assert!(BonusOrigin::parse(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn the_total_is_the_sum_of_the_breakdown() {
        assert_eq!(Bonuses::new(vec![bonus(5), bonus(7)]).unwrap().total().get(), 12);
        assert_eq!(Bonuses::new(vec![]).unwrap().total(), Points::ZERO);
    }

    #[test]
    fn a_bonus_never_takes_points() {
        assert_eq!(Bonuses::new(vec![bonus(5), bonus(-1)]), Err(BonusesError::Negative));
    }

    #[test]
    fn an_activity_type_is_a_short_lower_case_word() {
        assert!(ActivityType::new("code").unwrap().is_documented());
        assert!(!ActivityType::new("check-in_2").unwrap().is_documented());
        for bad in ["", "Code", "a b", "é", &"a".repeat(33)] {
            assert_eq!(ActivityType::new(bad), Err(TYPE_RULE));
        }
    }
}
