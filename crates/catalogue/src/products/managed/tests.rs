use pointbook_testkit::build::{price, product};
use pointbook_testkit::{build, read_text};

use super::*;

fn told(errors: &FieldErrors) -> String {
    serde_json::to_string(errors).unwrap().replace("],", "],\n")
}

fn put(text: &str) -> Result<ProductDraft, String> {
    let id = ProductId::new("p1").ok();
    read_text(text, |fields| read_product(fields, id)).map_err(|errors| told(&errors))
}

fn line(text: &str) -> Result<ProductDraft, String> {
    read_text(text, read_product_line).map_err(|errors| told(&errors))
}

fn least(more: &str) -> String {
    format!(r#"{{"sku":"S1","title":" Mug ","regular_price":5{more}}}"#)
}

#[test]
fn what_is_left_out_has_a_default_but_stock_and_publication() {
    let blank = Product::blank(ProductId::new("p1").unwrap(), build::noon());
    let expected =
        Product { sku: "S1".into(), title: " Mug ".into(), regular_price: price(5), ..blank.clone() };
    let nulls = r#","description":null,"sale_price":null,"thumbnail":null,"gallery":null,"categories":null,"popular":null,"published_at":null,"active":null"#;
    for more in ["", nulls] {
        let draft = put(&least(more)).unwrap();
        let (id, fields) = (draft.id.clone(), draft.fields().clone());
        assert_eq!((&id, &fields.description), (&blank.id, &None));
        assert_eq!((fields.others.stock, fields.others.published_at), (FieldChange::Keep, None));
        assert_eq!(fields.others.applied_to(blank.clone()), expected, "{more}");
    }
}

#[test]
fn a_description_nests_at_most_100_levels() {
    let described = |levels: usize| put(&least(&format!(r#","description":"{}""#, "<div>".repeat(levels))));
    assert!(described(100).is_ok());
    assert_eq!(
        described(101).unwrap_err(),
        r#"{"description":["The description must not nest elements deeper than 100 levels, give one more than 100 attributes, or leave formatting elements open in many blocks."]}"#
    );
}

#[test]
fn a_stock_is_kept_unlimited_or_a_number_of_pieces() {
    let stock = |more: &str| put(&least(more)).map(|draft| draft.fields().others.stock);
    assert_eq!(stock(""), Ok(FieldChange::Keep));
    assert_eq!(stock(r#","stock":null"#), Ok(FieldChange::Set(None)));
    assert_eq!(stock(r#","stock":0"#), Ok(FieldChange::Set(Some(0))));
    assert_eq!(stock(r#","stock":4294967295"#), Ok(FieldChange::Set(Some(u32::MAX))));
    for (bad, rule) in [
        ("-1", "must be at least 0"),
        ("4294967296", "must not be greater than 4294967295"),
        ("1.0", "must be an integer"),
    ] {
        assert_eq!(
            stock(&format!(r#","stock":{bad}"#)),
            Err(format!(r#"{{"stock":["The stock {rule}."]}}"#))
        );
    }
}

#[test]
fn a_sale_price_may_be_the_regular_price_and_not_more() {
    let sale = |points: u32| {
        put(&least(&format!(r#","sale_price":{points}"#))).map(|draft| draft.fields().others.sale_price)
    };
    assert_eq!(sale(5), Ok(FieldChange::Set(Some(price(5)))));
    assert_eq!(
        sale(6).unwrap_err(),
        r#"{"sale_price":["The sale price must not be above the regular price."]}"#
    );
}

#[test]
fn a_line_says_its_id_or_is_known_by_its_sku() {
    let id = |more: &str| line(&least(more)).unwrap().id.to_string();
    assert_eq!(id(""), "S1");
    assert_eq!(id(r#","id":null"#), "S1");
    assert_eq!(id(r#","id":"か/1""#), "か/1");
    assert_eq!(line(&least(r#","id":"""#)).unwrap_err(), r#"{"id":["The id field is required."]}"#);
    let sku = "s".repeat(256);
    let with = |more: &str| line(&format!(r#"{{"sku":"{sku}","title":"t","regular_price":5{more}}}"#));
    assert_eq!(with(r#","id":"short""#).unwrap().id.as_str(), "short");
    assert_eq!(
        with("").unwrap_err(),
        r#"{"sku":["The sku must not be greater than 255 characters where it is the id."]}"#
    );
    let two = with(r#","stock":-1"#).unwrap_err();
    assert!(two.starts_with(r#"{"sku":["#) && two.contains(r#""stock":["#), "{two}");
}

#[test]
fn every_bad_field_is_reported_at_once_and_in_order() {
    let bad = r#"{"colour":"red","active":1,"published_at":"soon","popular":"no","stock":"5","categories":["a","b","a"],
        "gallery":["",7],"thumbnail":8,"sale_price":-1,"regular_price":"5","description":[],"title":"","id":"p2"}"#;
    insta::assert_snapshot!(put(bad).unwrap_err(), @r#"
    {"sku":["The sku field is required."],
    "title":["The title field is required."],
    "description":["The description must be a string."],
    "regular_price":["The regular price must be an integer."],
    "sale_price":["The sale price must be between 0 and 9007199254740991."],
    "thumbnail":["The thumbnail must be a string."],
    "gallery.0":["The gallery.0 field is required."],
    "gallery.1":["The gallery.1 must be a string."],
    "categories.2":["The categories.2 field has a duplicate value."],
    "stock":["The stock must be an integer."],
    "popular":["The popular field must be true or false."],
    "published_at":["The published at must be a date-time with seconds and with Z or an offset, such as 2026-05-05T07:30:00Z."],
    "active":["The active field must be true or false."],
    "id":["The id must be the id of the path."],
    "colour":["The colour field is not known."]}
    "#);
    let own_id = "\"id\":[\"The id must be the id of the path.\"],\n";
    assert_eq!(line(bad).unwrap_err(), put(bad).unwrap_err().replace(own_id, ""));
}

#[test]
fn an_image_is_an_absolute_web_url() {
    assert!(put(&least(r#","thumbnail":"","gallery":["https://a.example/b c.png","HTTP://a"]"#)).is_ok());
    for bad in ["javascript:alert(1)", "a.png", "//a.example/b.png", "https://", "data:,", "https://a b/"] {
        assert_eq!(
            put(&least(&format!(r#","thumbnail":"{bad}","gallery":["http://a","{bad}"]"#))).unwrap_err(),
            concat!(
                r#"{"thumbnail":["The thumbnail must be a valid URL."],"#,
                "\n",
                r#""gallery.1":["The gallery.1 must be a valid URL."]}"#
            ),
            "{bad}"
        );
    }
}

#[test]
fn texts_and_lists_are_bounded() {
    let long = |length: usize| "x".repeat(length);
    let list = |length: usize| {
        let items: Vec<String> = (0..length).map(|item| format!("\"http://{item}\"")).collect();
        items.join(",")
    };
    let product = |text: usize, html: usize, url: usize, items: usize| {
        let (text, html, list) = (long(text), long(html), list(items));
        let url = format!("http://{}", long(url - 7));
        put(&format!(
            r#"{{"sku":"{text}","title":"{text}","description":"{html}","regular_price":1,"thumbnail":"{url}","gallery":[{list}],"categories":[{list}]}}"#
        ))
    };
    assert!(product(1_000, 65_536, 2_048, 100).is_ok());
    insta::assert_snapshot!(product(1_001, 65_537, 2_049, 101).unwrap_err(), @r#"
    {"sku":["The sku must not be greater than 1000 characters."],
    "title":["The title must not be greater than 1000 characters."],
    "description":["The description must not be greater than 65536 characters."],
    "thumbnail":["The thumbnail must not be greater than 2048 characters."],
    "gallery":["The gallery must not have more than 100 items."],
    "categories":["The categories must not have more than 100 items."]}
    "#);
}

fn read(text: &str) -> Result<(), String> {
    let id = ProductId::new("p1").unwrap();
    let read = read_text(text, |mut fields| {
        accept_read_only(&mut fields, Some(&id));
        fields.finish(|| Some(()))
    });
    read.map_err(|errors| serde_json::to_string(&errors).unwrap())
}

#[test]
fn members_of_a_product_that_was_read_are_accepted() {
    assert_eq!(read("{}"), Ok(()));
    assert_eq!(read(r#"{"id":"p1","reserved":3,"version":12}"#), Ok(()));
    assert!(read(r#"{"reserved":null}"#).is_err() && read(r#"{"version":"any"}"#).is_err());
}

#[test]
fn an_id_is_that_of_the_path() {
    for (bad, rule) in [
        (r#""p2""#, "The id must be the id of the path."),
        (r#""""#, "The id field is required."),
        ("7", "The id must be a string."),
        ("null", "The id must be a string."),
    ] {
        assert_eq!(read(&format!(r#"{{"id":{bad}}}"#)), Err(format!(r#"{{"id":["{rule}"]}}"#)));
    }
    let twice = r#"{"version":1,"version":1}"#;
    assert_eq!(read(twice), Err(r#"{"version":["The version field stands twice."]}"#.to_owned()));
}

fn patch(text: &str) -> Result<ProductPatchDraft, String> {
    let id = ProductId::new("p1").unwrap();
    read_text(text, |fields| read_product_patch(fields, Some(&id)))
        .map_err(|errors| serde_json::to_string(&errors).unwrap())
}

#[test]
fn what_is_absent_stays_and_null_clears_what_can_be_cleared() {
    assert_eq!(patch("{}"), Ok(ProductPatchDraft::default()));
    let ProductPatchDraft { description, others } =
        patch(r#"{"title":"Cup","description":"","sale_price":null,"stock":null,"gallery":[]}"#).unwrap();
    assert_eq!((others.title.as_deref(), description.as_deref()), (Some("Cup"), Some("")));
    assert_eq!((others.sale_price, others.stock), (FieldChange::Set(None), FieldChange::Set(None)));
    assert_eq!((others.gallery, others.sku), (Some(vec![]), None));
}

#[test]
fn null_is_no_value_of_any_other_field() {
    let nulls = r#"{"sku":null,"title":null,"description":null,"regular_price":null,"thumbnail":null,"gallery":null,
        "categories":null,"popular":null,"published_at":null,"active":null,"id":null}"#;
    insta::assert_snapshot!(patch(nulls).unwrap_err().replace("],", "],\n"), @r#"
    {"sku":["The sku must be a string."],
    "title":["The title must be a string."],
    "description":["The description must be a string."],
    "regular_price":["The regular price must be an integer."],
    "thumbnail":["The thumbnail must be a string."],
    "gallery":["The gallery must be an array."],
    "categories":["The categories must be an array."],
    "popular":["The popular field must be true or false."],
    "published_at":["The published at must be a date-time with seconds and with Z or an offset, such as 2026-05-05T07:30:00Z."],
    "active":["The active field must be true or false."],
    "id":["The id must be a string."]}
    "#);
}

#[test]
fn a_difference_is_a_whole_number_other_than_0() {
    let read = |text: &str| {
        read_text(&format!(r#"{{"difference":{text}}}"#), read_stock_change)
            .map_err(|errors| errors.messages().next().unwrap().1.to_owned())
    };
    assert_eq!((read("5"), read("-4294967295")), (Ok(5), Ok(-4_294_967_295)));
    for (bad, rule) in [
        ("0", "must not be 0"),
        ("-0", "must not be 0"),
        ("null", "field is required"),
        ("1.5", "must be an integer"),
        ("4294967296", "must not be greater than 4294967295"),
        ("-4294967296", "must be at least -4294967295"),
    ] {
        assert_eq!(read(bad), Err(format!("The difference {rule}.")), "{bad}");
    }
}

#[test]
fn a_product_is_shown_with_what_was_given_and_what_is_counted() {
    let mut stored = StoredProduct {
        product: Product {
            sale_price: Some(price(90)),
            gallery: vec!["a.png".to_owned()],
            categories: vec![CategoryId::new("c1").unwrap()],
            stock: Some(7),
            popular: true,
            ..product("p1")
        },
        reserved: 2,
        version: CatalogueVersion(5),
    };
    let shown = |stored: &StoredProduct| serde_json::to_string(&ManagedProductView::from(stored)).unwrap();
    let json = shown(&stored);
    for part in [
        r#""description":"<p>Good.","regular_price":100,"sale_price":90,"#,
        r#""stock":7,"reserved":2,"#,
        r#""published_at":"2024-02-29T12:00:00.000000Z","active":true,"version":5}"#,
    ] {
        assert!(json.contains(part), "{json}");
    }
    (stored.product.stock, stored.product.sale_price) = (None, None);
    let json = shown(&stored);
    assert!(json.contains(r#""sale_price":null,"#) && json.contains(r#""stock":null,"#), "{json}");
    let members = members_of(&stored.product);
    assert!(!members.contains_key("reserved") && !members.contains_key("version"));
}
