use crate::program::{Folder, Server, get};

fn status(server: &Server, token: &str) -> String {
    let answer = get(
        &format!("{}/api/v1/user/point-history", server.url),
        &format!("Authorization: Bearer {token}\r\n"),
    );
    answer.split(' ').nth(1).unwrap().to_owned()
}

fn issue(folder: &Folder, rest: &str) -> String {
    let issued = folder.run(&format!("token issue --tenant acme {rest}")).expect_code(0);
    assert_eq!(issued.stdout.lines().count(), 1, "{issued:?}");
    issued.stdout.trim_end().to_owned()
}

#[test]
fn an_issued_token_is_the_only_line_printed() {
    let folder = Folder::with_tenant();
    let tokens = [issue(&folder, "--user u-1"), issue(&folder, "--user u-1"), issue(&folder, "--super-user")];
    for token in &tokens {
        assert!(token.starts_with("pb_") && token.len() == 46, "{token}");
    }
    assert_ne!(tokens[0], tokens[1]);
    let limited = folder.run("token issue --tenant acme --user u-1 --expires-in 30d").expect_code(0);
    let id = id_of(limited.stdout.trim_end());
    assert!(limited.stderr.starts_with(&format!("token {id} expires at ")), "{limited:?}");
    let endless = folder.run("token issue --tenant acme --user u-1").expect_code(0);
    assert_eq!(endless.stderr, format!("token {} never expires\n", id_of(endless.stdout.trim_end())));
}

/// The id of a token: the beginning of its SHA-256.
fn id_of(token: &str) -> String {
    pointbook_store::ports::tokens::token_hash(token.as_bytes()).id().to_string()
}

fn list(folder: &Folder, rest: &str) -> Vec<serde_json::Value> {
    let listed = folder.run(&format!("token list --tenant acme --json{rest}")).expect_code(0);
    serde_json::from_str(&listed.stdout).unwrap()
}

#[test]
fn a_super_user_token_expires_after_a_year_unless_told_otherwise() {
    let folder = Folder::with_tenant();
    for (rest, days) in [("", Some(365)), (" --expires-in 2d", Some(2)), (" --expires-in never", None)] {
        let token = issue(&folder, &format!("--super-user{rest}"));
        let tokens = list(&folder, " --super-users");
        let listed = tokens.iter().find(|listed| listed["id"] == id_of(&token).as_str()).unwrap();
        let time = |name: &str| listed[name].as_str().map(micros);
        let lived = time("expires_at").map(|end| (end - time("created_at").unwrap()) / 86_400_000_000);
        assert_eq!(lived, days, "{rest}");
    }
}

fn micros(time: &str) -> i64 {
    pointbook_domain::zones::timestamp_text::parse_timestamp(time).unwrap().as_micros()
}

#[test]
fn tokens_are_listed_with_label_and_state() {
    let folder = Folder::with_tenant();
    let labelled = folder
        .run_words(&["token", "issue", "--tenant", "acme", "--super-user", "--label", "the till's server"])
        .expect_code(0);
    let till = labelled.stdout.trim_end();
    let (short, ended) = (issue(&folder, "--user u-1 --expires-in 1s"), issue(&folder, "--user u-2"));
    folder.run(&format!("token revoke --tenant acme {ended}")).expect_code(0);
    let of = |token: &str| {
        let tokens = list(&folder, "");
        assert_eq!(tokens.len(), 3);
        tokens.into_iter().find(|listed| listed["id"] == id_of(token).as_str()).unwrap()
    };
    let listed = of(till);
    assert_eq!((&listed["state"], &listed["kind"]), (&"active".into(), &"super-user".into()));
    assert_eq!(
        (&listed["label"], &listed["user_id"]),
        (&"the till's server".into(), &serde_json::Value::Null)
    );
    assert_eq!((&of(&ended)["state"], &of(&ended)["user_id"]), (&"revoked".into(), &"u-2".into()));
    // The token lives for a second. The commands may take longer or shorter.
    while of(&short)["state"] == "active" {}
    assert_eq!(of(&short)["state"], "expired");
    assert_eq!(list(&folder, " --user u-1").len(), 1);
    let table = folder.run("token list --tenant acme").expect_code(0).stdout;
    assert!(table.starts_with("ID ") && table.contains(&id_of(till)) && table.contains("the till's server"));
    for token in [till, &short, &ended] {
        assert!(!table.contains(token), "a list shows no token");
    }
}

#[test]
fn a_token_is_revoked_by_its_id() {
    let folder = Folder::with_tenant();
    let (one, other) = (issue(&folder, "--super-user"), issue(&folder, "--user u-1"));
    let line = format!("token revoke --tenant acme --id {}", id_of(&one));
    assert_eq!(folder.run(&line).expect_code(0).stdout, "tokens revoked: 1\n");
    assert_eq!(folder.run(&line).expect_code(1).stderr, "no active token of acme/production matches\n");
    let states: Vec<_> =
        list(&folder, "").iter().map(|token| (token["id"].clone(), token["state"].clone())).collect();
    assert!(states.contains(&(id_of(&one).into(), "revoked".into())), "{states:?}");
    assert!(states.contains(&(id_of(&other).into(), "active".into())), "{states:?}");
    folder.run("token revoke --tenant acme --id 00000000000000000000").expect_code(1);
    folder.run("token revoke --tenant acme --id nothing").expect_code(2);
}

#[test]
fn all_super_user_tokens_are_revoked_together() {
    let folder = Folder::with_tenant();
    let _both = [issue(&folder, "--super-user"), issue(&folder, "--super-user")];
    let kept = issue(&folder, "--user u-1");
    let line = "token revoke --tenant acme --super-users";
    assert_eq!(folder.run(line).expect_code(0).stdout, "super-user tokens of acme/production revoked: 2\n");
    assert_eq!(folder.run(line).expect_code(0).stdout, "super-user tokens of acme/production revoked: 0\n");
    let server = folder.serve("serve --listen 127.0.0.1:0");
    assert_eq!(status(&server, &kept), "200");
}

#[test]
fn a_token_opens_until_it_is_revoked() {
    let folder = Folder::with_tenant();
    let (one, other) = (issue(&folder, "--user u-1"), issue(&folder, "--user u-2"));
    folder.run(&format!("token revoke --tenant acme {one}")).expect_code(0);
    let server = folder.serve("serve --listen 127.0.0.1:0");
    assert_eq!([status(&server, &one), status(&server, &other)], ["401", "200"]);
}

#[test]
fn a_token_is_revoked_from_the_standard_input() {
    let folder = Folder::with_tenant();
    let token = issue(&folder, "--user u-1");
    let line = "token revoke --tenant acme -";
    folder.run_with_input(line, &format!("{token}\n")).expect_code(0);
    let again = folder.run_with_input(line, &token).expect_code(1);
    assert_eq!(again.stderr, "no active token of acme/production matches\n");
}

#[test]
fn all_tokens_of_a_user_are_revoked_together() {
    let folder = Folder::with_tenant();
    let _both = [issue(&folder, "--user u-1"), issue(&folder, "--user u-1")];
    let revoked = folder.run("token revoke --tenant acme --user u-1").expect_code(0);
    assert_eq!(revoked.stdout, "tokens of u-1 revoked: 2\n");
    let again = folder.run("token revoke --tenant acme --user u-1").expect_code(0);
    assert_eq!(again.stdout, "tokens of u-1 revoked: 0\n");
}

#[test]
fn a_user_id_gives_no_orders_to_a_terminal() {
    let folder = Folder::with_tenant();
    let revoked = folder.run_words(&["token", "revoke", "--tenant", "acme", "--user", "a\u{1b}]0;b"]);
    assert!(!revoked.stderr.contains('\u{1b}'), "{revoked:?}");
}

#[test]
fn a_token_needs_exactly_one_party() {
    let folder = Folder::with_tenant();
    for line in [
        "token issue --tenant acme",
        "token issue --tenant acme --user u-1 --super-user",
        "token issue --tenant acme --user u-1 --expires-in 30",
        "token revoke --tenant acme",
        "token revoke --tenant acme --user u-1 pb_x",
        "token revoke --tenant acme --super-users pb_x",
        "token list --tenant acme --user u-1 --super-users",
        "token issue --tenant acme --user u-1 --label \u{7}",
        "token issue --user u-1",
    ] {
        assert_eq!(folder.run(line).expect_code(2).stdout, "", "{line}");
    }
    folder
        .run("token issue --tenant stranger --user u-1")
        .expect_refusal(&["there is no tenant stranger/production"]);
}
