//! What stands in the ledger of what is to be recorded.

use std::collections::{HashMap, HashSet};

use pointbook_app::recording::StoredTransaction;
use pointbook_domain::{Activity, ActivityType, Day, SourceId, UserId};
use tokio_postgres::Row;

use super::transaction_row;
use crate::connection::Transaction;
use crate::error::Outcome;
use crate::row::{Record, count};

/// What a transaction to be recorded is known by, and the day that it adds to.
#[derive(Clone, Copy)]
pub(crate) struct Question<'q> {
    pub(crate) user_id: &'q UserId,
    pub(crate) kind: &'q ActivityType,
    pub(crate) source_id: &'q SourceId,
    pub(crate) day: Day,
}

impl<'q> Question<'q> {
    pub(crate) fn of(user_id: &'q UserId, activity: &'q Activity) -> Self {
        let Activity { kind, source_id, created_at, .. } = activity;
        Self { user_id, kind, source_id, day: created_at.day() }
    }
}

/// What is recorded once, for ever.
#[derive(PartialEq, Eq, Hash)]
pub(super) struct BusinessKey {
    user_id: UserId,
    kind: ActivityType,
    source_id: SourceId,
}

impl BusinessKey {
    pub(super) fn of(user_id: &UserId, activity: &Activity) -> Self {
        let Activity { kind, source_id, .. } = activity;
        Self { user_id: user_id.clone(), kind: kind.clone(), source_id: source_id.clone() }
    }
}

/// The answers to questions.
#[derive(Default)]
pub(super) struct Seen {
    /// How many rows each user had; none for users who are unknown.
    pub(super) last_seqs: HashMap<UserId, u64>,
    /// The rows that have the business keys asked for.
    pub(super) standing: HashMap<BusinessKey, StoredTransaction>,
    /// Those of the days asked for that have rows.
    days: HashSet<(UserId, i32)>,
}

impl Seen {
    pub(super) fn has_day(&self, user: &UserId, day: Day) -> bool {
        self.days.contains(&(user.clone(), day.as_days()))
    }

    fn add(&mut self, row: &Row) -> Outcome<()> {
        let record = Record::new("transactions", 2, row);
        let user = record.read(0, |id: &str| UserId::new(id))?;
        if let Some(seq) = record.read_optional(1, count)? {
            let transaction = transaction_row::read(&record, 2)?;
            let key = BusinessKey::of(&user, &transaction.activity);
            self.standing.insert(key, StoredTransaction { seq, transaction });
        }
        if let Some(day) = record.get(10)? {
            self.days.insert((user.clone(), day));
        }
        self.last_seqs.insert(user, record.read(11, count)?);
        Ok(())
    }
}

/// Looks for all of it by keys, however many rows there are: each inner statement has a bound, so that no
/// planner makes one pass over a table of them.
const SEE: &str = "SELECT given.user_id, standing.seq, standing.id, standing.created_at, standing.type,
        standing.source_id, standing.points, standing.bonus_breakdown, standing.title, standing.subtitle,
        begun.day, known.last_seq
    FROM unnest($2::text[], $3::text[], $4::text[], $5::integer[]) AS given (user_id, type, source_id, day)
    CROSS JOIN LATERAL (
        SELECT last_seq FROM users WHERE tenant_id = $1 AND id = given.user_id LIMIT 1
    ) AS known
    LEFT JOIN LATERAL (
        SELECT history_days.day FROM history_days
        WHERE tenant_id = $1 AND user_id = given.user_id AND history_days.day = given.day LIMIT 1
    ) AS begun ON TRUE
    LEFT JOIN LATERAL (
        SELECT seq, id, created_at, transactions.type, transactions.source_id, points, bonus_breakdown, title,
            subtitle
        FROM transactions
        WHERE tenant_id = $1 AND user_id = given.user_id AND transactions.type = given.type
            AND transactions.source_id = given.source_id LIMIT 1
    ) AS standing ON TRUE";

/// Answers all questions as of one moment.
pub(super) async fn see(database: &Transaction, tenant: &str, questions: &[Question<'_>]) -> Outcome<Seen> {
    let users: Vec<&str> = questions.iter().map(|question| question.user_id.as_str()).collect();
    let types: Vec<&str> = questions.iter().map(|question| question.kind.as_str()).collect();
    let sources: Vec<&str> = questions.iter().map(|question| question.source_id.as_str()).collect();
    let days: Vec<i32> = questions.iter().map(|question| question.day.as_days()).collect();
    let rows = database.rows(SEE, &[&tenant, &users, &types, &sources, &days]).await?;
    let mut seen = Seen::default();
    for row in &rows {
        seen.add(row)?;
    }
    Ok(seen)
}
