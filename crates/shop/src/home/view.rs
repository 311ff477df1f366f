//! The HTML of the front door. Texts of the demo's data, such as what a token shows, are in English.

use maud::{Markup, html};
use pointbook_http::pages::{Words, document};

use super::Guest;
use super::operators::Colleague;
use crate::layout::STYLESHEETS;
use crate::shared::{DemoPage, Home};

/// What the front door shows, and in which language.
pub(super) struct Door<'d> {
    pub(super) words: &'d Words,
    pub(super) home: &'d Home,
    /// Paths and names.
    pub(super) shops: &'d [(String, String)],
    pub(super) guests: &'d [Guest<'d>],
    /// Whether the console is at this address.
    pub(super) has_console: bool,
    pub(super) colleagues: &'d [Colleague],
}

/// Requests to try: the text of the purpose, the operation in `/docs`, a token, and the path with its query.
const REQUESTS: [(&str, &str, &str, &str); 3] = [
    (
        "home-try-products",
        "store/listProducts",
        "demo-ben",
        "/v1/store/products?filter[category]=mugs&filter[maxPrice]=1000&sort=price",
    ),
    ("home-try-history", "history/getPointHistory", "demo-aiko", "/v1/user/point-history"),
    (
        "home-try-orders",
        "management/listManagedOrders",
        "demo-admin",
        "/v1/manage/orders?filter[status]=placed",
    ),
];

pub(super) fn render(door: &Door<'_>) -> Markup {
    let Door { words, home, shops, guests, has_console, colleagues } = door;
    let body = html! {
        header .hero {
            div .inside {
                h1 { "pointbook" }
                p { (words.say("home-about")) }
                p .quiet { (words.with("home-version", "version", home.version)) }
            }
        }
        main .inside {
            @if !shops.is_empty() {
                h2 { (words.say("home-shops")) }
                ul .doors {
                    @for (path, name) in *shops { li { a href=(path) { (name) } " " code { (path) } } }
                }
            }
            @if !guests.is_empty() { (people(words, guests)) }
            @if *has_console {
                h2 { (words.say("home-console")) }
                p { (words.say("home-console-hint")) " " a href="/console" { "/console" } }
            }
            @if !colleagues.is_empty() { (operators(words, colleagues)) }
            h2 { (words.say("home-developers")) }
            (documents(words, home))
            @if let Some(demo) = &home.demo { (requests(words, home, demo)) }
        }
    };
    document(words.tag, "pointbook", STYLESHEETS, &body)
}

fn people(words: &Words, guests: &[Guest<'_>]) -> Markup {
    html! {
        h2 { (words.say("home-people")) }
        p .quiet { (words.say("home-people-hint")) }
        ul .people {
            @for Guest { person, door } in guests {
                li {
                    h3 { @if let Some(user) = &person.user { (user.as_str()) } @else { (words.say("home-back-office")) } }
                    p lang="en" { (person.shows) }
                    p .quiet { (words.say(&format!("environment-{}", person.environment))) " · " code { (person.token) } }
                    @if let Some((shop, link)) = door {
                        form method="post" action={ (shop) "/sign-in" } {
                            input type="hidden" name="link" value=(link);
                            button { (words.say("home-open-shop")) }
                        }
                    }
                }
            }
        }
    }
}

/// The operators of the demo: each has a button.
fn operators(words: &Words, colleagues: &[Colleague]) -> Markup {
    html! {
        ul .people {
            @for Colleague { tenant, operator, console, link } in colleagues {
                li {
                    h3 { (operator.name) }
                    p { (words.say(&format!("home-role-{}", operator.role))) }
                    p .quiet { (words.say(&format!("environment-{}", tenant.environment))) }
                    form method="post" action={ (console) "/sign-in" } {
                        input type="hidden" name="link" value=(link);
                        button { (words.say("home-open-console")) }
                    }
                }
            }
        }
    }
}

/// What programs and developers find here: a link, and what it leads to.
fn documents(words: &Words, home: &Home) -> Markup {
    let link = |path: &str, name: &str, hint: &str| {
        html! { dt { a href=(path) { (name) } } dd { (words.say(hint)) } }
    };
    html! {
        dl .documents {
            @if home.has_docs { (link("docs", &words.say("home-docs"), "home-docs-hint")) }
            (link("openapi.json", "/openapi.json", "home-openapi-hint"))
            (link("healthz", "/healthz", "home-healthz-hint"))
            (link("readyz", "/readyz", "home-readyz-hint"))
        }
    }
}

fn requests(words: &Words, home: &Home, demo: &DemoPage) -> Markup {
    html! {
        h2 { (words.say("home-try")) }
        dl {
            @for (shows, operation, token, path) in REQUESTS {
                dt { @if home.has_docs { a href={ "docs#/" (operation) } { (words.say(shows)) } } @else { (words.say(shows)) } }
                dd { pre { "curl -s -g -H \"Authorization: Bearer " (token) "\" \"" (demo.base_url) (path) "\"" } }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use http::header::ACCEPT_LANGUAGE;
    use http::{HeaderMap, HeaderValue};
    use pointbook_domain::{
        Email, Environment, Operator, OperatorId, OperatorName, Role, Slug, TenantName, Timestamp, UserId,
    };
    use pointbook_http::pages::{Languages, languages};

    use super::*;
    use crate::SOURCES;
    use crate::shared::DemoPerson;

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
        rendered_in("en", home)
    }

    fn rendered_in(language: &'static str, home: &Home) -> String {
        let people = home.demo.iter().flat_map(|demo| &demo.people);
        let door = Some(("/shop/acme".to_owned(), "L1NK".to_owned()));
        let guests: Vec<_> = people.map(|person| Guest { person, door: door.clone() }).collect();
        let known = Languages::new(SOURCES);
        let headers = HeaderMap::from_iter([(ACCEPT_LANGUAGE, HeaderValue::from_static(language))]);
        let shops = [("/shop/acme".to_owned(), "Acme".to_owned())];
        let colleagues: Vec<_> = home.demo.iter().map(|_| colleague()).collect();
        let words = known.choose(&headers);
        let door =
            Door { words, home, shops: &shops, guests: &guests, has_console: true, colleagues: &colleagues };
        render(&door).into_string()
    }

    fn colleague() -> Colleague {
        let operator = Operator {
            email: Email::parse("ada@example.com").unwrap(),
            id: OperatorId::new("op-1").unwrap(),
            name: OperatorName::new("Ada & <b>Co</b>").unwrap(),
            role: Role::Analyst,
            created_at: Timestamp::MIN,
            created_by: "command-line".to_owned(),
        };
        let tenant = TenantName { slug: Slug::new("acme").unwrap(), environment: Environment::Production };
        Colleague { tenant, operator, console: "/console/acme".to_owned(), link: "L2NK".to_owned() }
    }

    #[test]
    fn a_demo_opens_the_console_as_each_operator() {
        let page = rendered(&demo("http://localhost:8080/acme/api"));
        assert!(page.contains("<h3>Ada &amp; &lt;b&gt;Co&lt;/b&gt;</h3><p>Analyst: reads reports"), "{page}");
        assert!(page.contains("action=\"/console/acme/sign-in\"") && page.contains("value=\"L2NK\""));
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
        let page = page.replace("/tokens.css", "");
        assert!(!page.contains("token") && !page.contains("href=\"docs\""), "{page}");
        assert!(!page.contains("Ada") && page.contains("href=\"/console\""), "{page}");
        assert!(page.contains("href=\"openapi.json\""));
    }

    /// A sentence that is not in the files of texts would be the same in all languages.
    #[test]
    fn only_what_the_demo_says_of_its_people_is_the_same_in_two_languages() {
        let home = demo("http://localhost:8080/acme/api");
        let sentences = |language| {
            let page = rendered_in(language, &home);
            let texts = page.split('>').filter_map(|part| part.split('<').next());
            let texts = texts.filter(|text| text.split_whitespace().count() > 2 && !text.starts_with("curl"));
            texts.map(str::to_owned).collect::<Vec<_>>()
        };
        let english = sentences("en");
        assert!(english.len() > 8, "{english:?}");
        for language in languages().filter(|language| *language != "en") {
            let mut same = sentences(language);
            same.retain(|text| english.contains(text));
            same.dedup();
            let of_demo =
                ["a &lt;b&gt;new&lt;/b&gt; user &amp; no points", "Ada &amp; &lt;b&gt;Co&lt;/b&gt;"];
            assert_eq!(same, of_demo, "{language}");
        }
    }
}
