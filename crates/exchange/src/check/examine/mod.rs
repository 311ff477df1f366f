//! The examination: which requests it sends, in which order, and how it judges the responses.

mod auth;
mod caching;
mod categories;
mod errors;
mod filters;
mod history;
mod list;
mod source;
mod store;
mod walk;

use self::history::Histories;
pub use self::source::{Filter, History, Products, ReadError, Source};
use self::walk::WalkedList;
use crate::check::client::{Client, Halt};
use crate::check::cursor::Findings;
use crate::check::exchange::{Call, Credentials, Response};
use crate::check::json::Json;
use crate::check::read::Category;
use crate::check::report::Report;
use crate::check::results::{RuleResults, judge};
use crate::check::rule;
use crate::check::rule::Rule;

const PRODUCTS: &str = "/v1/store/products";
const CATEGORIES: &str = "/v1/store/categories";
const HISTORY: &str = "/v1/user/point-history";

const CATEGORY: &str = "filter[category]";
const NUMBER: &str = "page[number]";
const SIZE: &str = "page[size]";

/// An id and a search string that no server knows.
const UNKNOWN: &str = "pointbook-check-nothing-is-called-so";

/// The rule that a documented request breaks when it does not return 200.
const DOCUMENTED: Option<&Rule> = Some(rule::ANSWERS_STATUS);

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    #[error("the server cannot be reached: {0}")]
    Unreachable(String),
    #[error("the server does not accept the given token: {0}")]
    Token(String),
    /// The server has no store at this base URL.
    #[error("the server has no API at this base URL: {0}")]
    NoApi(String),
    #[error("the server does not follow the interface: {0}")]
    NotTheInterface(String),
}

struct Examiner<'c> {
    client: &'c mut Client,
    results: RuleResults,
    /// Why the examination sends no further requests.
    halt: Option<Halt>,
    /// The products in the order without sort. Filters and sort orders are compared with this model.
    store: WalkedList,
    tree: Vec<Category>,
    histories: Histories,
}

/// Examines a server until every rule was tried or the maximum number of requests is used up.
///
/// # Errors
/// [`Refusal`] when the server cannot be examined.
pub fn examine(client: &mut Client) -> Result<Report, Refusal> {
    let opening = open(client)?;
    let mut examiner = Examiner::new(client);
    examiner.run(&opening);
    let Examiner { client, mut results, halt, .. } = examiner;
    let otherwise = match halt {
        None => "the server has no data to try it on",
        Some(Halt::Budget) => "the maximum number of requests was used up before; allow more requests",
        Some(Halt::Unreachable(why)) => return Err(Refusal::Unreachable(why)),
        Some(halt @ (Halt::Refused(_) | Halt::Silent(_) | Halt::NoResponse(_))) => {
            results.note(&format!("the examination ended early: {halt}"));
            "the examination ended early"
        }
    };
    let (rules, notes) = results.close(otherwise);
    Ok(Report { base_url: client.base.to_string(), requests: client.sent, rules, notes })
}

/// Checks that the server can be examined. Returns the first page of products. For the other token, only a refusal of the
/// token counts here.
fn open(client: &mut Client) -> Result<Response, Refusal> {
    let response = open_with(client, Credentials::Own)?;
    if client.other.is_some()
        && let Err(refusal @ Refusal::Token(_)) = open_with(client, Credentials::Other)
    {
        return Err(refusal);
    }
    Ok(response)
}

fn open_with(client: &mut Client, credentials: Credentials) -> Result<Response, Refusal> {
    let call = Call::get(PRODUCTS).by(credentials);
    let response = client.send(&call).map_err(|halt| Refusal::Unreachable(halt.to_string()))?;
    let told = client.secrets().cleaned(&format!("{call} returns {response}"));
    match (response.status, &response.json) {
        (401 | 403, _) => Err(Refusal::Token(told)),
        (404, _) => Err(Refusal::NoApi(format!("{told}; {}", hint(&client.base.to_string())))),
        (_, Err(_)) => Err(Refusal::NotTheInterface(told)),
        (_, Ok(_)) => Ok(response),
    }
}

/// Advice for a base URL that leads to a server without the API.
fn hint(base: &str) -> String {
    let rule = "the base URL ends with /api, such as http://localhost:8080/acme/api";
    if base.contains("//127.0.0.1") {
        format!("{rule}; when the base URL of the tenant has localhost, give localhost instead of 127.0.0.1")
    } else {
        rule.to_owned()
    }
}

impl<'c> Examiner<'c> {
    fn new(client: &'c mut Client) -> Self {
        let results = RuleResults::new(client.secrets());
        let (store, histories) = (WalkedList::default(), Histories::default());
        Self { client, results, halt: None, store, tree: Vec::new(), histories }
    }

    /// Runs all parts. Parts that others depend on come first, because the requests may be used up.
    fn run(&mut self, opening: &Response) {
        let parts: [fn(&mut Self); 10] = [
            Self::read_store,
            Self::read_categories,
            Self::examine_history,
            Self::examine_auth,
            Self::examine_details,
            Self::examine_errors,
            Self::examine_pages,
            Self::examine_sort,
            Self::examine_filters,
            Self::examine_caching,
        ];
        for part in parts {
            if self.halt.is_none() {
                part(self);
            }
        }
        let again = self.ask(&Call::get(PRODUCTS));
        if again.is_some_and(|again| again.json != opening.json) {
            self.results.note(
                "the first page of products changed during the examination, which may be why rules are broken: \
                 examine the server again",
            );
        }
    }

    /// Sends a request and judges the rules that hold for every response. Returns `None` when there is no response.
    fn ask(&mut self, call: &Call) -> Option<Response> {
        if self.halt.is_some() {
            return None;
        }
        let response = match self.client.send(call) {
            Ok(response) => response,
            Err(halt @ Halt::NoResponse(_)) => {
                self.results.broke(rule::ANSWERS_FAILURE, call, "a response", halt);
                return None;
            }
            Err(halt) => {
                self.halt = Some(halt);
                return None;
            }
        };
        let status = response.status;
        let is_direct = status == 304 || !(300..400).contains(&status);
        let target = response.header("location").unwrap_or("nowhere");
        judge!(self, rule::ANSWERS_DIRECT, call, is_direct; "no redirect"; "{status} to {target}");
        self.results.expect_of(rule::ANSWERS_FAILURE, &response, status < 500, "a status below 500");
        if call.method == "GET" && status != 304 && is_direct {
            self.judge_json(&response);
        }
        Some(response)
    }

    fn judge_json(&mut self, response: &Response) {
        let kind = response.header("content-type").unwrap_or_default();
        let media_type = kind.split(';').next().unwrap_or_default().trim();
        let holds = media_type.eq_ignore_ascii_case("application/json") && response.json.is_ok();
        judge!(self, rule::ANSWERS_JSON, &response.request, holds;
            "a JSON body of Content-Type application/json"; "Content-Type {kind:?}: {response}");
    }

    /// Sends a request that should succeed. When it does not, records that `rule` is broken and returns `None`.
    fn ask_ok(&mut self, call: &Call, rule: Option<&'static Rule>) -> Option<Response> {
        let response = self.ask(call)?;
        let holds = response.status == 200;
        if let Some(rule) = rule {
            self.results.expect_of(rule, &response, holds, "200");
        }
        (holds && response.json.is_ok()).then_some(response)
    }

    /// Sends a request whose response decides a rule. Returns the response when the rule holds.
    fn probe(
        &mut self,
        rule: &'static Rule,
        call: &Call,
        expected: &str,
        holds: impl FnOnce(&Response) -> bool,
    ) -> Option<Response> {
        let response = self.ask(call)?;
        self.results.expect_of(rule, &response, holds(&response), expected).then_some(response)
    }

    /// Reads a body and records its flaws.
    fn read<T>(&mut self, response: &Response, reader: fn(&Json, &Findings) -> T) -> Option<T> {
        let (read, findings) = response.read(reader)?;
        self.results.judge(&response.request, &findings);
        Some(read)
    }

    /// Records why rules could not be tried, unless the examination has stopped, which is then the reason.
    fn untried(&mut self, rules: &[&'static Rule], why: &str) {
        if self.halt.is_none() {
            self.results.untried(rules, why);
        }
    }

    /// The number of requests that one part may send.
    fn share(&self, hundredths: u32) -> usize {
        let granted = u64::from(self.client.politeness.max_requests) * u64::from(hundredths) / 100;
        usize::try_from(granted).unwrap_or(usize::MAX).max(1)
    }
}
