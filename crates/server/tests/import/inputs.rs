//! The formats and encodings of input, and its errors.

use std::io::{self, Read};

use pointbook_server::import::MAX_ROW_BYTES;
use pointbook_server::import::{Ending, Format, ImportError, Input, Kind, Options};

use crate::harness::{Store, gzip, memory};

const ALL_NEW: &str = "users: 2 read, 2 created, 0 replaced, 0 unchanged, 0 rejected";
const EXPORTED: &str = "user_id,birth_date,locale\nann,1984-02-29,en\nbob,,\n";

#[tokio::test]
async fn the_same_users_come_from_every_form() {
    let csv = EXPORTED.to_owned();
    let jsonl = "{\"user_id\":\"ann\",\"birth_date\":\"1984-02-29\",\"locale\":\"en\"}\n{\"user_id\":\"bob\",\"locale\":null}";
    let forms: [Vec<u8>; 12] = [
        csv.clone().into(),
        csv.replace('\n', "\r\n").into(),
        format!("\u{feff}{csv}").into(),
        csv.replace('\n', "\n\n\r\n").into(),
        "locale,user_id,birth_date\nen,\"ann\",1984-02-29\n\"\",bob,".into(),
        csv.replace(',', ";").into(),
        csv.replace(',', "\t").into(),
        "\u{feff}\"locale\";\"user_id\";birth_date\r\nen;ann;\"1984-02-29\"\r\n;bob;\r\n".into(),
        jsonl.into(),
        format!("\u{feff}\r\n{}\r\n\r\n", jsonl.replace('\n', "\r\n")).into(),
        gzip(csv.as_bytes()),
        gzip(format!("\u{feff}{jsonl}").as_bytes()),
    ];
    for form in forms {
        let store = Store::open().await;
        assert_eq!(
            store.import(Kind::Users, form.clone()).await,
            ALL_NEW,
            "{}",
            String::from_utf8_lossy(&form)
        );
        assert_eq!(store.export("acme", Kind::Users, None).await, EXPORTED);
        assert!(!store.path("rejects.csv").exists());
    }
}

#[tokio::test]
async fn a_file_is_read_by_its_name_or_by_the_format_given() {
    let store = Store::open().await;
    for (name, content, format) in [
        ("users.csv", EXPORTED.as_bytes().to_vec(), None),
        ("users.CSV.GZ", gzip(EXPORTED.as_bytes()), None),
        ("zipped-all-the-same.csv", gzip(EXPORTED.as_bytes()), None),
        ("not-zipped.csv.gz", EXPORTED.as_bytes().to_vec(), None),
        ("users.txt", EXPORTED.as_bytes().to_vec(), None),
        ("users.jsonl", EXPORTED.as_bytes().to_vec(), Some(Format::Csv)),
    ] {
        std::fs::write(store.path(name), content).unwrap();
        let input = Input::file(&store.path(name), format).unwrap();
        let summary = store.run(Kind::Users, input, Options::default()).await.unwrap();
        assert_eq!((summary.read, summary.rejected), (2, 0), "{name}");
    }
}

#[tokio::test]
async fn a_csv_cell_may_hold_line_breaks_and_a_row_is_named_by_its_first_line() {
    let store = Store::open().await;
    let text = "sku,title,regular_price\r\na,\"two\r\nlines\",1\r\nb,\"two\r\nmore\",x\r\nc,one,3\r\n";
    let numbers = store.import(Kind::Products, text).await;
    assert_eq!(numbers, "products: 3 read, 2 created, 0 replaced, 0 unchanged, 1 rejected");
    assert_eq!(store.products().await[0].title, "two\r\nlines");
    let expected = (4, "regular_price: must be a whole number".to_owned(), b"b,\"two\r\nmore\",x".to_vec());
    assert_eq!(store.rejects(), [expected]);
}

#[tokio::test]
async fn a_number_of_any_length_rejects_only_its_row() {
    let store = Store::open().await;
    let digits = "9".repeat(65_536);
    let text = format!(
        "{{\"user_id\":{digits}}}\n{{\"user_id\":\"bob\",\"zeta\":0.{digits}}}\n{{\"user_id\":\"ann\"}}"
    );
    let numbers = store.import(Kind::Users, text).await;
    assert_eq!(numbers, "users: 3 read, 1 created, 0 replaced, 0 unchanged, 2 rejected");
}

#[tokio::test]
async fn a_row_that_is_not_utf_8_is_rejected_and_kept_as_it_is() {
    let store = Store::open().await;
    for text in [
        &b"user_id\nann\nb\xffb\nbob\n"[..],
        b"{\"user_id\":\"ann\"}\n{\"user_id\":\"b\xffb\"}\n{\"user_id\":\"bob\"}",
    ] {
        let summary = store.run(Kind::Users, memory(text), Options::default()).await.unwrap();
        assert_eq!((summary.read, summary.rejected), (3, 1));
        let rejects = store.rejects();
        assert_eq!(
            rejects[0].1,
            "the row is not UTF-8, perhaps it is Windows-1252: save the file as UTF-8 (in Excel: CSV UTF-8)"
        );
        assert!(rejects[0].2.contains(&0xff));
    }
}

#[tokio::test]
async fn a_row_that_is_too_long_is_rejected_and_the_next_one_read() {
    let store = Store::open().await;
    let long = "x".repeat(MAX_ROW_BYTES);
    for (text, comma) in [
        // A second cell, so that an import refuses the row again.
        (format!("user_id\nann\n{long}y\nbob\n"), 1),
        (format!("{{\"user_id\":\"ann\"}}\n{{\"user_id\":\"{long}\"}}\n{{\"user_id\":\"bob\"}}\n"), 0),
    ] {
        let summary = store.run(Kind::Users, memory(text), Options::default()).await.unwrap();
        assert_eq!((summary.read, summary.rejected), (3, 1));
        let (_, reason, row) = store.rejects().remove(0);
        assert_eq!(reason, "the row is longer than 2097152 bytes: a reject file keeps only its beginning");
        assert_eq!(row.len(), MAX_ROW_BYTES + comma);
    }
}

const ROWS_AS_ARRAY: &str =
    "a JSON array is only for categories: provide rows as CSV, or as JSONL with one object per line";

#[tokio::test]
async fn unsuitable_input_is_refused_before_anything_is_stored() {
    let store = Store::open().await;
    for (kind, text, problem) in [
        (Kind::Users, "", "the input is empty"),
        (Kind::Users, "\n\n", "the input is empty"),
        (
            Kind::Users,
            "user_id,color\nann,red\n",
            "the header line: unknown column \"color\"; the known columns are user_id, birth_date, locale",
        ),
        (
            Kind::Users,
            "user_id;locale;color\nann;en;red\n",
            "the header line: unknown column \"color\"; the known columns are user_id, birth_date, locale",
        ),
        (
            Kind::Products,
            "PK\u{3}\u{4}\u{14}\0\u{6}\0",
            "the input is a spreadsheet (.xlsx, .xls) or a zip archive: save the sheet as CSV UTF-8",
        ),
        (Kind::Categories, "PK\u{3}\u{4}", "categories must be one JSON array"),
        (Kind::Categories, "[\0]\0", "the input is UTF-16: save the file as UTF-8 (in Excel: CSV UTF-8)"),
        (
            Kind::Users,
            "GIF89a",
            "the input is not a table but a picture or another binary file: choose a CSV or JSON file",
        ),
        (Kind::Users, "user_id,user_id\nann,bob\n", "the header line: user_id: appears twice"),
        (Kind::Products, "id,title\na,b\n", "the header line: sku: is required; regular_price: is required"),
        (Kind::Activities, "[{}]", ROWS_AS_ARRAY),
        (Kind::Categories, "id,label\na,b\n", "categories must be one JSON array"),
        (Kind::Categories, "", "the input is empty"),
    ] {
        let refused = store.run(kind, memory(text), Options::default()).await;
        let Err(error @ (ImportError::Input(_) | ImportError::Header(_))) = refused else { panic!("{text}") };
        assert_eq!(error.to_string(), problem);
    }
    assert_eq!(store.export("acme", Kind::Users, None).await, "user_id,birth_date,locale\n");
}

#[tokio::test]
async fn input_that_breaks_off_keeps_what_was_read_and_names_the_line() {
    let store = Store::open().await;
    let rows =
        (0..20_000).map(|number| format!("{{\"user_id\":\"user-{number}\"}}\n")).collect::<Vec<_>>().concat();
    let whole = gzip(rows.as_bytes());
    let cut = whole[..whole.len() - 20_000].to_vec();
    let summary = store.run(Kind::Users, memory(cut), Options::default()).await.unwrap();
    let Ending::InputBroke(error) = &summary.ending else { panic!("{summary:?}") };
    assert_eq!(error.kind(), io::ErrorKind::UnexpectedEof);
    assert!(summary.read > 5_000 && summary.read < 20_000, "{summary:?}");
    assert_eq!((summary.created, summary.last_line, summary.rejected), (summary.read, summary.read, 0));
    let again = store.run(Kind::Users, memory(whole), Options::default()).await.unwrap();
    assert_eq!((again.read, again.unchanged), (20_000, summary.created));
    assert!(again.is_clean());
}

/// Gives its content, then fails like a broken disk.
struct Failing(io::Cursor<&'static [u8]>);

impl Read for Failing {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self.0.read(buffer)? {
            0 => Err(io::Error::other("the disk is gone")),
            read => Ok(read),
        }
    }
}

#[tokio::test]
async fn a_failing_read_does_not_reject_the_row_it_cut() {
    let store = Store::open().await;
    let csv: &[u8] = b"user_id,birth_date,locale\nann,1984-02-29,en\nbob,1984-02-29,de\neve,1984-02-29,j";
    let jsonl: &[u8] =
        b"{\"user_id\":\"ann\",\"locale\":\"en\"}\n\n{\"user_id\":\"bob\",\"locale\":\"de\"}\n{\"user_id\":\"eve";
    for text in [csv, jsonl] {
        let input = Input::reader(Failing(io::Cursor::new(text)), None);
        let summary = store.run(Kind::Users, input, Options::default()).await.unwrap();
        assert_eq!((summary.read, summary.rejected, summary.last_line), (2, 0, 3));
        let Ending::InputBroke(error) = summary.ending else { panic!("{summary:?}") };
        assert_eq!(error.to_string(), "the disk is gone");
    }
}

#[tokio::test]
async fn input_that_fails_at_once_is_refused() {
    let store = Store::open().await;
    let input = Input::reader(Failing(io::Cursor::new(b"user_id\nann\n")), None);
    let refused = store.run(Kind::Users, input, Options::default()).await;
    assert!(matches!(refused, Err(ImportError::Unreadable(_))), "{refused:?}");
}
