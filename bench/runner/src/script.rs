//! Lua scripts that generate different requests for `wrk`, at little cost for each.

use std::fs;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};

use anyhow::Result;

use super::data::FEW_USERS;
use super::writers::{BUYERS, PRODUCT, STRIDE, WRITERS, Writers};

/// A Lua script in a file.
pub(super) struct Script {
    pub(super) file: PathBuf,
}

impl Script {
    /// Activities of users in turn.
    pub(super) fn activities_of_many(writers: &Writers) -> Result<Self> {
        Self::write(writers, &activities(writers, MANY, &many(), ""))
    }

    /// The same activities, with a bonus each.
    pub(super) fn bonuses_of_many(writers: &Writers) -> Result<Self> {
        let bonus = r#","bonus_breakdown":[{"type":"campaign","title":"Bonus","points":5}]"#;
        Self::write(writers, &activities(writers, MANY, &many(), bonus))
    }

    /// Activities of a single user.
    pub(super) fn activities_of_one(writers: &Writers) -> Result<Self> {
        Self::write(writers, &activities(writers, "single", "", ""))
    }

    /// Orders of customers in turn, all for one product.
    pub(super) fn orders_of_one(writers: &Writers) -> Result<Self> {
        Self::orders(writers, |_| PRODUCT.to_owned())
    }

    /// Orders of customers in turn, each for another product.
    pub(super) fn orders_of_many(writers: &Writers) -> Result<Self> {
        Self::orders(writers, |buyer| format!("{PRODUCT}-{buyer}"))
    }

    fn orders(writers: &Writers, product: impl Fn(usize) -> String) -> Result<Self> {
        let request = |number: usize| {
            let buyer = number * STRIDE % BUYERS;
            let token = &writers.tokens[&format!("buyer-{buyer}")];
            let body = format!(r#"{{"product_id":"{}"}}"#, product(buyer));
            format!("{}{body}", head(writers.base_path, "POST", "/v1/store/orders", token, body.len()))
        };
        Self::write(writers, &in_turn((0..BUYERS).map(request)))
    }

    /// Newest pages of the histories of ordinary users in turn.
    pub(super) fn histories(writers: &Writers) -> Result<Self> {
        let users = FEW_USERS as usize;
        let request = |number: usize| {
            let token = &writers.tokens[&format!("user-{}", number * STRIDE % users)];
            head(writers.base_path, "GET", "/v1/user/point-history", token, 0)
        };
        Self::write(writers, &in_turn((0..users).map(request)))
    }

    /// The newest products, with a customer's token.
    pub(super) fn list(writers: &Writers, token: &str) -> Result<Self> {
        Self::write(
            writers,
            &in_turn([head(writers.base_path, "GET", "/v1/store/products", token, 0)].into_iter()),
        )
    }

    fn write(writers: &Writers, text: &str) -> Result<Self> {
        let file = writers.folder.join("requests.lua");
        fs::write(&file, text)?;
        Ok(Self { file })
    }
}

/// The Lua format of the ids of users in turn.
const MANY: &str = "writer-%05d";

/// The argument of that format.
fn many() -> String {
    format!("n * {STRIDE} % {WRITERS}")
}

/// `user` is the Lua format of user ids, and `argument` its argument. `members` is added to each activity. No two rounds generate the same source id.
fn activities(writers: &Writers, user: &str, argument: &str, members: &str) -> String {
    static ROUND: AtomicUsize = AtomicUsize::new(0);
    let round = ROUND.fetch_add(1, Ordering::Relaxed);
    let body = format!(
        r#"{{"type":"code","source_id":"r{round:06}-%08d","points":10,"title":"QR code scan","subtitle":"Item 12345"{members}}}"#
    );
    // Eight digits replace four characters of the format.
    let length = body.len() - "%08d".len() + 8;
    let Writers { base_path, back_office, .. } = writers;
    let head = head(base_path, "POST", &format!("/v1/manage/users/{user}/activities"), back_office, length);
    let arguments = if argument.is_empty() { "n".to_owned() } else { format!("{argument}, n") };
    format!(
        "local n = 0\nlocal form = [[{head}{body}]]\nform = form:gsub('\\n', '\\r\\n')\n\
         request = function()\n  n = n + 1\n  return string.format(form, {arguments})\nend\n"
    )
}

/// A script with prepared requests.
fn in_turn(requests: impl ExactSizeIterator<Item = String>) -> String {
    let count = requests.len();
    let forms: Vec<String> =
        requests.map(|request| format!("  (([[{request}]]):gsub('\\n', '\\r\\n')),\n")).collect();
    format!(
        "local n = 0\nlocal forms = {{\n{}}}\nrequest = function()\n  n = n % {count} + 1\n  return forms[n]\nend\n",
        forms.concat()
    )
}

/// The head of a request, with the line ends of a text file. The script corrects them.
fn head(base_path: &str, method: &str, path: &str, token: &str, length: usize) -> String {
    format!(
        "{method} {base_path}{path} HTTP/1.1\nHost: bench.example\nAuthorization: Bearer {token}\n\
         Accept: application/json\nContent-Type: application/json\nContent-Length: {length}\n\n"
    )
}
