//! The pictures of the demo's products, as SVG inside the binary.

/// A list of pictures, each with the id of its product.
macro_rules! pictures {
    ($($id:literal),* $(,)?) => {
        &[$(($id, include_str!(concat!("pictures/", $id, ".svg")))),*]
    };
}

const PICTURES: &[(&str, &str)] = pictures![
    "cafe-mug",
    "espresso-cups",
    "enamel-mug",
    "travel-mug",
    "yunomi-cup",
    "pour-over-set",
    "hand-grinder",
    "loose-tea-box",
    "moka-pot",
    "cast-iron-pan",
    "chef-knife",
    "pasta-machine",
    "creme-brulee-set",
    "linen-towels",
    "wool-blanket",
    "bath-towel",
    "reading-lamp",
    "paper-lantern",
    "desk-lamp",
    "day-pack",
    "trekking-pack",
    "dry-bag",
    "two-person-tent",
    "sleeping-mat",
    "head-torch",
    "gas-stove",
    "bike-light-set",
    "pannier-bag",
    "folding-lock",
    "city-e-bike",
    "yoga-mat",
    "cork-blocks",
    "over-ear-headphones",
    "ear-buds",
    "kids-headphones",
    "kitchen-radio",
    "bluetooth-speaker",
    "smart-plugs",
    "weather-station",
    "air-quality-light",
    "solar-charger",
    "power-bank",
    "charging-dock",
    "giftcard-market-500",
    "giftcard-market-2500",
    "giftcard-bookshop",
    "giftcard-bakery",
    "giftcard-pizza",
    "giftcard-ramen",
    "film-month",
    "film-quarter",
    "documentary-pass",
    "music-month",
    "concert-archive",
    "puzzle-game",
    "arcade-credits",
    "ebook-northern-walks",
    "ebook-bread",
    "audiobook-lighthouse",
    "course-photography",
    "course-japanese",
    "course-first-aid",
    "museum-day-ticket",
    "musee-annual-pass",
    "museum-family-ticket",
    "theatre-evening",
    "jazz-cellar",
    "thermal-bath",
    "massage-hour",
    "balloon-flight",
    "climbing-intro",
    "steam-train",
    "donate-trees",
    "donate-bees",
    "donate-moor",
    "donate-meal",
    "donate-school-kit",
    "donate-books",
];

/// The grounds of the pictures of one product: the thumbnail, then the gallery.
const GROUNDS: [&str; 6] = ["#f3ede4", "#e4eef3", "#e9f0e2", "#f3e6ea", "#ece8f5", "#f5f0d8"];

/// Where the drawing begins in each file.
const BEGIN: &str = "viewBox=\"0 0 400 400\">";

/// The picture with this file name: `{product}.svg`, or `{product}~{number}.svg` for one of its gallery.
pub fn picture(name: &str) -> Option<String> {
    let stem = name.strip_suffix(".svg")?;
    let (id, number) = stem.split_once('~').unwrap_or((stem, "0"));
    let place = PICTURES.iter().position(|(known, _)| *known == id)?;
    let number = number.parse().ok().filter(|number: &usize| *number < GROUNDS.len())?;
    let (_, svg) = PICTURES.get(place)?;
    let ground = GROUNDS.get((place + number) % GROUNDS.len())?;
    Some(svg.replacen(BEGIN, &format!("{BEGIN}<rect width=\"400\" height=\"400\" fill=\"{ground}\"/>"), 1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::goods;

    #[test]
    fn every_product_of_the_demo_has_its_picture() {
        let goods = goods::goods().unwrap();
        let drawn: Vec<_> = PICTURES.iter().map(|(id, _)| *id).collect();
        assert_eq!(goods.iter().map(|product| &*product.id).collect::<Vec<_>>(), drawn);
        for product in &goods {
            let svg = picture(&format!("{}.svg", product.id)).unwrap();
            assert!(svg.starts_with("<svg ") && svg.contains("<rect width=\"400\""), "{}", product.id);
            assert_ne!(picture(&format!("{}~1.svg", product.id)).unwrap(), svg);
        }
    }

    #[test]
    fn every_picture_that_the_demo_names_is_there() {
        let addresses = include_str!("products.jsonl").split("https://images.acme.example/").skip(1);
        let names: Vec<&str> = addresses.filter_map(|rest| rest.split('"').next()).collect();
        assert!(names.len() > PICTURES.len());
        for name in names {
            assert!(picture(name).is_some(), "{name}");
        }
    }

    #[test]
    fn nothing_else_is_a_picture() {
        for name in [
            "",
            ".svg",
            "cafe-mug",
            "cafe-mug.png",
            "cafe-mug~x.svg",
            "cafe-mug~9.svg",
            "cafe-mug~18446744073709551615.svg",
            "../goods.svg",
        ] {
            assert_eq!(picture(name), None, "{name}");
        }
    }
}
