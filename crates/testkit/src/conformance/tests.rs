/// A fact that the suite does not list would never run.
#[test]
fn the_suite_lists_every_fact() {
    let suite = include_str!("mod.rs");
    for source in [
        include_str!("activities.rs"),
        include_str!("audit.rs"),
        include_str!("categories.rs"),
        include_str!("chain.rs"),
        include_str!("concurrency.rs"),
        include_str!("entries.rs"),
        include_str!("history.rs"),
        include_str!("isolation.rs"),
        include_str!("jobs.rs"),
        include_str!("long_ids.rs"),
        include_str!("keyed_writes.rs"),
        include_str!("order_lists.rs"),
        include_str!("order_refusals.rs"),
        include_str!("order_rows.rs"),
        include_str!("order_steps.rs"),
        include_str!("orders.rs"),
        include_str!("product_changes.rs"),
        include_str!("product_lists.rs"),
        include_str!("products.rs"),
        include_str!("races.rs"),
        include_str!("recording.rs"),
        include_str!("request_keys.rs"),
        include_str!("rows.rs"),
        include_str!("stock.rs"),
        include_str!("tenants.rs"),
        include_str!("tokens.rs"),
        include_str!("user_changes.rs"),
        include_str!("user_lists.rs"),
        include_str!("users.rs"),
    ] {
        for function in source.split("pub async fn ").skip(1) {
            let (fact, _) = function.split_once('(').unwrap();
            let listed = [",", ";"].iter().any(|end| suite.contains(&format!(" {fact}{end}")));
            assert!(listed, "{fact} is not in the suite");
        }
    }
}
