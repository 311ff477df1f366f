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
    assert!(limited.stderr.starts_with("good until "), "{limited:?}");
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
    assert_eq!(again.stderr, "acme/production has no such token that was good\n");
}

#[test]
fn all_tokens_of_a_user_are_revoked_together() {
    let folder = Folder::with_tenant();
    let _both = [issue(&folder, "--user u-1"), issue(&folder, "--user u-1")];
    let revoked = folder.run("token revoke --tenant acme --user u-1").expect_code(0);
    assert_eq!(revoked.stderr, "tokens of u-1 revoked: 2\n");
    let again = folder.run("token revoke --tenant acme --user u-1").expect_code(0);
    assert_eq!(again.stderr, "tokens of u-1 revoked: 0\n");
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
        "token issue --user u-1",
    ] {
        assert_eq!(folder.run(line).expect_code(2).stdout, "", "{line}");
    }
    folder
        .run("token issue --tenant nobody --user u-1")
        .expect_refusal(&["there is no tenant nobody/production"]);
}
