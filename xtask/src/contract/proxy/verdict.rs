//! The violations that prism reports for an exchange, and which of them count.

use anyhow::{Context, Result};
use pointbook_operate::http_client::Response;
use serde_json::Value;

use super::exchange::Exchange;
use super::planted::Location;
use super::playback::NUMBER;

/// The header field in which the proxy lists violations.
const VIOLATIONS: &str = "sl-violations";

/// How the proxy begins a truncated list.
const CUT: &str = "Too many violations!";

/// How much of a response is printed.
const SHOWN_CHARS: usize = 600;

/// The violations of an exchange that count. A refused request may have violations, a response never. Prism must also
/// have recognized the operation and found a planted violation.
///
/// # Errors
/// When the list of violations cannot be parsed.
pub(super) fn violations(exchange: &Exchange, number: usize, response: &Response) -> Result<Vec<String>> {
    let is_played =
        response.header(NUMBER) == Some(&*number.to_string()) && response.status()? == exchange.status;
    if !is_played {
        // Nothing was judged.
        let answer = String::from_utf8_lossy(&response.bytes);
        return Ok(vec![format!("the proxy responded itself: {}", shown(&answer))]);
    }
    let listed = response.header(VIOLATIONS).unwrap_or("[]");
    if is_cut(response) {
        return Ok(vec![format!("prism cut the list of violations: {}", shown(listed))]);
    }
    let violations: Vec<Value> =
        serde_json::from_str(listed).with_context(|| format!("not JSON: {listed}"))?;
    if let Some(location) = &exchange.planted {
        let is_found = violations.iter().any(|violation| location.is_of(violation));
        let missed =
            (!is_found).then(|| format!("prism missed the violation in {location:?}, reported: {listed}"));
        return Ok(missed.into_iter().collect());
    }
    let counts = |violation: &&Value| is_always_wrong(violation) || exchange.has_good_request;
    Ok(violations.iter().filter(counts).map(Value::to_string).collect())
}

/// Whether prism cut the list of violations.
pub(super) fn is_cut(response: &Response) -> bool {
    response.header(VIOLATIONS).is_some_and(|listed| listed.starts_with(CUT))
}

/// Whether the violation counts even for a refused request. Prism does not judge a response of an unknown operation.
fn is_always_wrong(violation: &Value) -> bool {
    violation["location"][0] == "response" || Location::Path.is_of(violation)
}

fn shown(text: &str) -> String {
    text.chars().take(SHOWN_CHARS).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::proxy::exchange::Entry;

    const REQUEST: &str = r#"{"location":["request","body"],"message":"a"}"#;
    const ANSWER: &str = r#"{"location":["response"],"message":"b","severity":"Warning"}"#;

    const UNKNOWN: &str = r#"{"location":["request"],"message":"Selected route not found"}"#;
    const NO_TOKEN: &str = r#"{"location":["request"],"message":"Invalid security scheme used"}"#;

    /// The violations of the seventh response.
    fn found(status: u16, fields: &str) -> Result<Vec<String>> {
        found_where(None, status, fields)
    }

    /// The same with a planted violation.
    fn found_where(planted: Option<Location>, status: u16, fields: &str) -> Result<Vec<String>> {
        let bytes = format!("HTTP/1.1 {status} Recorded\r\n{fields}\r\n\r\n{{}}").into_bytes();
        let book = format!("18 19 /\nGET / HTTP/1.1\r\n\r\nHTTP/1.1 {status} ..\r\n\r\n");
        let entry = Entry::read(&mut book.as_bytes()).unwrap().unwrap();
        let exchange = Exchange { planted, ..entry.exchange().unwrap() };
        violations(&exchange, 7, &Response::new(bytes).unwrap())
    }

    #[test]
    fn violations_count_in_accepted_requests_and_all_responses() {
        let counted = |status, violations: &[&str]| {
            found(status, &format!("sl-violations: [{}]\r\nX-Playback: 7", violations.join(","))).unwrap()
        };
        assert_eq!(counted(200, &[REQUEST, ANSWER]), [REQUEST, ANSWER]);
        assert_eq!(counted(304, &[REQUEST]), [REQUEST]);
        assert_eq!(counted(400, &[REQUEST]), Vec::<String>::new());
        assert_eq!(counted(422, &[REQUEST, ANSWER]), [ANSWER]);
        assert_eq!(found(200, "x-playback: 7").unwrap(), Vec::<String>::new());
    }

    #[test]
    fn response_that_was_not_recorded_fails() {
        for fields in ["a: b", "x-playback: 8"] {
            let found = found(422, fields).unwrap();
            assert!(found[0].starts_with("the proxy responded itself: HTTP/1.1 422"), "{found:?}");
        }
    }

    #[test]
    fn unknown_operation_fails_for_any_status() {
        let counted =
            |violation: &str| found(404, &format!("sl-violations: [{violation}]\r\nX-Playback: 7")).unwrap();
        assert_eq!(counted(UNKNOWN), [UNKNOWN]);
        assert_eq!(counted(NO_TOKEN), Vec::<String>::new());
    }

    #[test]
    fn only_a_missed_planted_violation_fails() {
        let found = |violations: &str| {
            let fields = format!("sl-violations: [{violations}]\r\nx-playback: 7");
            found_where(Some(Location::Body), 200, &fields).unwrap()
        };
        assert_eq!(found(REQUEST), Vec::<String>::new());
        assert_eq!(found(&format!("{ANSWER},{REQUEST}")), Vec::<String>::new());
        assert_eq!(found(ANSWER), [format!("prism missed the violation in Body, reported: [{ANSWER}]")]);
        let silent = found_where(Some(Location::Body), 422, "x-playback: 7").unwrap();
        assert_eq!(silent, ["prism missed the violation in Body, reported: []"]);
        let other = found_where(Some(Location::Body), 200, "x-playback: 8").unwrap();
        assert!(other[0].starts_with("the proxy responded itself"), "{other:?}");
    }

    #[test]
    fn violations_that_were_cut_are_shown() {
        let cut = "sl-violations: Too many violations! [{\r\nx-playback: 7";
        assert_eq!(found(422, cut).unwrap(), ["prism cut the list of violations: Too many violations! [{"]);
        assert!(found(422, "sl-violations: [{\r\nx-playback: 7").is_err());
    }
}
