//! What prism says of an exchange, and what of it counts.

use anyhow::{Context, Result};
use serde_json::Value;

use super::exchange::Exchange;
use super::playback::NUMBER;
use crate::http_client::Response;

/// The field in which the proxy lists what it finds.
const VIOLATIONS: &str = "sl-violations";

/// How much of an answer is shown.
const SHOWN_CHARS: usize = 600;

/// What is wrong with an exchange, if anything is. Some requests may be wrong, an answer never.
///
/// # Errors
/// When what the proxy says cannot be read.
pub(super) fn violations(exchange: &Exchange, number: usize, response: &Response) -> Result<Vec<String>> {
    let is_played =
        response.header(NUMBER) == Some(&*number.to_string()) && response.status()? == exchange.status;
    if !is_played {
        // Nothing was judged.
        let answer = String::from_utf8_lossy(&response.bytes);
        let shown: String = answer.chars().take(SHOWN_CHARS).collect();
        return Ok(vec![format!("an answer of the proxy's own: {shown}")]);
    }
    let told = response.header(VIOLATIONS).unwrap_or("[]");
    let violations: Vec<Value> = serde_json::from_str(told).with_context(|| format!("no JSON: {told}"))?;
    let counts = |violation: &&Value| is_of_answer(violation) || exchange.has_good_request;
    Ok(violations.iter().filter(counts).map(Value::to_string).collect())
}

fn is_of_answer(violation: &Value) -> bool {
    violation["location"][0] == "response"
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::proxy::exchange::Entry;

    const REQUEST: &str = r#"{"location":["request","body"],"message":"a"}"#;
    const ANSWER: &str = r#"{"location":["response"],"message":"b","severity":"Warning"}"#;

    /// What is found in the seventh answer.
    fn found(status: u16, fields: &str) -> Result<Vec<String>> {
        let bytes = format!("HTTP/1.1 {status} Recorded\r\n{fields}\r\n\r\n{{}}").into_bytes();
        let book = format!("18 19 /\nGET / HTTP/1.1\r\n\r\nHTTP/1.1 {status} ..\r\n\r\n");
        let entry = Entry::read(&mut book.as_bytes()).unwrap().unwrap();
        violations(&entry.exchange().unwrap(), 7, &Response::new(bytes).unwrap())
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
    fn violations_that_were_cut_are_an_error() {
        let cut = "sl-violations: Too many violations! [{\r\nx-playback: 7";
        assert!(found(422, cut).is_err());
    }
}
