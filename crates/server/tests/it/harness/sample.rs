//! The sample data of most tests.

use pointbook_domain::zones::timestamp_text::parse_timestamp;
use pointbook_domain::{
    Activity, ActivityType, Bonus, Bonuses, Category, CategoryId, CategoryTree, Points, Price, Product,
    SourceId, Timestamp, Transaction,
};
use pointbook_store::IdSource;
use pointbook_testkit::SequentialIds;
use pointbook_testkit::build::{points, price};

/// 2026-03-01T12:00:00Z.
pub(crate) fn now() -> Timestamp {
    parse_timestamp("2026-03-01T12:00:00Z").unwrap()
}

fn category(id: &str, label: &str, children: Vec<Category>) -> Category {
    Category { id: CategoryId::new(id).unwrap(), label: label.to_owned(), children }
}

pub(crate) fn categories() -> CategoryTree {
    let kitchen = vec![category("cups", "Cups", vec![]), category("plates", "Plates", vec![])];
    let home = vec![category("kitchen", "Kitchen", kitchen)];
    CategoryTree::new(vec![category("home", "Home", home), category("drinks", "Drinks & more", vec![])])
        .unwrap()
}

/// A product for 500 points, published just now.
pub(crate) fn product(id: &str) -> Product {
    Product {
        regular_price: price(500),
        sku: format!("SKU-{id}"),
        title: id.to_owned(),
        thumbnail: format!("https://images.example/{id}.jpg"),
        gallery: vec![format!("https://images.example/{id}-1.jpg")],
        published_at: now(),
        ..pointbook_testkit::build::product(id)
    }
}

fn sample(id: &str, title: &str, category: &str, days_ago: u32) -> Product {
    let published_at = now().minus_days(days_ago);
    let categories = vec![CategoryId::new(category).unwrap()];
    Product { title: title.to_owned(), categories, published_at, ..product(id) }
}

pub(crate) fn products() -> Vec<Product> {
    let sale = |amount: i64| Some(Price::new(amount).unwrap());
    let none = (String::new(), Vec::new());
    vec![
        Product { popular: true, ..sample("mug", "Blue mug", "cups", 0) },
        Product {
            regular_price: price(700), sale_price: sale(500), ..sample("cafe", "Café cup", "cups", 5)
        },
        Product { stock: Some(3), ..sample("plate", "Plate, 100% recycled", "plates", 40) },
        Product {
            stock: Some(60),
            regular_price: price(800),
            ..sample("strasse", "Straße sign", "kitchen", 50)
        },
        Product {
            popular: true,
            regular_price: price(9_000),
            thumbnail: none.0,
            gallery: none.1,
            ..sample("gift", "Gift card", "gifts-not-in-the-tree", 60)
        },
        Product {
            regular_price: price(100),
            sale_price: sale(80),
            ..sample("tea", "緑茶が good", "drinks", 60)
        },
        Product { stock: Some(0), regular_price: price(900), ..sample("wine", "Red wine", "drinks", 70) },
        Product { active: false, ..sample("inactive", "Inactive mug", "cups", 1) },
        Product {
            published_at: now().plus_seconds(86_400),
            ..sample("tomorrow", "Mug of tomorrow", "cups", 0)
        },
    ]
}

pub(crate) fn many(count: u32) -> Vec<Product> {
    let one = |number: u32| Product {
        regular_price: price(i64::from(number % 7) * 100),
        published_at: now().minus_days(number / 3),
        ..product(&format!("p{number:04}"))
    };
    (0..count).map(one).collect()
}

/// An activity of user `u1`.
#[derive(Clone)]
pub(crate) struct Act {
    kind: &'static str,
    points: i64,
    at: String,
    title: String,
    subtitle: String,
    bonuses: Vec<Bonus>,
}

impl Act {
    pub(crate) fn new(kind: &'static str, points: i64, at: &str) -> Self {
        let (title, subtitle) = (format!("A {kind}"), "Something".to_owned());
        Self { kind, points, at: at.to_owned(), title, subtitle, bonuses: Vec::new() }
    }

    pub(crate) fn titles(self, title: &str, subtitle: &str) -> Self {
        Self { title: title.to_owned(), subtitle: subtitle.to_owned(), ..self }
    }

    pub(crate) fn bonus(mut self, kind: &str, amount: i64, title: &str) -> Self {
        self.bonuses.push(Bonus { kind: kind.to_owned(), points: points(amount), title: title.to_owned() });
        self
    }

    pub(crate) fn transaction(&self, ids: &SequentialIds) -> Transaction {
        let id = ids.transaction_id();
        let activity = Activity {
            kind: ActivityType::new(self.kind).unwrap(),
            source_id: SourceId::new(id.as_str()).unwrap(),
            points: Points::new(self.points).unwrap(),
            bonuses: Bonuses::new(self.bonuses.clone()).unwrap(),
            title: self.title.clone(),
            subtitle: self.subtitle.clone(),
            created_at: parse_timestamp(&self.at).unwrap(),
            attributes: pointbook_domain::Attributes::NONE,
        };
        Transaction { id, activity, bonus_origin: pointbook_domain::BonusOrigin::Undecided }
    }
}
