//! Servers that decide the readings differently still keep the contract.

use pointbook_exchange::check::{
    Client, Json, Origin as RuleOrigin, Politeness, Report, ServerUrl, Source, Token,
};

use crate::checked_server::examined;
use crate::demo::{Demo, program};
use crate::faults::edit::{is_detail, is_history, is_list, member, raise, set};
use crate::proxy;
use crate::proxy::{Origin, ProxiedRequest, ProxiedResponse, Tampering};

const REFUSAL: &str = r#"{"message":"The given data was invalid.","errors":{"page":["No."]}}"#;

/// The value of a parameter, when it is an integer.
fn number(request: &ProxiedRequest, name: &str) -> Option<i64> {
    let readable = request.query.replace("%5B", "[").replace("%5D", "]");
    let value = readable.split('&').find_map(|pair| pair.strip_prefix(name).map(str::to_owned));
    value.and_then(|value| value.strip_prefix('=')?.parse().ok())
}

fn refuses(response: &mut ProxiedResponse, refused: bool) {
    if refused {
        response.become_json(422, REFUSAL);
    }
}

fn without_items(response: &mut ProxiedResponse, change: fn(&mut Json)) {
    if response.body.contains(r#""data":[]"#) {
        response.edit(|json| member(json, "meta").into_iter().for_each(change));
    }
}

type OnResponse = fn(&ProxiedRequest, &mut ProxiedResponse, &Origin);

const OTHERS: &[(&str, OnResponse)] = &[
    ("a page has at most 50 products", |request, response, _| {
        refuses(response, is_list(request) && number(request, "page[size]").is_some_and(|size| size > 50));
    }),
    ("without items there are no places", |request, response, _| {
        if is_list(request) {
            without_items(response, |meta| {
                set(meta, "from", Json::Null);
                set(meta, "to", Json::Null);
            });
        }
    }),
    ("nothing has no pages", |request, response, _| {
        if is_list(request) && response.body.contains(r#""total":0"#) {
            without_items(response, |meta| raise(meta, "last_page", -1));
        }
    }),
    ("no days have no pages", |request, response, _| {
        if is_history(request) && response.body.contains(r#""total":0"#) {
            response
                .edit(|json| member(json, "meta").into_iter().for_each(|meta| raise(meta, "last_page", -1)));
        }
    }),
    ("a minimum above the maximum is refused", |request, response, _| {
        let bounds = (number(request, "filter[minPrice]"), number(request, "filter[maxPrice]"));
        refuses(response, matches!(bounds, (Some(min), Some(max)) if min > max));
    }),
    ("a flag is a word", |request, response, _| {
        refuses(
            response,
            ["=1", "=0"].iter().any(|value| request.query_has(&format!("filter[onSale]{value}"))),
        );
    }),
    ("a flag is a digit", |request, response, _| {
        let flags = ["onSale", "newProducts", "lowStock", "onlyPopular"];
        let words = ["true", "false"].map(|word| flags.map(|flag| format!("filter[{flag}]={word}")));
        refuses(response, words.iter().flatten().any(|pair| request.query_has(pair)));
    }),
    ("a category is one", |request, response, _| {
        refuses(response, is_list(request) && request.query_has("%2C"));
    }),
    ("a page beyond the last is refused", |request, response, _| {
        refuses(
            response,
            request.page() > 1
                && [r#""data":[]"#, r#""data":{}"#].iter().any(|no| response.body.contains(no)),
        );
    }),
    ("the page size of a history is refused", |request, response, _| {
        refuses(response, is_history(request) && request.query_has("page[size]"));
    }),
    ("a bad parameter is none", |_, response, origin| {
        if response.status == 422 {
            let request = ProxiedRequest {
                method: "GET".to_owned(),
                path: "/v1/store/products".to_owned(),
                query: String::new(),
                authorization: Some("Bearer demo-aiko".to_owned()),
                if_none_match: None,
            };
            *response = origin.send(&request);
        }
    }),
    ("nothing is kept", |_, response, _| response.headers.retain(|(name, _)| name != "etag")),
    ("an id is of few characters", |request, response, _| {
        refuses(response, is_detail(request) && (request.path.len() > 250 || request.path.contains("%2F")));
    }),
];

/// Puts this path into `meta` of a page.
fn lead_to(json: &mut Json, path: &str) {
    if let Some(meta) = member(json, "meta") {
        set(meta, "path", Json::Text(path.to_owned()));
    }
}

fn report_of(on_response: OnResponse) -> Report {
    let demo = Demo::start(None);
    let address = proxy::start(Origin::new(&demo.authority), Tampering { on_request: |_| {}, on_response });
    examined(&proxy::base_url(address), "demo-aiko", Some("demo-ben"))
}

#[test]
fn server_with_other_readings_keeps_the_contract() {
    let demo = Demo::start(None);
    let origin = Origin::new(&demo.authority);
    let mut wrong = Vec::new();
    for (name, on_response) in OTHERS {
        let address =
            proxy::start(origin.clone(), Tampering { on_request: |_| {}, on_response: *on_response });
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
fn check_stops_at_a_long_retry_after() {
    const PATIENCE: [OnResponse; 2] = [
        |request, response, _| {
            if request.path.ends_with("point-history") {
                response.become_json(429, r#"{"message":"Too Many Attempts."}"#);
                response.set_header("retry-after", "300");
            }
        },
        |request, response, _| {
            if request.path.ends_with("point-history") {
                response.become_json(503, r#"{"message":"Later."}"#);
                response.set_header("retry-after", "Wed, 21 Oct 2026 07:28:00 GMT");
            }
        },
    ];
    for on_response in PATIENCE {
        let report = report_of(on_response);
        assert_eq!(report.broken().count(), 0, "{report}");
        let text = report.to_string();
        assert!(text.contains("keeps refusing requests: GET /v1/user/point-history returns"), "{text}");
    }
}

#[test]
fn store_with_small_pages_can_be_pulled() {
    const REFUSALS: [OnResponse; 2] = [OTHERS[0].1, |request, response, _| {
        refuses(response, is_list(request) && request.query_has("page[size]"));
    }];
    for on_response in REFUSALS {
        let demo = Demo::start(None);
        let address =
            proxy::start(Origin::new(&demo.authority), Tampering { on_request: |_| {}, on_response });
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
fn report_survives_a_request_without_response() {
    let report = report_of(|request, response, _| {
        if is_history(request) {
            // More bytes than the client reads.
            response.body = "x".repeat((32 << 20) + 1);
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
fn report_has_no_token_and_no_terminal_control_characters() {
    let report = report_of(|request, response, _| {
        let token = request.authorization.clone().unwrap_or_default();
        if request.path.contains("categories") {
            response.become_json(500, &format!(r#"{{"message":"\u009b2J {token}"}}"#));
        } else if is_list(request) {
            // The token is where a long string is cut, and a parameter contains terminal control characters.
            let padded = format!("{}{token}", "x".repeat(105));
            if !request.query_has("page[size]") {
                response.edit(|json| set(json, "links", Json::Text(padded)));
            }
            response.edit(|json| lead_to(json, &token));
            response.replace("page%5Bnumber%5D=2", "page%5Bnumber%5D=2&%1B%5D0;owned%07=1");
        }
    });
    let text = format!("{report}{}", serde_json::to_string(&report).unwrap());
    assert!(text.contains("BROKEN") && text.contains("Bearer ..."), "{text}");
    assert!(!text.contains("demo-a") && !text.contains("demo-b"), "{text}");
    assert!(text.chars().all(|found| found == '\n' || !found.is_control()), "{text:?}");
}

#[test]
fn unknown_other_token_is_reported() {
    let (demo, folder) = (Demo::start(None), tempfile::tempdir().unwrap());
    let mut command = program(&folder);
    command.args(["check", &demo.base_url(), "--rate", "1000"]);
    command.env("POINTBOOK_CHECK_TOKEN", "demo-aiko").env("POINTBOOK_CHECK_OTHER_TOKEN", "demo-stranger");
    let output = command.output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains("GET /v1/store/products (other token) returns 401"), "{said}");
}

#[test]
fn proxies_of_the_environment_are_ignored() {
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
    assert!(listener.accept().is_err(), "the proxy got a request");
}
