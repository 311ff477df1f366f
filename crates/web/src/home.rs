//! The front door at `/`: what runs here, the shops, the documents, and in the demo its people.

use bytes::Bytes;
use http::header::ACCEPT;
use http::{HeaderMap, StatusCode};
use maud::{Markup, html};
use pointbook_app::{KnownPrincipal, ServedTenant};
use pointbook_domain::{TenantName, Timestamp, UserId};
use pointbook_http_kernel::{PageRequest, Response, requested_authority};
use pointbook_page_kit::{document, html as page_html};
use pointbook_sessions::{Place, SignInLink, pages_path};

use crate::assets;
use crate::layout::STYLESHEETS;
use crate::shared::{DemoPage, DemoPerson, Home, Shared};

/// The folder of the pictures of the demo.
const PICTURES: &str = "/demo/pictures/";

/// Requests to try: the purpose, the operation in `/docs`, a token, and the path with its query.
const REQUESTS: [(&str, &str, &str, &str); 3] = [
    (
        "Mugs for at most 1,000 points, cheapest first",
        "store/listProducts",
        "demo-ben",
        "/v1/store/products?filter[category]=mugs&filter[maxPrice]=1000&sort=price",
    ),
    ("How Aiko collected and spent points", "history/getPointHistory", "demo-aiko", "/v1/user/point-history"),
    (
        "The orders that the back office has to send",
        "management/listManagedOrders",
        "demo-admin",
        "/v1/manage/orders?filter[status]=placed",
    ),
];

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
    let people = people(shared).await;
    let shops = shops(shared, &authority);
    page_html(StatusCode::OK, render(&shared.home, &shops, &people))
}

/// The paths and names of the shops at this host.
fn shops(shared: &Shared, authority: &str) -> Vec<(String, String)> {
    let directory = shared.service.directory();
    let is_here = |served: &&std::sync::Arc<ServedTenant>| {
        let found = directory.resolve(authority, served.tenant.base_url.path());
        served.tenant.settings.shop && found.is_some_and(|found| found.tenant.id == served.tenant.id)
    };
    let shops = directory.tenants().iter().filter(is_here);
    shops.map(|served| (pages_path(Place::Shop, &served.name()), served.tenant.name.clone())).collect()
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
    Some((pages_path(Place::Shop, &name), link.to_text(&secret)))
}

fn render(home: &Home, shops: &[(String, String)], guests: &[Guest<'_>]) -> Markup {
    let body = html! {
        header .hero {
            div .inside {
                h1 { "pointbook" }
                p { "This server runs a loyalty programme: members collect points and spend them in a gift store." }
                p .quiet { "Version " (home.version) }
            }
        }
        main .inside {
            @if !shops.is_empty() {
                h2 { "Shops" }
                ul .doors {
                    @for (path, name) in shops { li { a href=(path) { (name) } " " code { (path) } } }
                }
            }
            @if !guests.is_empty() { (people_section(guests)) }
            h2 { "For programs and developers" }
            ul {
                @if home.has_docs { li { a href="docs" { "API reference" } ", where you can send requests" } }
                li { a href="openapi.json" { "OpenAPI document" } }
                li { a href="healthz" { "/healthz" } ": whether the process runs" }
                li { a href="readyz" { "/readyz" } ": whether it can serve requests" }
            }
            @if let Some(demo) = &home.demo { (requests_section(home, demo)) }
        }
    };
    document("en", "pointbook", STYLESHEETS, &body)
}

fn people_section(guests: &[Guest<'_>]) -> Markup {
    html! {
        h2 { "The people of the demo" }
        p .quiet { "Look around as one of them. The tokens are for the interface; everyone may use them, as they open the sample data only." }
        ul .people {
            @for Guest { person, door } in guests {
                li {
                    h3 { (person.user.as_ref().map_or("back office", |user| user.as_str())) }
                    p { (person.shows) }
                    p .quiet { (person.environment) ", " code { (person.token) } }
                    @if let Some((shop, link)) = door {
                        form method="post" action={ (shop) "/sign-in" } {
                            input type="hidden" name="link" value=(link);
                            button { "Open the shop" }
                        }
                    }
                }
            }
        }
    }
}

fn requests_section(home: &Home, demo: &DemoPage) -> Markup {
    html! {
        h2 { "Three requests to try" }
        dl {
            @for (shows, operation, token, path) in REQUESTS {
                dt { @if home.has_docs { a href={ "docs#/" (operation) } { (shows) } } @else { (shows) } }
                dd { pre { "curl -s -g -H \"Authorization: Bearer " (token) "\" \"" (demo.base_url) (path) "\"" } }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;
    use pointbook_domain::{Environment, Slug};

    use super::*;

    fn person(user: &str) -> DemoPerson {
        DemoPerson {
            tenant: Slug::new("acme").unwrap(),
            environment: Environment::Production,
            user: Some(UserId::new(user).unwrap()),
            token: format!("demo-{user}"),
            shows: "a <b>new</b> user & no points".to_owned(),
        }
    }

    fn demo(base_url: &str) -> Home {
        let people = vec![person("mia"), person("ben")];
        let demo = DemoPage { base_url: base_url.to_owned(), people, picture: |_| None };
        Home { version: "1.2.3", has_docs: true, demo: Some(demo) }
    }

    fn rendered(home: &Home) -> String {
        let people = home.demo.iter().flat_map(|demo| &demo.people);
        let door = Some(("/shop/acme".to_owned(), "L1NK".to_owned()));
        let guests: Vec<_> = people.map(|person| Guest { person, door: door.clone() }).collect();
        render(home, &[], &guests).into_string()
    }

    #[test]
    fn a_demo_shows_its_people_and_three_requests() {
        let page = rendered(&demo("http://localhost:8080/acme/api"));
        assert!(page.contains("Version 1.2.3"));
        assert!(page.contains("<h3>mia</h3>") && page.contains("<code>demo-mia</code>"));
        assert!(page.contains("action=\"/shop/acme/sign-in\"") && page.contains("value=\"L1NK\""));
        assert_eq!(page.matches("curl -s -g").count(), 3);
        assert!(page.contains("http://localhost:8080/acme/api/v1/user/point-history"));
    }

    #[test]
    fn texts_are_escaped() {
        let page = rendered(&demo("http://\"><script>alert(1)</script>"));
        assert!(page.contains("a &lt;b&gt;new&lt;/b&gt; user &amp; no points"));
        assert!(!page.contains("<script>alert"));
    }

    #[test]
    fn a_server_that_is_no_demo_tells_nothing_of_its_tenants() {
        let page = rendered(&Home { version: "1.2.3", has_docs: false, demo: None });
        assert!(!page.contains("token") && !page.contains("href=\"docs\""), "{page}");
        assert!(page.contains("href=\"openapi.json\""));
    }

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
