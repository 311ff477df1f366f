//! Forms that take effect once, however often they are sent.

use std::sync::Arc;

use data_encoding::HEXLOWER;
use maud::{Markup, html};
use pointbook_app::Context;
use pointbook_app::ports::{NewAnswer, Once, RequestKey, StoredAnswer};
use pointbook_page_kit::{Form, PageError};
use sha2::{Digest, Sha256};

use crate::visit::Visit;

/// The name of the field with the key.
const FIELD: &str = "once";

/// The random bytes of the key of a form.
const KEY_BYTES: usize = 32;

/// A hidden field with a new key. A form that is sent again, because its response was lost, has the same key.
pub(crate) fn once_field(visit: &Visit<'_>) -> Markup {
    html! { input type="hidden" name=(FIELD) value=(HEXLOWER.encode(&visit.shared.secrets.secret())); }
}

/// The context of the form: a repetition executes nothing and is [`Execution::Replayed`](pointbook_app::ports::Execution::Replayed)
/// with an empty answer. `request` is all that the form says, so that another form with the same key is refused.
///
/// # Errors
/// [`PageError::BadRequest`] without a key.
pub(crate) fn once_context<T: 'static>(
    visit: &Visit<'_>,
    form: &Form,
    request: &str,
    is_refusal: fn(&T) -> bool,
) -> Result<Context<T>, PageError> {
    let sent = form.field(FIELD)?;
    if sent.len() != 2 * KEY_BYTES {
        return Err(PageError::BadRequest);
    }
    let key = RequestKey {
        principal: format!("operator:{}", visit.signed_in()?.operator.id),
        key: format!("console-{sent}"),
        fingerprint: Sha256::digest(request).into(),
        max_kept: None,
    };
    let answer = move |outcome: &T| {
        Some(NewAnswer { answer: StoredAnswer(Vec::new()), is_refusal: is_refusal(outcome) })
    };
    let bare = visit.context()?;
    Ok(Context { once: Some(Once { key, now: visit.now, answer: Arc::new(answer) }), ..bare })
}
