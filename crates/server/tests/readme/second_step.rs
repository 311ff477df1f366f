//! Runs the second step of the tour, from a file to PostgreSQL, after the operator's part.

use pointbook_testkit::postgres::empty_database;

use super::document::{Block, blocks};
use super::expectation::mismatch;
use super::session::Session;
use super::tour::{SECOND_STEP, TOUR, shell_is_there};

const OPERATOR: &str = "## As an operator";

/// Shell functions for the session: the database belongs to the test, and instances listen on free ports in the
/// background. `instance N` is the address of the Nth instance.
const PRELUDE: &str = r#"
readonly DEMO=no-demo HERE="$PWD"
INSTANCES=0
pointbook() {
    local arguments=("${@//postgres:\/\/pointbook@db.example\/points/$POSTGRES}")
    arguments=("${arguments[@]//127.0.0.1:8081/127.0.0.1:0}")
    if [[ "$*" = *0.0.0.0:8080* ]]; then
        local log="$HERE/instance-$((INSTANCES += 1)).log"
        command pointbook "${arguments[@]//0.0.0.0:8080/127.0.0.1:0}" 2> "$log" &
        address_in "$log" "listening on" > /dev/null
    elif [[ "$*" = *db.example* ]]; then
        command pointbook "${arguments[@]}" 2>&1 | sed "s,$POSTGRES,postgres://pointbook@db.example/points,g"
    else
        command pointbook "${arguments[@]}"
    fi
}
instance() { address_in "$HERE/instance-$1.log" "listening on"; }
"#;

#[tokio::test]
async fn two_instances_on_postgresql_serve_the_data_of_the_file() {
    let Some(database) = empty_database().await else { return };
    if !shell_is_there() {
        return;
    }
    let step: Vec<Block<'_>> =
        blocks(TOUR).into_iter().filter(|block| block.section == SECOND_STEP).collect();
    let [commands, expected] = step.as_slice() else {
        panic!("expected one block of commands and one block of output")
    };
    assert_eq!(commands.text.lines().count(), 3);
    let mut session = Session::start();
    assert_eq!(session.run(&format!("POSTGRES='{}'{PRELUDE}", database.url)), "");
    let before = shop_of_the_tour(&mut session);
    let printed = session.run(commands.text);
    let wrong = mismatch(expected, &printed);
    assert!(wrong.is_none(), "docs/tour.md:{}: {}", expected.line, wrong.unwrap_or_default());
    // "Run it on each machine."
    assert_eq!(session.run(commands.text.lines().last().unwrap()), "");
    for instance in 1..=2 {
        let asked = format!(
            "curl -s -H \"Authorization: Bearer $TOKEN\" \"$(instance {instance})/shop/api/v1/user/point-history\""
        );
        assert_eq!(session.run(&asked), before, "instance {instance}");
    }
}

/// Runs the operator's part of the tour. Returns the history at its end.
fn shop_of_the_tour(session: &mut Session) -> String {
    let typed = blocks(TOUR).into_iter().filter(|block| block.section == OPERATOR && block.language == "sh");
    let mut printed = String::new();
    for block in typed {
        printed = session.run(block.text);
    }
    assert!(printed.starts_with("{\"data\":{\"2026-05-05\":"), "{printed}");
    printed
}
