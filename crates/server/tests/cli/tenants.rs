use serde_json::Value;

use crate::program::{Folder, get_of_host};

#[test]
fn a_tenant_is_added_listed_and_shown() {
    let folder = Folder::with_tenant();
    let staging = "tenant add acme --environment staging --base-url https://staging.acme.example/api --locale de-AT --time-zone Europe/Vienna --set page_size_max=50 --set hide_sold_out=true";
    folder.run(staging).expect_code(0);
    let list = folder.run("tenant list").expect_code(0);
    assert_eq!(
        list.stdout,
        "TENANT           BASE URL                          LOCALE  TIME ZONE      NAME\n\
         acme/production  http://acme.example/api           en      UTC            acme\n\
         acme/staging     https://staging.acme.example/api  de-AT   Europe/Vienna  acme\n"
    );
    let shown = folder.run("tenant show acme/staging").expect_code(0).stdout;
    for line in [
        "tenant=acme/staging",
        "locale=de-AT",
        "time_zone=Europe/Vienna",
        "clock=real",
        "page_size_max=50",
        "hide_sold_out=true",
        "page_size_default=15",
    ] {
        assert!(shown.lines().any(|shown| shown == line), "{line}: {shown}");
    }
}

#[test]
fn the_json_list_holds_every_setting() {
    let folder = Folder::with_tenant();
    let list: Value = serde_json::from_str(&folder.run("tenant list --json").expect_code(0).stdout).unwrap();
    assert_eq!(list[0]["slug"], "acme");
    assert_eq!(list[0]["base_url"], "http://acme.example/api");
    assert_eq!(list[0]["settings"]["cors"], "any");
}

#[test]
fn a_tenant_is_changed_field_by_field() {
    let folder = Folder::with_tenant();
    folder
        .run_words(&["tenant", "set", "acme", "--name", "Acme & Söhne", "new_product_days=7"])
        .expect_code(0);
    folder.run("tenant set acme --base-url https://new.example/api --locale ja cors=off").expect_code(0);
    let shown = folder.run("tenant show acme").stdout;
    for line in [
        "name=Acme & Söhne",
        "base_url=https://new.example/api",
        "locale=ja",
        "new_product_days=7",
        "cors=off",
    ] {
        assert!(shown.lines().any(|shown| shown == line), "{line}: {shown}");
    }
    folder.run("tenant set acme --time-zone asia/kolkata").expect_code(0);
    assert_eq!(folder.run("tenant show acme time_zone").stdout, "Asia/Kolkata\n");
    folder
        .run("tenant set acme --time-zone Europe/Berln")
        .expect_refusal(&["there is no time zone \"Europe/Berln\""]);
    assert_eq!(folder.run("tenant show acme time_zone").stdout, "Asia/Kolkata\n");
    folder.run("tenant set acme cors=").expect_code(0);
    assert_eq!(folder.run("tenant show acme cors").stdout, "any\n");
}

#[test]
fn a_name_is_taken_once() {
    let folder = Folder::with_tenant();
    let again = "tenant add acme --environment production --base-url https://other.example/api";
    folder.run(again).expect_refusal(&["the tenant acme/production exists already"]);
}

#[test]
fn a_base_url_is_taken_once() {
    let folder = Folder::with_tenant();
    let add = "tenant add other --environment production --base-url http://acme.example/api";
    folder.run(add).expect_refusal(&["http://acme.example/api: acme/production has this base URL already"]);
    folder
        .run("tenant add other --environment production --base-url http://other.example/api")
        .expect_code(0);
    folder
        .run("tenant set other --base-url http://acme.example/api")
        .expect_refusal(&["http://acme.example/api: acme/production has this base URL already"]);
    assert_eq!(folder.run("tenant show other base_url").stdout, "http://other.example/api\n");
}

#[test]
fn every_bad_field_is_named_at_once() {
    let folder = Folder::new();
    let add = "tenant add Acme --environment test --base-url acme.example --locale EN --set page_size_max=0 --set colour=red --set cors";
    let parts = [
        "Acme: a slug",
        "--environment: ",
        "--base-url: ",
        "--locale: ",
        "page_size_max must",
        "no setting \"colour\"",
        "a setting must be KEY=VALUE, got \"cors\"",
    ];
    folder.run(add).expect_refusal(&parts);
    assert!(!folder.path("pointbook.db").exists());
}

#[test]
fn a_refused_change_changes_nothing() {
    let folder = Folder::with_tenant();
    let before = folder.run("tenant show acme").stdout;
    folder
        .run("tenant set acme --base-url nonsense hide_sold_out=true page_size_max=none rate_limit_reads_per_minute=-1 rate_limit_per_minute=60")
        .expect_refusal(&["--base-url: ", "page_size_max must", "rate_limit_reads_per_minute must", "set rate_limit_reads_per_minute and rate_limit_writes_per_minute instead"]);
    assert_eq!(folder.run("tenant show acme").stdout, before);
    folder.run("tenant set acme").expect_refusal(&["nothing to change: give"]);
}

#[test]
fn display_texts_come_from_a_file() {
    let folder = Folder::with_tenant();
    folder.write("de.ftl", "code-title = Gescannt\nvideo-title = Geschaut\n");
    folder.run("tenant set acme texts.de=@de.ftl").expect_code(0);
    assert_eq!(
        folder.run("tenant show acme texts.de").stdout,
        "code-title = Gescannt\nvideo-title = Geschaut\n"
    );
    assert!(folder.run("tenant show acme").stdout.contains("texts.de: 2 lines\n"));
}

#[test]
fn bad_display_texts_are_refused_with_their_line() {
    let folder = Folder::with_tenant();
    folder.write("de.ftl", "code-title = Gescannt\nvideo-title { nonsense\n");
    folder.run("tenant set acme texts.de=@de.ftl").expect_refusal(&["texts.de: line 2: "]);
    folder.run("tenant set acme texts.de=@none.ftl").expect_refusal(&["texts.de: cannot read none.ftl"]);
    folder.run("tenant show acme texts.de").expect_refusal(&["acme has no field or setting \"texts.de\""]);
}

#[test]
fn recorded_transactions_keep_a_type_that_is_taken_away() {
    let folder = Folder::with_tenant();
    let header = "user_id,type,source_id,points,bonus_breakdown,title,subtitle,created_at";
    let row = |source: &str| format!("ann,checkin,{source},10,,Visit,,2026-01-01T10:00:00Z\n");
    folder.run("tenant set acme activity_types=checkin").expect_code(0);
    folder.write("old.csv", &format!("{header}\n{}", row("c-1")));
    folder.run("import activities old.csv --tenant acme").expect_code(0);
    folder.run("tenant set acme activity_types=").expect_code(0);
    folder.write("new.csv", &format!("{header}\n{}", row("c-2")));
    folder.run("import activities new.csv --tenant acme").expect_code(1);
    let exported = folder.run("export activities --tenant acme").expect_code(0).stdout;
    assert!(exported.contains("ann,checkin,c-1,") && !exported.contains("c-2"), "{exported}");
    let help = folder.run("tenant set --help").expect_code(0).stdout;
    assert!(help.contains("recorded transactions keep their type"), "{help}");
}

#[test]
fn what_has_an_option_is_no_setting_and_an_unknown_locale_is_told() {
    let folder = Folder::with_tenant();
    folder.run("tenant set acme locale=de base_url=http://a/api").expect_refusal(&["--locale", "--base-url"]);
    let unknown = folder.run("tenant set acme --locale xx").expect_code(0);
    assert!(
        unknown.stderr.contains("no display texts for xx") && unknown.stderr.contains("en, de"),
        "{unknown:?}"
    );
    assert!(!folder.run("tenant set acme --locale de-AT").expect_code(0).stderr.contains("display texts"));
}

#[test]
fn an_unknown_tenant_is_answered_with_those_there_are() {
    let empty = Folder::new();
    empty.run("migrate").expect_code(0);
    empty.run("tenant show acme").expect_refusal(&["there is no tenant acme/production: add one"]);
    let folder = Folder::with_tenant();
    folder
        .run("tenant show acme/staging")
        .expect_refusal(&["no tenant acme/staging: the tenants are acme/production"]);
    folder.run("tenant set Acme cors=off").expect_refusal(&["\"Acme\" is not a tenant name: a slug"]);
}

#[test]
fn a_tenant_is_removed_only_when_that_is_confirmed() {
    let folder = Folder::with_tenant();
    folder
        .run("tenant add bolt --environment staging --base-url http://bolt.example/bolt/api")
        .expect_code(0);
    folder.run("token issue --tenant acme --user u-1").expect_code(0);
    folder.run("token issue --tenant acme --super-user").expect_code(0);
    let kept = folder.run("token issue --tenant bolt/staging --user u-1").expect_code(0).stdout;
    let preview = folder.run("tenant remove acme").expect_code(2);
    let counts = "tenant acme/production at http://acme.example/api\nusers: 1\nproducts: 0\n\
                  transactions: 0\norders: 0\ntokens: 2\n";
    assert_eq!(preview.stdout, counts);
    let refused = "pointbook: nothing was removed: add --yes to remove acme/production for ever\n";
    assert_eq!(preview.stderr, refused);
    let server = folder.serve("serve --listen 127.0.0.1:0");
    let status = |host: &str, base: &str, token: &str| {
        let authorization = format!("Authorization: Bearer {token}\r\n");
        let answer = get_of_host(host, &format!("{}{base}/api/v1/user", server.url), &authorization);
        answer.split(' ').nth(1).unwrap().to_owned()
    };
    assert_eq!(status("acme.example", "", "x"), "401");
    let removed = folder.run("tenant remove acme --yes").expect_code(0);
    assert_eq!(
        (removed.stdout, removed.stderr),
        (format!("{counts}removed acme/production\n"), String::new())
    );
    assert_eq!(
        [status("acme.example", "", "x"), status("bolt.example", "/bolt", kept.trim_end())],
        ["404", "200"]
    );
    assert_eq!(folder.run("tenant list").expect_code(0).stdout.lines().count(), 2);
    folder.run("audit").expect_code(0);
    let file = rusqlite::Connection::open(folder.path("pointbook.db")).unwrap();
    let orphans =
        file.prepare("PRAGMA foreign_key_check").unwrap().query([]).unwrap().next().unwrap().is_some();
    assert!(!orphans);
    folder.run("tenant remove acme --yes").expect_refusal(&["there is no tenant acme/production"]);
    folder.run("tenant add acme --environment production --base-url http://acme.example/api").expect_code(0);
}
