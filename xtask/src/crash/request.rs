//! What clients write, and what an answer to it says.

use anyhow::{Context, Result, bail, ensure};
use pointbook_operate::http_client::{Answer, Call};
use serde_json::{Value, json};

use super::setup::{CrashSetup, below_base};

/// A write that may be sent any number of times.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Request {
    /// An activity; its business key makes it happen once.
    Activity(Activity),
    /// An order; its Idempotency-Key makes it happen once.
    Order(OrderRequest),
    /// A step of an order; there is one refund, with a key or without.
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
    /// The customer's place in the setup.
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

/// What becomes of a placed order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Step {
    Cancel,
    Fulfil,
}

/// Where an order stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Status {
    Placed,
    Fulfilled,
    Cancelled,
}

/// What an answer says.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    /// The activity stands under this id; `is_new` when it did not before.
    Recorded { id: String, is_new: bool },
    /// The order stands; `is_replay` when it did before.
    Placed { id: String, points: i64, is_replay: bool },
    /// There is no order, because of points or stock.
    Refused { is_replay: bool },
    /// The order has taken the step; `is_replay` when it had before.
    Stepped { is_replay: bool },
    /// The order stands where the step cannot be taken.
    WrongStep,
    /// The server could not; whether it happened is unknown.
    Failed,
}

impl Step {
    /// Where an order stands after the step.
    pub(super) fn status(self) -> Status {
        match self {
            Self::Cancel => Status::Cancelled,
            Self::Fulfil => Status::Fulfilled,
        }
    }
}

impl Status {
    /// As the interface writes it.
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Placed => "placed",
            Self::Fulfilled => "fulfilled",
            Self::Cancelled => "cancelled",
        }
    }
}

impl Request {
    /// The request as it is sent.
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

    /// Reads an answer.
    ///
    /// # Errors
    /// When no correct server gives this answer to this request.
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
            (_, status) => bail!("{self:?} was answered with {status} {body}"),
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
        ensure!(same, "{self:?} was answered with {body}");
        Ok(Outcome::Recorded { id: text(&data["id"])?, is_new })
    }
}

impl OrderRequest {
    fn read(&self, body: &Value, is_replay: bool) -> Result<Outcome> {
        let data = &body["data"];
        let same = data["product"]["id"] == self.product && data["quantity"] == self.quantity;
        ensure!(same && data["status"] == "placed", "{self:?} was answered with {body}");
        let points = data["points"].as_i64().context("an order without points")?;
        Ok(Outcome::Placed { id: text(&data["id"])?, points, is_replay })
    }
}

impl StepRequest {
    fn read(&self, body: &Value, is_replay: bool) -> Result<Outcome> {
        let data = &body["data"];
        let done = data["id"] == self.order.as_str() && data["status"] == self.step.status().word();
        ensure!(done, "{self:?} was answered with {body}");
        Ok(Outcome::Stepped { is_replay })
    }
}

fn text(value: &Value) -> Result<String> {
    Ok(value.as_str().context("an answer without an id")?.to_owned())
}
