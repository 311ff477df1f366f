//! Campaigns in the console.

use http::Method;
use pointbook_domain::Role;
use serde_json::{Value, json};

use super::operator::{Browser, NOTHING_SAVED};
use crate::harness::TestServer;

async fn shown(server: &TestServer, token: &str, id: &str) -> Value {
    let answer = server.request(Method::GET, &format!("/v1/manage/campaigns/{id}"), token).send().await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    answer.json()["data"].clone()
}

pub(super) async fn manager(server: &TestServer) -> (Browser<'_>, String) {
    (Browser::of(server, Role::Manager).await, server.issue_super_user().await)
}

/// The sentence of the programme, through the form.
async fn with_mondays(browser: &Browser<'_>) {
    let page = browser.page("/new-campaign").await;
    let values = [
        ("id", "mondays"),
        ("title", "Monday <b>double</b>"),
        ("number", "100"),
        ("weekdays", "mon"),
        ("types", "code"),
        ("hours_from", "16:00"),
        ("hours_until", "18:00"),
        ("limit_number", "2"),
        ("limit_unit", "awards"),
        ("limit_per", "day"),
    ];
    let saved = browser.submit(&page, "/new-campaign", &values).await;
    let location = saved.header("location").map(str::to_owned);
    assert_eq!(
        location.as_deref(),
        Some("/console/shop/campaigns/mondays?said=campaign-written"),
        "{}",
        saved.text()
    );
}

#[tokio::test]
async fn a_campaign_is_written_and_read_as_sentences() {
    let server = TestServer::with_sample().await;
    let (browser, token) = manager(&server).await;
    assert!(browser.page("/campaigns").await.contains("There are no campaigns yet."));
    with_mondays(&browser).await;
    let stored = shown(&server, &token, "mondays").await;
    assert_eq!(stored["state"], "draft");
    let conditions = &stored["definition"]["conditions"];
    assert_eq!(conditions["weekdays"], json!(["mon"]));
    assert_eq!(conditions["hours"], json!([{"from": "16:00", "until": "18:00"}]));
    assert_eq!(
        stored["definition"]["limits"]["per_user"],
        json!([{"period": "day", "awards": 2, "points": null}])
    );
    let sentence = "On Mondays from 16:00 to 18:00 members earn double points for QR code scans.";
    for path in ["/campaigns", "/campaigns/mondays"] {
        let page = browser.page(path).await;
        assert!(page.contains(sentence) && page.contains("Monday &lt;b&gt;double&lt;/b&gt;"), "{page}");
    }
    let list = browser.page("/campaigns").await;
    let rows = [" <span class=\"count\">1</span></h1>", "<span class=\"sub\">On Mondays from 16:00"];
    assert!(rows.iter().all(|row| list.contains(row)), "{list}");
    let page = browser.page("/campaigns/mondays").await;
    assert!(page.contains("A member gets at most 2 bonuses a day."), "{page}");
    let beyond = browser.page("/campaigns/mondays?page=9").await;
    assert!(beyond.contains("This list has no page 9.") && !beyond.contains("<thead>"), "{beyond}");
    let edit = browser.page("/campaigns/mondays/edit").await;
    let unchanged = browser.submit(&edit, "/campaigns/mondays/edit", &[]).await;
    assert!(unchanged.header("location").unwrap().ends_with("said=campaign-unchanged"));
}

#[tokio::test]
async fn faults_are_told_beside_their_fields_and_keep_what_was_typed() {
    let server = TestServer::with_sample().await;
    let (mut browser, _) = manager(&server).await;
    let page = browser.page("/new-campaign").await;
    let unknown = "m".repeat(256);
    let members = format!("ann\n\n{unknown}");
    let values = [
        ("id", "A b"),
        ("title", "T"),
        ("number", "many"),
        ("hours_from", "7"),
        ("hours_until", "18:00"),
        ("group", "gr\"oup"),
        ("members", &members),
        ("attribute_name", "Sku.1"),
        ("attribute_values", "GT-1"),
        ("titles", "de:"),
    ];
    let refused = browser.submit(&page, "/new-campaign", &values).await;
    let text = refused.text();
    assert_eq!(refused.status, 422, "{text}");
    for part in [
        NOTHING_SAVED,
        "Write 1 to 64 characters of a-z, 0-9, _ and -.</p>",
        "This must be a whole number.</p>",
        "09:30.</p>",
        &format!("An id has 1 to 255 characters. <code>{unknown}</code>"),
        "This must not be blank. <code>de</code>",
        "The name of an attribute has 1 to 32 characters of a-z, 0-9, _ and -. <code>Sku.1</code>",
        "value=\"many\"",
        "value=\"A b\"",
        "value=\"gr&quot;oup\"",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    for path in ["reward.percent", "conditions.", "title.de", "group.name"] {
        assert!(!text.contains(path), "{path}: {text}");
    }
    browser.language = Some("de");
    let refused = browser.submit(&page, "/new-campaign", &values).await;
    for part in ["Dies muss eine Uhrzeit von 00:00 bis 23:59 sein", "Dies muss eine ganze Zahl sein."] {
        assert!(refused.text().contains(part), "{part}: {}", refused.text());
    }
}

#[tokio::test]
async fn faults_of_json_are_told_and_keep_what_was_typed() {
    let server = TestServer::with_sample().await;
    let (browser, token) = manager(&server).await;
    let page = browser.page("/new-campaign").await;
    let json = r#"{"id": "tea", "title": {"en": "T"}, "reward": {"percent": 0}, "colour": "red"}"#;
    let refused = browser.submit(&page, "/new-campaign", &[("json", json)]).await;
    let text = refused.text();
    assert!(
        refused.status == 422 && text.contains("There is no such field here. The fields are id, "),
        "{text}"
    );
    assert!(text.contains("&quot;colour&quot;: &quot;red&quot;"), "{text}");
    let broken = browser.submit(&page, "/new-campaign", &[("json", "{\n")]).await;
    assert!(broken.text().contains("role=\"alert\">This is no JSON: line 2"), "{}", broken.text());
    assert!(broken.status == 422 && broken.text().contains(NOTHING_SAVED), "{}", broken.text());
    // Neither does the way to the other tab lose it.
    for tab in ["sentences", "json"] {
        let typed = [("json", "{ \"id\": tea"), ("do", tab)];
        let kept = browser.submit(&page, "/new-campaign/preview", &typed).await;
        assert!(kept.text().contains("{ &quot;id&quot;: tea</textarea>"), "{tab}: {}", kept.text());
        assert!(kept.text().contains("role=\"alert\">This is no JSON: line 1"), "{tab}: {}", kept.text());
    }
    let answer = server.request(Method::GET, "/v1/manage/campaigns", &token).send().await;
    assert_eq!(answer.json()["data"], json!([]));
}

#[tokio::test]
async fn another_version_meanwhile_is_a_conflict() {
    let server = TestServer::with_sample().await;
    let (browser, token) = manager(&server).await;
    with_mondays(&browser).await;
    let page = browser.page("/new-campaign").await;
    let refused = browser.submit(&page, "/new-campaign", &[("id", "mondays"), ("title", "Other")]).await;
    assert!(
        refused.status == 409 && refused.text().contains("Another campaign has this id"),
        "{}",
        refused.text()
    );
    let edit = browser.page("/campaigns/mondays/edit").await;
    let mut other = shown(&server, &token, "mondays").await["definition"].take();
    other["reward"]["percent"] = json!(50);
    let put = server.request(Method::PUT, "/v1/manage/campaigns/mondays", &token).json(&other).send().await;
    assert_eq!(put.status, 200, "{}", put.text());
    let mine = [("number", "300")];
    let conflict = browser.submit(&edit, "/campaigns/mondays/edit", &mine).await;
    let text = conflict.text();
    assert!(conflict.status == 409 && text.contains("Another person saved this campaign"), "{text}");
    assert!(text.contains("value=\"300\""), "{text}");
    assert_eq!(shown(&server, &token, "mondays").await["version"], 1);
    let again = browser.submit(text, "/campaigns/mondays/edit", &[]).await;
    assert_eq!(again.status, 303, "{}", again.text());
    server.advance_seconds(2);
    assert_eq!(shown(&server, &token, "mondays").await["definition"]["reward"]["percent"], 300);
}

#[tokio::test]
async fn steps_change_the_state_once() {
    let server = TestServer::with_sample().await;
    let (browser, token) = manager(&server).await;
    with_mondays(&browser).await;
    let path = "/campaigns/mondays/step";
    for (step, state) in
        [("schedule", "running"), ("pause", "paused"), ("resume", "running"), ("end", "ended")]
    {
        let page = browser.page("/campaigns/mondays").await;
        let form = only_form_of(&page, step);
        for _ in 0..2 {
            let done = browser.submit(&form, path, &[]).await;
            assert_eq!(done.status, 303, "{step}: {}", done.text());
        }
        // The step takes over at the next second. Until then the page loads again.
        let page = browser.page("/campaigns/mondays").await;
        assert!(page.contains("id=\"campaign-change\" role=\"status\" data-again"), "{step}: {page}");
        server.advance_seconds(2);
        assert_eq!(shown(&server, &token, "mondays").await["state"], state);
        let page = browser.page("/campaigns/mondays").await;
        assert!(
            !page.contains("data-again")
                && page.contains(&format!(">{}{}</span>", state[..1].to_uppercase(), &state[1..])),
            "{step}: {page}"
        );
    }
    let page = browser.page("/campaigns/mondays").await;
    let archive = only_form_of(&page, "archive");
    let wrong = browser.submit(&archive, path, &[("step", "pause")]).await;
    assert!(wrong.status == 409 && wrong.text().contains("in another state by now"), "{}", wrong.text());
    let wrong = browser.submit(&archive, path, &[("at", "soon")]).await;
    assert!(wrong.status == 422 && wrong.text().contains("Enter a date and a time."), "{}", wrong.text());
    let wrong = browser.submit(&archive, path, &[("step", "explode")]).await;
    assert_eq!(wrong.status, 400);
    assert_eq!(shown(&server, &token, "mondays").await["versions"].as_array().unwrap().len(), 5);
}

/// The form of one step, as all of them go to the same path.
fn only_form_of(page: &str, step: &str) -> String {
    let mut forms = page.split("<form").filter(|form| form.contains(&format!("value=\"{step}\"")));
    format!("<form{}", forms.next().unwrap_or_else(|| panic!("no {step}: {page}")))
}

/// A draft that doubles points, and an activity of 31 points.
pub(super) async fn with_activity(server: &TestServer, token: &str) {
    let spring = json!({"id": "spring", "title": {"en": "Spring <b>"}, "reward": {"percent": 100}});
    server.put_campaign(token, spring).await;
    scan(server, token, "s1").await;
}

pub(super) async fn scan(server: &TestServer, token: &str, source: &str) {
    let scan = json!({"type": "code", "source_id": source, "points": 31, "title": "Scan"});
    let recorded = server.post("/v1/manage/users/u7/activities", token).json(&scan).send().await;
    assert_eq!(recorded.status, 201, "{}", recorded.text());
}

#[tokio::test]
async fn a_back_test_is_started_once_and_alone_and_its_result_is_shown() {
    let server = TestServer::with_sample().await;
    let (browser, token) = manager(&server).await;
    with_activity(&server, &token).await;
    let (page, path) = (browser.page("/campaigns/spring").await, "/campaigns/spring/back-test");
    for (typed, text) in
        [(["2026-03-02", "2026-03-01"], "must not be before"), (["x", "2026-03-01"], "Enter a date")]
    {
        let wrong = browser.submit(&page, path, &[("from", typed[0]), ("until", typed[1])]).await;
        assert!(wrong.status == 422 && wrong.text().contains(text), "{}", wrong.text());
        assert!(wrong.text().contains(&format!("value=\"{}\"", typed[0])), "{}", wrong.text());
    }
    let day = [("from", "2026-03-01"), ("until", "2026-03-01")];
    for _ in 0..2 {
        let started = browser.submit(&page, path, &day).await;
        assert_eq!(started.status, 303, "{}", started.text());
    }
    let waits = browser.page("/campaigns/spring").await;
    assert!(waits.contains("id=\"back-test-state\" role=\"status\" data-again"), "{waits}");
    assert!(waits.contains("<strong>Waits</strong>"), "{waits}");
    let once = "a".repeat(64);
    let other = [day[0], day[1], ("once", &*once)];
    let second = browser.submit(&waits.replace("/back-test/cancel", "/back-test"), path, &other).await;
    let text = second.text();
    assert!(second.status == 409 && text.contains("Another back-test waits or runs"), "{text}");
    server.run_job("back-test").await;
    let done = browser.page("/campaigns/spring").await;
    assert!(done.contains("id=\"back-test-state\" role=\"status\"><strong>Done</strong>"), "{done}");
    assert!(done.contains("<dd>31</dd>"), "{done}");
    assert_eq!(browser.submit(&done, path, &[]).await.status, 303);
    let page = browser.page("/campaigns/spring").await;
    assert_eq!(browser.submit(&page, "/campaigns/spring/back-test/cancel", &[]).await.status, 303);
    assert!(browser.page("/campaigns/spring").await.contains("Cancelled"));
}

#[tokio::test]
async fn a_campaign_shows_what_it_gave_and_what_it_meets() {
    let server = TestServer::with_sample().await;
    let (browser, token) = manager(&server).await;
    for id in ["spring", "summer", "autumn"] {
        let campaign = json!({"id": id, "title": {"en": id}, "reward": {"percent": 100}, "limits": {"budget": {"points": 500}},
            "control_percent": 1});
        server.start_campaign(&token, campaign).await;
    }
    for user in ["u7", "u8"] {
        let scan = json!({"type": "code", "source_id": format!("s-{user}"), "points": 31, "title": "Scan"});
        let recorded =
            server.post(&format!("/v1/manage/users/{user}/activities"), &token).json(&scan).send().await;
        assert_eq!(recorded.status, 201, "{}", recorded.text());
    }
    let page = browser.page("/campaigns/spring").await;
    for part in [
        "/campaigns/autumn\">autumn</a>, <a href=\"/console/shop/campaigns/summer\"",
        "the bonuses add up",
        "<rect class=\"bar series-1\"",
        "62 / 500",
        "<dd><strong>62</strong></dd>",
        "1% of the members are a control group",
    ] {
        assert!(page.contains(part), "{part}: {page}");
    }
    assert!(!page.contains("Per 1,000"), "{page}");
    assert_eq!(page.matches("class=\"hint\"").count(), 1, "all warnings are in one box: {page}");
    server.run_job("campaign-events").await;
    let effect = browser.page("/campaigns/spring?effect=show").await;
    assert!(effect.contains("too few to tell"), "{effect}");
    let support = Browser::of(&server, Role::Support).await;
    let page = support.page("/campaigns/spring").await;
    assert!(page.contains("62 / 500") && !page.contains("<form class=\"stack\""), "{page}");
}

const PREVIEW: &str = "/new-campaign/preview";

/// The words beside the form.
fn in_words(page: &str) -> &str {
    let (_, words) = page.split_once("id=\"in-words\"").unwrap();
    words.split_once("<p>").unwrap().1.split_once("</p>").unwrap().0
}

#[tokio::test]
async fn a_template_fills_the_form_and_one_press_starts_it() {
    let server = TestServer::with_sample().await;
    let (browser, token) = manager(&server).await;
    let page = browser.page("/new-campaign").await;
    for (name, words) in [
        ("weekday", "On Mondays members earn double points for every activity."),
        ("happy-hour", "From 16:00 to 18:00 members earn 50% more points for every activity."),
        ("birthday", "Only the first activity on the member’s birthday."),
        ("welcome", "Only the member’s very first activity."),
        ("kind", "Members earn double points for quizzes."),
        ("fifth", "Only one in 5 activities, in order."),
    ] {
        assert!(page.contains(&format!("/new-campaign?template={name}\"")), "{name}: {page}");
        let filled = browser.page(&format!("/new-campaign?template={name}")).await;
        assert!(in_words(&filled).contains(words), "{name}: {filled}");
        assert!(
            filled.contains(&format!("template={name}\" aria-current")) && filled.len() < 60_000,
            "{filled}"
        );
    }
    // What is not set is closed, and says what that means.
    let closed = |page: &str, words: &str| page.contains(&format!("<details><summary>{words}</summary>"));
    let filled = browser.page("/new-campaign?template=weekday").await;
    assert!(closed(&filled, "Every activity") && closed(&filled, "No limit"), "{filled}");
    assert!(!closed(&filled, "Always") && !filled.contains("step=\"1\""), "{filled}");
    let filled = browser.page("/new-campaign?template=kind").await;
    assert!(closed(&filled, "Always") && !closed(&filled, "Every activity"), "{filled}");
    let filled = browser.page("/new-campaign?template=welcome").await;
    let started = browser.submit(&filled, "/new-campaign", &[("do", "start")]).await;
    let location = started.header("location").unwrap_or_else(|| panic!("{}", started.text()));
    assert_eq!(location, "/console/shop/campaigns/welcome?said=campaign-schedule");
    server.advance_seconds(2);
    let stored = shown(&server, &token, "welcome").await;
    assert_eq!((&stored["state"], &stored["definition"]["kind"]), (&json!("running"), &json!("welcome")));
    // The same form again makes no second campaign, although its id is made from the title.
    let again = browser.submit(&filled, "/new-campaign", &[("do", "start")]).await;
    assert_eq!(again.header("location"), Some("/console/shop/campaigns?said=campaign-written"));
    assert_eq!(browser.get("/campaigns/welcome-2").await.status, 404);
    let other = browser.submit(&filled, "/new-campaign", &[("title", "Other")]).await;
    assert!(
        other.status == 409 && other.text().contains("sent before with other values"),
        "{}",
        other.text()
    );
    assert_eq!(shown(&server, &token, "welcome").await["version"], stored["version"]);
}

/// Without a script, each of these is a button of the form.
#[tokio::test]
async fn a_condition_is_added_and_removed_and_what_was_typed_stays() {
    let server = TestServer::with_sample().await;
    let (browser, _) = manager(&server).await;
    let page = browser.page("/new-campaign").await;
    for field in ["hours_from", "min_points", "attribute_name", "birthday_pays", "at_most", "members"] {
        assert!(!page.contains(&format!("name=\"{field}\"")), "{field}: {page}");
    }
    let press = async |page: &str, button: &str, values: &[(&str, &str)]| {
        let pressed = browser.submit(page, PREVIEW, &[values, &[("do", button)]].concat()).await;
        assert_eq!(pressed.status, 200, "{}", pressed.text());
        pressed.text().to_owned()
    };
    let page = press(&page, "add min-points", &[("title", "Tea"), ("limit_number", "500")]).await;
    assert!(page.contains("name=\"min_points\"") && page.contains("autofocus"), "{page}");
    assert!(page.contains("value=\"Tea\"") && !page.contains("role=\"alert\""), "{page}");
    let page = press(&page, "add hours", &[("min_points", "50")]).await;
    let page = press(&page, "add hours", &[("hours_from", "06:00"), ("hours_until", "10:00")]).await;
    let page = press(&page, "show", &[("hours_from", "06:00"), ("hours_until", "10:00")]).await;
    let said = in_words(&page).to_owned();
    for words in
        ["From 06:00 to 10:00 members", "activities of 50 points or more.", "at most 500 points a day."]
    {
        assert!(said.contains(words), "{words}: {said}");
    }
    let page = press(&page, "remove hours.0", &[]).await;
    assert!(!page.contains("name=\"hours_from\"") && page.contains("name=\"min_points\""), "{page}");
    let page = press(&page, "remove min-points", &[]).await;
    assert!(!page.contains("name=\"min_points\""), "{page}");
    assert_eq!(
        in_words(&page),
        said.replace("From 06:00 to 10:00 members", "Members")
            .replace(" Only for activities of 50 points or more.", "")
    );
    let wrong = browser.submit(&page, PREVIEW, &[("do", "try"), ("number", "many")]).await;
    assert!(wrong.status == 422 && wrong.text().contains("This must be a whole number."), "{}", wrong.text());
    let live = browser.submit(&page, PREVIEW, &[("number", "many")]).await;
    assert!(live.status == 200 && !live.text().contains("role=\"alert\""), "{}", live.text());
    let odd = browser.submit(&page, PREVIEW, &[("do", "remove hours.9")]).await;
    assert_eq!(odd.status, 200, "{}", odd.text());
}

#[tokio::test]
async fn the_words_are_in_the_language_of_the_page() {
    let server = TestServer::with_sample().await;
    let (mut browser, _) = manager(&server).await;
    for (language, words) in [
        ("de", "Immer montags sammeln Mitglieder doppelte Punkte für jede Aktivität."),
        ("ja", "月曜日に、すべてのアクティビティで2倍のポイントを獲得できます。"),
        ("tr", "Her pazartesi üyeler her etkinlik için çift puan kazanır."),
    ] {
        browser.language = Some(language);
        let page = browser.page("/new-campaign?template=weekday").await;
        assert_eq!(in_words(&page), words, "{page}");
    }
}

#[tokio::test]
async fn the_rule_is_tried_on_the_last_days_before_it_is_saved() {
    let server = TestServer::with_sample().await;
    let (browser, token) = manager(&server).await;
    scan(&server, &token, "s1").await;
    let page = browser.page("/new-campaign").await;
    let rule = [("do", "try"), ("limit_number", "310"), ("limit_unit", "points"), ("limit_per", "all")];
    let later = ("starts_at", "2040-01-01T00:00");
    let tried = browser.submit(&page, PREVIEW, &[&rule[..], &[later]].concat()).await;
    let text = tried.text();
    assert!(!text.contains("<summary>No limit"), "{text}");
    for part in [
        "<rect class=\"bar series-1\"",
        "<strong>31</strong>",
        "points, in bonuses: 1",
        "<strong>1</strong>",
        "lasts about 280 days",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let spent = [rule[0], ("limit_number", "31"), rule[2], rule[3]];
    let tried = browser.submit(&page, PREVIEW, &spent).await;
    assert!(tried.text().contains("would have been spent on 1 March 2026"), "{}", tried.text());
    let all = server.request(Method::GET, "/v1/manage/campaigns", &token).send().await;
    assert_eq!(all.json()["data"], json!([]), "a trial saves nothing");
    let double = json!({"id": "always", "title": {"en": "Always"}, "reward": {"percent": 100}});
    server.start_campaign(&token, double).await;
    let page = browser.page("/new-campaign").await;
    assert!(
        page.contains("the bonuses add up")
            && page.contains(">Always</a>")
            && page.contains("/campaigns/always\""),
        "{page}"
    );
}

#[tokio::test]
async fn a_campaign_is_duplicated_and_named_after_its_title() {
    let server = TestServer::with_sample().await;
    let (browser, token) = manager(&server).await;
    with_mondays(&browser).await;
    let page = browser.page("/campaigns/mondays").await;
    assert!(page.contains("/new-campaign?copy=mondays\""), "{page}");
    let copy = browser.page("/new-campaign?copy=mondays").await;
    assert!(
        copy.contains("Monday &lt;b&gt;double&lt;/b&gt;") && copy.contains("name=\"id\" value=\"\""),
        "{copy}"
    );
    for (title, id) in
        [("Äpfel & Tee!", "apfel-tee"), ("Äpfel & Tee!", "apfel-tee-2"), ("月曜日", "campaign")]
    {
        let copy = browser.page("/new-campaign?copy=mondays").await;
        let saved = browser.submit(&copy, "/new-campaign", &[("title", title)]).await;
        let location = saved.header("location").unwrap_or_else(|| panic!("{}", saved.text()));
        assert_eq!(location, format!("/console/shop/campaigns/{id}?said=campaign-written"));
        let stored = shown(&server, &token, id).await;
        assert_eq!(
            (&stored["state"], &stored["definition"]["title"]["en"]),
            (&json!("draft"), &json!(title))
        );
        assert_eq!(stored["definition"]["conditions"]["weekdays"], json!(["mon"]));
    }
    let nameless = browser.submit(&copy, "/new-campaign", &[("title", " ")]).await;
    assert!(
        nameless.status == 422
            && nameless.text().contains("aria-label=\"Members see it as\" aria-invalid=\"true\""),
        "{}",
        nameless.text()
    );
}

#[tokio::test]
async fn sentences_and_json_keep_what_was_typed() {
    let server = TestServer::with_sample().await;
    let (browser, _) = manager(&server).await;
    let page = browser.page("/new-campaign").await;
    let json = browser.submit(&page, PREVIEW, &[("title", "Tea"), ("number", "30"), ("do", "json")]).await;
    let text = json.text();
    assert!(
        text.contains("&quot;percent&quot;: 30") && text.contains("aria-pressed=\"true\">JSON"),
        "{text}"
    );
    let back = browser.submit(text, PREVIEW, &[("do", "sentences")]).await;
    assert!(back.text().contains("name=\"number\" value=\"30\""), "{}", back.text());
    assert!(
        back.text().contains("value=\"Tea\"") && !back.text().contains("name=\"json\""),
        "{}",
        back.text()
    );
    // A time with parts of a second has no field.
    let odd =
        r#"{"title": {"en": "T"}, "reward": {"points": 1}, "starts_at": "2026-12-01T00:00:00.000001Z"}"#;
    let stays = browser.submit(text, PREVIEW, &[("do", "sentences"), ("json", odd)]).await;
    assert!(
        stays.text().contains("name=\"json\"") && stays.text().contains("Change it as JSON"),
        "{}",
        stays.text()
    );
    for wrong in ["{", "[]", "7", r#"{"title": 7, "id": 8}"#] {
        for what in ["try", "sentences", "json", ""] {
            let shown = browser.submit(text, PREVIEW, &[("do", what), ("json", wrong)]).await;
            assert!([200, 422].contains(&shown.status.as_u16()), "{wrong} {what}: {}", shown.text());
        }
    }
}

/// All that a definition can say.
#[tokio::test]
async fn a_campaign_with_every_condition_is_edited_on_a_small_page() {
    let server = TestServer::with_sample().await;
    let (browser, token) = manager(&server).await;
    let full = json!({
        "id": "full", "kind": "tea", "title": {"en": "Full", "de": "Voll"},
        "starts_at": "2026-12-01T00:00:00Z", "ends_at": "2027-12-01T00:00:00Z",
        "conditions": {
            "types": ["code"], "windows": [{"from": "2026-12-01", "until": "2026-12-24"}], "source_prefixes": ["TEA-"],
            "attributes": {"sku": ["GT-100"]}, "weekdays": ["mon"], "hours": [{"from": "06:00", "until": "10:00"}], "min_points": 20,
            "ordinal": {"every": 3, "of": "type"}, "member_since": "2020-01-01T00:00:00Z", "members": ["ann"],
            "birthday": {"window": "month", "pays": "each"}
        },
        "reward": {"percent": 150, "at_most": 400},
        "limits": {"per_user": [{"period": "day", "awards": 1, "points": 9}], "budget": {"awards": 5, "points": 7}, "on_points_limit": "skip"},
        "group": {"name": "tea", "wins": "highest"}, "priority": 10, "control_percent": 5
    });
    server.put_campaign(&token, full).await;
    let page = browser.page("/campaigns/full/edit").await;
    assert!(page.len() < 60_000, "{}", page.len());
    let unchanged = browser.submit(&page, "/campaigns/full/edit", &[]).await;
    let location = unchanged.header("location").unwrap_or_else(|| panic!("{}", unchanged.text()));
    assert!(location.ends_with("said=campaign-unchanged"), "{location}");
    let later = [("do", "add takes-over")];
    let page = browser.submit(&page, "/campaigns/full/edit/preview", &later).await;
    let soon = [("takes_over_at", "soon")];
    let wrong = browser.submit(page.text(), "/campaigns/full/edit", &soon).await;
    assert!(wrong.status == 422 && wrong.text().contains("Enter a date and a time."), "{}", wrong.text());
}
