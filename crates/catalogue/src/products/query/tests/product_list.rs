//! The parameters of `GET /v1/store/products`.

use pointbook_domain::errors::FieldErrors;
use pointbook_domain::{PageNumber, PageQuery, PageSize};
use pointbook_http::query::parse;

use super::*;

fn read(raw: &str) -> Result<ProductListQuery, FieldErrors> {
    parse(Some(raw))?.read(product_list)
}

fn good(raw: &str) -> ProductListQuery {
    read(raw).unwrap_or_else(|errors| panic!("{raw}: {errors:?}"))
}

fn refused(raw: &str) -> String {
    serde_json::to_string(&read(raw).unwrap_err()).unwrap()
}

#[test]
fn every_parameter_is_optional() {
    let query = good("");
    assert_eq!(query.page, PageQuery { number: PageNumber::FIRST, size: None });
    assert_eq!((query.filter, query.only_new), (ProductFilter::default(), false));
    assert_eq!(query.sort, ProductSort::Newest);
}

#[test]
fn every_parameter_has_its_meaning() {
    let query = good(
        "page[number]=3&page%5Bsize%5D=20&filter%5bcategory%5d=a,b&filter[title]=caf%C3%A9+au\
         &filter[minPrice]=5&filter[maxPrice]=90&filter[newProducts]=1&filter[lowStock]=TRUE\
         &filter[onSale]=true&filter[onlyPopular]=True&sort=-price",
    );
    let page = PageQuery { number: PageNumber::new(3).unwrap(), size: PageSize::new(20) };
    assert_eq!(query.page, page);
    let ids = ["a", "b"].map(|id| CategoryId::new(id).unwrap());
    let filter = ProductFilter {
        categories: Some(ids.to_vec()),
        titles: Some(vec!["café au".to_owned()]),
        min_price: Some(5),
        max_price: Some(90),
        new_since: None,
        low_stock: true,
        on_sale: true,
        popular: true,
    };
    assert_eq!((query.filter, query.only_new, query.sort), (filter, true, ProductSort::PriceDescending));
}

#[test]
fn a_false_flag_restricts_nothing() {
    let query =
        good("filter[newProducts]=0&filter[lowStock]=false&filter[onSale]=FALSE&filter[onlyPopular]=0");
    assert_eq!((query.filter, query.only_new), (ProductFilter::default(), false));
}

#[test]
fn a_comma_list_and_a_bracket_list_are_the_same() {
    let titles = |raw| good(raw).filter.titles;
    let expected = Some(vec!["a".to_owned(), "b".to_owned(), "c d".to_owned()]);
    for raw in [
        "filter[title]=+a,,b+,+c+d",
        "filter[title][]=a&filter[title][]=b&filter[title][]=c+d",
        "filter[title][0]=a,b&filter[title][2]=&filter[title][7]=c%20d",
    ] {
        assert_eq!(titles(raw), expected, "{raw}");
    }
    for raw in ["filter[title]=", "filter[title]=+", "filter[title]=,+,", "filter[title][]="] {
        assert_eq!(titles(raw), None, "{raw}");
    }
}

#[test]
fn an_id_that_nothing_can_have_leaves_no_products() {
    assert_eq!(good("filter[category]=a%00b").filter.categories, Some(vec![]));
}

#[test]
fn numbers_of_any_length_are_served() {
    assert_eq!(good("filter[minPrice]=99999999999999999999").filter.min_price, Some(i64::MAX));
}

#[test]
fn every_bad_field_is_reported_at_once_and_in_order() {
    let errors = refused(
        "sort=name&filter[foo]=1&filter[fooBar][x]=1&filter[onlyPopular]=yes&filter[onSale]=2\
         &filter[lowStock][]=1&filter[newProducts]=%FF&filter[maxPrice]=-1&filter[minPrice]=abc\
         &filter[title][x]=1&filter[category][][]=1&page[size]=0&page[number]=2147483648",
    );
    insta::assert_snapshot!(errors.replace("],", "],\n"), @r#"
    {"page.number":["The page.number must not be greater than 2147483647."],
    "page.size":["The page.size must be at least 1."],
    "filter.category":["The filter.category must be a string."],
    "filter.title":["The filter.title must be a string."],
    "filter.minPrice":["The filter.min price must be an integer."],
    "filter.maxPrice":["The filter.max price must be at least 0."],
    "filter.newProducts":["The filter.new products field must be true or false."],
    "filter.lowStock":["The filter.low stock field must be true or false."],
    "filter.onSale":["The filter.on sale field must be true or false."],
    "filter.onlyPopular":["The filter.only popular field must be true or false."],
    "filter.foo":["The selected filter.foo is invalid."],
    "filter.fooBar":["The selected filter.foo bar is invalid."],
    "sort":["The selected sort is invalid."]}
    "#);
}

#[test]
fn page_and_filter_have_members() {
    assert_eq!(
        refused("page=2&filter=x"),
        r#"{"page":["The page must be an array."],"filter":["The filter must be an array."]}"#
    );
    assert_eq!(good("page=&filter=&page[foo]=x&page[]=1"), good(""));
}

#[test]
fn a_list_where_one_value_belongs_is_refused() {
    assert_eq!(
        refused("filter[minPrice][]=1"),
        r#"{"filter.minPrice":["The filter.min price must be an integer."]}"#
    );
    assert_eq!(refused("sort[]=price"), r#"{"sort":["The selected sort is invalid."]}"#);
}

#[test]
fn a_text_has_at_most_255_characters() {
    assert!(read(&format!("filter[title]={}", "%E3%81%8B".repeat(255))).is_ok());
    let errors = refused(&format!("filter[title][]=a&filter[title][]={}", "a".repeat(256)));
    assert_eq!(errors, r#"{"filter.title":["The filter.title must not be greater than 255 characters."]}"#);
}

#[test]
fn a_list_has_at_most_20_parts_however_they_are_given() {
    for name in ["title", "category"] {
        let commas = |count: usize| format!("filter[{name}]=,{}", "ab,".repeat(count));
        let brackets = |count: usize| format!("filter[{name}][]=a,b&").repeat(count / 2);
        assert!(read(&commas(20)).is_ok());
        assert!(read(&brackets(20)).is_ok());
        for raw in [commas(21), brackets(22)] {
            let message = format!("The filter.{name} must not have more than 20 items.");
            assert_eq!(refused(&raw), format!(r#"{{"filter.{name}":["{message}"]}}"#));
        }
    }
}

#[test]
fn text_that_is_no_utf8_is_refused_where_it_is_known() {
    assert_eq!(refused("filter[title]=%FF"), r#"{"filter.title":["The filter.title must be a string."]}"#);
    assert_eq!(good("other=%FF&%FF=1"), good(""));
}

#[test]
fn names_are_case_sensitive() {
    assert_eq!(good("Page[number]=9&SORT=x&filter[title]=a").page.number, PageNumber::FIRST);
    assert_eq!(refused("filter[Title]=a"), r#"{"filter.Title":["The selected filter. title is invalid."]}"#);
}
