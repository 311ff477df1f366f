//! Deleting or updating a parent row makes SQLite look for child rows. Without an index, each lookup reads the whole
//! table.

use pointbook_testkit::sqlite::new_file;
use rusqlite::Connection;

/// Orders have no index of their products: each order would pay for it, and a product is deleted only with its tenant, after the orders.
const WITHOUT: [(&str, &str); 1] = [("orders", "tenant_id, product_id")];

#[test]
fn every_foreign_key_is_prefix_of_an_index() {
    let (_folder, path, _) = new_file();
    let database = Connection::open(path).unwrap();
    let mut checked = 0;
    for table in texts(&database, "SELECT name FROM sqlite_schema WHERE type = 'table' AND ?1 = ''", "") {
        let indices = indices(&database, &table);
        for columns in foreign_keys(&database, &table) {
            let is_found =
                indices.iter().any(|index| format!("{index}, ").starts_with(&format!("{columns}, ")));
            let is_expected = !WITHOUT.contains(&(&*table, &*columns));
            assert_eq!(is_found, is_expected, "{table} ({columns}): {indices:?}");
            checked += 1;
        }
    }
    assert!(checked >= 12, "{checked}");
}

/// The columns of each foreign key, joined by commas.
fn foreign_keys(database: &Connection, table: &str) -> Vec<String> {
    let sql = "SELECT group_concat(\"from\", ', ' ORDER BY seq) FROM pragma_foreign_key_list(?1) GROUP BY id";
    texts(database, sql, table)
}

/// The columns of each index, including the primary key, joined by commas.
fn indices(database: &Connection, table: &str) -> Vec<String> {
    let sql = "SELECT group_concat(index_info.name, ', ' ORDER BY index_info.seqno)
               FROM pragma_index_list(?1) AS index_list JOIN pragma_index_info(index_list.name) AS index_info
               GROUP BY index_list.name";
    texts(database, sql, table)
}

fn texts(database: &Connection, sql: &str, parameter: &str) -> Vec<String> {
    let mut select = database.prepare(sql).unwrap();
    let rows = select.query_map([parameter], |row| row.get(0)).unwrap();
    rows.map(Result::unwrap).collect()
}
