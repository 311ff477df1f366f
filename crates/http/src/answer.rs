//! Responses of writes: rendered once, kept with the effect of the write, and returned again for the same request.

pub mod refusals;

use std::sync::Arc;

use bytes::Bytes;
use http::{HeaderName, HeaderValue, StatusCode};
use pointbook_domain::Timestamp;
use pointbook_store::StoreError;
use pointbook_store::ports::{Execution, NewAnswer, Once, REQUEST_KEY_DAYS, RequestKey, StoredAnswer};
use serde::{Deserialize, Serialize};

use crate::error::{ApiError, Conflict, ERROR_CODE, ErrorShape, FieldCode, FieldErrors, Rule};
use crate::kernel::{Response, json};
use crate::sender::MAX_CUSTOMER_KEYS;

static IDEMPOTENCY_REPLAYED: HeaderName = HeaderName::from_static("idempotency-replayed");

/// The first byte of a kept response with status and body.
const FORM: u8 = 1;

/// The first byte of a kept refusal of which only the code is kept.
const CODE: u8 = 2;

/// The response of a write: a status and a JSON body.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    status: StatusCode,
    body: Bytes,
}

impl Answer {
    /// A response with this body. It is [`ApiError::Internal`]'s if the body does not serialise, which cannot happen with
    /// strings, integers and lists of them.
    pub fn json(status: StatusCode, body: &impl Serialize) -> Self {
        match serde_json::to_vec(body) {
            Ok(body) => Self { status, body: body.into() },
            Err(_) => ApiError::Internal.into(),
        }
    }

    pub fn encode(&self) -> StoredAnswer {
        if let Some(code) = refusals::code_of(self) {
            return StoredAnswer(vec![CODE, code]);
        }
        let status = self.status.as_u16().to_be_bytes();
        StoredAnswer([&[FORM], &status[..], &self.body].concat())
    }

    pub fn decode(stored: &StoredAnswer) -> Result<Self, StoreError> {
        let corrupt = || StoreError::Corrupt("a kept answer has an unknown form".to_owned());
        if let [CODE, code] = stored.0[..] {
            return refusals::with_code(code).ok_or_else(corrupt);
        }
        let [FORM, high, low, body @ ..] = &*stored.0 else { return Err(corrupt()) };
        let status = StatusCode::from_u16(u16::from_be_bytes([*high, *low])).map_err(|_| corrupt())?;
        Ok(Self { status, body: Bytes::copy_from_slice(body) })
    }

    pub fn status(&self) -> StatusCode {
        self.status
    }

    /// Whether the request was refused, so that nothing changed.
    fn is_refusal(&self) -> bool {
        self.status.is_client_error()
    }

    pub fn body(&self) -> &Bytes {
        &self.body
    }

    /// The code of an error, from its body: a kept response has no more.
    fn error_code(&self) -> Option<HeaderValue> {
        if self.status.is_success() {
            return None;
        }
        let error: CodeOnly<'_> = serde_json::from_slice(&self.body).ok()?;
        HeaderValue::from_str(error.code).ok()
    }

    /// The HTTP response to a request that is not repeated.
    pub fn into_response(self) -> Response {
        let code = self.error_code();
        let mut response = json(self.status, self.body);
        response.headers.extend(code.map(|code| (ERROR_CODE, code)));
        response
    }
}

/// The member of an error that its header repeats.
#[derive(Deserialize)]
struct CodeOnly<'b> {
    code: &'b str,
}

impl From<ApiError> for Answer {
    /// A decision of the store against a request is kept like any other response: 404, 409, 412, 422. Other errors have headers
    /// or are no decisions, so they are not kept.
    fn from(error: ApiError) -> Self {
        Self { status: error.status(), body: error.body(ErrorShape::WithCode).into() }
    }
}

/// Makes a write execute once when its request has a key. `render` makes the response of the outcome; give the same to
/// [`finish`].
pub(crate) fn once<T>(
    key: Option<RequestKey>,
    now: Timestamp,
    render: impl Fn(&T) -> Answer + Send + Sync + 'static,
) -> Option<Once<T>> {
    key.map(|key| Once { key, now, answer: Arc::new(move |outcome| kept(&render(outcome))) })
}

/// A response of a failure is not kept.
fn kept(answer: &Answer) -> Option<NewAnswer> {
    let is_refusal = answer.is_refusal();
    (!answer.status.is_server_error()).then(|| NewAnswer { answer: answer.encode(), is_refusal })
}

/// The response to a write, new or repeated, and whether it is repeated.
///
/// # Errors
/// Those of [`finish`].
pub fn answer<T>(
    execution: Execution<T>,
    render: impl FnOnce(&T) -> Answer,
) -> Result<(Answer, bool), ApiError> {
    match execution {
        Execution::Executed(outcome) => Ok((render(&outcome), false)),
        Execution::Replayed(stored) => Ok((Answer::decode(&stored)?, true)),
        Execution::KeyTaken => Err(Conflict::IdempotencyKeyReused.into()),
        Execution::TooManyKeys => Err(too_many_keys().into()),
    }
}

/// The HTTP response to a write. A repeated one has a header that says so.
///
/// # Errors
/// 409 or 422 when the key was used for another request or the user has too many keys, and 500 when the kept response is corrupt.
pub fn finish<T>(execution: Execution<T>, render: impl FnOnce(&T) -> Answer) -> Result<Response, ApiError> {
    let (answer, is_repeated) = answer(execution, render)?;
    Ok(respond(answer, is_repeated))
}

/// The HTTP response. A repeated one has a header that says so.
pub fn respond(answer: Answer, is_repeated: bool) -> Response {
    let mut response = answer.into_response();
    if is_repeated {
        response.headers.insert(IDEMPOTENCY_REPLAYED.clone(), HeaderValue::from_static("true"));
    }
    response
}

fn too_many_keys() -> FieldErrors {
    let message = format!(
        "The Idempotency-Key is new, and {MAX_CUSTOMER_KEYS} keys of this user are kept already. A key is kept for \
         {REQUEST_KEY_DAYS} days after its last use, or for a day when the request was refused."
    );
    FieldErrors::one("Idempotency-Key", Rule::sentence(FieldCode::TooManyIdempotencyKeys, message))
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;

    #[expect(clippy::trivially_copy_pass_by_ref, reason = "outcomes are rendered by reference")]
    fn render(points: &i64) -> Answer {
        Answer::json(StatusCode::CREATED, points)
    }

    #[test]
    fn a_refusal_is_kept_as_one() {
        let (principal, key) = (String::new(), String::new());
        let key = RequestKey { principal, key, fingerprint: [0; 32], max_kept: None };
        let render = |_: &i64| Answer::from(ApiError::NotFound);
        let kept = (once(Some(key), Timestamp::from_micros(0).unwrap(), render).unwrap().answer)(&7).unwrap();
        assert_eq!(kept, NewAnswer { answer: StoredAnswer(vec![2, 5]), is_refusal: true });
    }

    #[test]
    fn a_kept_answer_is_the_first_one_again() {
        for answer in [render(&7), ApiError::NotFound.into(), ApiError::from(Conflict::OrderCancelled).into()]
        {
            assert_eq!(Answer::decode(&answer.encode()).unwrap(), answer);
        }
    }

    #[test]
    fn an_answer_that_cannot_be_rendered_is_not_kept() {
        let unnamed = |key: &[u8; 1]| Answer::json(StatusCode::CREATED, &HashMap::from([(key, 7)]));
        assert_eq!(unnamed(&[1]).status(), StatusCode::INTERNAL_SERVER_ERROR);
        let (principal, key) = (String::new(), String::new());
        let key = RequestKey { principal, key, fingerprint: [0; 32], max_kept: None };
        let now = Timestamp::from_micros(0).unwrap();
        assert_eq!((once(Some(key.clone()), now, unnamed).unwrap().answer)(&[1]), None);
        assert_eq!(
            (once(Some(key), now, render).unwrap().answer)(&7),
            Some(NewAnswer { answer: render(&7).encode(), is_refusal: false })
        );
    }

    #[test]
    fn what_is_no_kept_answer_is_corrupt() {
        for bad in
            [&b""[..], b"\x01", b"\x01\x00", b"\x02\x00\xc8{}", b"\x01\x00\x01{}", b"\x02", b"\x02\xff"]
        {
            assert!(
                matches!(Answer::decode(&StoredAnswer(bad.to_vec())), Err(StoreError::Corrupt(_))),
                "{bad:?}"
            );
        }
    }

    #[test]
    fn only_a_replay_says_that_it_is_one() {
        let first = finish(Execution::Executed(7), render).unwrap();
        assert_eq!((first.status.as_u16(), first.headers.get("idempotency-replayed")), (201, None));
        let again = finish(Execution::Replayed(render(&7).encode()), render).unwrap();
        assert_eq!(
            (again.status.as_u16(), &again.headers["idempotency-replayed"]),
            (201, &"true".parse().unwrap())
        );
    }

    #[test]
    fn a_key_of_another_request_is_a_conflict() {
        let error = finish(Execution::KeyTaken, render).unwrap_err();
        assert_eq!(error.to_string(), "The Idempotency-Key was used for another request.");
    }
}
