//! `GET /v1/store/products`: the results of each filter and each sort order.

use crate::harness::TestServer;

async fn ids(server: &TestServer, query: &str) -> Vec<String> {
    server.get(&format!("/v1/store/products?page[size]=100&{query}")).await.ids()
}

#[tokio::test]
async fn without_a_sort_the_newest_come_first_and_ties_go_by_id() {
    let server = TestServer::with_sample().await;
    assert_eq!(ids(&server, "").await, ["mug", "cafe", "plate", "strasse", "gift", "tea", "wine"]);
}

#[tokio::test]
async fn price_sorts_by_the_effective_price_and_ties_go_by_id_in_both_directions() {
    let server = TestServer::with_sample().await;
    assert_eq!(ids(&server, "sort=price").await, ["tea", "cafe", "mug", "plate", "strasse", "wine", "gift"]);
    assert_eq!(ids(&server, "sort=-price").await, ["gift", "wine", "strasse", "cafe", "mug", "plate", "tea"]);
}

#[tokio::test]
async fn price_bounds_are_inclusive_and_use_the_effective_price() {
    let server = TestServer::with_sample().await;
    assert_eq!(
        ids(&server, "sort=price&filter[minPrice]=500&filter[maxPrice]=800").await,
        ["cafe", "mug", "plate", "strasse"]
    );
    assert_eq!(ids(&server, "filter[minPrice]=5000").await, ["gift"]);
    assert_eq!(ids(&server, "filter[maxPrice]=80").await, ["tea"]);
    assert_eq!(ids(&server, "filter[maxPrice]=79").await, [""; 0]);
}

#[tokio::test]
async fn a_minimum_above_the_maximum_matches_nothing() {
    let server = TestServer::with_sample().await;
    let answer = server.get("/v1/store/products?filter[minPrice]=9&filter[maxPrice]=8").await;
    assert_eq!(answer.json()["meta"]["total"], 0);
    assert_eq!(answer.ids(), [""; 0]);
}

#[tokio::test]
async fn a_price_beyond_every_integer_matches_nothing_or_everything() {
    let server = TestServer::with_sample().await;
    assert_eq!(ids(&server, "filter[minPrice]=99999999999999999999").await, [""; 0]);
    assert_eq!(ids(&server, "filter[maxPrice]=99999999999999999999").await.len(), 7);
}

#[tokio::test]
async fn a_title_is_found_by_a_part_without_case_and_accents() {
    let server = TestServer::with_sample().await;
    assert_eq!(ids(&server, "filter[title]=CAFE").await, ["cafe"]);
    assert_eq!(ids(&server, "filter[title]=STRASSE").await, ["strasse"]);
    assert_eq!(ids(&server, "filter[title]=%E3%81%8C").await, ["tea"]);
    assert_eq!(ids(&server, "filter[title]=%E3%81%8B").await, [""; 0]);
}

#[tokio::test]
async fn wildcards_in_a_title_are_literal() {
    let server = TestServer::with_sample().await;
    assert_eq!(ids(&server, "filter[title]=100%25").await, ["plate"]);
    assert_eq!(ids(&server, "filter[title]=_").await, [""; 0]);
}

#[tokio::test]
async fn a_comma_in_a_title_means_or_and_empty_parts_are_dropped() {
    let server = TestServer::with_sample().await;
    assert_eq!(ids(&server, "filter[title]=mug,%20,wine").await, ["mug", "wine"]);
    assert_eq!(ids(&server, "filter[title][]=mug&filter[title][]=wine").await, ["mug", "wine"]);
    assert_eq!(ids(&server, "filter[title]=,").await.len(), 7);
}

#[tokio::test]
async fn a_category_includes_everything_below_it() {
    let server = TestServer::with_sample().await;
    assert_eq!(ids(&server, "filter[category]=home").await, ["mug", "cafe", "plate", "strasse"]);
    assert_eq!(ids(&server, "filter[category]=cups").await, ["mug", "cafe"]);
    assert_eq!(ids(&server, "filter[category]=cups,drinks").await, ["mug", "cafe", "tea", "wine"]);
}

#[tokio::test]
async fn an_unknown_category_has_no_products() {
    let server = TestServer::with_sample().await;
    assert_eq!(ids(&server, "filter[category]=nowhere").await, [""; 0]);
    assert_eq!(ids(&server, "filter[category]=nowhere,drinks").await, ["tea", "wine"]);
}

#[tokio::test]
async fn flags_show_new_low_stock_on_sale_and_popular_products() {
    let server = TestServer::with_sample().await;
    assert_eq!(ids(&server, "filter[newProducts]=true").await, ["mug", "cafe"]);
    assert_eq!(ids(&server, "filter[lowStock]=1").await, ["plate"]);
    assert_eq!(ids(&server, "filter[onSale]=TRUE").await, ["cafe", "tea"]);
    assert_eq!(ids(&server, "filter[onlyPopular]=true").await, ["mug", "gift"]);
}

#[tokio::test]
async fn a_false_flag_restricts_nothing() {
    let server = TestServer::with_sample().await;
    for flag in ["newProducts", "lowStock", "onSale", "onlyPopular"] {
        assert_eq!(ids(&server, &format!("filter[{flag}]=false")).await.len(), 7, "{flag}");
        assert_eq!(ids(&server, &format!("filter[{flag}]=0")).await.len(), 7, "{flag}");
    }
}

#[tokio::test]
async fn filters_combine() {
    let server = TestServer::with_sample().await;
    assert_eq!(
        ids(&server, "filter[category]=home&filter[onSale]=true&filter[newProducts]=1").await,
        ["cafe"]
    );
}

#[tokio::test]
async fn unpublished_and_inactive_products_do_not_exist() {
    let server = TestServer::with_sample().await;
    for hidden in ["tomorrow", "inactive"] {
        assert!(!ids(&server, "").await.contains(&hidden.to_owned()));
        assert_eq!(server.get(&format!("/v1/store/products/{hidden}")).await.status, 404);
    }
}

#[tokio::test]
async fn a_sold_out_product_stays_listed_unless_the_tenant_hides_it() {
    let server = TestServer::with_sample().await;
    assert!(ids(&server, "").await.contains(&"wine".to_owned()));
    server.set("hide_sold_out", "true").await;
    assert!(!ids(&server, "").await.contains(&"wine".to_owned()));
}

#[tokio::test]
async fn new_and_low_stock_follow_the_settings_of_the_tenant() {
    let server = TestServer::with_sample().await;
    server.set("new_product_days", "1").await;
    assert_eq!(ids(&server, "filter[newProducts]=true").await, ["mug"]);
    server.set("low_stock_threshold", "2").await;
    assert_eq!(ids(&server, "filter[lowStock]=true").await, [""; 0]);
}

#[tokio::test]
async fn every_bad_parameter_is_named_at_once_in_the_documented_order() {
    let server = TestServer::with_sample().await;
    let query = "sort=title&filter[onlyPopular]=x&filter[foo]=1&filter[onSale]=2&filter[minPrice]=1.5\
                 &filter[maxPrice]=-1&page[size]=0&page[number]=abc&filter[title][a][b]=x";
    let answer = server.get(&format!("/v1/store/products?{query}")).await;
    assert_eq!(
        answer.field_errors(),
        [
            "page.number: The page.number must be an integer.",
            "page.size: The page.size must be at least 1.",
            "filter.title: The filter.title must be a string.",
            "filter.minPrice: The filter.min price must be an integer.",
            "filter.maxPrice: The filter.max price must be at least 0.",
            "filter.onSale: The filter.on sale field must be true or false.",
            "filter.onlyPopular: The filter.only popular field must be true or false.",
            "filter.foo: The selected filter.foo is invalid.",
            "sort: The selected sort is invalid.",
        ]
    );
}

#[tokio::test]
async fn misplaced_scalars_and_lists_are_named() {
    let server = TestServer::with_sample().await;
    for (query, error) in [
        ("page=2", "page: The page must be an array."),
        ("filter=x", "filter: The filter must be an array."),
        ("page[size][]=7", "page.size: The page.size must be an integer."),
        ("filter[minPrice][]=1", "filter.minPrice: The filter.min price must be an integer."),
        ("page[number]=2147483648", "page.number: The page.number must not be greater than 2147483647."),
        ("page[number]=0", "page.number: The page.number must be at least 1."),
        ("filter[title]=%FF", "filter.title: The filter.title must be a string."),
    ] {
        let answer = server.get(&format!("/v1/store/products?{query}")).await;
        assert_eq!(answer.field_errors(), [error], "{query}");
    }
}

#[tokio::test]
async fn a_text_of_more_than_255_characters_is_named() {
    let server = TestServer::with_sample().await;
    let fits = server.get(&format!("/v1/store/products?filter[title]={}", "a".repeat(255))).await;
    assert_eq!(fits.status, 200);
    let answer = server.get(&format!("/v1/store/products?filter[title]={}", "a".repeat(256))).await;
    assert_eq!(
        answer.field_errors(),
        ["filter.title: The filter.title must not be greater than 255 characters."]
    );
}

#[tokio::test]
async fn names_are_decoded_before_brackets_are_read_and_the_last_duplicate_wins() {
    let server = TestServer::with_sample().await;
    assert_eq!(ids(&server, "filter%5bmaxPrice%5D=80").await, ["tea"]);
    assert_eq!(ids(&server, "filter[maxPrice]=1&filter%5BmaxPrice%5D=80").await, ["tea"]);
    assert_eq!(ids(&server, "filter[maxPrice]=%2080+").await, ["tea"]);
    assert_eq!(ids(&server, "filter[maxPrice]=&sort=").await.len(), 7);
    assert_eq!(server.get("/v1/store/products?filter[MaxPrice]=80").await.status, 422);
}

#[tokio::test]
async fn too_many_and_too_deep_parameters_are_refused_not_served() {
    let server = TestServer::with_sample().await;
    let many = "a=1&".repeat(1_001);
    let deep = format!("a{}=1", "[b]".repeat(9));
    for query in [many, deep] {
        assert_eq!(server.get(&format!("/v1/store/products?{query}")).await.status, 422);
    }
}
