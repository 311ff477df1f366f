//! Which exchanges prism cannot judge, or only by their answer, and why: rules, not tests.

use super::exchange::{Entry, Exchange};
use super::operations::{Operation, Operations};
use super::parameters;

/// The longest request or answer that is sent through the proxy, in bytes: it takes its time for long ones.
const MAX_BYTES: usize = 1 << 20;

/// What lines of JSON are also called: `docs/back-office.md` has these names, the description has one.
const OTHER_NAMES_OF_LINES: [&str; 3] =
    ["application/ndjson", "application/jsonl", "application/x-jsonlines"];

/// Why an exchange is not judged, or from `OtherName` on, why its request is not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Reason {
    Repeated,
    Nobodys,
    NoOperation,
    NotWhole,
    Long,
    PathNotEncoded,
    BodyOfARead,
    NotJson,
    Zstd,
    OtherName,
    OtherScheme,
    OtherFlag,
    LargeInteger,
    GivenTwice,
}

impl Reason {
    /// Whether it may leave out as much as it likes: these rules say that there is nothing to judge, and not that prism
    /// cannot judge it.
    pub(super) fn is_free(self) -> bool {
        matches!(self, Self::Repeated | Self::Nobodys | Self::NoOperation)
    }

    /// The rule in words.
    pub(super) fn told(self) -> &'static str {
        match self {
            Self::Repeated => "said before to the letter, but for the moment, the request's id and the port",
            Self::Nobodys => {
                "to an address that is perhaps no tenant's: a 404 to a Host of its own is among them"
            }
            Self::NoOperation => "of no operation: other paths and methods, HEAD and OPTIONS among them",
            Self::NotWhole => "not one whole request with its answer, which no proxy sends on",
            Self::Long => "of more than a mebibyte",
            Self::PathNotEncoded => "with a path that is no encoded text, on which prism ends",
            Self::BodyOfARead => "of a GET with a body, which prism refuses",
            Self::NotJson => "with a body that only says that it is JSON, which prism refuses",
            Self::Zstd => "with an answer compressed by zstd, which prism cannot read",
            Self::OtherName => "but for the answer: lines of JSON under another name than the described one",
            Self::OtherScheme => {
                "but for the answer: `Bearer` in other letters, in which prism does not know it"
            }
            Self::OtherFlag => "but for the answer: a flag as `1`, `0` or in capitals, which no schema has",
            Self::LargeInteger => {
                "but for the answer: an integer of 2^53 or more, to which prism does not count"
            }
            Self::GivenTwice => "but for the answer: a parameter given twice, which prism takes for a list",
        }
    }
}

/// An exchange that can be judged, and the operation that it is of.
///
/// # Errors
/// The reason why it is left out.
pub(super) fn sift<'o>(
    entry: &Entry,
    operations: &'o Operations,
) -> Result<(Exchange, &'o Operation), Reason> {
    if !entry.is_of_a_tenant() {
        return Err(Reason::Nobodys);
    }
    if entry.request.len().max(entry.answer.len()) > MAX_BYTES {
        return Err(Reason::Long);
    }
    let exchange = entry.exchange().ok_or(Reason::NotWhole)?;
    let operation = operations.asked_for(&exchange.method, &exchange.path).ok_or(Reason::NoOperation)?;
    match weakness(&exchange) {
        Some(reason) => Err(reason),
        None => Ok((exchange, operation)),
    }
}

/// What prism cannot do with it.
fn weakness(exchange: &Exchange) -> Option<Reason> {
    let Exchange { method, path, request, answer, .. } = exchange;
    let kind = request.kind().filter(|_| !request.body.is_empty());
    let says_json = kind.is_some_and(|kind| kind == "application/json" || kind.ends_with("+json"));
    first(&[
        (Reason::PathNotEncoded, !is_encoded(path)),
        (Reason::BodyOfARead, method == "GET" && !request.body.is_empty()),
        (Reason::NotJson, says_json && !is_json(&request.body)),
        (Reason::Zstd, answer.header("content-encoding") == Some("zstd")),
    ])
}

/// What the server understands in a request, though it is not in the form that is described.
pub(super) fn leniency(exchange: &Exchange, operation: &Operation) -> Option<Reason> {
    let request = &exchange.request;
    let is_other_name = request.kind().is_some_and(|kind| OTHER_NAMES_OF_LINES.contains(&&*kind));
    let rules = [
        (Reason::OtherName, is_other_name && operation.kind.as_deref() == Some("application/x-ndjson")),
        (Reason::OtherScheme, request.header("authorization").is_some_and(is_oddly_written)),
    ];
    first(&rules).or_else(|| parameters::other_form(&exchange.query, operation))
}

/// The first rule that holds.
pub(super) fn first(rules: &[(Reason, bool)]) -> Option<Reason> {
    rules.iter().find(|(_, holds)| *holds).map(|(reason, _)| *reason)
}

fn is_json(body: &[u8]) -> bool {
    serde_json::from_slice::<serde_json::Value>(body).is_ok()
}

fn is_oddly_written(authorization: &str) -> bool {
    let scheme = authorization.split(' ').next().unwrap_or_default();
    scheme != "Bearer" && scheme.eq_ignore_ascii_case("Bearer")
}

/// Whether each percent sign and what follows it stands for a byte, and all bytes together are text.
fn is_encoded(path: &str) -> bool {
    let mut parts = path.as_bytes().split(|byte| *byte == b'%');
    let mut bytes = parts.next().unwrap_or_default().to_vec();
    for part in parts {
        let Some((digits, rest)) = part.split_at_checked(2) else { return false };
        let digits = str::from_utf8(digits)
            .ok()
            .filter(|digits| digits.bytes().all(|digit| digit.is_ascii_hexdigit()));
        let Some(byte) = digits.and_then(|digits| u8::from_str_radix(digits, 16).ok()) else { return false };
        bytes.push(byte);
        bytes.extend(rest);
    }
    String::from_utf8(bytes).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Why an exchange is left out, or its request.
    fn reason(line: &str, fields: &str, body: &str, answer: &str) -> Option<Reason> {
        let length = body.len();
        let request = format!("{line} HTTP/1.1\r\n{fields}content-length: {length}\r\n\r\n{body}");
        let answer = format!("HTTP/1.1 {answer}\r\n\r\n");
        let mut book = format!("{} {} /a/api\n{request}{answer}", request.len(), answer.len());
        if line.contains("/nobody/") {
            book = book.replacen("/a/api", "", 1);
        }
        let entry = Entry::read(&mut book.as_bytes()).unwrap().unwrap();
        match sift(&entry, &Operations::read().unwrap()) {
            Ok((exchange, operation)) => leniency(&exchange, operation),
            Err(reason) => Some(reason),
        }
    }

    const PUT: &str = "PUT /a/api/v1/manage/products/mug";
    const IMPORT: &str = "POST /a/api/v1/manage/products/import?mode=lines";
    const GET: &str = "GET /a/api/v1/store/products/%C3%BC";
    const USERS: &str = "GET /a/api/v1/manage/users?filter[disabled]=";
    const JSON: &str = "Content-Type: application/json\r\n";
    const LINES: &str = "Content-Type: application/X-NDJSON; charset=utf-8\r\n";
    const BEARER: &str = "Authorization: Bearer a\r\n";

    #[test]
    fn each_rule_leaves_out_what_it_says_and_nothing_beside() {
        let long = format!("\"{}\"", "a".repeat(MAX_BYTES));
        for (line, fields, body, answer, expected) in [
            (PUT, JSON, "{}", "200", None),
            ("PUT /nobody/api/v1/manage/products/mug", JSON, "{}", "404", Some(Reason::Nobodys)),
            ("PATCH /a/api/v1/manage/orders/mug", JSON, "{}", "405", Some(Reason::NoOperation)),
            (&PUT.replace("mug", ""), JSON, "{}", "404", Some(Reason::NoOperation)),
            (PUT, "nonsense\r\n", "{}", "400", Some(Reason::NotWhole)),
            (PUT, JSON, &long, "413", Some(Reason::Long)),
            (PUT, JSON, "{", "400", Some(Reason::NotJson)),
            (PUT, "Content-Type: application/a+json\r\n", "{", "400", Some(Reason::NotJson)),
            (PUT, "Content-Type: text/plain\r\n", "{", "415", None),
            (PUT, "", "{", "400", None),
            (PUT, JSON, "", "422", None),
            (IMPORT, LINES, "{", "200", None),
            (GET, BEARER, "{", "200", Some(Reason::BodyOfARead)),
            (GET, BEARER, "", "200\r\ncontent-encoding: gzip", None),
            (GET, BEARER, "", "200\r\ncontent-encoding: zstd", Some(Reason::Zstd)),
            (&GET.replace("%C3", "%FF"), BEARER, "", "404", Some(Reason::PathNotEncoded)),
            (&GET.replace("%BC", "%B"), BEARER, "", "404", Some(Reason::PathNotEncoded)),
            (&GET.replace("%BC", "%+1"), BEARER, "", "404", Some(Reason::PathNotEncoded)),
        ] {
            let shown: String = body.chars().take(9).collect();
            assert_eq!(reason(line, fields, body, answer), expected, "{line} {fields} {shown} {answer}");
        }
    }

    #[test]
    fn a_request_is_understood_in_these_other_forms_and_in_no_more() {
        for (line, fields, body, expected) in [
            (IMPORT, LINES, "{}", None),
            (IMPORT, "", "{}", None),
            (IMPORT, "Content-Type: application/jsonl\r\n", "{}", Some(Reason::OtherName)),
            (IMPORT, "Content-Type: text/csv\r\n", "{}", None),
            (PUT, "Content-Type: application/jsonl\r\n", "{}", None),
            (GET, BEARER, "", None),
            (GET, &BEARER.replace("Be", "bE"), "", Some(Reason::OtherScheme)),
            (GET, &BEARER.replace("Bearer", "Basic"), "", None),
            (&format!("{USERS}1"), BEARER, "", Some(Reason::OtherFlag)),
            (&format!("{USERS}true"), BEARER, "", None),
        ] {
            assert_eq!(reason(line, fields, body, "200"), expected, "{line} {fields}");
        }
    }
}
