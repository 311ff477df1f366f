//! HTML of descriptions, as the back office sends it.

use pointbook_html::{clean, is_too_complex};

/// HTML that is not too complex becomes safe HTML, which stays as it is when it is cleaned again.
pub(crate) fn read(html: &[u8]) {
    let Ok(html) = str::from_utf8(html) else { return };
    if is_too_complex(html) {
        return;
    }
    let safe = clean(html);
    for unsafe_tag in ["<script", "<style", "<iframe", "<svg"] {
        assert!(!safe.contains(unsafe_tag), "{safe}");
    }
    if !is_too_complex(&safe) {
        assert_eq!(clean(&safe), safe);
    }
}
