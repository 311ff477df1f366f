//! What a back-test knows of the user whose rows it reads.

use std::cell::OnceCell;
use std::collections::HashMap;

use pointbook_campaigns::{Award, BudgetLeft, CampaignId, Counters, OrdinalOf, PeriodKey, Usage};
use pointbook_domain::{ActivityType, Day, EarnedCounts, UserId};

use super::awards::Given;
use super::tally::RowOutcome;
use crate::Earning;

/// The past of a user, in the back-test of one campaign.
pub(super) struct UserPast {
    pub(super) id: UserId,
    /// The rows so far that earned points, also those before `from`.
    pub(super) earned: EarnedCounts,
    used: HashMap<PeriodKey, Usage>,
    last_birthday: Option<Day>,
    is_control: OnceCell<bool>,
    /// The rows so far that the test gives points, or that have some of the campaign.
    outcomes: Vec<RowOutcome>,
    later: Vec<Later>,
    /// What the campaign gave, by the `seq` of the rows.
    given: Given,
}

/// What a row says of an earlier one of its user, named by its id.
pub(super) enum Later {
    /// A back-fill gave it these points.
    Given(String, i64),
    Reversed(String),
}

impl UserPast {
    pub(super) fn new(id: UserId, given: Given) -> Self {
        Self {
            id,
            earned: EarnedCounts::NONE,
            used: HashMap::new(),
            last_birthday: None,
            is_control: OnceCell::new(),
            outcomes: Vec::new(),
            later: Vec::new(),
            given,
        }
    }

    /// Counts an award in the periods of the limits.
    pub(super) fn add(&mut self, award: &Award, periods: impl Iterator<Item = PeriodKey>) {
        for period in periods {
            let used = self.used.entry(period).or_default();
            used.awards += 1;
            used.points = used.points.saturating_add(award.points.get());
        }
        self.last_birthday = self.last_birthday.max(award.birthday);
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

    pub(super) fn add_outcome(&mut self, outcome: RowOutcome) {
        self.outcomes.push(outcome);
    }

    pub(super) fn add_later(&mut self, later: Later) {
        self.later.push(later);
    }

    /// The rows with what later rows say of them, and the user.
    pub(super) fn end(mut self) -> (UserId, Vec<RowOutcome>) {
        let later = std::mem::take(&mut self.later);
        if !later.is_empty() {
            let ids = self.outcomes.iter().enumerate().map(|(place, row)| (row.id.to_string(), place));
            let places: HashMap<String, usize> = ids.collect();
            for later in later {
                // A row that does not count has no outcome.
                let row = places.get(later.id()).and_then(|place| self.outcomes.get_mut(*place));
                if let Some(row) = row {
                    later.apply(row);
                }
            }
        }
        self.outcomes.retain(|row| row.simulated > 0 || row.paid.awards > 0);
        (self.id, self.outcomes)
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
                row.paid.points = row.paid.points.saturating_add(*points);
            }
            Self::Reversed(_) => row.is_reversed = true,
        }
    }
}

/// The counters for the newest row of a user, which [`UserPast::earned`] has already.
pub(super) struct RowCounters<'r> {
    pub(super) earning: &'r Earning,
    pub(super) past: &'r UserPast,
    pub(super) kind: &'r ActivityType,
}

impl Counters for RowCounters<'_> {
    fn ordinal(&self, of: OrdinalOf) -> u64 {
        match of {
            OrdinalOf::Type => self.past.earned.of(self.kind),
            OrdinalOf::All => self.past.earned.total(),
        }
    }

    fn used(&self, _: &CampaignId, period: PeriodKey) -> Usage {
        self.past.used.get(&period).copied().unwrap_or_default()
    }

    fn last_birthday(&self, _: &CampaignId) -> Option<Day> {
        self.past.last_birthday
    }

    /// The budget is cut at the end, when the order of all awards is known.
    fn budget(&self, _: &CampaignId) -> BudgetLeft {
        BudgetLeft::default()
    }

    fn is_control(&self, campaign: &CampaignId, percent: u8) -> bool {
        let decide = || self.earning.is_control(campaign.as_str(), &self.past.id, percent);
        *self.past.is_control.get_or_init(decide)
    }
}
