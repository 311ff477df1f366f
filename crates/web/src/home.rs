//! The page at `/`: the name of the server, links to its documents, and in the demo its people with requests to try.

use std::fmt::Write as _;

const PAGE: &str = include_str!("../page/home.html");
const DEMO: &str = include_str!("../page/demo.html");

/// What the page says.
#[derive(Debug, Clone, Default)]
pub struct Home {
    /// Of the program.
    pub version: &'static str,
    /// Whether the server has pages at `/docs`.
    pub has_docs: bool,
    /// The people of a demo. `None` for a real server: the page reveals no tenant.
    pub demo: Option<DemoPage>,
}

/// The part of the page about the demo.
#[derive(Debug, Clone)]
pub struct DemoPage {
    /// The base URL of production, without a trailing slash.
    pub base_url: String,
    pub people: Vec<DemoPerson>,
}

/// A person of the demo, or its back office.
#[derive(Debug, Clone)]
pub struct DemoPerson {
    pub environment: String,
    /// `-` for the back office.
    pub user: String,
    pub token: String,
    /// What this token shows.
    pub shows: String,
}

/// A request to try: its purpose, the operation in `/docs`, a token, and the path with its query.
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

impl Home {
    /// The page in HTML.
    pub(crate) fn render(&self) -> String {
        let docs = "<li><a href=\"docs\">API reference</a>, where you can send requests</li>\n";
        let docs = if self.has_docs { docs } else { "" };
        let demo = self.demo.as_ref().map(|demo| demo.render(self.has_docs)).unwrap_or_default();
        PAGE.replace("{version}", &escaped(self.version)).replace("{docs}", docs).replace("{demo}", &demo)
    }
}

impl DemoPage {
    fn render(&self, has_docs: bool) -> String {
        let (mut people, mut requests) = (String::new(), String::new());
        for DemoPerson { environment, user, token, shows } in &self.people {
            let [environment, user, token, shows] =
                [environment, user, token, shows].map(|text| escaped(text));
            // Writing to a string cannot fail.
            let _ = writeln!(
                people,
                "<tr><td>{environment}</td><td>{user}</td><td><code>{token}</code></td><td>{shows}</td></tr>"
            );
        }
        for (shows, operation, token, path) in REQUESTS {
            let title = if has_docs {
                format!("<a href=\"docs#/{operation}\">{shows}</a>")
            } else {
                shows.to_owned()
            };
            let url = escaped(&format!("{}{path}", self.base_url));
            let _ = writeln!(
                requests,
                "<dt>{title}</dt>\n<dd><pre>curl -s -g -H \"Authorization: Bearer {token}\" \"{url}\"</pre></dd>"
            );
        }
        DEMO.replace("{people}", &people).replace("{requests}", &requests)
    }
}

/// Text as HTML shows it.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn demo(base_url: &str) -> Home {
        let person = |user: &str| DemoPerson {
            environment: "production".to_owned(),
            user: user.to_owned(),
            token: format!("demo-{user}"),
            shows: "a <b>new</b> user & no points".to_owned(),
        };
        let demo = DemoPage { base_url: base_url.to_owned(), people: vec![person("mia"), person("ben")] };
        Home { version: "1.2.3", has_docs: true, demo: Some(demo) }
    }

    #[test]
    fn a_demo_shows_its_people_and_three_requests() {
        let page = demo("http://localhost:8080/acme/api").render();
        assert!(page.contains("<h1>pointbook 1.2.3</h1>"));
        assert!(page.contains("<td>mia</td><td><code>demo-mia</code></td>"));
        assert_eq!(page.matches("curl -s -g").count(), 3);
        assert!(page.contains("\"http://localhost:8080/acme/api/v1/user/point-history\""));
        assert!(!page.contains('{'), "{page}");
    }

    #[test]
    fn texts_are_escaped() {
        let page = demo("http://\"><script>alert(1)</script>").render();
        assert!(page.contains("a &lt;b&gt;new&lt;/b&gt; user &amp; no points"));
        assert!(!page.contains("<script"));
    }

    #[test]
    fn a_server_that_is_no_demo_tells_nothing_of_its_tenants() {
        let page = Home { version: "1.2.3", has_docs: false, demo: None }.render();
        assert!(!page.contains("token") && !page.contains("href=\"docs\""), "{page}");
        assert!(page.contains("href=\"openapi.json\""));
    }
}
