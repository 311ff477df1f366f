//! What makes a shop an app on a phone: its manifest, its icon, and the page that the browser shows without a network.

use bytes::Bytes;
use http::{Method, StatusCode};
use maud::{Markup, html};
use pointbook_access::sessions::{PagesOf, pages_path};
use pointbook_domain::settings::Color;
use pointbook_http::KnownPrincipal;
use pointbook_http::kernel::{PageRequest, Response};
use pointbook_http::pages::{document, html_in};
use pointbook_store::ServedTenant;
use serde_json::json;

use crate::brand::{OWN_COLOR, Pair, Palette};
use crate::layout::STYLESHEETS;
use crate::shared::Shared;
use crate::visit::find_shop;
use crate::{assets, brand};

/// The colours of the band as `tokens.css` has them. The colour of a tenant replaces them.
const BAND: Pair = Pair { light: OWN_COLOR, dark: Color { red: 0x20, green: 0x26, blue: 0x4a } };
const ON_BAND: Color = Color { red: 0xff, green: 0xff, blue: 0xff };

/// One worker serves all shops of a host. Below `/shop/`, it may answer for each of them.
const WORKER: &str = "/shop/worker.js";
const OFFLINE: &str = "/shop/offline.html";
const MANIFEST: &str = "/manifest.webmanifest";
const ICON: &str = "/icon.svg";

/// The file at the path of the request.
pub(crate) fn find(shared: &Shared, request: &PageRequest<'_, KnownPrincipal>) -> Option<Response> {
    let path = request.uri.path();
    if *request.method != Method::GET || !path.starts_with("/shop/") {
        return None;
    }
    match path {
        WORKER => return Some(worker(shared)),
        OFFLINE => return Some(offline(shared, request)),
        _ => {}
    }
    let shop = |file| path.strip_suffix(file).and_then(|_| find_shop(shared, request.uri, request.headers));
    if let Some(served) = shop(MANIFEST).filter(|served| path == in_shop(served, MANIFEST)) {
        return Some(assets::file(Bytes::from(manifest(&served)), "application/manifest+json"));
    }
    let served = shop(ICON).filter(|served| path == in_shop(served, ICON))?;
    Some(assets::file(Bytes::from(drawn(letter(&served), band(&served)).into_string()), "image/svg+xml"))
}

fn in_shop(served: &ServedTenant, file: &str) -> String {
    format!("{}{file}", pages_path(PagesOf::Shop, &served.name()))
}

/// What stands for the shop: the first letter of its name.
pub(crate) fn letter(served: &ServedTenant) -> char {
    served.tenant.name.trim().chars().next().unwrap_or('?')
}

/// What the head of each page of a shop has for the browser that installs it.
pub(crate) fn head(served: &ServedTenant) -> Markup {
    let color = served.tenant.settings.brand_color;
    let Pair { light, dark } = color.map_or(BAND, |color| Palette::of(color).band);
    html! {
        @if let Some(color) = color { link rel="stylesheet" href=(brand::stylesheet(color)); }
        link rel="manifest" href=(in_shop(served, MANIFEST));
        meta name="theme-color" content=(light.to_string()) media="(prefers-color-scheme: light)";
        meta name="theme-color" content=(dark.to_string()) media="(prefers-color-scheme: dark)";
    }
}

fn manifest(served: &ServedTenant) -> String {
    let (root, name) = (in_shop(served, ""), &served.tenant.name);
    let icon = |purpose| json!({"src": in_shop(served, ICON), "sizes": "any", "type": "image/svg+xml", "purpose": purpose});
    let manifest = json!({
        "name": name,
        "short_name": name,
        "start_url": root,
        "scope": root,
        "display": "standalone",
        "theme_color": band(served)[0].to_string(),
        "background_color": "#ffffff",
        "icons": [icon("any"), icon("maskable")],
    });
    manifest.to_string()
}

/// The colour of the band on light pages, and that of what stands on it.
fn band(served: &ServedTenant) -> [Color; 2] {
    let palette = served.tenant.settings.brand_color.map(Palette::of);
    palette.map_or([BAND.light, ON_BAND], |palette| [palette.band.light, palette.on_band.light])
}

/// The letter on the colour of the band. What is outside of the middle may be cut off.
fn drawn(letter: char, [band, on_band]: [Color; 2]) -> Markup {
    html! {
        svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100" {
            rect width="100" height="100" fill=(band.to_string()) {}
            text x="50" y="53" fill=(on_band.to_string()) font-family="system-ui, sans-serif" font-size="52" font-weight="600"
                text-anchor="middle" dominant-baseline="central" { (letter) }
        }
    }
}

/// The worker of this version: browsers install it anew, with its page, when a byte of it changes.
fn worker(shared: &Shared) -> Response {
    let script = format!("// pointbook {}\n{}", shared.home.version, include_str!("../assets/worker.js"));
    assets::file(Bytes::from(script), "text/javascript; charset=utf-8")
}

/// Its link opens the page again that the member wanted.
fn offline(shared: &Shared, request: &PageRequest<'_, KnownPrincipal>) -> Response {
    let words = shared.languages.choose(request.headers);
    let body = html! {
        main .inside {
            section .message {
                h1 { (words.say("offline")) }
                p { (words.say("offline-hint")) }
                p { a .button href="" { (words.say("try-again")) } }
            }
        }
    };
    let page = document(words.tag, &words.say("offline"), STYLESHEETS, &body);
    html_in(&words.content_language, StatusCode::OK, page)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_colours_of_the_app_are_those_of_the_band() {
        let Pair { light, dark } = BAND;
        let tokens = include_str!("../assets/tokens.css");
        assert!(tokens.contains(&format!("--band: light-dark({light}, {dark});")));
    }

    #[test]
    fn a_letter_is_no_markup() {
        assert!(drawn('<', [BAND.light, ON_BAND]).into_string().contains(">&lt;</text>"));
    }
}
