//! What prism says of an exchange, and what of it counts.

use anyhow::{Context, Result};
use pointbook_operate::http_client::Response;
use serde_json::Value;

use super::exchange::Exchange;
use super::planted::Place;
use super::playback::NUMBER;

/// The field in which the proxy lists what it finds.
const VIOLATIONS: &str = "sl-violations";

/// What stands before a list of which the end is missing.
const CUT: &str = "Too many violations!";

/// How much of an answer is shown.
const SHOWN_CHARS: usize = 600;

/// What is wrong with an exchange, if anything is. Some requests may be wrong, an answer never; and prism must have
/// known what was asked for, and have found what was planted.
///
/// # Errors
/// When what the proxy says cannot be read.
pub(super) fn violations(exchange: &Exchange, number: usize, response: &Response) -> Result<Vec<String>> {
    let is_played =
        response.header(NUMBER) == Some(&*number.to_string()) && response.status()? == exchange.status;
    if !is_played {
        // Nothing was judged.
        let answer = String::from_utf8_lossy(&response.bytes);
        return Ok(vec![format!("an answer of the proxy's own: {}", shown(&answer))]);
    }
    let told = response.header(VIOLATIONS).unwrap_or("[]");
    if is_cut(response) {
        return Ok(vec![format!("more than prism can say: {}", shown(told))]);
    }
    let violations: Vec<Value> = serde_json::from_str(told).with_context(|| format!("no JSON: {told}"))?;
    if let Some(place) = &exchange.planted {
        let is_found = violations.iter().any(|violation| place.is_of(violation));
        let missed = (!is_found).then(|| format!("is wrong on purpose, {place:?}, and prism says {told}"));
        return Ok(missed.into_iter().collect());
    }
    let counts = |violation: &&Value| is_always_wrong(violation) || exchange.has_good_request;
    Ok(violations.iter().filter(counts).map(Value::to_string).collect())
}

/// Whether prism has found more than it says.
pub(super) fn is_cut(response: &Response) -> bool {
    response.header(VIOLATIONS).is_some_and(|told| told.starts_with(CUT))
}

/// Also where the request was refused. An answer to what prism takes for no operation was not judged.
fn is_always_wrong(violation: &Value) -> bool {
    violation["location"][0] == "response" || Place::Path.is_of(violation)
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

    /// What is found in the seventh answer.
    fn found(status: u16, fields: &str) -> Result<Vec<String>> {
        found_where(None, status, fields)
    }

    /// The same, where something was planted.
    fn found_where(planted: Option<Place>, status: u16, fields: &str) -> Result<Vec<String>> {
        let bytes = format!("HTTP/1.1 {status} Recorded\r\n{fields}\r\n\r\n{{}}").into_bytes();
        let book = format!("18 19 /\nGET / HTTP/1.1\r\n\r\nHTTP/1.1 {status} ..\r\n\r\n");
        let entry = Entry::read(&mut book.as_bytes()).unwrap().unwrap();
        let exchange = Exchange { planted, ..entry.exchange().unwrap() };
        violations(&exchange, 7, &Response::new(bytes).unwrap())
    }

    #[test]
    fn a_request_may_be_wrong_where_it_was_refused_and_an_answer_never() {
        let told = |status, violations: &[&str]| {
            found(status, &format!("sl-violations: [{}]\r\nX-Playback: 7", violations.join(","))).unwrap()
        };
        assert_eq!(told(200, &[REQUEST, ANSWER]), [REQUEST, ANSWER]);
        assert_eq!(told(304, &[REQUEST]), [REQUEST]);
        assert_eq!(told(400, &[REQUEST]), Vec::<String>::new());
        assert_eq!(told(422, &[REQUEST, ANSWER]), [ANSWER]);
        assert_eq!(found(200, "x-playback: 7").unwrap(), Vec::<String>::new());
    }

    #[test]
    fn an_answer_that_is_not_the_one_of_the_suite_is_wrong() {
        for fields in ["a: b", "x-playback: 8"] {
            let found = found(422, fields).unwrap();
            assert!(found[0].starts_with("an answer of the proxy's own: HTTP/1.1 422"), "{found:?}");
        }
    }

    #[test]
    fn what_prism_takes_for_no_operation_is_wrong_whatever_the_answer() {
        let told =
            |violation: &str| found(404, &format!("sl-violations: [{violation}]\r\nX-Playback: 7")).unwrap();
        assert_eq!(told(UNKNOWN), [UNKNOWN]);
        assert_eq!(told(NO_TOKEN), Vec::<String>::new());
    }

    #[test]
    fn what_was_planted_has_to_be_found_and_nothing_else_counts() {
        let found = |violations: &str| {
            let fields = format!("sl-violations: [{violations}]\r\nx-playback: 7");
            found_where(Some(Place::Body), 200, &fields).unwrap()
        };
        assert_eq!(found(REQUEST), Vec::<String>::new());
        assert_eq!(found(&format!("{ANSWER},{REQUEST}")), Vec::<String>::new());
        assert_eq!(found(ANSWER), [format!("is wrong on purpose, Body, and prism says [{ANSWER}]")]);
        let silent = found_where(Some(Place::Body), 422, "x-playback: 7").unwrap();
        assert_eq!(silent, ["is wrong on purpose, Body, and prism says []"]);
        let other = found_where(Some(Place::Body), 200, "x-playback: 8").unwrap();
        assert!(other[0].starts_with("an answer of the proxy's own"), "{other:?}");
    }

    #[test]
    fn violations_that_were_cut_are_shown() {
        let cut = "sl-violations: Too many violations! [{\r\nx-playback: 7";
        assert_eq!(found(422, cut).unwrap(), ["more than prism can say: Too many violations! [{"]);
        assert!(found(422, "sl-violations: [{\r\nx-playback: 7").is_err());
    }
}
