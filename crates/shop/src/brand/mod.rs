//! How a tenant looks to its members: the colours of its shop, its logo, and the line of welcome.

pub(crate) mod api;
mod palette;
mod view;

use bytes::Bytes;
use http::{StatusCode, Uri};
use maud::{Markup, html};
use pointbook_access::console_kit::assets::{BRAND, BRANDED};
use pointbook_domain::TenantSettings;
use pointbook_domain::settings::Color;
use pointbook_http::kernel::Response;
use pointbook_http::pages::Words;
use pointbook_store::ServedTenant;

pub use self::palette::{Pair, Palette, contrast_tenths};
use crate::{app, assets};

/// The colour of a shop whose tenant has none: that of `tokens.css`.
pub const OWN_COLOR: Color = Color { red: 0x33, green: 0x46, blue: 0xb8 };

/// The address of the stylesheet for whole pages in this colour.
pub fn stylesheet(color: Color) -> String {
    format!("{BRAND}?color={}", color.to_string().trim_start_matches('#'))
}

/// The stylesheet at this address. Any client may ask for any colour: the response holds nothing of a tenant.
pub(crate) fn find(uri: &Uri) -> Option<Response> {
    if uri.path() != BRAND {
        return None;
    }
    let query = uri.query().unwrap_or_default();
    let named = [("color=", ":root".to_owned()), ("part=", format!(".{BRANDED}"))];
    let found = named.into_iter().find_map(|(name, selector)| {
        let color = Color::parse(&format!("#{}", query.strip_prefix(name)?))?;
        Some((color, selector))
    });
    let Some((color, selector)) = found else { return Some(Response::empty(StatusCode::NOT_FOUND)) };
    let rules = Palette::of(color)
        .properties()
        .map(|(name, Pair { light, dark })| format!("  --{name}: light-dark({light}, {dark});\n"));
    let text = format!("{selector} {{\n{}}}\n", rules.concat());
    Some(assets::file(Bytes::from(text), "text/css; charset=utf-8"))
}

/// The logo, or the first letter of the name. The name stands beside it.
pub fn mark(served: &ServedTenant) -> Markup {
    html! {
        @match &served.tenant.settings.logo {
            Some(logo) => img .letter src=(logo) alt="" width="28" height="28";,
            None => span .letter aria-hidden="true" { (app::letter(served)) },
        }
    }
}

/// The line of welcome in the language of the page, or in that of the tenant.
pub fn welcome<'s>(served: &'s ServedTenant, words: &Words) -> Option<&'s str> {
    let TenantSettings { welcome, .. } = &served.tenant.settings;
    let of = |tag: &str| welcome.iter().find(|(locale, _)| locale.as_str() == tag);
    let found = of(words.tag).or_else(|| of(served.tenant.locale.as_str()));
    found.map(|(_, line)| line.as_str())
}

#[cfg(test)]
mod tests {
    use pointbook_access::console_kit::assets::brand_of_part;

    use super::*;

    fn found(address: &str) -> (StatusCode, String) {
        let response = find(&address.parse().unwrap()).unwrap();
        (response.status, String::from_utf8(response.body.to_vec()).unwrap())
    }

    #[test]
    fn a_stylesheet_has_ten_colours() {
        let (status, text) = found(&stylesheet(Color::parse("#7a2456").unwrap()));
        assert_eq!(status, StatusCode::OK);
        assert!(text.starts_with(":root {\n  --accent: light-dark(#7a2456, #"), "{text}");
        assert_eq!(text.matches('#').count(), 10);
        let (_, part) = found(&brand_of_part(Color::parse("#7a2456").unwrap()));
        assert_eq!(part, text.replace(":root", ".branded"));
    }

    #[test]
    fn an_address_without_a_colour_has_no_stylesheet() {
        for bad in ["", "?", "?color=", "?color=%237a2456", "?color=7a2456&x", "?colour=7a2456", "?color=}"] {
            assert_eq!(found(&format!("/brand.css{bad}")).0, StatusCode::NOT_FOUND, "{bad}");
        }
        assert!(find(&"/brand.css.map".parse().unwrap()).is_none());
    }
}
