//! The journal of one client: its requests without a response, and its acknowledged writes.

use std::collections::HashMap;

use anyhow::{Context, Result, bail, ensure};

use super::request::{Activity, OrderRequest, Outcome, Request, Status};

/// An order that was acknowledged.
#[derive(Debug)]
pub(super) struct Order {
    pub(super) request: OrderRequest,
    pub(super) points: i64,
    pub(super) status: Status,
}

/// Written before a request is sent, and again when its response arrives.
#[derive(Debug, Default)]
pub(super) struct Book {
    /// Requests without a response that tells their outcome, the newest last.
    pub(super) pending: Vec<Request>,
    /// Requests that were acknowledged since the last verification.
    pub(super) fresh: Vec<Request>,
    /// Every acknowledged activity by user and source, and its id.
    pub(super) activities: HashMap<(String, String), (Activity, String)>,
    /// Every acknowledged order by its id.
    pub(super) orders: HashMap<String, Order>,
    /// The order of each key, or `None` when the order was refused.
    keys: HashMap<String, Option<String>>,
}

impl Book {
    /// Notes a request that is about to be sent.
    pub(super) fn begin(&mut self, request: Request) {
        self.pending.push(request);
    }

    /// Notes the outcome of the newest request.
    ///
    /// # Errors
    /// When it contradicts an earlier acknowledgement.
    pub(super) fn acknowledge(&mut self, outcome: Outcome) -> Result<()> {
        let request = self.pending.pop().context("a response without a request")?;
        match (&request, outcome) {
            (_, Outcome::Failed) => {
                self.pending.push(request);
                return Ok(());
            }
            (Request::Activity(activity), Outcome::Recorded { id, is_new }) => {
                self.record(activity, id, is_new)?;
            }
            (Request::Order(order), Outcome::Placed { id, points, .. }) => self.place(order, id, points)?,
            (Request::Order(order), Outcome::Refused { .. }) => self.settle(order, None)?,
            (Request::Step(step), Outcome::Stepped { .. } | Outcome::WrongStep) => {
                // Reading the order later shows whether an earlier attempt had taken this step.
                let order = self.orders.get_mut(&step.order).context("a step of an unknown order")?;
                ensure!(
                    [Status::Placed, step.step.status()].contains(&order.status),
                    "{step:?}, but it is {:?}",
                    order.status
                );
                order.status = step.step.status();
            }
            (request, outcome) => bail!("{request:?} had the unexpected outcome {outcome:?}"),
        }
        self.fresh.push(request);
        Ok(())
    }

    /// The id of the order that was placed under this key.
    pub(super) fn order_of(&self, key: &str) -> Option<&str> {
        self.keys.get(key)?.as_deref()
    }

    fn record(&mut self, activity: &Activity, id: String, is_new: bool) -> Result<()> {
        let key = (activity.user.clone(), activity.source_id.clone());
        if let Some((_, known)) = self.activities.get(&key) {
            ensure!(!is_new && *known == id, "{activity:?} had the id {known}, and now {id}");
            return Ok(());
        }
        self.activities.insert(key, (activity.clone(), id));
        Ok(())
    }

    fn place(&mut self, request: &OrderRequest, id: String, points: i64) -> Result<()> {
        self.settle(request, Some(&id))?;
        let order = Order { request: request.clone(), points, status: Status::Placed };
        let order = self.orders.entry(id).or_insert(order);
        ensure!(order.points == points, "{request:?} took {} points, and now {points}", order.points);
        Ok(())
    }

    /// A key always has the same outcome.
    fn settle(&mut self, request: &OrderRequest, came_to: Option<&String>) -> Result<()> {
        let known = self.keys.entry(request.key.clone()).or_insert_with(|| came_to.cloned());
        ensure!(known.as_ref() == came_to, "{request:?} gave the order {known:?}, and now {came_to:?}");
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn order() -> Request {
        let key = "k1".to_owned();
        Request::Order(OrderRequest { customer: 0, key, product: "mug", quantity: 1 })
    }

    fn write(book: &mut Book, request: Request, outcome: Outcome) -> Result<()> {
        book.begin(request);
        book.acknowledge(outcome)
    }

    fn placed(id: &str) -> Outcome {
        Outcome::Placed { id: id.to_owned(), points: 10, is_replay: false }
    }

    #[test]
    fn second_order_under_one_key_is_found() {
        let mut book = Book::default();
        write(&mut book, order(), placed("o1")).unwrap();
        write(&mut book, order(), placed("o1")).unwrap();
        assert!(write(&mut book, order(), placed("o2")).is_err());
        assert!(write(&mut book, order(), Outcome::Refused { is_replay: true }).is_err());
    }

    #[test]
    fn second_award_of_one_activity_is_found() {
        let activity = Activity { user: "u".to_owned(), source_id: "s".to_owned(), points: 1, bonus: 0 };
        let recorded = |is_new| Outcome::Recorded { id: "t1".to_owned(), is_new };
        let mut book = Book::default();
        write(&mut book, Request::Activity(activity.clone()), recorded(true)).unwrap();
        write(&mut book, Request::Activity(activity.clone()), recorded(false)).unwrap();
        assert!(write(&mut book, Request::Activity(activity), recorded(true)).is_err());
    }

    #[test]
    fn failed_request_stays_pending() {
        let mut book = Book::default();
        write(&mut book, order(), Outcome::Failed).unwrap();
        assert_eq!((book.pending.len(), book.fresh.len()), (1, 0));
    }
}
