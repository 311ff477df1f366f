//! The examination: what is asked, in which order, and what of the responses is judged.

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

use self::history::Past;
pub use self::source::{Filter, History, Products, ReadError, Source};
use self::walk::Walked;
use crate::answer::{Answer, Call, Credentials};
use crate::book::{Book, judge};
use crate::client::{Client, Halt};
use crate::cursor::Findings;
use crate::json::Json;
use crate::read::Category;
use crate::report::Report;
use crate::rule::{self, Rule};

const PRODUCTS: &str = "/v1/store/products";
const CATEGORIES: &str = "/v1/store/categories";
const HISTORY: &str = "/v1/user/point-history";

const CATEGORY: &str = "filter[category]";
const NUMBER: &str = "page[number]";
const SIZE: &str = "page[size]";

/// What no server knows, as an id and as a text.
const UNKNOWN: &str = "pointbook-check-nothing-is-called-so";

/// The rule that a request breaks when it is documented and is not answered with 200.
const DOCUMENTED: Option<&Rule> = Some(rule::ANSWERS_STATUS);

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    #[error("the server cannot be reached: {0}")]
    Unreachable(String),
    #[error("the server does not accept the given token: {0}")]
    Token(String),
    /// A server answers, and has no store at this base URL.
    #[error("there is no API here: {0}")]
    NoApi(String),
    #[error("what answers there is not the interface: {0}")]
    Stranger(String),
}

struct Examiner<'c> {
    client: &'c mut Client,
    book: Book,
    /// Why no further request is sent.
    halt: Option<Halt>,
    /// The products in the order without sort: the model that filters and orders are held against.
    store: Walked,
    tree: Vec<Category>,
    past: Past,
}

/// Asks a server until every rule was tried, or the requests are used up.
///
/// # Errors
/// [`Refusal`] when there is nothing to examine.
pub fn examine(client: &mut Client) -> Result<Report, Refusal> {
    let opening = open(client)?;
    let mut examiner = Examiner::new(client);
    examiner.run(&opening);
    let Examiner { client, mut book, halt, .. } = examiner;
    let otherwise = match halt {
        None => "there was nothing to try it on",
        Some(Halt::Budget) => "the requests were used up before; more may be granted",
        Some(Halt::Unreachable(why)) => return Err(Refusal::Unreachable(why)),
        Some(halt @ (Halt::LeftAlone(_) | Halt::Silent(_) | Halt::NoAnswer(_))) => {
            book.note(&format!("the examination ended early: {halt}"));
            "the examination ended early"
        }
    };
    let (rules, notes) = book.close(otherwise);
    Ok(Report { base_url: client.base.to_string(), requests: client.sent, rules, notes })
}

/// Finds out whether there is something to examine. Of the other token, only its refusal matters here.
fn open(client: &mut Client) -> Result<Answer, Refusal> {
    let answer = open_with(client, Credentials::Own)?;
    if client.other.is_some()
        && let Err(refusal @ Refusal::Token(_)) = open_with(client, Credentials::Other)
    {
        return Err(refusal);
    }
    Ok(answer)
}

fn open_with(client: &mut Client, credentials: Credentials) -> Result<Answer, Refusal> {
    let call = Call::get(PRODUCTS).by(credentials);
    let answer = client.send(&call).map_err(|halt| Refusal::Unreachable(halt.to_string()))?;
    let told = client.secrets().cleaned(&format!("{call} is answered with {answer}"));
    match (answer.status, &answer.json) {
        (401 | 403, _) => Err(Refusal::Token(told)),
        (404, _) => Err(Refusal::NoApi(format!("{told}; {}", hint(&client.base.to_string())))),
        (_, Err(_)) => Err(Refusal::Stranger(told)),
        (_, Ok(_)) => Ok(answer),
    }
}

/// What may be wrong with a base URL that leads to a server and to no API.
fn hint(base: &str) -> String {
    let rule = "the base URL ends with /api, such as http://localhost:8080/acme/api";
    if base.contains("//127.0.0.1") {
        format!("{rule}; where the base URL of the tenant names localhost, write localhost and not 127.0.0.1")
    } else {
        rule.to_owned()
    }
}

impl<'c> Examiner<'c> {
    fn new(client: &'c mut Client) -> Self {
        let book = Book::new(client.secrets());
        Self { client, book, halt: None, store: Walked::default(), tree: Vec::new(), past: Past::default() }
    }

    /// What most depends on comes first, in case that the requests do not last.
    fn run(&mut self, opening: &Answer) {
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
            self.book.note(
                "the first page of products changed during the examination: what is broken may be due to that, \
                 so examine the server again",
            );
        }
    }

    /// Sends a request and judges what holds for every response; `None` where there is no response.
    fn ask(&mut self, call: &Call) -> Option<Answer> {
        if self.halt.is_some() {
            return None;
        }
        let answer = match self.client.send(call) {
            Ok(answer) => answer,
            Err(halt @ Halt::NoAnswer(_)) => {
                self.book.broke(rule::ANSWERS_FAILURE, call, "an answer", halt);
                return None;
            }
            Err(halt) => {
                self.halt = Some(halt);
                return None;
            }
        };
        let status = answer.status;
        let is_direct = status == 304 || !(300..400).contains(&status);
        let target = answer.header("location").unwrap_or("nowhere");
        judge!(self, rule::ANSWERS_DIRECT, call, is_direct; "no redirect"; "{status} to {target}");
        self.book.expect_of(rule::ANSWERS_FAILURE, &answer, status < 500, "no failure of the server");
        if call.method == "GET" && status != 304 && is_direct {
            self.judge_json(&answer);
        }
        Some(answer)
    }

    fn judge_json(&mut self, answer: &Answer) {
        let kind = answer.header("content-type").unwrap_or_default();
        let media_type = kind.split(';').next().unwrap_or_default().trim();
        let holds = media_type.eq_ignore_ascii_case("application/json") && answer.json.is_ok();
        judge!(self, rule::ANSWERS_JSON, &answer.request, holds;
            "a JSON body of Content-Type application/json"; "Content-Type {kind:?}: {answer}");
    }

    /// Sends a request that should succeed. Where it does not, `rule` is broken, and there is no result.
    fn ask_ok(&mut self, call: &Call, rule: Option<&'static Rule>) -> Option<Answer> {
        let answer = self.ask(call)?;
        let holds = answer.status == 200;
        if let Some(rule) = rule {
            self.book.expect_of(rule, &answer, holds, "200");
        }
        (holds && answer.json.is_ok()).then_some(answer)
    }

    /// Sends a request whose response decides a rule; returns the response where the rule holds.
    fn probe(
        &mut self,
        rule: &'static Rule,
        call: &Call,
        expected: &str,
        holds: impl FnOnce(&Answer) -> bool,
    ) -> Option<Answer> {
        let answer = self.ask(call)?;
        self.book.expect_of(rule, &answer, holds(&answer), expected).then_some(answer)
    }

    /// Reads a body, and judges its form.
    fn read<T>(&mut self, answer: &Answer, reader: fn(&Json, &Findings) -> T) -> Option<T> {
        let (read, findings) = answer.read(reader)?;
        self.book.judge(&answer.request, &findings);
        Some(read)
    }

    /// Notes why rules could not be tried. Where no further request is sent, that is the reason.
    fn untried(&mut self, rules: &[&'static Rule], why: &str) {
        if self.halt.is_none() {
            self.book.untried(rules, why);
        }
    }

    /// The share of all requests that one part may take.
    fn share(&self, hundredths: u32) -> usize {
        let granted = u64::from(self.client.politeness.max_requests) * u64::from(hundredths) / 100;
        usize::try_from(granted).unwrap_or(usize::MAX).max(1)
    }
}
