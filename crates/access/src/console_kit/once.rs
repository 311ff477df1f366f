//! Forms that take effect once, however often they are sent.

use std::sync::Arc;

use data_encoding::HEXLOWER;
use maud::{Markup, html};
use pointbook_http::pages::{Form, PageError};
use pointbook_store::Context;
use pointbook_store::ports::{Execution, NewAnswer, Once, RequestKey, StoredAnswer};
use sha2::{Digest, Sha256};

use crate::console_kit::visit::Visit;

/// The name of the field with the key.
const FIELD: &str = "once";

/// The random bytes of the key of a form.
const KEY_BYTES: usize = 32;

/// A hidden field with a new key. A form that is sent again, because its response was lost, has the same key.
pub fn once_field(visit: &Visit<'_>) -> Markup {
    html! { input type="hidden" name=(FIELD) value=(HEXLOWER.encode(&visit.shared.secrets.secret())); }
}

/// The key of a form.
///
/// # Errors
/// [`PageError::BadRequest`] without a key.
pub fn once_key(form: &Form) -> Result<&str, PageError> {
    let key = form.field(FIELD)?;
    if key.len() == 2 * KEY_BYTES { Ok(key) } else { Err(PageError::BadRequest) }
}

/// What became of a form.
pub enum Sent<T> {
    Now(T),
    /// The form was sent before, and had its effect then.
    Before,
    /// The form was sent before, and refused.
    RefusedBefore,
    /// The form was sent before with other values, for example from a page that the browser went back to.
    OtherBefore,
}

/// What became of the form of a [`once_context`].
///
/// # Errors
/// [`PageError::TooManyRequests`] when the operator sent too many forms.
pub fn sent<T>(execution: Execution<T>) -> Result<Sent<T>, PageError> {
    match execution {
        Execution::Executed(outcome) => Ok(Sent::Now(outcome)),
        Execution::Replayed(answer) if was_refused(&answer) => Ok(Sent::RefusedBefore),
        Execution::Replayed(_) => Ok(Sent::Before),
        Execution::KeyTaken => Ok(Sent::OtherBefore),
        Execution::TooManyKeys => Err(PageError::TooManyRequests { retry_after_seconds: None }),
    }
}

/// The response that is kept of a form that was refused. Of all others it is empty.
const REFUSED: &[u8] = b"refused";

/// Whether this is the response that is kept of a form that was refused.
pub fn was_refused(answer: &StoredAnswer) -> bool {
    answer.0 == REFUSED
}

/// The context of the form: a repetition executes nothing. [`sent`] tells what became of it. `request` is all that the form says, so that
/// another form with the same key is refused.
///
/// # Errors
/// [`PageError::BadRequest`] without a key.
pub fn once_context<T: 'static>(
    visit: &Visit<'_>,
    form: &Form,
    request: &str,
    is_refusal: fn(&T) -> bool,
) -> Result<Context<T>, PageError> {
    let sent = once_key(form)?;
    let key = RequestKey {
        principal: format!("operator:{}", visit.signed_in()?.operator.id),
        key: format!("console-{sent}"),
        fingerprint: Sha256::digest(request).into(),
        max_kept: None,
    };
    let answer = move |outcome: &T| {
        let is_refusal = is_refusal(outcome);
        let kept = if is_refusal { REFUSED } else { &[] };
        Some(NewAnswer { answer: StoredAnswer(kept.to_vec()), is_refusal })
    };
    let bare = visit.context()?;
    Ok(Context { once: Some(Once { key, now: bare.real_now(), answer: Arc::new(answer) }), ..bare })
}
