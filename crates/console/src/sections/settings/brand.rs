//! The colour of the tenant: its field, how well texts on it can be read, and what the shop looks like in it.

use maud::{Markup, html};
use pointbook_access::console_kit::Visit;
use pointbook_access::console_kit::assets::{BRANDED, brand_of_part};
use pointbook_domain::settings::Color;
use pointbook_http::pages::Words;
use pointbook_shop::brand::{OWN_COLOR, Palette, contrast_tenths, mark, welcome};

pub(super) const SECTION: &str = "settings-brand";
pub(super) const COLOR: &str = "brand_color";

/// What is stored for this value of the field. A field for a colour cannot be empty, so pointbook's own colour stands for none.
pub(super) fn stored(value: String) -> String {
    if Color::parse(&value) == Some(OWN_COLOR) { String::new() } else { value }
}

fn shown(value: &str) -> String {
    if value.is_empty() { OWN_COLOR.to_string() } else { value.to_owned() }
}

/// The colour, and with the script a button that takes pointbook's own.
pub(super) fn input(words: &Words, id: &str, name: &str, value: &str) -> Markup {
    html! {
        span .color {
            input id=(id) type="color" name=(name) value=(shown(value)) data-brand aria-describedby={ (id) "-hint" };
            button type="button" hidden data-color=(OWN_COLOR.to_string()) { (words.say("brand-default")) }
        }
    }
}

/// Says how well texts on the colour can be read, and when links need another one. Nothing for what is no colour.
pub(super) fn contrast_of(words: &Words, value: &str) -> Markup {
    let Some(color) = Color::parse(&shown(value)) else { return html! {} };
    let palette = Palette::of(color);
    let tenths = contrast_tenths(palette.band.light, palette.on_band.light);
    let ratio = [("whole", (tenths / 10).to_string()), ("tenth", (tenths % 10).to_string())];
    html! {
        span data-contrast {
            " " (words.with_all("brand-contrast", ratio))
            @if palette.accent.light != color { " " (words.with("brand-moved", "color", palette.accent.light.to_string())) }
        }
    }
}

/// The head of the shop in the colour. With the script, it follows the field.
pub(super) fn preview(visit: &Visit<'_>, value: Option<&str>) -> Markup {
    let (words, served) = (visit.words, &visit.served);
    let color = Color::parse(&shown(value.unwrap_or_default()));
    html! {
        @if let Some(color) = color {
            link rel="stylesheet" href=(brand_of_part(color)) data-brand-style;
            figure class={ "shop-preview " (BRANDED) } {
                figcaption .unseen { (words.say("brand-preview")) }
                div .band { (mark(served)) strong { (served.tenant.name) } }
                div {
                    p { (welcome(served, words).unwrap_or(&served.tenant.name)) }
                    span .order { (words.say("brand-preview-button")) }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_own_colour_is_stored_as_none() {
        assert_eq!(stored(shown("")), "");
        assert_eq!(stored(shown("#7a2456")), "#7a2456");
    }
}
