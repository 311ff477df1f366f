//! Copies that the command refuses, with the reason.

use pointbook_testkit::build::{self, activity, recorded};
use pointbook_testkit::postgres::empty_database;

use super::fixture::{CopyFixture, End, SOURCE};
use crate::program::Folder;

#[tokio::test]
async fn a_ledger_that_went_on_by_itself_is_left_alone() {
    for fixture in CopyFixture::all().await {
        fixture.copy().expect_code(0);
        let data = fixture.target.tenant(&fixture.folder, "acme").await;
        data.write(build::history([recorded("ann", activity("s-7", 5))])).await.unwrap();
        drop(data);
        let before = fixture.target();
        fixture.change_source("UPDATE users SET locale = 'tr'");
        let refused = fixture.copy().expect_code(1);
        let named = "acme/production: the target's ledger went on by itself, nothing was copied: \
                     table transactions, key (\"ann\", 1709208000000000, \"ann/code/s-7\") is not in the source\n";
        assert!(refused.stderr.contains(named), "{refused:?}");
        // The other tenant is copied.
        assert!(refused.stdout.starts_with("other/production: "));
        assert!(refused.stdout.contains(" rows, 0 added, 2 changed, 0 removed"), "{refused:?}");
        let after = fixture.target();
        assert_eq!(of_acme(&after), of_acme(&before));
    }
}

/// The rows of one tenant.
fn of_acme(tables: &super::fixture::Tables) -> String {
    let rows = tables.values().flatten().filter(|row| row[0] == "acme".to_owned().into());
    format!("{:?}", rows.collect::<Vec<_>>())
}

#[tokio::test]
async fn ledgers_that_differ_are_named() {
    for fixture in CopyFixture::all().await {
        fixture.copy().expect_code(0);
        let changed = "UPDATE transactions SET title = 'Gift' WHERE tenant_id = 'acme' AND source_id = 's-3'";
        assert_eq!(fixture.change_source(changed), 1);
        let before = fixture.target();
        let refused = fixture.copy().expect_code(1);
        let named = "acme/production: the ledgers differ, nothing was copied: \
                     table transactions, key (\"bob\", 1709294400000000, \"bob/code/s-3\"), column title\n";
        assert!(refused.stderr.contains(named), "{refused:?}");
        assert_eq!(fixture.target(), before);
    }
}

#[tokio::test]
async fn differences_of_the_source_are_copied_and_told() {
    for fixture in CopyFixture::all().await {
        assert_eq!(
            fixture.change_source("UPDATE users SET balance = 7 WHERE tenant_id = 'acme' AND id = 'ann'"),
            1
        );
        let copied = fixture.copy().expect_code(1);
        for side in ["source", "target"] {
            let difference = format!("{side} acme/production: user \"ann\": balance is 7 but");
            assert!(copied.stdout.contains(&difference), "{copied:?}");
            assert!(
                copied.stderr.contains(&format!("{side} acme/production: the audit found 1 differences"))
            );
        }
        assert_eq!(fixture.target(), fixture.source());
    }
}

#[tokio::test]
async fn the_name_or_address_of_another_tenant_is_not_taken() {
    for fixture in CopyFixture::all().await {
        for add in [
            "acme --environment production --base-url https://acme2.example/api",
            "first --environment staging --base-url http://other.example/api",
        ] {
            fixture.run(&fixture.target, &format!("tenant add {add}")).expect_code(0);
        }
        let before = fixture.run(&fixture.target, "tenant list --json").expect_code(0);
        let refused = fixture.copy().expect_code(1);
        for named in [
            "pointbook: acme/production: the target has another tenant of this name\n",
            "pointbook: other/production: in the target, first/staging has the base URL of this tenant\n",
        ] {
            assert!(refused.stderr.contains(named), "{refused:?}");
        }
        assert_eq!(fixture.run(&fixture.target, "tenant list --json"), before);
    }
}

#[tokio::test]
async fn one_database_is_not_two_ends() {
    for fixture in CopyFixture::all().await {
        fixture.copy().expect_code(0);
        let end = fixture.target.url();
        let other = match &fixture.target {
            End::File(name) => {
                std::os::unix::fs::symlink(fixture.folder.path(name), fixture.folder.path("link.db"))
                    .unwrap();
                "sqlite:./link.db".to_owned()
            }
            End::Server(_) => {
                let mark = if end.contains('?') { '&' } else { '?' };
                format!("{}{mark}application_name=another", end.replacen("postgres:", "postgresql:", 1))
            }
        };
        for (from, to) in [(&end, &end), (&end, &other), (&other, &end)] {
            let refused = fixture.folder.run(&format!("copy --from {from} --to {to}")).expect_code(2);
            assert!(refused.stderr.contains("are the same database"), "{refused:?}");
        }
    }
}

#[tokio::test]
async fn a_schema_that_is_not_made_names_its_command() {
    let Some(database) = empty_database().await else { return };
    let folder = Folder::with_tenant();
    let (file, server) = ("sqlite:pointbook.db", &database.url);
    for (from, to) in [(file, server.as_str()), (server, file)] {
        let refused = folder.run(&format!("copy --from {from} --to {to}")).expect_code(3);
        assert!(refused.stderr.contains("run `pointbook migrate`"), "{refused:?}");
    }
}

#[test]
fn ends_that_are_none_are_named_without_their_passwords() {
    let folder = Folder::with_tenant();
    let copy = |rest: &str| folder.run(&format!("copy {rest}"));
    copy("--from mysql://me:hush@db/a --to sqlite:b.db")
        .expect_refusal(&["--from (or POINTBOOK_COPY_FROM) must be"]);
    copy("--from sqlite:pointbook.db --to postgres://me:h@sh@db/a")
        .expect_refusal(&["--to (or POINTBOOK_COPY_TO) is invalid"]);
    copy("--from sqlite:none.db --to sqlite:b.db")
        .expect_refusal(&["none.db does not exist: nothing to copy"]);
    copy("--from sqlite:pointbook.db --to sqlite:b.db --tenant zoo")
        .expect_refusal(&["there is no tenant zoo/production"]);
    folder.run("--database sqlite:empty.db migrate").expect_code(0);
    copy("--from sqlite:empty.db --to sqlite:b.db")
        .expect_refusal(&["/empty.db has no tenants: nothing to copy"]);
    assert!(!folder.path("none.db").exists() && !folder.path("b.db").exists());
}

/// Running the command again would not help, so the message does not suggest it.
#[tokio::test]
async fn what_another_row_of_the_target_has_is_named() {
    for fixture in CopyFixture::all().await {
        fixture.copy().expect_code(0);
        let changed = "UPDATE orders SET id = 'zzz' WHERE tenant_id = 'acme' AND id = 'o-1'";
        assert_eq!(fixture.change_source(changed), 1);
        let refused = fixture.copy().expect_code(3);
        assert!(refused.stderr.contains("orders") && refused.stderr.contains("number"), "{refused:?}");
        assert!(!refused.stderr.contains("run the copy again"), "{refused:?}");
    }
}

#[tokio::test]
async fn a_text_that_the_target_cannot_hold_is_named() {
    for fixture in CopyFixture::all().await {
        let End::Server(_) = fixture.target else { continue };
        let changed =
            "UPDATE products SET title = 'M' || char(0) || 'g' WHERE tenant_id = 'acme' AND id = 'mug'";
        assert_eq!(fixture.change_source(changed), 1);
        let refused = fixture.copy().expect_code(3);
        let named = "table products, key (\"mug\"), column title: PostgreSQL cannot store U+0000";
        assert!(refused.stderr.contains(named), "{refused:?}");
        assert_eq!(fixture.change_source("UPDATE products SET title = 'Mug' WHERE id = 'mug'"), 2);
        fixture.copy().expect_code(0);
        assert_eq!(fixture.target(), fixture.source());
    }
}

#[tokio::test]
async fn all_is_copied_from_the_variables_too() {
    let folder = Folder::with_tenant();
    let copied = folder.run_with_variable("copy --to sqlite:b.db", "POINTBOOK_COPY_FROM", SOURCE_OF_FOLDER);
    assert!(copied.expect_code(0).stdout.starts_with("acme/production: 4 rows, 4 added"));
    assert_ne!(SOURCE.url(), SOURCE_OF_FOLDER);
}

const SOURCE_OF_FOLDER: &str = "sqlite:pointbook.db";
