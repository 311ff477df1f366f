//! Rules that leave out exchanges, or only their requests, because prism cannot judge them.

use super::exchange::{Entry, Exchange};
use super::operations::{Operation, Operations};
use super::parameters;

/// The longest request or response that goes through the proxy, in bytes. The proxy is slow with longer ones.
const MAX_BYTES: usize = 1 << 20;

/// Other media types for JSON Lines. `docs/back-office.md` lists them; the OpenAPI document has one.
const OTHER_NAMES_OF_LINES: [&str; 3] =
    ["application/ndjson", "application/jsonl", "application/x-jsonlines"];

/// Why an exchange is not judged. From `OtherName` on, only its request is not judged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Reason {
    Repeated,
    NoTenant,
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
    /// Whether the rule may leave out any number of exchanges: it concerns exchanges with nothing to judge.
    pub(super) fn is_free(self) -> bool {
        matches!(self, Self::Repeated | Self::NoTenant | Self::NoOperation)
    }

    /// The rule in words, after a count of exchanges.
    pub(super) fn text(self) -> &'static str {
        match self {
            Self::Repeated => "equal to an earlier one except for time, request id and port",
            Self::NoTenant => "to a URL that may belong to no tenant, such as a 404 for another Host",
            Self::NoOperation => "of no operation: other paths and methods, including HEAD and OPTIONS",
            Self::NotWhole => "without a complete request and its response, which no proxy forwards",
            Self::Long => "of more than a mebibyte",
            Self::PathNotEncoded => "with a path that is no encoded string, which stops prism",
            Self::BodyOfARead => "of a GET with a body, which prism refuses",
            Self::NotJson => "with a body that is declared as JSON but is not JSON, which prism refuses",
            Self::Zstd => "with a response compressed by zstd, which prism cannot read",
            Self::OtherName => "judged by response only: JSON Lines under an undocumented media type",
            Self::OtherScheme => {
                "judged by response only: `Bearer` in another case, which prism does not recognize"
            }
            Self::OtherFlag => {
                "judged by response only: a flag as `1`, `0` or in capitals, which no schema has"
            }
            Self::LargeInteger => {
                "judged by response only: an integer of 2^53 or more, which prism cannot represent"
            }
            Self::GivenTwice => "judged by response only: a repeated parameter, which prism reads as a list",
        }
    }
}

/// Parses an exchange that can be judged and finds its operation.
///
/// # Errors
/// The reason why it is left out.
pub(super) fn sift<'o>(
    entry: &Entry,
    operations: &'o Operations,
) -> Result<(Exchange, &'o Operation), Reason> {
    if !entry.is_of_a_tenant() {
        return Err(Reason::NoTenant);
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

/// The reason why prism cannot judge the exchange, if any.
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

/// The reason why only the response is judged: the server accepts a request that the OpenAPI document does not describe.
pub(super) fn leniency(exchange: &Exchange, operation: &Operation) -> Option<Reason> {
    let request = &exchange.request;
    let is_other_name = request.kind().is_some_and(|kind| OTHER_NAMES_OF_LINES.contains(&&*kind));
    let rules = [
        (Reason::OtherName, is_other_name && operation.kind.as_deref() == Some("application/x-ndjson")),
        (Reason::OtherScheme, request.header("authorization").is_some_and(is_oddly_written)),
    ];
    first(&rules).or_else(|| parameters::other_form(&exchange.query, operation))
}

/// The first rule that applies.
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

/// Whether every percent sign begins an encoded byte and the decoded bytes are UTF-8.
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

    /// Why an exchange or its request is left out.
    fn reason(line: &str, fields: &str, body: &str, answer: &str) -> Option<Reason> {
        let length = body.len();
        let request = format!("{line} HTTP/1.1\r\n{fields}content-length: {length}\r\n\r\n{body}");
        let answer = format!("HTTP/1.1 {answer}\r\n\r\n");
        let mut book = format!("{} {} /a/api\n{request}{answer}", request.len(), answer.len());
        if line.contains("/stranger/") {
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
    fn each_rule_leaves_out_only_its_exchanges() {
        let long = format!("\"{}\"", "a".repeat(MAX_BYTES));
        for (line, fields, body, answer, expected) in [
            (PUT, JSON, "{}", "200", None),
            ("PUT /stranger/api/v1/manage/products/mug", JSON, "{}", "404", Some(Reason::NoTenant)),
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
    fn only_these_undocumented_forms_of_requests_are_accepted() {
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
