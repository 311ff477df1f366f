//! The parameters of `GET /v1/store/products`.

use pointbook_app::{ProductFilter, ProductListQuery, ProductSort};
use pointbook_describe::{Parameter, Schema};
use pointbook_domain::CategoryId;

use super::QueryString;
use super::fields::{Fields, text_schema};
use super::members::{Members, Value};
use super::page::page_query;
use crate::error::FieldErrors;
use crate::openapi::page_parameters;

/// Reads page, filters and sort.
///
/// # Errors
/// [`FieldErrors`] with every field that is refused, in the documented order.
pub fn product_list_query(query: &QueryString<'_>) -> Result<ProductListQuery, FieldErrors> {
    let mut fields = Fields::default();
    let page = page_query(&mut fields, query);
    let filter = fields.members(query.get("filter"), "filter");
    let (filter, only_new) = product_filter(&mut fields, filter);
    let sort = product_sort(&mut fields, query.get("sort"));
    fields.finish(ProductListQuery { page, filter, only_new, sort })
}

/// The filter, and whether only new products are asked for.
fn product_filter(fields: &mut Fields, filter: Members<'_>) -> (ProductFilter, bool) {
    let given = Given::of(filter);
    // What cannot be an id is the id of no category, which leaves no products.
    let categories = fields.text_list(given.category, "filter.category", |id| CategoryId::new(id).ok());
    let titles = fields.text_list(given.title, "filter.title", |title| Some(title.to_owned()));
    let min_price = fields.integer(given.min_price, "filter.minPrice", 0..=i64::MAX);
    let max_price = fields.integer(given.max_price, "filter.maxPrice", 0..=i64::MAX);
    let only_new = fields.flag(given.new_products, "filter.newProducts");
    let low_stock = fields.flag(given.low_stock, "filter.lowStock");
    let on_sale = fields.flag(given.on_sale, "filter.onSale");
    let popular = fields.flag(given.only_popular, "filter.onlyPopular");
    for name in given.unknown {
        fields.refuse_filter(name);
    }
    let filter = ProductFilter {
        categories,
        titles,
        min_price,
        max_price,
        new_since: None,
        low_stock,
        on_sale,
        popular,
    };
    (filter, only_new)
}

/// The members of `filter`, found in one go through them.
#[derive(Default)]
struct Given<'m> {
    category: Option<Value<'m>>,
    title: Option<Value<'m>>,
    min_price: Option<Value<'m>>,
    max_price: Option<Value<'m>>,
    new_products: Option<Value<'m>>,
    low_stock: Option<Value<'m>>,
    on_sale: Option<Value<'m>>,
    only_popular: Option<Value<'m>>,
    unknown: Vec<&'m [u8]>,
}

impl<'m> Given<'m> {
    fn of(filter: Members<'m>) -> Self {
        let mut given = Self::default();
        for (name, value) in filter.iter() {
            let place = match name {
                b"category" => &mut given.category,
                b"title" => &mut given.title,
                b"minPrice" => &mut given.min_price,
                b"maxPrice" => &mut given.max_price,
                b"newProducts" => &mut given.new_products,
                b"lowStock" => &mut given.low_stock,
                b"onSale" => &mut given.on_sale,
                b"onlyPopular" => &mut given.only_popular,
                unknown => {
                    given.unknown.push(unknown);
                    continue;
                }
            };
            *place = Some(value);
        }
        given
    }
}

fn product_sort(fields: &mut Fields, value: Option<Value<'_>>) -> ProductSort {
    match value.map(Value::text) {
        None => ProductSort::Newest,
        Some(Some("price")) => ProductSort::PriceAscending,
        Some(Some("-price")) => ProductSort::PriceDescending,
        Some(_) => {
            fields.refuse_choice("sort");
            ProductSort::Newest
        }
    }
}

/// What the description says of them.
pub(crate) fn product_list_parameters() -> Vec<Parameter> {
    let flag = |name: &str, what: &str| {
        let description = format!("{what} `1` and `0` are understood too; `false` restricts nothing.");
        Parameter::query(&format!("filter[{name}]"), Schema::boolean(), &description)
    };
    let price = Schema::count();
    let mut parameters = page_parameters();
    parameters.extend([
        Parameter::query("filter[category]", text_schema(), CATEGORY),
        Parameter::query("filter[title]", text_schema(), TITLE),
        Parameter::query(
            "filter[minPrice]",
            price.clone(),
            "The lowest effective price, in points, included.",
        ),
        Parameter::query("filter[maxPrice]", price, "The highest effective price, in points, included."),
        flag(
            "newProducts",
            "Only products that were published within the tenant's window (30 days unless set).",
        ),
        flag("lowStock", "Only products of which few pieces are left (5 or fewer unless set), but some."),
        flag("onSale", "Only products with a `sale_price`."),
        flag("onlyPopular", "Only products that the tenant marked so, or that are ordered most."),
        Parameter::query("sort", Schema::one_of(["price", "-price"]), SORT),
    ]);
    parameters
}

const CATEGORY: &str = "The id of a category, which includes everything below it. Several, separated by commas or given \
                        as `filter[category][]=` again and again, are alternatives: at most 20. An unknown one has no \
                        products.";
const TITLE: &str = "A part of the title, whatever the case and the accents. Several, separated by commas or given as \
                     `filter[title][]=` again and again, are alternatives: at most 20.";
const SORT: &str = "By effective price, ascending or descending, and by id where it is the same. Without it the newest \
                    come first.";

#[cfg(test)]
mod tests {
    use pointbook_app::PageQuery;
    use pointbook_domain::{PageNumber, PageSize};

    use super::*;

    fn read(raw: &str) -> Result<ProductListQuery, FieldErrors> {
        product_list_query(&QueryString::parse(Some(raw))?)
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
        assert_eq!(
            errors,
            r#"{"filter.title":["The filter.title must not be greater than 255 characters."]}"#
        );
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
        assert_eq!(
            refused("filter[title]=%FF"),
            r#"{"filter.title":["The filter.title must be a string."]}"#
        );
        assert_eq!(good("other=%FF&%FF=1"), good(""));
    }

    #[test]
    fn names_are_case_sensitive() {
        assert_eq!(good("Page[number]=9&SORT=x&filter[title]=a").page.number, PageNumber::FIRST);
        assert_eq!(
            refused("filter[Title]=a"),
            r#"{"filter.Title":["The selected filter. title is invalid."]}"#
        );
    }
}
