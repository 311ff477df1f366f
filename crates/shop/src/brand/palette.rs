//! The colours that the pages of a shop make of the one colour of a tenant.
//!
//! The hue stays. The lightness moves, in OKLCH, until each pair has the contrast that WCAG 2.2 asks of texts.

use pointbook_domain::settings::Color;

/// The least contrast of a text to its ground.
const MIN_CONTRAST: f64 = 4.5;

/// What the accent stands on: frame, paper and tint of `tokens.css`, in light and dark, and what is raised in dark.
const LIGHT_GROUNDS: [Color; 3] = [color(0xff_ff_ff), color(0xf4_f5_f7), color(0xf6_f7_f9)];
const DARK_GROUNDS: [Color; 4] = [color(0x0c_0e_12), color(0x14_17_1c), color(0x1b_1f_26), color(0x1d_22_2a)];

const WHITE: Color = color(0xff_ff_ff);

/// How far the lightness moves at a time.
const STEP: f64 = 0.005;

/// A colour with less chroma has no hue that people see.
const GREY_CHROMA: f64 = 0.02;

/// How exactly the largest chroma that a screen shows is searched.
const CHROMA_HALVINGS: usize = 10;

const fn color(rgb: u32) -> Color {
    let [_, red, green, blue] = rgb.to_be_bytes();
    Color { red, green, blue }
}

/// A colour for light pages, and one for dark ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pair {
    pub light: Color,
    pub dark: Color,
}

/// Ten colours, by the names that they have in `tokens.css`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Palette {
    pub accent: Pair,
    pub on_accent: Pair,
    pub accent_tint: Pair,
    pub band: Pair,
    pub on_band: Pair,
}

impl Palette {
    pub fn of(brand: Color) -> Self {
        let brand_tone = Tone::of(brand);
        let toned = |lightness: f64, max_chroma: f64| Tone {
            lightness,
            chroma: brand_tone.chroma.min(max_chroma),
            ..brand_tone
        };
        let tint = Pair { light: toned(0.96, 0.02).color(), dark: toned(0.28, 0.07).color() };
        let ink = toned(0.2, 0.05).color();
        // A grey that only just can be read looks like a button that is disabled.
        let is_grey = brand_tone.chroma < GREY_CHROMA;
        let [deep, pale] = if is_grey { [0.22, 0.93] } else { [1.0, 0.7] };
        let light = Tone { lightness: brand_tone.lightness.min(deep), ..brand_tone }
            .moved(-STEP, |accent| accent.contrasts(&LIGHT_GROUNDS) && accent.contrasts(&[tint.light]));
        let dark = toned(brand_tone.lightness.max(pale), 0.14)
            .moved(STEP, |accent| accent.contrasts(&DARK_GROUNDS) && accent.contrasts(&[tint.dark, ink]));
        let on_band = if contrast(WHITE, brand) >= contrast(ink, brand) { WHITE } else { ink };
        let away = if on_band == WHITE { -STEP } else { STEP };
        let ground = brand_tone.moved(away, |ground| ground.contrasts(&[on_band]));
        Self {
            accent: Pair { light, dark },
            on_accent: Pair { light: WHITE, dark: ink },
            accent_tint: tint,
            band: Pair { light: ground, dark: tint.dark },
            on_band: Pair { light: on_band, dark: WHITE },
        }
    }

    /// The names of the custom properties, with their colours.
    pub fn properties(&self) -> [(&'static str, Pair); 5] {
        let Self { accent, on_accent, accent_tint, band, on_band } = *self;
        [
            ("accent", accent),
            ("on-accent", on_accent),
            ("accent-tint", accent_tint),
            ("band", band),
            ("on-band", on_band),
        ]
    }
}

trait Contrast {
    fn contrasts(self, grounds: &[Color]) -> bool;
}

impl Contrast for Color {
    fn contrasts(self, grounds: &[Color]) -> bool {
        grounds.iter().all(|ground| contrast(self, *ground) >= MIN_CONTRAST)
    }
}

/// The contrast of two colours in tenths, rounded down.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a contrast is from 1 to 21")]
pub fn contrast_tenths(one: Color, other: Color) -> u32 {
    (contrast(one, other) * 10.0).floor() as u32
}

/// The contrast of two colours as WCAG 2.2 defines it, from 1 to 21.
fn contrast(one: Color, other: Color) -> f64 {
    let (one, other) = (luminance(one), luminance(other));
    (one.max(other) + 0.05) / (one.min(other) + 0.05)
}

fn luminance(color: Color) -> f64 {
    let [red, green, blue] = linear(color);
    0.2126 * red + 0.7152 * green + 0.0722 * blue
}

fn linear(Color { red, green, blue }: Color) -> [f64; 3] {
    [red, green, blue].map(|channel| {
        let value = f64::from(channel) / 255.0;
        if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
    })
}

/// A colour in OKLCH, whose lightness is that which people see. <https://bottosson.github.io/posts/oklab/> has the numbers.
#[derive(Debug, Clone, Copy)]
struct Tone {
    lightness: f64,
    chroma: f64,
    /// In radians.
    hue: f64,
}

impl Tone {
    fn of(color: Color) -> Self {
        let [red, green, blue] = linear(color);
        let long = (0.412_221_470_8 * red + 0.536_332_536_3 * green + 0.051_445_992_9 * blue).cbrt();
        let middle = (0.211_903_498_2 * red + 0.680_699_545_1 * green + 0.107_396_956_6 * blue).cbrt();
        let short = (0.088_302_461_9 * red + 0.281_718_837_6 * green + 0.629_978_700_5 * blue).cbrt();
        let lightness = 0.210_454_255_3 * long + 0.793_617_785 * middle - 0.004_072_046_8 * short;
        let a = 1.977_998_495_1 * long - 2.428_592_205 * middle + 0.450_593_709_9 * short;
        let b = 0.025_904_037_1 * long + 0.782_771_766_2 * middle - 0.808_675_766 * short;
        Self { lightness, chroma: a.hypot(b), hue: b.atan2(a) }
    }

    /// The nearest colour that a screen shows: with less chroma where it shows none of this one.
    fn color(self) -> Color {
        let mut tone = self;
        if !self.is_shown() {
            let (mut shown, mut beyond) = (0.0, self.chroma);
            for _ in 0..CHROMA_HALVINGS {
                tone.chroma = f64::midpoint(shown, beyond);
                if tone.is_shown() { shown = tone.chroma } else { beyond = tone.chroma }
            }
            tone.chroma = shown;
        }
        let [red, green, blue] = tone.linear().map(channel);
        Color { red, green, blue }
    }

    /// The first colour that fits, in steps of lightness. Black or white at the end of the way.
    fn moved(self, step: f64, fits: impl Fn(Color) -> bool) -> Color {
        let mut tone = self;
        while !fits(tone.color()) && (0.0..=1.0).contains(&tone.lightness) {
            tone.lightness += step;
        }
        tone.color()
    }

    fn is_shown(self) -> bool {
        self.linear().iter().all(|value| (-0.001..=1.001).contains(value))
    }

    fn linear(self) -> [f64; 3] {
        let (a, b) = (self.chroma * self.hue.cos(), self.chroma * self.hue.sin());
        let long = (self.lightness + 0.396_337_777_4 * a + 0.215_803_757_3 * b).powi(3);
        let middle = (self.lightness - 0.105_561_345_8 * a - 0.063_854_172_8 * b).powi(3);
        let short = (self.lightness - 0.089_484_177_5 * a - 1.291_485_548 * b).powi(3);
        [
            4.076_741_662_1 * long - 3.307_711_591_3 * middle + 0.230_969_929_2 * short,
            -1.268_438_004_6 * long + 2.609_757_401_1 * middle - 0.341_319_396_5 * short,
            -0.004_196_086_3 * long - 0.703_418_614_7 * middle + 1.707_614_701 * short,
        ]
    }
}

/// A linear value as a byte of sRGB.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the cast saturates")]
fn channel(linear: f64) -> u8 {
    let value = linear.clamp(0.0, 1.0);
    let value = if value <= 0.003_130_8 { value * 12.92 } else { 1.055 * value.powf(1.0 / 2.4) - 0.055 };
    (value * 255.0).round() as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Colours from all over sRGB, with its corners.
    fn colors() -> impl Iterator<Item = Color> {
        let levels = || (0..=255_u8).step_by(17);
        levels().flat_map(move |red| {
            levels().flat_map(move |green| levels().map(move |blue| Color { red, green, blue }))
        })
    }

    #[test]
    fn every_colour_makes_texts_that_can_be_read() {
        for brand in colors() {
            let palette = Palette::of(brand);
            let Palette { accent, on_accent, accent_tint, band, on_band } = palette;
            let light = LIGHT_GROUNDS.into_iter().chain([accent_tint.light, on_accent.light]);
            let dark = DARK_GROUNDS.into_iter().chain([accent_tint.dark, on_accent.dark]);
            let texts =
                light.map(|ground| (accent.light, ground)).chain(dark.map(|ground| (accent.dark, ground)));
            for (text, ground) in texts.chain([(on_band.light, band.light), (on_band.dark, band.dark)]) {
                assert!(contrast(text, ground) >= MIN_CONTRAST, "{brand}: {text} on {ground}: {palette:?}");
            }
        }
    }

    #[test]
    fn a_colour_that_can_be_read_stays_as_it_is() {
        let brand = Color::parse("#7a2456").unwrap();
        let Palette { accent, band, on_band, .. } = Palette::of(brand);
        assert_eq!((accent.light, band.light, on_band.light), (brand, brand, WHITE));
        let yellow = Color::parse("#ffd400").unwrap();
        let Palette { accent, band, on_band, .. } = Palette::of(yellow);
        assert_eq!(band.light, yellow);
        assert!(on_band.light != WHITE && accent.light != yellow);
        for grey in [color(0), WHITE, color(0x80_80_80)] {
            let Palette { accent, .. } = Palette::of(grey);
            assert!(contrast(accent.light, WHITE) > 14.0 && contrast(accent.dark, color(0x14_17_1c)) > 14.0);
        }
    }

    #[test]
    fn a_tone_is_its_colour_again() {
        for brand in colors() {
            assert_eq!(Tone::of(brand).color(), brand);
        }
    }

    #[test]
    fn contrast_is_that_of_the_standard() {
        let black = color(0);
        assert!((contrast(black, WHITE) - 21.0).abs() < 1e-9);
        assert!((contrast(color(0x76_76_76), WHITE) - 4.54).abs() < 0.01);
    }
}
