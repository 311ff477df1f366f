//! A picture in the list of all pictures.

use maud::{Markup, html};
use pointbook_access::console_kit::Visit;
use pointbook_domain::{Picture, PictureFormat};
use pointbook_http::pages::{moment, number};

use crate::pictures::console::choice::address_with;
use crate::pictures::console::list::{PRODUCTS, links};
use crate::pictures::{NamedProducts, url_of};

/// The name of the buttons.
pub(crate) const REMOVED: &str = "picture";

/// How much of an id tells pictures of a page apart.
const SHORT_ID_CHARS: usize = 8;

/// What people call the picture.
pub(crate) fn name(visit: &Visit<'_>, picture: &Picture) -> String {
    let id = picture.id.to_string();
    visit.words.with("picture-name", "name", id.get(..SHORT_ID_CHARS).unwrap_or(&id)).into_owned()
}

/// The picture with what is known of it, and a button when no product shows it.
pub(crate) fn card(
    visit: &Visit<'_>,
    picture: &Picture,
    uses: Option<&NamedProducts>,
    may_write: bool,
) -> Markup {
    let words = visit.words;
    let url = url_of(&visit.served.tenant, picture);
    let (id, name) = (picture.id, name(visit, picture));
    let shown_by = uses.filter(|products| products.count > 0);
    html! {
        li {
            a href=(url) { img src=(url) alt=(name) width="160" height="160" loading="lazy"; }
            span { (facts(visit, picture)) }
            span .quiet { (moment(picture.created_at, &visit.served, words)) }
            @match shown_by {
                Some(products) => span { (words.say("picture-used-by")) " " (links(visit, products)) },
                None => span .quiet { (words.say("picture-unused")) },
            }
            @if may_write {
                a href=(address_with(&visit.path(PRODUCTS), picture)) aria-label={ (words.say("picture-use")) ": " (name) } {
                    (words.say("picture-use"))
                }
            }
            @if shown_by.is_none() && may_write {
                button .plain name=(REMOVED) value=(id) aria-label={ (words.say("picture-remove")) ": " (name) } {
                    (words.say("picture-remove"))
                }
            }
        }
    }
}

/// Its kind, its sides and its size.
fn facts(visit: &Visit<'_>, picture: &Picture) -> String {
    let Picture { id: _, format, width, height, size_bytes, created_at: _ } = picture;
    let kind = match format {
        PictureFormat::Png => "PNG",
        PictureFormat::Jpeg => "JPEG",
        PictureFormat::Webp => "WebP",
        PictureFormat::Avif => "AVIF",
    };
    let say = |value: u32| number(value.into(), visit.words);
    let values = [
        ("kind", kind.to_owned()),
        ("width", say(*width)),
        ("height", say(*height)),
        ("size", say(size_bytes.div_ceil(1024))),
    ];
    visit.words.with_all("picture-facts", values)
}
