//! The documented JSON of a product, rendered once.

use pointbook_domain::Product;
use serde::Serialize;

/// The documented fields in the documented order.
#[derive(Serialize)]
struct ProductView<'p> {
    id: &'p str,
    title: &'p str,
    sku: &'p str,
    description: &'p str,
    regular_price: i64,
    sale_price: Option<i64>,
    thumbnail: &'p str,
    gallery: &'p [String],
}

impl<'p> From<&'p Product> for ProductView<'p> {
    fn from(product: &'p Product) -> Self {
        let Product {
            id,
            sku,
            title,
            brand: _,
            description,
            description_source: _,
            regular_price,
            sale_price,
            thumbnail,
            gallery,
            categories: _,
            stock: _,
            popular: _,
            published_at: _,
            active: _,
        } = product;
        Self {
            id: id.as_str(),
            title,
            sku,
            description,
            regular_price: regular_price.get(),
            sale_price: sale_price.map(pointbook_domain::Price::get),
            thumbnail,
            gallery,
        }
    }
}

/// Appends the JSON of a product.
pub(crate) fn render_product(product: &Product, json: &mut Vec<u8>) {
    append_json(&ProductView::from(product), json);
}

/// Appends the JSON of a value of texts and numbers.
#[expect(clippy::expect_used, reason = "texts and numbers are always JSON, and memory takes every write")]
pub(crate) fn append_json(value: &impl Serialize, json: &mut Vec<u8>) {
    serde_json::to_writer(json, value).expect("texts and numbers are JSON");
}

#[cfg(test)]
mod tests {
    use pointbook_domain::{CategoryId, Price, ProductId, Timestamp};

    use super::*;

    fn product() -> Product {
        Product {
            sku: "S\"1".into(),
            title: "Café 珈琲\n".into(),
            description: "<p>x</p>".into(),
            description_source: "<p onclick=y>x</p>".into(),
            regular_price: Price::new(1_500).unwrap(),
            thumbnail: "https://img.example/1.png".into(),
            categories: vec![CategoryId::new("drinks").unwrap()],
            stock: Some(3),
            popular: true,
            ..Product::blank(ProductId::new("a/1").unwrap(), Timestamp::MIN)
        }
    }

    fn rendered(product: &Product) -> String {
        let mut json = Vec::new();
        render_product(product, &mut json);
        String::from_utf8(json).unwrap()
    }

    #[test]
    fn a_product_has_the_documented_keys_in_the_documented_order() {
        let expected = concat!(
            r#"{"id":"a/1","title":"Café 珈琲\n","sku":"S\"1","description":"<p>x</p>","#,
            r#""regular_price":1500,"sale_price":null,"#,
            r#""thumbnail":"https://img.example/1.png","gallery":[]}"#,
        );
        assert_eq!(rendered(&product()), expected);
    }

    #[test]
    fn a_discount_and_a_gallery_are_shown() {
        let sale_price = Some(Price::new(0).unwrap());
        let gallery = vec!["https://img.example/2.png".to_owned(), String::new()];
        let json = rendered(&Product { sale_price, gallery, ..product() });
        assert!(json.contains(r#""regular_price":1500,"sale_price":0,"#), "{json}");
        assert!(json.ends_with(r#""gallery":["https://img.example/2.png",""]}"#), "{json}");
    }
}
