use crate::program::Folder;

#[test]
fn a_clean_database_has_no_differences() {
    let folder = Folder::with_tenant();
    let audit = folder.run("audit").expect_code(0);
    assert_eq!(audit.stdout, "");
    assert_eq!(audit.stderr, "acme/production: 0 users, 0 transactions, 0 differences\n");
}

#[test]
fn totals_are_csv_by_user() {
    let folder = Folder::with_tenant();
    folder.write(
        "activities.csv",
        "user_id,type,source_id,points,bonus_breakdown,title,subtitle,created_at\n\
         u-2,order,o-1,-30,,Order,Mug,2026-02-01T10:00:00Z\n\
         \"u,1\",code,c-1,10,,Scan,Tea,2026-01-01T23:59:59Z\n\
         \"u,1\",code,c-2,5,,Scan,Tea,2026-01-02T00:00:00Z\n\
         \"u\"\"3\"\"\",code,c-3,7,,Scan,Tea,2026-01-02T00:00:00Z\n",
    );
    folder.run("import activities activities.csv --tenant acme").expect_code(0);
    let totals = folder.run("audit --tenant acme --totals").expect_code(0);
    assert_eq!(
        totals.stdout,
        "user_id,transactions,days,user_points\n\"u\"\"3\"\"\",1,1,7\n\"u,1\",2,2,15\nu-2,1,1,-30\n"
    );
    assert_eq!(totals.stderr, "acme/production: 3 users, 4 transactions, 0 differences\n");
    let mut reader = csv::Reader::from_reader(totals.stdout.as_bytes());
    let ids: Vec<String> = reader.records().map(|row| row.unwrap()[0].to_owned()).collect();
    assert_eq!(ids, ["u\"3\"", "u,1", "u-2"]);
}

#[test]
fn a_database_that_was_tampered_with_is_told() {
    let folder = Folder::with_tenant();
    folder.write(
        "activities.csv",
        "user_id,type,source_id,points,bonus_breakdown,title,subtitle,created_at\n\
         u-1,code,c-1,10,,Scan,Tea,2026-01-01T10:00:00Z\n",
    );
    folder.run("import activities activities.csv --tenant acme").expect_code(0);
    let database = rusqlite::Connection::open(folder.path("pointbook.db")).unwrap();
    database.execute("UPDATE users SET balance = balance + 1", []).unwrap();
    drop(database);
    let audit = folder.run("audit").expect_code(1);
    assert_eq!(
        audit.stdout,
        "acme/production: user \"u-1\": balance is 11 but the transactions come to 10\n"
    );
    assert!(audit.stderr.ends_with("1 differences\n"), "{audit:?}");
    let totals = folder.run("audit --tenant acme --totals").expect_code(1);
    assert_eq!(totals.stdout, "user_id,transactions,days,user_points\nu-1,1,1,10\n");
}

#[test]
fn totals_need_a_tenant() {
    Folder::new().run("audit --totals").expect_code(2);
}
