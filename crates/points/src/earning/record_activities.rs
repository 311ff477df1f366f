//! Records many past activities: the use case of imports from files and requests.

use pointbook_domain::{Activity, ActivityType, BonusOrigin, Timestamp, Transaction, UserId};
use pointbook_store::audit_log::ChangeNote;
use pointbook_store::commands::{Command, CommandError, Facts, Needs};
use pointbook_store::ports::{Execution, NewTransaction, RecordOutcome};
use pointbook_store::{Context, StoreResult};
use serde_json::json;

use crate::earning::bonuses::{Earning, current_rules};
use crate::earning::record_activity::{is_same, record};
use crate::ledger;
use crate::ledger::{Addition, Overdraft, Recording, Reported, Terms};

/// Records transactions in order. A refused transaction does not stop the others. Unknown users are created. A negative balance
/// is allowed, because the history happened. The rule of [`record_activity`](crate::earning::record_activity::record_activity()) about orders holds.
/// Returns one outcome per transaction, in order.
///
/// The users come in the order of their ids, so that the store keeps rows together that are read together. The transactions of
/// one user stay in the given order. With campaigns, all come in the order of their time instead: it decides who gets the last of a
/// budget.
pub struct RecordHistory {
    /// With the position of each in the given order. An activity whose type the tenant lacks is only its type.
    reported: Vec<(usize, Result<Row, ActivityType>)>,
    recorded_at: Timestamp,
    /// The campaigns that add bonuses, when a row asks for them.
    earning: Option<Earning>,
    terms: Terms,
    /// Rows that were refused before, which the audit log counts too.
    refused_before: usize,
}

struct Row {
    reported: Reported,
    asks_campaigns: bool,
}

impl RecordHistory {
    /// Of transactions whose types the tenant has.
    pub fn new(transactions: Vec<NewTransaction>, recorded_at: Timestamp) -> Self {
        let row = |new: NewTransaction| Ok(Row { reported: new.into(), asks_campaigns: false });
        Self::of(transactions.into_iter().map(row), recorded_at)
    }

    /// The same, where every transaction asks the campaigns.
    #[must_use]
    pub fn earning(mut self, earning: Earning) -> Self {
        self.reported.iter_mut().flat_map(|(_, row)| row).for_each(|row| row.asks_campaigns = true);
        self.asking(earning)
    }

    /// The same, when points end by these terms.
    #[must_use]
    pub fn ending(self, terms: Terms) -> Self {
        Self { terms, ..self }
    }

    fn asking(mut self, earning: Earning) -> Self {
        let time = |row: &Row| row.reported.transaction.activity.created_at;
        self.reported.sort_by_key(|(place, row)| (row.as_ref().ok().map(time), *place));
        Self { earning: Some(earning), ..self }
    }

    fn of(rows: impl Iterator<Item = Result<Row, ActivityType>>, recorded_at: Timestamp) -> Self {
        let mut reported: Vec<_> = rows.enumerate().collect();
        reported.sort_by(|(_, a), (_, b)| user_of(a).cmp(&user_of(b)));
        Self { reported, recorded_at, earning: None, terms: Terms::default(), refused_before: 0 }
    }

    /// The user of each transaction in the given order; `None` for one whose type the tenant lacks.
    pub(crate) fn users(&self) -> Vec<Option<&UserId>> {
        let mut users: Vec<_> = self.reported.iter().map(|(place, row)| (*place, user_of(row))).collect();
        users.sort_unstable_by_key(|(place, _)| *place);
        users.into_iter().map(|(_, user)| user).collect()
    }

    fn asks_campaigns(&self) -> bool {
        self.reported.iter().any(|(_, row)| row.as_ref().is_ok_and(|row| row.asks_campaigns))
    }

    /// The campaigns that add bonuses to a row.
    fn earning_of(&self, row: &Row) -> Option<&Earning> {
        self.earning.as_ref().filter(|_| row.asks_campaigns)
    }
}

impl Command for RecordHistory {
    type Outcome = Vec<RecordOutcome>;

    const NAME: &'static str = "record_history";

    fn needs(&self, needs: &mut Needs) {
        for row in self.reported.iter().filter_map(|(_, row)| row.as_ref().ok()) {
            let Reported { user_id, transaction } = &row.reported;
            ledger::need_reported(needs, &row.reported);
            if let Some(earning) = self.earning_of(row) {
                earning.needs(user_id, &transaction.activity, needs);
            }
        }
    }

    fn further_needs(&self, facts: &Facts, needs: &mut Needs) {
        for row in self.reported.iter().filter_map(|(_, row)| row.as_ref().ok()) {
            self.terms.need_due(facts, needs, &row.reported.user_id, self.recorded_at);
            ledger::need_held(facts, needs, &row.reported);
        }
    }

    fn decide(&self, facts: &mut Facts) -> Result<Vec<RecordOutcome>, CommandError> {
        let mut outcomes = Vec::with_capacity(self.reported.len());
        let recording = Recording { at: self.recorded_at, overdraft: Overdraft::Allowed, terms: &self.terms };
        for (place, row) in &self.reported {
            let outcome = match row {
                Ok(row) => {
                    let addition =
                        record(&row.reported, self.earning_of(row), recording, self.recorded_at, facts)?;
                    outcome(addition.map(|(addition, _)| addition), &row.reported.transaction)
                }
                Err(kind) => RecordOutcome::UnknownType(kind.clone()),
            };
            outcomes.push((*place, outcome));
        }
        if outcomes.iter().any(|(_, outcome)| *outcome == RecordOutcome::Recorded) {
            facts.note(|| note(&outcomes, self.refused_before));
        }
        outcomes.sort_unstable_by_key(|(place, _)| *place);
        Ok(outcomes.into_iter().map(|(_, outcome)| outcome).collect())
    }
}

/// The audit log counts the rows. The ledger has the rows themselves.
fn note(outcomes: &[(usize, RecordOutcome)], refused_before: usize) -> ChangeNote {
    let count = |counted: RecordOutcome| outcomes.iter().filter(|(_, outcome)| *outcome == counted).count();
    let (recorded, known) = (count(RecordOutcome::Recorded), count(RecordOutcome::AlreadyRecorded));
    let refused = refused_before + outcomes.len() - recorded - known;
    let facts = json!({ "recorded": recorded, "already_recorded": known, "refused": refused });
    ChangeNote::of_event("activities.import", "activities", facts)
}

fn user_of(row: &Result<Row, ActivityType>) -> Option<&UserId> {
    row.as_ref().ok().map(|row| &row.reported.user_id)
}

/// Whether a row of an import is in the ledger: as the request said it, or as an export has it, with the bonuses of campaigns.
fn is_known(stored: &Transaction, given: &Transaction) -> bool {
    is_same(stored, &given.activity, true) || stored.activity == given.activity
}

fn outcome(addition: Option<Addition>, given: &Transaction) -> RecordOutcome {
    match addition {
        Some(Addition::Added { .. }) => RecordOutcome::Recorded,
        Some(Addition::AlreadyRecorded(stored)) if is_known(&stored.transaction, given) => {
            RecordOutcome::AlreadyRecorded
        }
        Some(Addition::AlreadyRecorded(_)) | None => RecordOutcome::Conflict,
        // A history may overdraw, so only the bounds remain.
        Some(Addition::Refused(_)) => RecordOutcome::OutOfRange,
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct NewActivity {
    /// The user, who is created if unknown.
    pub user_id: UserId,
    pub activity: Activity,
    /// Whether the request says which bonuses the activity has, perhaps none.
    pub has_breakdown: bool,
    /// Whether campaigns add bonuses to those of the activity.
    pub asks_campaigns: bool,
}

/// Records each activity in one commit. A refused activity does not stop the others. Returns one outcome per activity, in order.
/// `refused_before` rows of the import had mistakes: the entry of the audit log counts them too.
///
/// # Errors
/// When the store fails: nothing was recorded, or the key of the request tells.
pub async fn record_activities(
    context: &Context<Vec<RecordOutcome>>,
    activities: Vec<NewActivity>,
    refused_before: usize,
) -> StoreResult<Execution<Vec<RecordOutcome>>> {
    let command = history(context, activities).await?;
    context.execute(RecordHistory { refused_before, ..command }).await
}

/// The command that records these activities.
pub(crate) async fn history<T>(
    context: &Context<T>,
    activities: Vec<NewActivity>,
) -> StoreResult<RecordHistory> {
    let settings = &context.tenant.tenant.settings;
    let row = |NewActivity { user_id, activity, has_breakdown, asks_campaigns }| {
        if !settings.knows_activity_type(&activity.kind) {
            return Err(activity.kind);
        }
        let bonus_origin = if has_breakdown { BonusOrigin::BackOffice } else { BonusOrigin::Import };
        let transaction = Transaction { id: context.ids.transaction_id(), activity, bonus_origin };
        Ok(Row { reported: NewTransaction { user_id, transaction }.into(), asks_campaigns })
    };
    let command = RecordHistory::of(activities.into_iter().map(row), context.now);
    let command = command.ending(Terms::of(&context.tenant));
    if command.asks_campaigns() { Ok(command.asking(current_rules(context).await?)) } else { Ok(command) }
}
