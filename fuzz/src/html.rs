//! HTML of descriptions, as the back office sends it.

use pointbook_catalogue::html::{clean, is_too_complex};

/// HTML that is not too complex becomes safe HTML. It is safe also as a browser reads it, which may be another tree.
pub(crate) fn read(html: &[u8]) {
    let Ok(html) = str::from_utf8(html) else { return };
    if is_too_complex(html) {
        return;
    }
    let safe = clean(html);
    assert_is_safe(&safe);
    if !is_too_complex(&safe) {
        assert_is_safe(&clean(&safe));
    }
}

/// Each tag is harmless, and no attribute is for scripts.
fn assert_is_safe(safe: &str) {
    for tag in safe.split('<').skip(1) {
        let (tag, _) = tag.split_once('>').unwrap_or_else(|| panic!("{safe}"));
        let name = tag.trim_start_matches('/').split(' ').next().unwrap_or_default();
        assert!(
            !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit()),
            "{safe}"
        );
        let is_active =
            ["script", "style", "iframe", "object", "embed", "form", "svg", "math", "base", "link", "meta"];
        assert!(!is_active.contains(&name), "{safe}");
        let mut attributes = tag.split('"').step_by(2).filter_map(|text| text.strip_suffix('='));
        assert!(
            attributes.all(|name| !name.trim_start().starts_with("on") && name.trim() != "style"),
            "{safe}"
        );
    }
}
