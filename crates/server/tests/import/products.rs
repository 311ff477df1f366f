//! The effect of product imports on the catalogue.

use std::future::poll_fn;
use std::task::Poll;

use pointbook_catalogue::cache::snapshot;
use pointbook_domain::Price;
use pointbook_server::import::{Effect, Ending, ImportError, Kind, Options, Retirement, Summary};

use crate::harness::{Store, memory, start, time};

fn row(id: &str, price: u32) -> String {
    format!("{{\"id\":\"{id}\",\"sku\":\"S-{id}\",\"title\":\"Mug {id}\",\"regular_price\":{price}}}\n")
}

async fn replace(store: &Store, text: impl Into<Vec<u8>>) -> Summary {
    let options = Options { replace: true, ..Options::default() };
    store.run(Kind::Products, memory(text), options).await.unwrap()
}

#[tokio::test]
async fn products_are_created_replaced_or_left_as_they_are() {
    let store = Store::open().await;
    store.import(Kind::Products, row("a", 1) + &row("b", 2)).await;
    let numbers = store.import(Kind::Products, row("a", 1) + &row("b", 3) + &row("c", 4)).await;
    assert_eq!(numbers, "products: 3 read, 1 created, 1 replaced, 1 unchanged, 0 rejected");
    let prices: Vec<_> = store.products().await.iter().map(|product| product.regular_price.get()).collect();
    assert_eq!(prices, [1, 3, 4]);
}

#[tokio::test]
async fn absent_fields_have_defaults() {
    let store = Store::open().await;
    store.import(Kind::Products, "sku,title,regular_price\nS1, Mug ,5\n").await;
    let product = store.products().await.remove(0);
    assert_eq!((product.id.as_str(), product.sku.as_str(), product.title.as_str()), ("S1", "S1", " Mug "));
    assert_eq!((product.description.as_str(), product.thumbnail.as_str()), ("", ""));
    assert_eq!(
        (product.sale_price, product.stock, product.popular, product.active),
        (None, None, false, true)
    );
    assert!(product.gallery.is_empty() && product.categories.is_empty());
    assert_eq!(product.published_at, start());
}

#[tokio::test]
async fn every_field_is_taken_over_from_csv() {
    let store = Store::open().await;
    let header = "id,sku,title,description,regular_price,sale_price,thumbnail,gallery,categories,stock,popular,published_at,active";
    let cells = "p,S,Mug,<b>x,10,10,https://a/t.png,https://a/a.png|http://b,\"[\"\"c|1\"\"]\",0,TRUE,2020-01-01T01:00:00+01:00,false";
    store.import(Kind::Products, format!("{header}\n{cells}\n")).await;
    let product = store.products().await.remove(0);
    assert_eq!((product.description.as_str(), product.description_source.as_str()), ("<b>x</b>", "<b>x"));
    assert_eq!(product.sale_price.map(Price::get), Some(10));
    assert_eq!(product.gallery, ["https://a/a.png", "http://b"]);
    assert_eq!(product.categories[0].as_str(), "c|1");
    assert_eq!((product.stock, product.popular, product.active), (Some(0), true, false));
    assert_eq!(product.published_at, time("2020-01-01T00:00:00Z"));
}

#[tokio::test]
async fn importing_again_later_keeps_the_publication() {
    let store = Store::open().await;
    store.import(Kind::Products, row("a", 1)).await;
    store.clock.advance_seconds(3_600);
    assert!(store.import(Kind::Products, row("a", 1)).await.contains(" 1 unchanged"));
    assert!(store.import(Kind::Products, row("a", 2)).await.contains(" 1 replaced"));
    assert_eq!(store.products().await[0].published_at, start());
}

#[tokio::test]
async fn file_without_stock_column_keeps_the_stock() {
    let store = Store::open().await;
    let stock = async || store.products().await.iter().map(|product| product.stock).collect::<Vec<_>>();
    let import =
        async |text: &str| assert!(store.import(Kind::Products, text).await.ends_with(" 0 rejected"));
    import("sku,title,regular_price,stock\na,A,1,7\nb,B,1,0\n").await;
    import("sku,title,regular_price\na,Other,1\nb,Other,1\nc,New,1\n").await;
    assert_eq!(stock().await, [Some(7), Some(0), None]);
    import(r#"{"sku":"a","title":"A","regular_price":2}"#).await;
    assert_eq!(stock().await, [Some(7), Some(0), None]);
}

#[tokio::test]
async fn an_empty_stock_is_an_unlimited_one() {
    let store = Store::open().await;
    let stock = async || store.products().await.iter().map(|product| product.stock).collect::<Vec<_>>();
    let both = "sku,title,regular_price,stock\na,A,1,7\nb,B,1,8\n";
    store.import(Kind::Products, both).await;
    store.import(Kind::Products, "sku,title,regular_price,stock\na,A,1,\nb,B,1,9\n").await;
    assert_eq!(stock().await, [None, Some(9)]);
    store.import(Kind::Products, r#"{"sku":"b","title":"B","regular_price":1,"stock":null}"#).await;
    assert_eq!(stock().await, [None, None]);
}

#[tokio::test]
async fn replacing_retires_what_the_file_lacks() {
    let store = Store::open().await;
    let many = (0..2_500).map(|number| row(&format!("p{number:04}"), 1)).collect::<Vec<_>>().concat();
    store.import(Kind::Products, many).await;
    let summary = replace(&store, row("p0007", 1) + &row("p2499", 2) + &row("new", 3)).await;
    assert_eq!(summary.retirement, Retirement::Retired(2_498));
    let numbers = "products: 3 read, 1 created, 1 replaced, 1 unchanged, 0 rejected, 2498 retired";
    assert_eq!(summary.to_string(), numbers);
    assert_eq!(store.product_ids().await, ["new", "p0007", "p2499"]);
}

#[tokio::test]
async fn a_retired_product_that_comes_back_is_new() {
    let store = Store::open().await;
    store.import(Kind::Products, row("a", 1) + &row("b", 2)).await;
    replace(&store, row("b", 2)).await;
    assert!(store.import(Kind::Products, row("a", 1)).await.contains(" 1 created"));
}

#[tokio::test]
async fn retiring_stops_between_two_pages() {
    let store = Store::open().await;
    let many = (0..2_500).map(|number| row(&format!("p{number:04}"), 1)).collect::<Vec<_>>().concat();
    store.import(Kind::Products, many).await;
    let database = rusqlite::Connection::open(store.path("pointbook.db")).unwrap();
    let any_retired = "SELECT EXISTS (SELECT 1 FROM products WHERE retired_at IS NOT NULL)";
    let stop = Box::pin(poll_fn(move |_| {
        let is_begun = database.query_row(any_retired, [], |row| row.get(0)).unwrap();
        if is_begun { Poll::Ready(()) } else { Poll::Pending }
    }));
    let options = Options { replace: true, stop, ..Options::default() };
    let summary = store.run(Kind::Products, memory(row("p2499", 1)), options).await.unwrap();
    assert!(matches!(summary.ending, Ending::Interrupted), "{summary:?}");
    assert_eq!(summary.retirement, Retirement::Retired(1_000));
    assert_eq!(store.product_ids().await.len(), 1_500);
}

#[tokio::test]
async fn incomplete_file_retires_nothing() {
    let store = Store::open().await;
    store.import(Kind::Products, row("a", 1) + &row("b", 2)).await;
    let summary = replace(&store, row("c", 3) + "{\"id\":\"b\"}\n").await;
    assert_eq!((summary.created, summary.rejected), (1, 1));
    assert_eq!(summary.retirement, Retirement::LeftOut("rows were rejected"));
    let corrected = "line,reason,sku,title,regular_price\n3,wrong,z,Z,1\n";
    let of_rejects = replace(&store, corrected).await;
    assert_eq!(of_rejects.retirement, Retirement::LeftOut("the input is a reject file"));
    let empty = replace(&store, "sku,title,regular_price\n").await;
    assert_eq!(empty.retirement, Retirement::LeftOut("the input has no products"));
    assert_eq!(store.product_ids().await, ["a", "b", "c", "z"]);
}

#[tokio::test]
async fn only_products_can_be_replaced_as_a_whole() {
    let store = Store::open().await;
    for kind in [Kind::Categories, Kind::Users, Kind::Activities] {
        let options = Options { replace: true, ..Options::default() };
        let refused = store.run(kind, memory("[]"), options).await;
        assert!(matches!(refused, Err(ImportError::Usage(_))), "{refused:?}");
    }
}

#[tokio::test]
async fn next_request_sees_an_import() {
    let store = Store::open().await;
    let tenant = store.tenant("acme");
    let count = async || snapshot(&tenant, start()).await.unwrap().product_count();
    assert_eq!(count().await, 0);
    store.import(Kind::Products, row("a", 1)).await;
    assert_eq!(count().await, 1);
}

#[tokio::test]
async fn a_dry_run_counts_what_the_import_would_do_and_stores_nothing() {
    let store = Store::open().await;
    store.import(Kind::Products, "sku,title,regular_price\na,A,1\nb,B,2\n").await;
    let before = store.export("acme", Kind::Products, None).await;
    // A batch has 1,000 rows, so the last rows know the first ones only by memory.
    let new = (0..1_000).map(|number| format!("n{number},N,1\n")).collect::<Vec<_>>().concat();
    let text = format!("sku,title,regular_price\na,A,1\nb,B,3\n{new}n0,N,1\nn1,N,2\nn1,N,2\n,x,y\n");
    let options = || Options { effect: Effect::Try, ..Options::default() };
    let tried = store.run(Kind::Products, memory(text.clone()), options()).await.unwrap();
    assert_eq!(store.export("acme", Kind::Products, None).await, before);
    let imported = store.run(Kind::Products, memory(text), Options::default()).await.unwrap();
    assert_eq!(tried.to_string(), imported.to_string());
    assert_eq!(tried.to_string(), "products: 1006 read, 1000 created, 2 replaced, 3 unchanged, 1 rejected");
}
