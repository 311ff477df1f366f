//! The writes of clients, and the outcomes in their responses.

use anyhow::{Context, Result, bail, ensure};
use serde_json::{Value, json};
use xtask::operate::http_client::{Answer, Call};

use super::setup::{CrashSetup, below_base};

/// A write that may be sent any number of times.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Request {
    /// An activity. Its business key makes it happen once.
    Activity(Activity),
    /// An order. Its `Idempotency-Key` makes it happen once.
    Order(OrderRequest),
    /// A step of an order. An order has one refund, with a key or without.
    Step(StepRequest),
}

/// An activity of type `code`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Activity {
    pub(super) user: String,
    pub(super) source_id: String,
    pub(super) points: i64,
    pub(super) bonus: i64,
}

/// An order of one of the setup's customers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct OrderRequest {
    /// The customer's index in the setup.
    pub(super) customer: usize,
    pub(super) key: String,
    pub(super) product: &'static str,
    pub(super) quantity: i64,
}

/// A step of an order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct StepRequest {
    pub(super) order: String,
    pub(super) step: Step,
    pub(super) key: Option<String>,
}

/// A change of a placed order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Step {
    Cancel,
    Fulfil,
}

/// The status of an order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Status {
    Placed,
    Fulfilled,
    Cancelled,
}

/// The outcome that a response tells.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    /// The activity has this transaction id. `is_new` when this request recorded it.
    Recorded { id: String, is_new: bool },
    /// The order was placed. `is_replay` when an earlier request did.
    Placed { id: String, points: i64, is_replay: bool },
    /// The order was refused, because of points or stock.
    Refused { is_replay: bool },
    /// The order took the step. `is_replay` when an earlier request did.
    Stepped { is_replay: bool },
    /// The status of the order does not allow the step.
    WrongStep,
    /// The server failed. The outcome is unknown.
    Failed,
}

impl Step {
    /// The status of an order after the step.
    pub(super) fn status(self) -> Status {
        match self {
            Self::Cancel => Status::Cancelled,
            Self::Fulfil => Status::Fulfilled,
        }
    }
}

impl Status {
    /// The status as the interface writes it.
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Placed => "placed",
            Self::Fulfilled => "fulfilled",
            Self::Cancelled => "cancelled",
        }
    }
}

impl Request {
    /// The HTTP request.
    pub(super) fn call<'c>(&'c self, setup: &'c CrashSetup) -> Call<'c> {
        let back_office = setup.back_office.as_str();
        match self {
            Self::Activity(activity) => Call {
                method: "POST",
                path: below_base(&format!("/v1/manage/users/{}/activities", activity.user)),
                token: back_office,
                key: None,
                body: Some(activity.body()),
            },
            Self::Order(OrderRequest { customer, key, product, quantity }) => Call {
                method: "POST",
                path: below_base("/v1/store/orders"),
                token: &setup.customers[*customer].token,
                key: Some(key),
                body: Some(json!({"product_id": product, "quantity": quantity})),
            },
            Self::Step(StepRequest { order, step, key }) => {
                let verb = if *step == Step::Cancel { "cancel" } else { "fulfil" };
                let path = below_base(&format!("/v1/manage/orders/{order}/{verb}"));
                Call { method: "POST", path, token: back_office, key: key.as_deref(), body: Some(json!({})) }
            }
        }
    }

    /// Reads a response.
    ///
    /// # Errors
    /// When no correct server gives this response to this request.
    pub(super) fn read(&self, answer: &Answer) -> Result<Outcome> {
        let body = answer.json()?;
        if answer.status >= 500 {
            ensure!(body["message"].is_string(), "an error without a message: {body}");
            return Ok(Outcome::Failed);
        }
        let is_replay = answer.is_replay;
        match (self, answer.status) {
            (Self::Activity(activity), 200 | 201) => activity.read(&body, answer.status == 201),
            (Self::Order(order), 201) => order.read(&body, is_replay),
            (Self::Order(_), 422) => Ok(Outcome::Refused { is_replay }),
            (Self::Step(request), 200) => request.read(&body, is_replay),
            (Self::Step(_), 409) => Ok(Outcome::WrongStep),
            (_, status) => bail!("{self:?} got the response {status} {body}"),
        }
    }
}

impl Activity {
    fn body(&self) -> Value {
        let mut body = json!({
            "type": "code", "source_id": self.source_id, "points": self.points, "title": "QR code scan",
        });
        if self.bonus > 0 {
            let campaign = json!({"type": "campaign", "points": self.bonus, "title": "Spring campaign"});
            body["bonus_breakdown"] = json!([campaign]);
        }
        body
    }

    fn read(&self, body: &Value, is_new: bool) -> Result<Outcome> {
        let data = &body["data"];
        let same = data["source_id"] == self.source_id.as_str()
            && data["points"] == self.points
            && data["bonus_points"] == self.bonus;
        ensure!(same, "{self:?} got the response {body}");
        Ok(Outcome::Recorded { id: text(&data["id"])?, is_new })
    }
}

impl OrderRequest {
    fn read(&self, body: &Value, is_replay: bool) -> Result<Outcome> {
        let data = &body["data"];
        let same = data["product"]["id"] == self.product && data["quantity"] == self.quantity;
        ensure!(same && data["status"] == "placed", "{self:?} got the response {body}");
        let points = data["points"].as_i64().context("an order without points")?;
        Ok(Outcome::Placed { id: text(&data["id"])?, points, is_replay })
    }
}

impl StepRequest {
    fn read(&self, body: &Value, is_replay: bool) -> Result<Outcome> {
        let data = &body["data"];
        let done = data["id"] == self.order.as_str() && data["status"] == self.step.status().word();
        ensure!(done, "{self:?} got the response {body}");
        Ok(Outcome::Stepped { is_replay })
    }
}

fn text(value: &Value) -> Result<String> {
    Ok(value.as_str().context("a response without an id")?.to_owned())
}
