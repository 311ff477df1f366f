mod naive;

use pointbook_domain::PageQuery;
use proptest::prelude::*;

use super::*;
use crate::query_string::{MAX_DEPTH, MAX_PAIRS, Members, PageLinks, Value};

fn text<'q>(query: &'q QueryString<'_>, name: &str) -> Option<&'q str> {
    query.parameters().get(name).and_then(Value::text)
}

fn nested<'q>(query: &'q QueryString<'_>, name: &str, member: &str) -> Option<&'q str> {
    match query.parameters().get(name) {
        Some(Value::Members(members)) => members.get(member).and_then(Value::text),
        _ => None,
    }
}

#[test]
fn encoded_and_plain_brackets_are_one_name() {
    for raw in ["a[b]=1", "a%5Bb%5D=1", "a%5bb%5d=1", "%61[b]=1&&"] {
        let query = QueryString::parse(Some(raw)).unwrap();
        assert_eq!(nested(&query, "a", "b"), Some("1"), "{raw}");
    }
}

#[test]
fn values_are_trimmed_and_empty_ones_absent() {
    let query = QueryString::parse(Some("a=+x+y%0A&b=%E3%80%80z%E3%80%80&c=++&d&e=%20%FF%20&=f")).unwrap();
    assert_eq!(text(&query, "a"), Some("x y"));
    assert_eq!(text(&query, "b"), Some("z"));
    assert!(query.parameters().get("c").is_none());
    assert!(query.parameters().get("d").is_none());
    assert!(matches!(query.parameters().get("e"), Some(Value::Bytes(bytes)) if *bytes == [0xff]));
}

#[test]
fn the_last_duplicate_wins() {
    let query = QueryString::parse(Some("a=1&a=2&b=1&b[c]=2&d[e]=1&d=2&f=1&f=")).unwrap();
    assert_eq!(text(&query, "a"), Some("2"));
    assert_eq!(nested(&query, "b", "c"), Some("2"));
    assert_eq!(text(&query, "d"), Some("2"));
    assert!(query.parameters().get("f").is_none());
}

#[test]
fn empty_brackets_count_on_from_the_highest_index() {
    let query = QueryString::parse(Some("a[]=x&a[5]=y&a[]=z&a[0]=w")).unwrap();
    let at = |index| nested(&query, "a", index);
    assert_eq!((at("0"), at("5"), at("6")), (Some("w"), Some("y"), Some("z")));
}

#[test]
fn a_query_has_at_most_1000_pairs() {
    assert!(QueryString::parse(Some(&"a=1&".repeat(MAX_PAIRS))).is_ok());
    let raw = "a=1&".repeat(MAX_PAIRS + 1);
    let errors = parse(Some(&raw)).unwrap_err();
    assert_eq!(
        errors.messages().collect::<Vec<_>>(),
        [("query", "The query must not have more than 1000 items.")]
    );
}

#[test]
fn a_name_has_at_most_8_levels() {
    assert!(QueryString::parse(Some("a[1][2][3][4][5][6][7]=x")).is_ok());
    let errors = parse(Some("a[1][2][3][4][5][6][7][8]=x")).unwrap_err();
    assert_eq!(
        errors.messages().collect::<Vec<_>>(),
        [("query", "The query must not have more than 8 levels.")]
    );
}

/// Arbitrary bytes, and bytes that are likely to have a meaning.
fn raw_query() -> impl Strategy<Value = String> {
    let likely = proptest::sample::select(vec![
        "page",
        "filter",
        "sort",
        "number",
        "size",
        "title",
        "minPrice",
        "[",
        "]",
        "[]",
        "%5B",
        "%5d",
        "=",
        "&",
        "+",
        "%",
        "%FF",
        "%E3%80%80",
        "%00",
        "1",
        "-1",
        "99999999999999999999",
        ",",
        "か",
        " ",
    ]);
    prop_oneof![
        proptest::collection::vec(any::<u8>(), 0..200)
            .prop_map(|bytes| String::from_utf8_lossy(&bytes).into_owned()),
        proptest::collection::vec(likely, 0..60).prop_map(|parts| parts.concat()),
    ]
}

/// Pairs whose names often collide, also within each other.
fn raw_pairs() -> impl Strategy<Value = String> {
    let name = proptest::sample::select(vec![
        "a", "%61", "b", "", "0", "a[]", "a[x]", "a%5Bx%5d", "a[x][]", "a[x][y]", "a[][]", "a[7]", "b[0]",
        "b[]", "b[", "a]b[x]", "[a]", "b[+x]", "b[%5D]", "b[%5B]", "か[き]",
    ]);
    let value = proptest::sample::select(vec![
        "",
        "=",
        "=1",
        "=two",
        "=+3+",
        "=%20",
        "=4=5",
        "=%E3%80%80か%E3%80%80",
        "=%FF+",
        "=%",
        "=%0",
    ]);
    let pair = (name, value).prop_map(|(name, value)| format!("{name}{value}"));
    proptest::collection::vec(pair, 0..16).prop_map(|pairs| pairs.join("&"))
}

fn leaves(members: &Members<'_>, outer: &[Vec<u8>]) -> Vec<naive::Leaf> {
    let below = |(name, value): (&[u8], &Value<'_>)| {
        let path = [outer, &[name.to_vec()]].concat();
        match value {
            Value::Text(text) => vec![(path, text.as_bytes().to_vec())],
            Value::Bytes(bytes) => vec![(path, bytes.clone())],
            Value::Members(members) => leaves(members, &path),
        }
    };
    members.iter().flat_map(below).collect()
}

type Filter = (Option<Vec<String>>, Option<Vec<String>>, Option<i64>, Option<bool>);

/// A list with parameters of each kind.
fn list(fields: &mut Fields<'_>) -> (PageQuery, Filter, Option<bool>) {
    let page = fields.page();
    let filter = fields.filter(|filter| {
        let categories = filter.texts("category", "", |id| (id.len() < 5).then(|| id.to_owned()));
        let titles = filter.texts("title", "", |title| Some(title.to_owned()));
        (categories, titles, filter.count("minPrice", ""), filter.flag("onSale", ""))
    });
    (page, filter, fields.choice("sort", "", [("price", true), ("-price", false)]))
}

proptest! {
    #[test]
    fn what_is_read_is_what_a_naive_reader_reads(raw in prop_oneof![raw_query(), raw_pairs()]) {
        let read = QueryString::parse(Some(&raw)).ok();
        prop_assert_eq!(read.map(|query| leaves(query.parameters(), &[])), naive::read(&raw), "{}", raw);
    }

    #[test]
    fn any_query_is_read_or_refused_but_never_panics(raw in raw_query()) {
        if let Ok(query) = QueryString::parse(Some(&raw)) {
            let _ = query.read(list);
            let _ = query.read(unfiltered_list);
        }
    }

    #[test]
    fn following_a_link_asks_the_same(raw in raw_query()) {
        if let Ok(query) = QueryString::parse(Some(&raw)) {
            let link_of = |query: &QueryString<'_>| {
                let mut link = Vec::new();
                PageLinks::new("", "", query).write(1, &mut link);
                String::from_utf8(link).unwrap()
            };
            let link = link_of(&query);
            let again = QueryString::parse(link.strip_prefix('?')).unwrap();
            if let Ok(request) = query.read(list) {
                let mut followed = again.read(list).unwrap();
                followed.0.number = request.0.number;
                prop_assert_eq!(followed, request);
                prop_assert_eq!(link_of(&again), link);
            }
        }
    }
}

mod page {
    use pointbook_domain::{PageNumber, PageSize};

    use super::*;

    fn read(raw: &str) -> Result<PageQuery, FieldErrors> {
        crate::query::parse(Some(raw))?.read(Fields::page)
    }

    fn refused(raw: &str) -> String {
        serde_json::to_string(&read(raw).unwrap_err()).unwrap()
    }

    #[test]
    fn a_page_number_is_a_positive_integer() {
        for (given, message) in [
            ("0", "The page.number must be at least 1."),
            ("-1", "The page.number must be at least 1."),
            ("1.0", "The page.number must be an integer."),
            ("99999999999999999999", "The page.number must not be greater than 2147483647."),
        ] {
            let raw = format!("page[number]={given}");
            assert_eq!(refused(&raw), format!(r#"{{"page.number":["{message}"]}}"#));
        }
        assert_eq!(read("page[number]=2147483647").unwrap().number.get(), 2_147_483_647);
    }

    #[test]
    fn a_page_size_may_be_any_number_from_1() {
        assert_eq!(read("page[size]=99999999999999999999").unwrap().size, PageSize::new(u32::MAX));
        assert_eq!(refused("page[size]=0"), r#"{"page.size":["The page.size must be at least 1."]}"#);
        assert_eq!(refused("page[size][]=7"), r#"{"page.size":["The page.size must be an integer."]}"#);
    }

    #[test]
    fn a_page_has_members_of_which_others_are_ignored() {
        assert_eq!(refused("page=2"), r#"{"page":["The page must be an array."]}"#);
        let first = PageQuery { number: PageNumber::FIRST, size: None };
        assert_eq!(read("page=&page[foo]=x&page[]=1").unwrap(), first);
    }
}
