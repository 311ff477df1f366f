//! The brand of a tenant, for the back office and its apps.

use pointbook_domain::TenantSettings;
use pointbook_http::describe::Schema;
use pointbook_http::view;
use serde_json::Value;

use super::{OWN_COLOR, Pair, Palette};

fn color_schema() -> Schema {
    Schema::text().describe("`#rrggbb`, in lower case.")
}

view! {
    /// A colour for light pages, and one for dark ones.
    #[derive(Debug)]
    pub struct ColorPairView as "ColorPair" {
        light: String => color_schema(),
        dark: String => color_schema(),
    }
}

view! {
    /// Colours that are made of the one of the tenant. Each text has a contrast of at least 4.5 to its ground.
    #[derive(Debug)]
    pub struct BrandColorsView as "BrandColors" {
        /// Buttons and links.
        accent: ColorPairView,
        /// Texts on `accent`.
        on_accent: ColorPairView,
        /// A quiet ground for texts in `accent`.
        accent_tint: ColorPairView,
        /// The band at the top of the shop.
        band: ColorPairView,
        /// Texts on `band`.
        on_band: ColorPairView,
    }
}

view! {
    #[derive(Debug)]
    pub struct BrandView as "Brand" {
        /// The colour that the tenant chose. `null` when it chose none.
        color: Option<String> => color_schema().or_null(),
        /// The URL of a square picture. `null` without a logo.
        logo: Option<String>,
        /// The line of welcome, by locale.
        welcome: Value => Schema::map(Schema::text(), Schema::text()),
        /// Those of pointbook, when the tenant chose no colour.
        colors: BrandColorsView,
    }
}

impl BrandView {
    pub(super) fn of(settings: &TenantSettings) -> Self {
        let TenantSettings { brand_color, logo, welcome, .. } = settings;
        let pair = |Pair { light, dark }| ColorPairView { light: light.to_string(), dark: dark.to_string() };
        let Palette { accent, on_accent, accent_tint, band, on_band } =
            Palette::of(brand_color.unwrap_or(OWN_COLOR));
        let colors = BrandColorsView {
            accent: pair(accent),
            on_accent: pair(on_accent),
            accent_tint: pair(accent_tint),
            band: pair(band),
            on_band: pair(on_band),
        };
        let lines = welcome.iter().map(|(locale, line)| (locale.to_string(), Value::from(line.as_str())));
        let color = brand_color.map(|color| color.to_string());
        Self { color, logo: logo.clone(), welcome: Value::Object(lines.collect()), colors }
    }
}
