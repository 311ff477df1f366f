//! `GET /v1/store/products`: its parameters, each with the products that it finds. The model in the tests of `catalogue` has the
//! meaning of filters and sorts, and the tests of `http::query` and `catalogue::products::query` the reading of their values.

use crate::harness::TestServer;

async fn ids(server: &TestServer, query: &str) -> String {
    server.get(&format!("/v1/store/products?page[size]=100&{query}")).await.ids().join(" ")
}

#[tokio::test]
async fn each_parameter_finds_its_products() {
    let server = TestServer::with_sample().await;
    let all = "mug cafe plate strasse gift tea wine";
    for (query, expected) in [
        ("", all),
        ("sort=price", "tea cafe mug plate strasse wine gift"),
        ("sort=-price", "gift wine strasse cafe mug plate tea"),
        ("sort=price&filter[minPrice]=500&filter[maxPrice]=800", "cafe mug plate strasse"),
        ("filter[minPrice]=9&filter[maxPrice]=8", ""),
        ("filter[title]=STRASSE", "strasse"),
        ("filter[title]=100%25", "plate"),
        ("filter[title]=mug,%20,wine", "mug wine"),
        ("filter[category]=home", "mug cafe plate strasse"),
        ("filter[category]=nowhere,drinks", "tea wine"),
        ("filter[newProducts]=true", "mug cafe"),
        ("filter[lowStock]=1", "plate"),
        ("filter[onSale]=TRUE", "cafe tea"),
        ("filter[onlyPopular]=true", "mug gift"),
        ("filter[lowStock]=false&filter[onSale]=0", all),
        ("filter[category]=home&filter[onSale]=true&filter[newProducts]=1", "cafe"),
    ] {
        assert_eq!(ids(&server, query).await, expected, "{query}");
    }
}

#[tokio::test]
async fn filters_follow_the_settings_of_the_tenant() {
    let server = TestServer::with_sample().await;
    for (setting, value, query, expected) in [
        ("hide_sold_out", "true", "", "mug cafe plate strasse gift tea"),
        ("new_product_days", "1", "filter[newProducts]=true", "mug"),
        ("low_stock_threshold", "2", "filter[lowStock]=true", ""),
    ] {
        server.set(setting, value).await;
        assert_eq!(ids(&server, query).await, expected, "{setting}");
    }
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
async fn too_many_and_too_deep_parameters_are_refused_not_served() {
    let server = TestServer::with_sample().await;
    let (many, deep) = ("a=1&".repeat(1_001), format!("a{}=1", "[b]".repeat(9)));
    for query in [many, deep] {
        assert_eq!(server.get(&format!("/v1/store/products?{query}")).await.status, 422);
    }
}
