//! What a back-test knows of a user.

use std::cell::OnceCell;
use std::collections::HashMap;

use pointbook_campaigns::{Award, PeriodKey, Usage};
use pointbook_domain::{ActivityType, Day, EarnedCounts, UserId};
use pointbook_store::schema::back_tests::EarningRow;
use pointbook_store::schema::rows::MemberProfile;

use super::awards::Given;
use super::simulation::PageUser;
use super::tally::RowOutcome;

/// A user whose rows are read, and then get awards.
pub(super) struct TestedUser {
    pub(super) id: UserId,
    pub(super) profile: Option<MemberProfile>,
    /// The rows so far that earned points, also those before `from`.
    earned: EarnedCounts,
    /// What the test gave so far: nothing until all rows of the user are read.
    pub(super) used: HashMap<PeriodKey, Usage>,
    pub(super) last_birthday: Option<Day>,
    pub(super) is_control: OnceCell<bool>,
    /// The rows so far that may get an award, or that have some of the campaign.
    pub(super) rows: Vec<TestedRow>,
    later: Vec<Later>,
    /// What the campaign gave, by the `seq` of the rows.
    given: Given,
}

/// A ledger row, and what the back-test says of it.
pub(super) struct TestedRow {
    pub(super) row: EarningRow,
    /// The positions of the row: of its type, and of all.
    pub(super) ordinals: (u64, u64),
    /// Whether it earns an award as long as no limit is used.
    pub(super) may_earn: bool,
    pub(super) outcome: RowOutcome,
}

/// What a row says of an earlier one of its user, named by its id.
pub(super) enum Later {
    /// A back-fill gave it these points.
    Given(String, i64),
    Reversed(String),
}

impl TestedUser {
    pub(super) fn new(id: UserId, user: &PageUser) -> Self {
        Self {
            id,
            profile: user.profile.clone(),
            earned: EarnedCounts::NONE,
            used: HashMap::new(),
            last_birthday: None,
            is_control: OnceCell::new(),
            rows: Vec::new(),
            later: Vec::new(),
            given: user.given.clone(),
        }
    }

    /// Counts a row that earned points.
    pub(super) fn count_earned(&mut self, row: &EarningRow) {
        if EarnedCounts::counts_row(row.kind.as_str(), row.points.get(), row.source_id.as_str()) {
            self.earned.add_one(&row.kind);
        }
    }

    /// The positions of the newest row, which is counted already.
    pub(super) fn ordinals(&self, kind: &ActivityType) -> (u64, u64) {
        (self.earned.of(kind), self.earned.total())
    }

    /// What the campaign gave for a row.
    pub(super) fn given(&self, seq: u64) -> Usage {
        let points = self.given.get(&seq).copied();
        Usage { awards: u64::from(points.is_some()), points: points.unwrap_or_default() }
    }

    /// Whether later rows may give something for an earlier one.
    pub(super) fn may_be_filled(&self) -> bool {
        !self.given.is_empty()
    }

    pub(super) fn add_later(&mut self, later: Later) {
        self.later.push(later);
    }

    /// Tells the rows what later rows say of them. The last row was read. What is not needed from now on is dropped.
    pub(super) fn end(&mut self) {
        let later = std::mem::take(&mut self.later);
        (self.earned, self.given) = (EarnedCounts::NONE, Given::default());
        if !later.is_empty() {
            let ids = self.rows.iter().enumerate().map(|(place, tested)| (tested.row.id.to_string(), place));
            let places: HashMap<String, usize> = ids.collect();
            for later in later {
                // A row that does not count is not kept.
                let tested = places.get(later.id()).and_then(|place| self.rows.get_mut(*place));
                if let Some(tested) = tested {
                    later.apply(&mut tested.outcome);
                }
            }
        }
        self.rows.retain(|tested| tested.may_earn || tested.outcome.paid.awards > 0);
    }

    /// Counts an award in the periods of the limits.
    pub(super) fn spend(&mut self, award: &Award, periods: impl Iterator<Item = PeriodKey>) {
        for period in periods {
            let used = self.used.entry(period).or_default();
            used.awards += 1;
            used.points = used.points.saturating_add(award.points.get());
        }
        self.last_birthday = self.last_birthday.max(award.birthday);
    }
}

impl Later {
    fn id(&self) -> &str {
        match self {
            Self::Given(id, _) | Self::Reversed(id) => id,
        }
    }

    fn apply(&self, row: &mut RowOutcome) {
        match self {
            Self::Given(_, points) => {
                row.paid.awards += 1;
                row.has_award = true;
                row.paid.points = row.paid.points.saturating_add(*points);
            }
            Self::Reversed(_) => row.is_reversed = true,
        }
    }
}
