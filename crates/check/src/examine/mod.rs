//! The examination: what is asked, in which order, and what of the answers is judged.

mod auth;
mod caching;
mod categories;
mod detail;
mod errors;
mod filters;
mod found;
mod history;
mod list;
mod pages;
mod sort;
mod source;
mod store;
mod walk;

use self::history::Past;
pub use self::source::{Filter, History, Products, ReadError, Source};
use self::store::Store;
use crate::answer::{Answer, Call, Credentials, Method};
use crate::book::Book;
use crate::client::{Client, Halt};
use crate::read::Category;
use crate::report::Report;
use crate::rule::{ANSWERS_DIRECT, ANSWERS_FAILURE, ANSWERS_JSON, ANSWERS_STATUS};

/// Where products are listed.
pub(crate) const PRODUCTS: &str = "/v1/store/products";
/// Where categories are listed.
pub(crate) const CATEGORIES: &str = "/v1/store/categories";
/// Where a history is read.
pub(crate) const HISTORY: &str = "/v1/user/point-history";

/// The name of the parameter for the page.
const NUMBER: &str = "page[number]";

/// What no server knows, as an id and as a text.
const NOBODYS: &str = "pointbook-check-nothing-is-called-so";

/// Why there is nothing to examine.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// Nobody answers, or no longer.
    #[error("the server cannot be reached: {0}")]
    Unreachable(String),
    /// The given token opens nothing.
    #[error("the server does not accept the given token: {0}")]
    Token(String),
    /// A server answers, and has no store at this base URL.
    #[error("there is no API here: {0}")]
    NoApi(String),
    /// Something else answers there.
    #[error("what answers there is not the interface: {0}")]
    Stranger(String),
}

/// Whether the requests lasted.
type Step = Result<(), Halt>;

/// What is examined, and what is known of it by now.
struct Examiner<'c> {
    client: &'c mut Client,
    book: Book,
    store: Store,
    tree: Vec<Category>,
    past: Past,
}

/// Asks a server until every rule was tried, or the requests are used up.
///
/// # Errors
/// [`Refusal`] when there is nothing to examine.
pub fn examine(client: &mut Client) -> Result<Report, Refusal> {
    let opening = open(client)?;
    let secrets = client.secrets();
    let mut examiner = Examiner {
        client,
        book: Book::new(secrets),
        store: Store::default(),
        tree: Vec::new(),
        past: Past::default(),
    };
    let result = examiner.run(&opening);
    let Examiner { client, mut book, .. } = examiner;
    let otherwise = match result {
        Ok(()) => "there was nothing to try it on".to_owned(),
        Err(Halt::Budget) => "the requests were used up before; more may be granted".to_owned(),
        Err(Halt::Unreachable(why)) => return Err(Refusal::Unreachable(why)),
        Err(halt @ (Halt::LeftAlone(_) | Halt::Silent(_))) => {
            book.note(&format!("the examination ended early: {halt}"));
            "the examination ended early".to_owned()
        }
    };
    let (rules, notes) = book.close(&otherwise);
    Ok(Report { base_url: client.base().to_string(), requests: client.sent(), rules, notes })
}

/// Whether there is something to examine at all.
fn open(client: &mut Client) -> Result<Answer, Refusal> {
    let answer = open_with(client, Credentials::Own)?;
    if client.has_other() {
        match open_with(client, Credentials::Other) {
            Err(refusal @ Refusal::Token(_)) => return Err(refusal),
            // What else may be wrong is the examination's business, as is an end of the requests.
            Ok(_) | Err(Refusal::Unreachable(_) | Refusal::NoApi(_) | Refusal::Stranger(_)) => {}
        }
    }
    Ok(answer)
}

fn open_with(client: &mut Client, credentials: Credentials) -> Result<Answer, Refusal> {
    let call = Call::get(PRODUCTS).by(credentials);
    let answer = client.send(&call).map_err(|halt| Refusal::Unreachable(halt.to_string()))?;
    let told = format!("{} is answered with {}", answer.request, answer.shown());
    let told = client.secrets().cleaned(&told);
    match (answer.status, &answer.json) {
        (401 | 403, _) => Err(Refusal::Token(told)),
        (404, _) => Err(Refusal::NoApi(format!("{told}; {}", hint(&client.base().to_string())))),
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

impl Examiner<'_> {
    /// What most depends on comes first, in case that the requests do not last.
    fn run(&mut self, opening: &Answer) -> Step {
        self.read_store()?;
        self.read_categories()?;
        self.examine_history()?;
        self.examine_auth()?;
        self.examine_details()?;
        self.examine_errors()?;
        self.examine_pages()?;
        self.examine_sort()?;
        self.examine_filters()?;
        self.examine_caching()?;
        self.compare_with(opening)
    }

    /// Sends a request and judges what holds for every answer.
    fn ask(&mut self, call: &Call) -> Result<Answer, Halt> {
        let answer = self.client.send(call)?;
        let (request, status) = (answer.request.as_str(), answer.status);
        if answer.is_missing() {
            self.book.broke(&ANSWERS_FAILURE, request, "an answer", &answer.shown());
            return Ok(answer);
        }
        let is_direct = status == 304 || !(300..400).contains(&status);
        self.book.expect(&ANSWERS_DIRECT, request, is_direct, || {
            let to = answer.header("location").unwrap_or("nowhere");
            ("no redirect".to_owned(), format!("{status} to {to}"))
        });
        self.book.expect(&ANSWERS_FAILURE, request, status < 500, || {
            ("no failure of the server".to_owned(), answer.shown())
        });
        if call.method == Method::Get && status != 304 && is_direct {
            self.judge_json(&answer);
        }
        Ok(answer)
    }

    fn judge_json(&mut self, answer: &Answer) {
        let kind = answer.header("content-type").unwrap_or_default();
        let kind_is_json =
            kind.split(';').next().is_some_and(|kind| kind.trim().eq_ignore_ascii_case("application/json"));
        let holds = kind_is_json && answer.json.is_ok();
        self.book.expect(&ANSWERS_JSON, &answer.request, holds, || {
            let came = format!("Content-Type {kind:?}: {}", answer.shown());
            ("a JSON body of Content-Type application/json".to_owned(), came)
        });
    }

    /// Sends a request that is documented to succeed; none where it did not, or not with JSON.
    fn ask_documented(&mut self, call: &Call) -> Result<Option<Answer>, Halt> {
        let answer = self.ask(call)?;
        if answer.is_missing() {
            return Ok(None);
        }
        let holds = answer.status == 200;
        self.book.expect(&ANSWERS_STATUS, &answer.request, holds, || ("200".to_owned(), answer.shown()));
        Ok((holds && answer.json.is_ok()).then_some(answer))
    }

    /// A server that is used meanwhile may seem to contradict itself.
    fn compare_with(&mut self, opening: &Answer) -> Step {
        let again = self.ask(&Call::get(PRODUCTS))?;
        if again.json != opening.json {
            self.book.note(
                "the first page of products changed during the examination: what is broken may be due to that, \
                 so examine the server again",
            );
        }
        Ok(())
    }

    /// The share of all requests that one part may take.
    fn share(&self, hundredths: u32) -> usize {
        let granted = u64::from(self.client.max_requests()) * u64::from(hundredths) / 100;
        usize::try_from(granted).unwrap_or(usize::MAX).max(1)
    }

    fn tokens(&self) -> Vec<Credentials> {
        let other = self.client.has_other().then_some(Credentials::Other);
        std::iter::once(Credentials::Own).chain(other).collect()
    }
}
