use rusqlite::Connection;

use crate::program::Folder;

#[test]
fn a_clean_database_has_no_differences() {
    let folder = Folder::with_tenant();
    let audit = folder.run("audit").expect_code(0);
    let looked_at = "0 users, 0 transactions, 0 orders, 0 products, 1 audit log entries, 0 differences";
    assert_eq!(audit.stdout, format!("acme/production: {looked_at}\n"));
    assert_eq!(audit.stderr, "");
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
    let looked_at = "3 users, 4 transactions, 0 orders, 0 products, 2 audit log entries, 0 differences";
    assert_eq!(totals.stderr, format!("acme/production: {looked_at}\n"));
    let mut reader = csv::Reader::from_reader(totals.stdout.as_bytes());
    let ids: Vec<String> = reader.records().map(|row| row.unwrap()[0].to_owned()).collect();
    assert_eq!(ids, ["u\"3\"", "u,1", "u-2"]);
}

/// A folder whose database has one user with one transaction, and one product, and was tampered with.
fn tampered(change: &str) -> Folder {
    let folder = Folder::with_tenant();
    folder.write(
        "activities.csv",
        "user_id,type,source_id,points,bonus_breakdown,title,subtitle,created_at\n\
         u-1,code,c-1,10,,Scan,Tea,2026-01-01T10:00:00Z\n",
    );
    folder.write("products.csv", "sku,title,regular_price,stock\nmug,Mug,100,5\n");
    folder.run("import activities activities.csv --tenant acme").expect_code(0);
    folder.run("import products products.csv --tenant acme").expect_code(0);
    let database = Connection::open(folder.path("pointbook.db")).unwrap();
    assert_eq!(database.execute(change, []).unwrap(), 1);
    folder
}

const LOOKED_AT: &str =
    "acme/production: 1 users, 1 transactions, 0 orders, 1 products, 3 audit log entries, 1 differences\n";

#[test]
fn a_database_that_was_tampered_with_is_told() {
    let folder = tampered("UPDATE users SET balance = balance + 1");
    let difference = "user \"u-1\": balance is 11 but the transactions come to 10\n";
    let audit = folder.run("audit").expect_code(1);
    assert_eq!(audit.stdout, format!("acme/production: {difference}{LOOKED_AT}"));
    assert_eq!(audit.stderr, "");
    let totals = folder.run("audit --tenant acme --totals").expect_code(1);
    assert_eq!(totals.stdout, "user_id,transactions,days,user_points\nu-1,1,1,10\n");
    assert_eq!(totals.stderr, format!("{difference}{LOOKED_AT}"));
}

#[test]
fn a_changed_transaction_is_named_by_its_place_and_business_key() {
    let audit = tampered("UPDATE transactions SET title = 'Gift'").run("audit").expect_code(1);
    let row = "acme/production: user \"u-1\": transaction 1 (code \"c-1\", id \"";
    assert!(audit.stdout.starts_with(row), "{audit:?}");
    let end = format!("\"): hash does not follow from the row and the one before\n{LOOKED_AT}");
    assert!(audit.stdout.ends_with(&end), "{audit:?}");
}

#[test]
fn a_changed_stock_is_told_with_its_product() {
    let folder = tampered("UPDATE products SET stock = 6");
    let difference = "product \"mug\": stock is 6 but 5 were supplied and orders took 0\n";
    let audit = folder.run("audit").expect_code(1);
    assert_eq!(audit.stdout, format!("acme/production: {difference}{LOOKED_AT}"));
    assert_eq!(audit.stderr, "");
    let totals = folder.run("audit --tenant acme --totals").expect_code(1);
    assert_eq!(totals.stderr, format!("{difference}{LOOKED_AT}"));
}

#[test]
fn totals_of_all_tenants_name_them() {
    let folder = Folder::with_tenant();
    folder
        .run("tenant add acme --environment staging --base-url http://acme.example/staging/api")
        .expect_code(0);
    folder.write("users.csv", "user_id\nann\n=1+1\n");
    for tenant in ["acme", "acme/staging"] {
        folder.run(&format!("import users users.csv --tenant {tenant}")).expect_code(0);
    }
    let totals = folder.run("audit --totals").expect_code(0);
    assert_eq!(
        totals.stdout,
        "tenant,user_id,transactions,days,user_points\nacme/production,=1+1,0,0,0\nacme/production,ann,0,0,0\n\
         acme/staging,=1+1,0,0,0\nacme/staging,ann,0,0,0\n"
    );
    assert_eq!(totals.stderr.lines().count(), 2, "{totals:?}");
    let safe = folder.run("audit --tenant acme --totals --excel-safe").expect_code(0).stdout;
    assert_eq!(safe, "user_id,transactions,days,user_points\n'=1+1,0,0,0\nann,0,0,0\n");
    folder.run("audit --excel-safe").expect_code(2);
}
