//! Recording what a back office tells.

use std::collections::HashSet;

use pointbook_app::recording::{Addition, Overdraft};
use pointbook_domain::{OrderId, Points, Timestamp, Transaction, UserId};

use super::changes::Changes;
use super::record::Recorder;
use super::seen::Question;
use super::user_state::Hold;
use crate::connection;
use crate::error::Outcome;
use crate::orders::order_row;
use crate::pipeline::both;

/// A transaction that a back office tells of.
#[derive(Clone, Copy)]
pub(super) struct Told<'t> {
    pub(super) user_id: &'t UserId,
    pub(super) transaction: &'t Transaction,
    pub(super) recorded_at: Timestamp,
}

/// A recorder that keeps away from the points of orders: a row in the place of a refund would keep its
/// order from being cancelled for ever.
pub(super) struct ToldRecorder<'t> {
    recorder: Recorder<'t>,
    orders: HashSet<String>,
}

impl<'t> ToldRecorder<'t> {
    pub(super) async fn begin(
        database: &connection::Transaction,
        tenant: &str,
        told: &[Told<'t>],
        how: Hold,
    ) -> Outcome<Self> {
        let question = |told: &Told<'t>| Question::of(told.user_id, &told.transaction.activity);
        let questions: Vec<Question<'t>> = told.iter().map(question).collect();
        let of_orders = questions.iter().filter(|question| question.kind.is_order());
        let orders: Vec<&str> =
            of_orders.flat_map(|question| OrderId::candidates(question.source_id.as_str())).collect();
        let recorder = Recorder::begin(database, tenant, &questions, how);
        let (recorder, orders) = both(recorder, order_row::known(database, tenant, &orders)).await?;
        Ok(Self { recorder, orders })
    }

    /// Whether the user is held: not when they are unknown or somebody else's, and were not waited for.
    pub(super) fn holds(&self, user: &UserId) -> bool {
        self.recorder.holds(user)
    }

    /// Records it; none when it is for an order to record.
    pub(super) fn record(&mut self, told: Told<'_>, overdraft: Overdraft) -> Outcome<Option<Addition>> {
        let Told { user_id, transaction, recorded_at } = told;
        if self.is_of_an_order(transaction) && !self.recorder.has(user_id, transaction) {
            return Ok(None);
        }
        self.recorder.record(user_id, transaction, recorded_at, overdraft).map(Some)
    }

    /// The balance with all that was recorded so far.
    pub(super) fn balance(&self, user: &UserId) -> Outcome<Points> {
        self.recorder.balance(user)
    }

    pub(super) fn finish(self) -> Changes {
        self.recorder.finish()
    }

    /// Whether the points of an order, whoever's, move under this type and source id.
    fn is_of_an_order(&self, transaction: &Transaction) -> bool {
        let activity = &transaction.activity;
        let is_known = |id: &str| self.orders.contains(id);
        activity.kind.is_order() && OrderId::candidates(activity.source_id.as_str()).into_iter().any(is_known)
    }
}
