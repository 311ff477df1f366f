//! An import can read every export without loss.

use std::io::{self, Read, Write};
use std::os::unix::fs::PermissionsExt;

use flate2::read::GzDecoder;
use pointbook_catalogue::products::managed::ManagedProductView;
use pointbook_http::describe::Sample;
use pointbook_server::export::{self, Cells, ExportError, OutputFile};
use pointbook_server::import::{Format, Kind};

use serde_json::{Value, json};

use crate::harness::Store;

const TREE: &str = r#"[{"id":"gifts","label":"Gifts","children":[{"id":"mugs","label":"Mugs & \"cups\""}]}]"#;
const PRODUCTS: &str = r#"{"id":"a/b","sku":"S,1","title":" Two\nlines \"quoted\" ","description":"<p onclick='x'>Böse<script>","regular_price":100,"sale_price":90,"thumbnail":"https://shop.example/t.png","gallery":["https://shop.example/a|b.png","http://c"],"categories":["mugs","x,y"],"stock":0,"popular":true,"published_at":"2030-01-01T00:00:00.000001Z","active":false}
{"sku":"é","title":"= plain","regular_price":0}
"#;
const USERS: &str = "user_id,birth_date,locale\n\"Ann \"\"A\"\"\",1984-02-29,de-AT\nbob,,\n";
const ACTIVITIES: &str = r#"{"user_id":"bob","type":"order","source_id":"o-1","points":-50,"title":"Order","subtitle":"N1,\r\n\"x\"","created_at":"2025-05-05T05:05:05.5Z"}
{"user_id":"cy","type":"code","source_id":"c-1","points":9,"bonus_breakdown":[{"type":"birthday","points":9,"title":"Happy \"b\", day"},{"type":"x","points":0,"title":""}],"title":"QR","created_at":"2025-05-05T05:05:05Z"}
{"user_id":"bob","type":"code","source_id":"c-1","points":0,"title":"QR","created_at":"2024-05-05T05:05:05Z"}
"#;

async fn filled() -> Store {
    let store = Store::open().await;
    for (kind, text) in [
        (Kind::Categories, TREE),
        (Kind::Products, PRODUCTS),
        (Kind::Users, USERS),
        (Kind::Activities, ACTIVITIES),
    ] {
        assert!(store.import(kind, text).await.ends_with(" 0 rejected"));
    }
    store
}

#[tokio::test]
async fn an_export_imported_elsewhere_gives_the_same_bytes() {
    let store = filled().await;
    store.clock.advance_seconds(86_400);
    let forms = [
        (Kind::Categories, &[None, Some(Format::Json)][..]),
        (Kind::Products, &[None, Some(Format::Jsonl), Some(Format::Csv)]),
        (Kind::Users, &[None, Some(Format::Jsonl), Some(Format::Csv)]),
        (Kind::Activities, &[None, Some(Format::Jsonl), Some(Format::Csv)]),
    ];
    for (kind, formats) in forms {
        for format in formats {
            let exported = store.export("acme", kind, *format).await;
            store.import_elsewhere(kind, exported.clone()).await;
            assert_eq!(store.export("other", kind, *format).await, exported);
        }
    }
    let (acme, other) = (store.tenant("acme"), store.tenant("other"));
    let since = pointbook_store::ports::CatalogueVersion::default();
    let products = acme.data.product_changes(since, None, 10).await.unwrap();
    assert_eq!(other.data.product_changes(since, None, 10).await.unwrap(), products);
}

/// The members of an object that another one has, too.
fn part_of(object: &Value, other: &Value) -> Value {
    other.as_object().unwrap().keys().map(|name| (name.clone(), object[name].clone())).collect()
}

/// The example of the OpenAPI document has every member of a product.
#[tokio::test]
async fn every_member_that_the_back_office_sets_is_exported_and_imported() {
    let store = Store::open().await;
    let mut sample: Value = serde_json::from_str(ManagedProductView::SAMPLE).unwrap();
    sample.as_object_mut().unwrap().retain(|name, _| !["reserved", "version"].contains(&name.as_str()));
    store.import(Kind::Products, format!("{sample}\n")).await;
    for format in [Format::Jsonl, Format::Csv] {
        let exported = store.export("acme", Kind::Products, Some(format)).await;
        store.import_elsewhere(Kind::Products, exported).await;
        let there = store.export("other", Kind::Products, None).await;
        assert_eq!(serde_json::from_str::<Value>(&there).unwrap(), sample, "{format:?}");
    }
}

#[test]
fn a_new_file_is_for_its_owner_alone_and_follows_no_link() {
    let folder = tempfile::tempdir().unwrap();
    let (path, elsewhere) = (folder.path().join("users.csv"), folder.path().join("elsewhere"));
    std::fs::write(&elsewhere, "kept").unwrap();
    std::os::unix::fs::symlink(&elsewhere, folder.path().join("users.csv.part")).unwrap();
    let mut file = OutputFile::create(&path).unwrap();
    file.write_all(b"user_id\n").unwrap();
    file.finish().unwrap();
    assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
    assert_eq!(std::fs::read_to_string(&elsewhere).unwrap(), "kept");
}

#[tokio::test]
async fn an_export_for_a_spreadsheet_has_no_formula() {
    let store = filled().await;
    let mut written = Vec::new();
    let data = store.tenant("acme").data.clone();
    export::run(&*data, Kind::Products, Some(Format::Csv), Cells::ExcelSafe, &mut written).await.unwrap();
    let text = String::from_utf8(written).unwrap();
    assert!(text.contains(",'= plain,") && !text.contains(",= plain,"), "{text}");
}

#[tokio::test]
async fn an_export_over_other_stock_gives_the_exported_one() {
    let store = filled().await;
    for format in [Format::Jsonl, Format::Csv] {
        let exported = store.export("acme", Kind::Products, Some(format)).await;
        let others = "id,sku,title,regular_price,stock\na/b,S,t,1,3\né,S,t,1,4\n";
        assert!(store.import(Kind::Products, others).await.ends_with(" 0 rejected"));
        assert_eq!(store.products().await.iter().map(|p| p.stock).collect::<Vec<_>>(), [Some(3), Some(4)]);
        store.import(Kind::Products, exported.clone()).await;
        assert_eq!(store.export("acme", Kind::Products, Some(format)).await, exported);
    }
}

#[tokio::test]
async fn rows_come_in_order_with_what_was_given() {
    let store = filled().await;
    let products = store.export("acme", Kind::Products, None).await;
    let lines: Vec<Value> = products.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let given: Value = serde_json::from_str(PRODUCTS.lines().next().unwrap()).unwrap();
    assert_eq!(given, part_of(&lines[0], &given));
    assert_eq!(
        [&lines[1]["id"], &lines[1]["sku"], &lines[1]["published_at"], &lines[1]["active"]],
        [&json!("é"), &json!("é"), &json!("2026-01-31T12:00:00.000000Z"), &json!(true)]
    );
    let expected = "user_id,type,source_id,points,bonus_breakdown,title,subtitle,created_at,attributes\n\
        bob,order,o-1,-50,,Order,\"N1,\r\n\"\"x\"\"\",2025-05-05T05:05:05.500000Z,\n\
        bob,code,c-1,0,,QR,,2024-05-05T05:05:05.000000Z,\n\
        cy,code,c-1,9,\"[{\"\"type\"\":\"\"birthday\"\",\"\"points\"\":9,\"\"title\"\":\"\"Happy \\\"\"b\\\"\", day\"\"},\
        {\"\"type\"\":\"\"x\"\",\"\"points\"\":0,\"\"title\"\":\"\"\"\"}]\",QR,,2025-05-05T05:05:05.000000Z,\n";
    assert_eq!(store.export("acme", Kind::Activities, None).await, expected);
    let expected = "user_id,birth_date,locale\n\"Ann \"\"A\"\"\",1984-02-29,de-AT\nbob,,\ncy,,\n";
    assert_eq!(store.export("acme", Kind::Users, None).await, expected);
}

#[tokio::test]
async fn pages_join_without_a_gap() {
    let store = Store::open().await;
    let rows = (0..5_003).map(|number| format!("u{number:05},,\n")).collect::<Vec<_>>().concat();
    let users = format!("user_id,birth_date,locale\n{rows}");
    store.import(Kind::Users, users.clone()).await;
    assert_eq!(store.export("acme", Kind::Users, None).await, users);
}

#[tokio::test]
async fn a_kind_has_its_formats() {
    let store = Store::open().await;
    let data = &store.tenant("acme").data;
    for (kind, format) in [(Kind::Categories, Format::Csv), (Kind::Users, Format::Json)] {
        let refused = export::run(&**data, kind, Some(format), Cells::Exact, &mut Vec::new()).await;
        assert!(matches!(refused, Err(ExportError::Usage(_))));
    }
}

/// A reader that closes the pipe.
struct ClosedPipe;

impl Write for ClosedPipe {
    fn write(&mut self, _: &[u8]) -> io::Result<usize> {
        Err(io::ErrorKind::BrokenPipe.into())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[tokio::test]
async fn a_reader_that_left_ends_the_export() {
    let store = filled().await;
    // More than any buffer, so that an earlier write than the last one fails.
    let rows = (0..5_000).map(|number| format!("someone-{number},,\n")).collect::<Vec<_>>().concat();
    store.import(Kind::Users, format!("user_id,birth_date,locale\n{rows}")).await;
    for kind in [Kind::Categories, Kind::Products, Kind::Users, Kind::Activities] {
        let ended = export::run(&*store.tenant("acme").data, kind, None, Cells::Exact, &mut ClosedPipe).await;
        let Err(ExportError::Output(error)) = ended else { panic!("{ended:?}") };
        assert_eq!(error.kind(), io::ErrorKind::BrokenPipe, "{kind}");
    }
}

#[test]
fn an_output_file_is_whole_or_not_there() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("users.csv.gz");
    let mut file = OutputFile::create(&path).unwrap();
    file.write_all(b"user_id\n").unwrap();
    assert!(!path.exists());
    drop(file);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    let mut file = OutputFile::create(&path).unwrap();
    file.write_all(b"user_id\n").unwrap();
    file.finish().unwrap();
    let mut text = String::new();
    GzDecoder::new(std::fs::File::open(&path).unwrap()).read_to_string(&mut text).unwrap();
    assert_eq!(text, "user_id\n");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
}
