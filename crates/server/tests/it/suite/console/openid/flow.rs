//! The way of a browser from the sign-in page to the console.

use std::time::Duration;

use http::Method;

use super::browser::{REMOVED, Setup, Trip, cookie, cookies, onward};
use super::issuer::{Plant, Proof, Reply};
use crate::client::Call;
use crate::suite::console::operator::CONSOLE;
use crate::suite::forms::fields;

#[tokio::test]
async fn each_kind_of_client_signs_in() {
    for proof in [Proof::Basic, Proof::Post, Proof::Public] {
        let place = Setup::new(proof).await;
        let page = place.call(Method::GET, &format!("{CONSOLE}/sign-in")).send().await;
        assert!(page.text().contains("Sign in with Fake &amp; Co"), "{}", page.text());
        assert_eq!(fields(page.text(), &format!("{CONSOLE}/openid")), []);
        let opened = place.return_from(&place.go().await).await;
        assert_eq!((opened.status.as_u16(), opened.header("location")), (303, Some(CONSOLE)));
        let set = cookies(&opened);
        assert!(set[0].starts_with("__Host-console-shop-production=pb_"), "{set:?}");
        assert_eq!(set[1..], [REMOVED]);
        let session = set[0].split(';').next().unwrap();
        let console =
            place.call(Method::GET, &format!("{CONSOLE}/sessions")).header("cookie", session).send();
        assert!(console.await.text().contains("this one"));
        // The metadata is read once.
        assert_eq!(place.issuer.requests(), 2);
    }
}

#[tokio::test]
async fn an_issuer_returns_to_the_consoles_own_address() {
    let place = Setup::with_own_console().await;
    let opened = place.return_from(&place.go().await).await;
    assert_eq!((opened.status.as_u16(), opened.header("location")), (303, Some(CONSOLE)));
    let set = cookies(&opened);
    assert!(set[0].starts_with("__Host-console-shop-production=pb_"), "{set:?}");
    assert_eq!(set[1..], [REMOVED]);
    let at_interface = Call::new(place.server.address(), Method::GET, "/console/openid?code=a&state=b");
    assert_eq!(at_interface.header("host", "shop.example").send().await.status, 404);
}

#[tokio::test]
async fn without_an_issuer_there_is_no_button_and_no_callback() {
    let place = Setup::new(Proof::Basic).await;
    let page = place.first.call_at(&format!("{CONSOLE}/sign-in")).header("host", "shop.example").send().await;
    assert!(page.status == 401 && !page.text().contains("/openid"), "{}", page.text());
    let callback = place.first.call_at("/console/openid?code=a&state=b").header("host", "shop.example");
    assert_eq!(callback.send().await.status, 404);
    let form = Call::new(place.first.address(), Method::POST, format!("{CONSOLE}/openid"));
    let form = form.header("host", "shop.example").header("sec-fetch-site", "same-origin");
    assert_eq!(form.send().await.status, 404);
}

#[tokio::test]
async fn a_form_of_another_site_begins_nothing() {
    let place = Setup::new(Proof::Basic).await;
    for (name, value) in [
        ("sec-fetch-site", "cross-site"),
        ("sec-fetch-site", "same-site"),
        ("origin", "https://evil.example"),
        ("origin", "null"),
        ("accept", "text/html"),
    ] {
        let form = place.call(Method::POST, &format!("{CONSOLE}/openid")).header(name, value);
        let refused = form.send().await;
        assert_eq!(refused.status, 403, "{value}");
        assert_eq!(cookies(&refused), [""; 0]);
    }
    assert_eq!(place.issuer.requests(), 0);
    assert_eq!(place.call(Method::GET, &format!("{CONSOLE}/openid")).send().await.status, 405);
}

/// No request chooses where the browser goes.
#[tokio::test]
async fn no_parameter_and_no_header_redirects_elsewhere() {
    let place = Setup::new(Proof::Basic).await;
    for name in ["next", "redirect_uri", "target", "return_to", "url"] {
        let path = format!("{CONSOLE}/openid?{name}=https://evil.example/");
        let form = place.call(Method::POST, &path).header("sec-fetch-site", "same-origin");
        let form = form.header("x-forwarded-host", "evil.example").header("referer", "https://evil.example/");
        let page = form.send().await;
        assert!(!page.text().contains("evil.example"), "{}", page.text());
        // The issuer checks the redirect address.
        let parameters = place.issuer.authorize(&onward(&page), "owner@example.com", place.now());
        let cookie = cookie(&page);
        let mut trip = Trip { cookie, parameters, host: "shop.example" };
        trip.add(name, "https://evil.example/");
        let opened = place.return_from(&trip).await;
        assert_eq!((opened.status.as_u16(), opened.header("location")), (303, Some(CONSOLE)), "{name}");
    }
    // The base URL of the tenant has the host, not the request.
    let form = Call::new(place.server.address(), Method::POST, format!("{CONSOLE}/openid"));
    let page = form.header("host", "evil.example").header("sec-fetch-site", "same-origin").send().await;
    place.issuer.authorize(&onward(&page), "owner@example.com", place.now());
}

#[tokio::test]
async fn a_silent_issuer_is_left_at_the_timeout() {
    let place = Setup::with_timeout(Proof::Basic, Duration::from_secs(2)).await;
    let trip = place.go().await;
    place.issuer.plant(Plant::Exchange(Reply::Silent));
    let left = place.return_from(&trip).await;
    assert!(left.text().contains("Reason: unreachable<"), "{}", left.text());
    place.server.advance_seconds(300);
    place.issuer.plant(Plant::Discovery(Reply::Silent));
    let left = place.begin().await;
    assert!(left.text().contains("Reason: unreachable<"), "{}", left.text());
    assert_eq!(place.sessions().await, 0);
}

#[tokio::test]
async fn one_browser_sends_few_requests_to_the_issuer() {
    let place = Setup::new(Proof::Basic).await;
    place.issuer.plant(Plant::Discovery(Reply::Closed));
    for _ in 0..20 {
        place.begin().await;
    }
    assert_eq!(place.issuer.requests(), 10);
    let busy = place.begin().await;
    assert_eq!((busy.status.as_u16(), busy.header("retry-after")), (503, Some("1")));
    place.server.advance_seconds(60);
    place.issuer.plant(Plant::Nothing);
    assert_eq!(place.begin().await.status, 200);
}

/// Requests for the metadata, which fail, leave the exchange of codes to those who come back.
#[tokio::test]
async fn metadata_that_cannot_be_read_takes_nothing_from_sign_ins() {
    let place = Setup::new(Proof::Basic).await;
    let trip = place.go().await;
    // From here on, the metadata in memory is too old.
    place.server.advance_seconds(300);
    place.issuer.plant(Plant::Discovery(Reply::Closed));
    for _ in 0..9 {
        place.begin().await;
    }
    place.issuer.plant(Plant::Nothing);
    let opened = place.return_from(&trip).await;
    assert_eq!(opened.status, 303, "{}", opened.text());
    assert_eq!(place.issuer.requests(), 1 + 9 + 2);
}

/// A tenant may have the slug `openid`, so its overview stays where it is.
#[tokio::test]
async fn only_the_parameters_of_a_callback_make_one() {
    let place = Setup::new(Proof::Basic).await;
    for (path, status) in [
        ("/console/openid", 404),
        ("/console/openid?from=2026-01-01", 404),
        ("/console/openid/sign-in?state=a", 404),
        ("/console/openid?state=", 400),
        ("/console/openid?code=a", 400),
        ("/console/openid?error=access_denied", 400),
    ] {
        let answer = place.call(Method::GET, path).send().await;
        assert_eq!(answer.status.as_u16(), status, "{path}: {}", answer.text());
    }
    let form = place.call(Method::POST, "/console/openid?state=a").header("sec-fetch-site", "same-origin");
    assert_eq!(form.send().await.status, 404);
}

#[tokio::test]
async fn the_pages_are_in_the_language_of_the_browser() {
    let place = Setup::new(Proof::Basic).await;
    for (language, button) in [("de", "Mit Fake &amp; Co anmelden"), ("ja", "Fake &amp; Co でサインイン")]
    {
        let page = place.call(Method::GET, &format!("{CONSOLE}/sign-in")).header("accept-language", language);
        let page = page.send().await;
        assert!(page.text().contains(button), "{}", page.text());
    }
}
