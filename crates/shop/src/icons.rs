//! The drawings of the shop: lines on a grid of 24.

use maud::{Markup, html};

pub(crate) const GIFT: &str = "M5 12v8h14v-8M3 8h18v4H3zM12 8v12M12 8c-5 0-5.5-4.5-3-4.5 2 0 3 2 3 4.5 0-2.5 1-4.5 3-4.5 2.5 0 2 4.5-3 4.5";
pub(crate) const COIN: &str = "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18M10 17V8h2.5a2.75 2.75 0 0 1 0 5.5H10";
pub(crate) const RECEIPT: &str = "M6 3h12v18l-3-2-3 2-3-2-3 2zM9 8h6M9 12h6";
pub(crate) const LENS: &str = "M10.5 4a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13M15.5 15.5 20 20";
pub(crate) const SLIDERS: &str = "M4 7h9M17 7h3M15 5v4M4 17h3M11 17h9M9 15v4";
pub(crate) const CROSS: &str = "M7 7l10 10M17 7 7 17";

/// A drawing beside a word. Screen readers skip it.
pub(crate) fn icon(lines: &str) -> Markup {
    html! { svg .icon viewBox="0 0 24 24" aria-hidden="true" { path d=(lines) {} } }
}
