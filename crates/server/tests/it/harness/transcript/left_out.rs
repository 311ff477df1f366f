//! Tests without transcripts, because their requests have no fixed order.

/// The prefix of a test name, and the reason.
const LEFT_OUT: &[(&str, &str)] = &[
    ("suite::races::", "of many requests at the same moment, any may win"),
    ("suite::instance_races::", "of many requests to two instances at the same moment, any may win"),
    ("suite::events::a_waiting_reader_gets_the_next_event", "it is answered while another request runs"),
    ("suite::fairness::", "of many requests at the same moment, any may be refused"),
    ("suite::import_permits::", "how often an import is begun until all permits are taken is free"),
    (
        "suite::shop::sign_in::a_link_signs_in_once_also_when_it_is_used_twice_at_the_same_time",
        "of two uses at the same moment, either may win",
    ),
    ("suite::console::imports::", "how often the page is asked for until an import has ended is free"),
    ("suite::console::webhooks::a_test_shows_the_result", "it says how many milliseconds the request took"),
    (
        "suite::audit_log::a_test_of_a_webhook_leaves_no_entry",
        "it says how many milliseconds the request took",
    ),
    ("suite::console::attacks::one_operator_takes_no_place_of_others", "many requests at the same time"),
    ("suite::console::openid::", "the issuer has another port in each run"),
    ("suite::webhook_receivers::", "each run has another port, and deliveries run between the requests"),
];

/// Why a test has no transcript; `None` for tests with one.
pub(super) fn reason(test: &str) -> Option<&'static str> {
    LEFT_OUT.iter().find(|(name, _)| test.starts_with(name)).map(|(_, reason)| *reason)
}

#[test]
fn every_name_in_left_out_is_a_test() {
    let mut list = std::process::Command::new(std::env::current_exe().unwrap());
    let tests = list.args(["--list", "--format", "terse"]).output().unwrap().stdout;
    let tests = String::from_utf8(tests).unwrap();
    for (name, _) in LEFT_OUT {
        assert!(tests.lines().any(|test| test.starts_with(name)), "there is no {name}");
    }
}
