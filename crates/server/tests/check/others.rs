//! Servers that decided otherwise where the interface leaves something open keep the contract all the same.

use pointbook_check::{Client, Json, Origin as RuleOrigin, Politeness, Report, ServerUrl, Source, Token};

use crate::checked_server::examined;
use crate::demo::{Demo, program};
use crate::faults::edit::{is_detail, is_history, is_list, member, raise, set};
use crate::proxy::{self, ApiRequest, Origin, Spoil, Told};

const REFUSAL: &str = r#"{"message":"The given data was invalid.","errors":{"page":["No."]}}"#;

/// The number of a parameter, decoded as far as brackets go.
fn number(asked: &ApiRequest, name: &str) -> Option<i64> {
    let readable = asked.query.replace("%5B", "[").replace("%5D", "]");
    let value = readable.split('&').find_map(|pair| pair.strip_prefix(name).map(str::to_owned));
    value.and_then(|value| value.strip_prefix('=')?.parse().ok())
}

fn refuses(told: &mut Told, refused: bool) {
    if refused {
        told.become_json(422, REFUSAL);
    }
}

fn without_items(told: &mut Told, change: fn(&mut Json)) {
    if told.body.contains(r#""data":[]"#) {
        told.edit(|json| member(json, "meta").into_iter().for_each(change));
    }
}

type Tell = fn(&ApiRequest, &mut Told, &Origin);

const OTHERS: &[(&str, Tell)] = &[
    ("a page has at most 50 products", |asked, told, _| {
        refuses(told, is_list(asked) && number(asked, "page[size]").is_some_and(|size| size > 50));
    }),
    ("without items there are no places", |asked, told, _| {
        if is_list(asked) {
            without_items(told, |meta| {
                set(meta, "from", Json::Null);
                set(meta, "to", Json::Null);
            });
        }
    }),
    ("nothing has no pages", |asked, told, _| {
        if is_list(asked) && told.body.contains(r#""total":0"#) {
            without_items(told, |meta| raise(meta, "last_page", -1));
        }
    }),
    ("no days have no pages", |asked, told, _| {
        if is_history(asked) && told.body.contains(r#""total":0"#) {
            told.edit(|json| member(json, "meta").into_iter().for_each(|meta| raise(meta, "last_page", -1)));
        }
    }),
    ("a minimum above the maximum is refused", |asked, told, _| {
        let bounds = (number(asked, "filter[minPrice]"), number(asked, "filter[maxPrice]"));
        refuses(told, matches!(bounds, (Some(min), Some(max)) if min > max));
    }),
    ("a flag is a word", |asked, told, _| {
        refuses(told, ["=1", "=0"].iter().any(|value| asked.asks(&format!("filter[onSale]{value}"))));
    }),
    ("a flag is a digit", |asked, told, _| {
        let flags = ["onSale", "newProducts", "lowStock", "onlyPopular"];
        let words = ["true", "false"].map(|word| flags.map(|flag| format!("filter[{flag}]={word}")));
        refuses(told, words.iter().flatten().any(|pair| asked.asks(pair)));
    }),
    ("a category is one", |asked, told, _| refuses(told, is_list(asked) && asked.asks("%2C"))),
    ("a page beyond the last is refused", |asked, told, _| {
        refuses(
            told,
            asked.page() > 1 && [r#""data":[]"#, r#""data":{}"#].iter().any(|no| told.body.contains(no)),
        );
    }),
    ("the page size of a history is refused", |asked, told, _| {
        refuses(told, is_history(asked) && asked.asks("page[size]"));
    }),
    ("a bad parameter is none", |_, told, origin| {
        if told.status == 422 {
            let asked = ApiRequest {
                method: "GET".to_owned(),
                path: "/v1/store/products".to_owned(),
                query: String::new(),
                authorization: Some("Bearer demo-aiko".to_owned()),
                if_none_match: None,
            };
            *told = origin.ask(&asked);
        }
    }),
    ("nothing is kept", |_, told, _| told.headers.retain(|(name, _)| name != "etag")),
    ("an id is of few characters", |asked, told, _| {
        refuses(told, is_detail(asked) && (asked.path.len() > 250 || asked.path.contains("%2F")));
    }),
];

/// Gives the numbers of a page this path.
fn lead_to(json: &mut Json, path: &str) {
    if let Some(meta) = member(json, "meta") {
        set(meta, "path", Json::Text(path.to_owned()));
    }
}

fn report_of(tell: Tell) -> Report {
    let demo = Demo::start(None);
    let address = proxy::start(Origin::new(&demo.authority), Spoil { ask: |_| {}, tell });
    examined(&proxy::base_url(address), "demo-aiko", Some("demo-ben"))
}

#[test]
fn a_right_server_with_other_choices_keeps_the_contract() {
    let demo = Demo::start(None);
    let origin = Origin::new(&demo.authority);
    let mut wrong = Vec::new();
    for (name, tell) in OTHERS {
        let address = proxy::start(origin.clone(), Spoil { ask: |_| {}, tell: *tell });
        let report = examined(&proxy::base_url(address), "demo-aiko", Some("demo-ben"));
        let broken = report.broken().filter(|found| found.rule.origin == RuleOrigin::Contract);
        wrong.extend(broken.map(|found| format!("{name}: {} {:?}", found.rule.id, found.example)));
        let counts = report.counts(RuleOrigin::Contract);
        if counts.held < 50 {
            wrong.push(format!("{name}: {counts}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_server_that_asks_for_more_patience_than_there_is_is_left_alone() {
    const PATIENCE: [Tell; 2] = [
        |asked, told, _| {
            if asked.path.ends_with("point-history") {
                told.become_json(429, r#"{"message":"Too Many Attempts."}"#);
                told.set_header("retry-after", "300");
            }
        },
        |asked, told, _| {
            if asked.path.ends_with("point-history") {
                told.become_json(503, r#"{"message":"Later."}"#);
                told.set_header("retry-after", "Wed, 21 Oct 2026 07:28:00 GMT");
            }
        },
    ];
    for tell in PATIENCE {
        let report = report_of(tell);
        assert_eq!(report.broken().count(), 0, "{report}");
        let told = report.to_string();
        assert!(told.contains("keeps refusing requests: GET /v1/user/point-history returns"), "{told}");
    }
}

#[test]
fn a_store_of_small_pages_can_be_taken_over() {
    const REFUSALS: [Tell; 2] =
        [OTHERS[0].1, |asked, told, _| refuses(told, is_list(asked) && asked.asks("page[size]"))];
    for tell in REFUSALS {
        let demo = Demo::start(None);
        let address = proxy::start(Origin::new(&demo.authority), Spoil { ask: |_| {}, tell });
        let base = ServerUrl::parse(&proxy::base_url(address)).unwrap();
        let politeness = Politeness { max_requests: 100, per_second: 10_000 };
        let mut source = Source::new(Client::new(base, Token::new("demo-aiko").unwrap(), None, politeness));
        let (mut products, mut count) = (source.products(None), 0);
        while products.next_product().unwrap().is_some() {
            count += 1;
        }
        assert!(count > 50, "{count}");
    }
}

#[test]
fn a_request_without_an_answer_does_not_lose_the_report() {
    let report = report_of(|asked, told, _| {
        if is_history(asked) {
            // Longer than anybody reads.
            told.body = "x".repeat((32 << 20) + 1);
        }
    });
    let failure = report.broken().find(|found| found.rule.id == "answers.failure").unwrap();
    let example = failure.example.as_ref().unwrap();
    assert_eq!(example.request, "GET /v1/user/point-history");
    assert!(example.came.starts_with("no response: "), "{example:?}");
    assert!(
        report.rules.iter().any(|found| found.rule.id == "categories.fields" && found.tried > 0),
        "{report}"
    );
}

#[test]
fn what_a_server_echoes_is_no_token_and_no_order_to_a_terminal() {
    let report = report_of(|asked, told, _| {
        let token = asked.authorization.clone().unwrap_or_default();
        if asked.path.contains("categories") {
            told.become_json(500, &format!(r#"{{"message":"\u009b2J {token}"}}"#));
        } else if is_list(asked) {
            // The token stands where a long text is cut, and a parameter has orders to a terminal.
            let padded = format!("{}{token}", "x".repeat(105));
            if !asked.asks("page[size]") {
                told.edit(|json| set(json, "links", Json::Text(padded)));
            }
            told.edit(|json| lead_to(json, &token));
            told.replace("page%5Bnumber%5D=2", "page%5Bnumber%5D=2&%1B%5D0;owned%07=1");
        }
    });
    let told = format!("{report}{}", serde_json::to_string(&report).unwrap());
    assert!(told.contains("BROKEN") && told.contains("Bearer ..."), "{told}");
    assert!(!told.contains("demo-a") && !told.contains("demo-b"), "{told}");
    assert!(told.chars().all(|found| found == '\n' || !found.is_control()), "{told:?}");
}

#[test]
fn a_token_of_nobody_is_told_of_the_other_one_as_well() {
    let (demo, folder) = (Demo::start(None), tempfile::tempdir().unwrap());
    let mut command = program(&folder);
    command.args(["check", &demo.base_url(), "--rate", "1000"]);
    command.env("POINTBOOK_CHECK_TOKEN", "demo-aiko").env("POINTBOOK_CHECK_OTHER_TOKEN", "demo-nobody");
    let output = command.output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains("GET /v1/store/products (other token) returns 401"), "{said}");
}

#[test]
fn proxies_of_the_environment_hear_nothing() {
    let (demo, folder) = (Demo::start(None), tempfile::tempdir().unwrap());
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    listener.set_nonblocking(true).unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    let mut command = program(&folder);
    command.args(["check", &demo.base_url(), "--rate", "1000", "--max-requests", "5"]);
    for name in ["HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "ALL_PROXY", "all_proxy"] {
        command.env(name, &address);
    }
    let output = command.env("POINTBOOK_CHECK_TOKEN", "demo-aiko").output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert!(listener.accept().is_err(), "the proxy was asked");
}
