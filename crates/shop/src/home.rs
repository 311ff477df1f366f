//! The front door at `/`: what runs here, the shops, the documents, and in the demo its people.

mod operators;
mod view;

use bytes::Bytes;
use http::header::ACCEPT;
use http::{HeaderMap, StatusCode};
use pointbook_access::sessions::{PagesOf, SignInLink, pages_path};
use pointbook_domain::{TenantName, Timestamp, UserId};
use pointbook_http::KnownPrincipal;
use pointbook_http::kernel::{PageRequest, Response, requested_authority};
use pointbook_http::pages::html_in;
use pointbook_store::ServedTenant;
use view::Door;

use crate::assets;
use crate::shared::{DemoPerson, Home, Shared};

/// The folder of the pictures of the demo.
const PICTURES: &str = "/demo/pictures/";

/// A picture of the demo.
pub(crate) fn picture(home: &Home, path: &str) -> Option<Response> {
    let name = path.strip_prefix(PICTURES)?;
    let svg = (home.demo.as_ref()?.picture)(name)?;
    Some(assets::file(Bytes::from(svg), "image/svg+xml"))
}

/// Browsers accept `text/html`. Programs mostly accept `*/*` or JSON: one that requests `/` has a wrong base URL, and gets the error
/// that says so.
pub(crate) fn is_for_browser(headers: &HeaderMap) -> bool {
    let mut accepted = headers.get_all(ACCEPT).iter();
    accepted.any(|accept| accept.to_str().is_ok_and(|kinds| kinds.contains("text/html")))
}

pub(crate) async fn answer(shared: &Shared, request: PageRequest<'_, KnownPrincipal>) -> Response {
    let authority = requested_authority(request.uri, request.headers).unwrap_or_default();
    let (people, has_console) = (people(shared).await, request.face.has_console());
    let colleagues = if has_console { operators::colleagues(shared).await } else { Vec::new() };
    let shops = shops(shared, &authority);
    let words = shared.languages.choose(request.headers);
    let (home, shops) = (&shared.home, &shops[..]);
    let markup =
        view::render(&Door { words, home, shops, guests: &people, has_console, colleagues: &colleagues });
    html_in(&words.content_language, StatusCode::OK, markup)
}

/// The paths and names of the shops at this host.
fn shops(shared: &Shared, authority: &str) -> Vec<(String, String)> {
    let directory = shared.service.directory();
    let is_here = |served: &&std::sync::Arc<ServedTenant>| {
        let found = directory.resolve(authority, served.tenant.base_url.path());
        served.tenant.settings.shop && found.is_some_and(|found| found.tenant.id == served.tenant.id)
    };
    let shops = directory.tenants().iter().filter(is_here);
    shops.map(|served| (pages_path(PagesOf::Shop, &served.name()), served.tenant.name.clone())).collect()
}

/// A person of the demo, with the path of the shop and the link that signs the person in.
struct Guest<'d> {
    person: &'d DemoPerson,
    door: Option<(String, String)>,
}

/// The people of the demo. Their links are new at each visit.
async fn people(shared: &Shared) -> Vec<Guest<'_>> {
    let mut guests = Vec::new();
    for person in shared.home.demo.iter().flat_map(|demo| &demo.people) {
        let door = match &person.user {
            Some(user) => door(shared, person, user).await,
            None => None,
        };
        guests.push(Guest { person, door });
    }
    guests
}

/// `None` when the tenant has no shop, or the store fails: then the page shows no button.
async fn door(shared: &Shared, person: &DemoPerson, user: &UserId) -> Option<(String, String)> {
    let name = TenantName { slug: person.tenant.clone(), environment: person.environment };
    let served = shared.service.directory().find(&name).cloned()?;
    if !served.tenant.settings.shop {
        return None;
    }
    let now: Timestamp = served.tenant.now(shared.service.clock.now());
    let secret = served.secrets.get(now).await.ok()?;
    let link = SignInLink::new(user.clone(), now, shared.secrets.secret());
    Some((pages_path(PagesOf::Shop, &name), link.to_text(&secret)))
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;

    use super::*;

    #[test]
    fn only_clients_that_name_html_are_browsers() {
        let accepts = |value: &'static str| {
            is_for_browser(&HeaderMap::from_iter([(ACCEPT, HeaderValue::from_static(value))]))
        };
        assert!(accepts("text/html,application/xhtml+xml,*/*;q=0.8"));
        assert!(!accepts("*/*"));
        assert!(!accepts("application/json"));
        assert!(!is_for_browser(&HeaderMap::new()));
    }
}
