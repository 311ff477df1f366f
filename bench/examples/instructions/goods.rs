//! The products and the history of the fixture, the same at every run.

use pointbook_domain::{Activity, ActivityType, CategoryId, CategoryTree, Product};
use pointbook_testkit::build;
use xtask::operate::numbers::Numbers;

/// The number of products: enough for realistic pages and sets of ranks, and few enough to load quickly under
/// callgrind.
pub(crate) const PRODUCTS: usize = 10_000;
/// How many activities the user has. 40 of them are on the days of the first page.
pub(crate) const ACTIVITIES: i64 = 200;

const ROOTS: usize = 5;
const LEAVES_PER_ROOT: usize = 10;
const MINUTE_MICROS: i64 = 60_000_000;
const HOUR_MICROS: i64 = 60 * MINUTE_MICROS;

/// Each noun is in the titles of about one product in 48.
pub(crate) const NOUNS: [&str; 48] = [
    "anvil", "apron", "arrow", "badge", "banjo", "basin", "bench", "bowl", "brush", "candle", "canoe",
    "chair", "clock", "cloak", "crate", "dish", "drum", "easel", "flask", "flute", "fork", "frame", "globe",
    "glove", "hammer", "harp", "jug", "kettle", "kite", "ladder", "lamp", "lantern", "mirror", "mug", "oar",
    "pillow", "plate", "puzzle", "quilt", "rug", "saddle", "scarf", "shelf", "sled", "spoon", "stool",
    "tray", "vase",
];
const ADJECTIVES: [&str; 8] = ["Amber", "Brisk", "Coral", "Dusky", "Early", "Faded", "Grand", "Hazel"];

/// A category id: of a root, or of a leaf below it.
pub(crate) fn category_id(root: usize, leaf: Option<usize>) -> String {
    leaf.map_or_else(|| format!("root-{root}"), |leaf| format!("leaf-{root}-{leaf}"))
}

/// The id of the product with this number. Numbers beyond the last start again.
pub(crate) fn product_id(number: usize) -> String {
    format!("P{:06}", number % PRODUCTS)
}

/// Five roots of ten leaves.
pub(crate) fn categories() -> CategoryTree {
    let leaf = |root| move |leaf| build::category(&category_id(root, Some(leaf)), Vec::new());
    let root =
        |root| build::category(&category_id(root, None), (0..LEAVES_PER_ROOT).map(leaf(root)).collect());
    build::tree((0..ROOTS).map(root).collect())
}

/// The product with this number. Each filter matches many products, so that all filters together match a page.
pub(crate) fn product(number: usize) -> Product {
    let mut numbers = Numbers::new(number as u64);
    let price = 100 + i64::from(numbers.next(9_900));
    let (adjective, noun) = (numbers.pick(&ADJECTIVES), numbers.pick(&NOUNS));
    let classic = if numbers.next(100) < 23 { " classic" } else { "" };
    let leaf = category_id(numbers.place(ROOTS), Some(numbers.place(LEAVES_PER_ROOT)));
    let image = |name: &str| format!("https://images.example/{number:06}/{name}.jpg");
    Product {
        title: format!("{adjective} {noun}{classic} {number}"),
        description: format!("<p>The <strong>{adjective} {noun}</strong> lasts for years.</p>").repeat(4),
        regular_price: build::price(price),
        sale_price: numbers.one_in(2).then(|| build::price(price * 4 / 5)),
        thumbnail: image("small"),
        gallery: vec![image("1"), image("2")],
        categories: CategoryId::new(leaf).into_iter().collect(),
        stock: numbers.one_in(2).then(|| numbers.next(10)),
        popular: numbers.one_in(5),
        published_at: build::at(-10 * MINUTE_MICROS * i64::try_from(number).unwrap_or_default()),
        ..build::product(&product_id(number))
    }
}

/// An activity every nine hours back from yesterday's 21:00, of three types in turn; one in ten with a bonus.
pub(crate) fn activity(number: i64) -> Activity {
    let kinds = ["code", "video", "quiz"];
    let kind = ActivityType::new(kinds[usize::try_from(number).unwrap_or_default() % kinds.len()]);
    let plain = build::activity(&format!("source-{number}"), 10 + number % 90);
    Activity {
        kind: kind.unwrap_or_else(|_| plain.kind.clone()),
        bonuses: build::bonuses(if number % 10 == 0 { &[50] } else { &[] }),
        created_at: build::at(-HOUR_MICROS * (15 + 9 * number)),
        ..plain
    }
}
