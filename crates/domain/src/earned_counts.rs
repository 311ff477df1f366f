//! How many activities earned a user points: the ordinals of campaigns count them.

use std::fmt;

use crate::activity::{ORDER, reversed_transaction};
use crate::id::FormError;
use crate::{Activity, ActivityType};

/// The number of a user's ledger rows with base points above 0 that are no orders and no reversals, by type. It displays as `code:2,video:1`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct EarnedCounts(Vec<(ActivityType, u64)>);

const RULE: FormError = FormError("not a list of types and counts");

impl EarnedCounts {
    pub const NONE: Self = Self(Vec::new());

    /// Reads the form that [`fmt::Display`] writes.
    ///
    /// # Errors
    /// [`FormError`] for any other text.
    pub fn parse(text: &str) -> Result<Self, FormError> {
        let parts = text.split(',').filter(|_| !text.is_empty());
        let counts = parts.map(|part| {
            let (kind, count) = part.split_once(':').ok_or(RULE)?;
            Ok((ActivityType::new(kind)?, count.parse().map_err(|_| RULE)?))
        });
        let counts: Vec<_> = counts.collect::<Result<_, FormError>>()?;
        let is_sorted = counts.is_sorted_by(|(one, _), (next, _)| one < next);
        is_sorted.then_some(Self(counts)).ok_or(RULE)
    }

    /// Whether an activity counts.
    pub fn counts(activity: &Activity) -> bool {
        Self::counts_row(activity.kind.as_str(), activity.points.get(), activity.source_id.as_str())
    }

    /// Whether a ledger row counts: its type, its base points, its source id.
    pub fn counts_row(kind: &str, points: i64, source_id: &str) -> bool {
        points > 0 && kind != ORDER && reversed_transaction(source_id).is_none()
    }

    /// Counts a recorded activity.
    pub fn add(&mut self, activity: &Activity) {
        if Self::counts(activity) {
            self.add_one(&activity.kind);
        }
    }

    /// Counts an activity of this type that earned points.
    pub fn add_one(&mut self, kind: &ActivityType) {
        match self.0.binary_search_by(|(known, _)| known.cmp(kind)) {
            Ok(index) => self.0[index].1 += 1,
            Err(index) => self.0.insert(index, (kind.clone(), 1)),
        }
    }

    pub fn of(&self, kind: &ActivityType) -> u64 {
        let index = self.0.binary_search_by(|(known, _)| known.cmp(kind));
        index.ok().and_then(|index| self.0.get(index)).map_or(0, |(_, count)| *count)
    }

    pub fn total(&self) -> u64 {
        self.0.iter().map(|(_, count)| count).sum()
    }
}

impl fmt::Display for EarnedCounts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, (kind, count)) in self.0.iter().enumerate() {
            let comma = if index > 0 { "," } else { "" };
            write!(f, "{comma}{kind}:{count}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orders_and_reversals_do_not_count() {
        assert!(EarnedCounts::counts_row("code", 1, "c"));
        assert!(EarnedCounts::counts_row("code", 1, "c:REVERSAL"));
        let others = [
            ("code", 0, "c"),
            ("code", -5, "c"),
            ("order", 5, "c"),
            ("code", 5, "c:reversal"),
            ("code", 5, "c:reversal:3"),
        ];
        for (kind, points, source_id) in others {
            assert!(!EarnedCounts::counts_row(kind, points, source_id), "{kind} {points} {source_id}");
        }
    }

    #[test]
    fn counts_are_read_as_they_are_written() {
        let mut counts = EarnedCounts::NONE;
        for kind in ["video", "code", "code", "a_1"] {
            counts.add_one(&ActivityType::new(kind).unwrap());
        }
        assert_eq!(counts.to_string(), "a_1:1,code:2,video:1");
        assert_eq!(EarnedCounts::parse("a_1:1,code:2,video:1"), Ok(counts.clone()));
        assert_eq!(EarnedCounts::parse(""), Ok(EarnedCounts::NONE));
        let quiz = ActivityType::new("quiz").unwrap();
        assert_eq!((counts.total(), counts.of(&quiz)), (4, 0));
        for bad in ["code", "code:", "code:-1", "video:1,code:1", "code:1,code:1", ",", "code:1,"] {
            assert!(EarnedCounts::parse(bad).is_err(), "{bad}");
        }
    }
}
