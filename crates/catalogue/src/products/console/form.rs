//! The form with all fields of a product.

use std::collections::BTreeSet;

use data_encoding::HEXLOWER;
use maud::{Markup, Render, html};
use pointbook_access::console_kit::Visit;
use pointbook_access::console_kit::components::mistakes;
use pointbook_domain::errors::FieldErrors;
use pointbook_domain::id::MAX_ID_CHARS;
use pointbook_domain::json::Json;
use pointbook_domain::product::MAX_BRAND_CHARS;
use pointbook_domain::zones::time_zone::Zone;
use pointbook_domain::zones::timestamp_text::parse_local;
use pointbook_domain::{CategoryTree, Product, Timestamp};
use pointbook_http::pages::{Form, FormLimits, percent};
use pointbook_store::limits::{MAX_GALLERY_URLS, MAX_TITLE_CHARS, MAX_URL_CHARS};
use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::categories::console::choice::{Finder, boxes};
use crate::products::managed::members_of;

/// The HTML id of the form. The buttons of pictures below the form belong to it.
pub(super) const EDITOR: &str = "editor";

/// What a button of the page of a product sends without a file. The longest description may have three bytes for each character,
/// and three times as many in a form.
pub(super) const TEXTS: FormLimits =
    FormLimits { bytes: 1024 * 1024, fields: 1_000, files: 0, too_large: FormLimits::TOO_LARGE };

/// The encoding of a button that sends a chosen file.
pub(super) const WITH_FILE: &str = "multipart/form-data";

/// What the form shows.
pub(super) struct Shown<'f> {
    pub(super) texts: &'f Texts,
    /// What is wrong, by the names of the interface.
    pub(super) errors: &'f FieldErrors,
    /// What another person saved in these fields meanwhile.
    pub(super) theirs: &'f [(Field, String)],
    pub(super) tree: &'f CategoryTree,
    /// The address that shows the form again with the categories that the search finds. `None` when the operator may not change products.
    pub(super) again: Option<&'f str>,
    pub(super) search: &'f str,
    /// The chosen ids that neither a category nor the stored product has.
    pub(super) unknown: &'f [&'f str],
    /// URLs of pictures of this server that are gone.
    pub(super) gone: &'f [&'f str],
}

impl Shown<'_> {
    /// The id of a new product.
    pub(super) fn id(&self, visit: &Visit<'_>, id: &str) -> Markup {
        self.labelled(
            visit,
            "product-id",
            "id",
            html! {
                input name="id" value=(id) maxlength=(MAX_ID_CHARS) required aria-describedby="about-id";
                span .hint-text #about-id { (visit.words.say("product-id-hint")) }
            },
        )
    }

    /// The stock of a new product.
    pub(super) fn stock(&self, visit: &Visit<'_>, stock: &str) -> Markup {
        self.labelled(visit, "product-set-stock", "stock", html! {
            input name="stock" value=(stock) inputmode="numeric" placeholder="∞" aria-describedby="about-stock";
            span .hint-text #about-stock { (visit.words.say("product-set-stock-hint")) }
        })
    }

    pub(super) fn fields<const N: usize>(&self, visit: &Visit<'_>, fields: [Field; N]) -> Markup {
        html! { @for field in fields { (self.field(visit, field)) } }
    }

    /// Whether something is to be said about one of these fields.
    pub(super) fn is_told<const N: usize>(&self, fields: [Field; N]) -> bool {
        let has_pictures = fields.contains(&Field::Gallery) && !self.gone.is_empty();
        has_pictures
            || fields.iter().any(|field| {
                let name = field.name();
                let is_wrong = self
                    .errors
                    .problems()
                    .any(|(key, ..)| key == name || key.starts_with(&format!("{name}.")));
                is_wrong || self.theirs.iter().any(|(theirs, _)| theirs == field)
            })
    }

    /// Now, later or never, and whether the product is a popular one.
    pub(super) fn visibility(&self, visit: &Visit<'_>) -> Markup {
        let (words, name) = (visit.words, Field::Active.name());
        let (is_active, is_later) = (!self.texts.get(Field::Active).is_empty(), self.texts.is_later(visit));
        let is_folded = !self.is_told([Field::PublishedAt]);
        let choices = [
            ("1", "product-is-active", is_active && !is_later),
            ("from", "product-is-planned", is_active && is_later),
            ("", "product-is-hidden", !is_active),
        ];
        html! {
            fieldset .choices data-name=(words.say("product-visibility")) {
                legend .unseen { (words.say("product-visibility")) }
                @for (value, text, is_set) in choices {
                    label .check { input type="radio" name=(name) value=(value) checked[is_set]; (words.say(text)) }
                }
                div .later[is_folded] { (self.field(visit, Field::PublishedAt)) }
                (self.saved_meanwhile(visit, Field::Active))
                (self.tick(visit, Field::Popular))
            }
        }
    }

    /// By how much the reduced price is below the regular one, in percent.
    fn reduction(&self, visit: &Visit<'_>) -> Option<String> {
        let price = |field| whole_digits(self.texts.get(field))?.parse::<i64>().ok();
        let (regular, sale) = (price(Field::RegularPrice)?, price(Field::SalePrice)?);
        let less = regular.checked_sub(sale)?.checked_mul(100)?.checked_div(regular)?;
        let text = || visit.words.with("product-less", "percent", percent(less * 10, visit.words));
        (less > 0).then(|| text().into_owned())
    }

    fn field(&self, visit: &Visit<'_>, field: Field) -> Markup {
        let (name, text) = (field.name(), self.texts.get(field));
        let input = match field {
            Field::Title | Field::Sku => {
                html! { input name=(name) value=(text) maxlength=(MAX_TITLE_CHARS) required; }
            }
            Field::Brand => html! { input name=(name) value=(text) maxlength=(MAX_BRAND_CHARS); },
            Field::RegularPrice | Field::SalePrice => html! {
                span .with-unit {
                    input name=(name) value=(text) inputmode="numeric" required[field == Field::RegularPrice];
                    span aria-hidden="true" { (visit.words.say("unit-points")) }
                }
            },
            Field::Description => return self.description(visit, text),
            Field::Thumbnail => {
                html! { input type="url" name=(name) value=(text) maxlength=(MAX_URL_CHARS); }
            }
            Field::Gallery => html! { textarea .short name=(name) rows="3" { "\n" (text) } },
            Field::PublishedAt => html! { input type="datetime-local" name=(name) value=(text); },
            Field::Categories => return self.categories(visit),
            Field::Popular | Field::Active => return self.tick(visit, field),
        };
        let reduction = (field == Field::SalePrice).then(|| self.reduction(visit)).flatten();
        let hint = reduction.or_else(|| hint(field).map(|hint| visit.words.say(hint).into_owned()));
        let input = html! {
            (input)
            @if let Some(hint) = hint { span .hint-text { (hint) } }
            (self.gone(visit, field))
            (self.saved_meanwhile(visit, field))
        };
        self.labelled(visit, field.label(), name, input)
    }

    fn labelled(&self, visit: &Visit<'_>, label: &str, name: &str, input: impl Render) -> Markup {
        html! { label .field { span { (visit.words.say(label)) } (input) (mistakes(visit, self.errors, name)) } }
    }

    /// HTML. The script puts a small editor in its place where it is simple.
    fn description(&self, visit: &Visit<'_>, html: &str) -> Markup {
        let (words, name) = (visit.words, Field::Description.name());
        let say = |text: &str| words.say(text).into_owned();
        self.labelled(visit, Field::Description.label(), name, html! {
            textarea name=(name) rows="12" data-rich=(say("rich-format")) data-bold=(say("rich-bold")) data-italic=(say("rich-italic"))
                data-list=(say("rich-list")) data-link=(say("rich-link")) data-address=(say("rich-address")) data-html=(say("rich-html")) { "\n" (html) }
            (self.saved_meanwhile(visit, Field::Description))
        })
    }

    fn tick(&self, visit: &Visit<'_>, field: Field) -> Markup {
        let is_set = !self.texts.get(field).is_empty();
        html! {
            label .check { input type="checkbox" name=(field.name()) value="1" checked[is_set]; (visit.words.say(field.label())) }
            (self.saved_meanwhile(visit, field))
        }
    }

    fn categories(&self, visit: &Visit<'_>) -> Markup {
        let (name, words) = (Field::Categories.name(), visit.words);
        let chosen: Vec<&str> = self.texts.get(Field::Categories).lines().collect();
        let finder =
            self.again.map(|address| Finder { search: self.search, address, encoding: Some(WITH_FILE) });
        html! {
            fieldset .field #categories data-name=(words.say("product-categories")) {
                legend .unseen { (words.say("product-categories")) }
                (boxes(visit, self.tree, (name, &chosen), finder.as_ref()))
                @for id in self.unknown { span .error role="alert" { (words.with("category-unknown-id", "id", *id)) } }
                (self.saved_meanwhile(visit, Field::Categories))
                (mistakes(visit, self.errors, name))
            }
        }
    }

    /// The pictures that the field names and that are gone.
    fn gone(&self, visit: &Visit<'_>, field: Field) -> Markup {
        let is_of_pictures = matches!(field, Field::Thumbnail | Field::Gallery);
        let mut named =
            self.texts.get(field).lines().filter(|url| is_of_pictures && self.gone.contains(url)).peekable();
        html! {
            @if named.peek().is_some() {
                span .error { (visit.words.say("product-picture-gone")) @for url in named { " " (url) } }
            }
        }
    }

    /// The value of another person, beside the one of this operator.
    fn saved_meanwhile(&self, visit: &Visit<'_>, field: Field) -> Markup {
        let words = visit.words;
        html! {
            @for (_, text) in self.theirs.iter().filter(|(other, _)| *other == field) {
                span .saved-meanwhile {
                    (words.say("product-saved-meanwhile")) " "
                    @match (field, text.is_empty()) {
                        (Field::Popular | Field::Active, true) => (words.say("product-off")),
                        (Field::Popular | Field::Active, false) => (words.say("product-on")),
                        (_, true) => (words.say("product-nothing")),
                        (_, false) => q { (text) },
                    }
                }
            }
        }
    }
}

fn hint(field: Field) -> Option<&'static str> {
    match field {
        Field::SalePrice => Some("product-sale-price-hint"),
        Field::Gallery => Some("product-gallery-hint"),
        Field::PublishedAt => Some("product-published-at-hint"),
        _ => None,
    }
}

/// Declares the fields that the form of a product changes, in the order of the form, each with its name in the interface and the id of
/// its label.
macro_rules! fields {
    ($($field:ident: $name:literal, $label:literal;)*) => {
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub(super) enum Field { $($field,)* }

        impl Field {
            pub(super) const ALL: [Self; [$($name),*].len()] = [$(Self::$field),*];

            /// The name in the interface.
            pub(super) fn name(self) -> &'static str {
                match self { $(Self::$field => $name,)* }
            }

            pub(super) fn label(self) -> &'static str {
                match self { $(Self::$field => $label,)* }
            }
        }
    };
}

// Stock has its own forms, because orders change it.
fields! {
    Title: "title", "product-title";
    Sku: "sku", "product-sku";
    Brand: "brand", "product-brand";
    RegularPrice: "regular_price", "product-regular-price";
    SalePrice: "sale_price", "product-sale-price";
    Description: "description", "product-description";
    Thumbnail: "thumbnail", "product-thumbnail";
    Gallery: "gallery", "product-gallery";
    Categories: "categories", "product-categories";
    PublishedAt: "published_at", "product-published-at";
    Popular: "popular", "product-is-popular";
    Active: "active", "product-is-active";
}

impl Field {
    fn place(self) -> usize {
        Self::ALL.iter().position(|known| *known == self).unwrap_or_default()
    }

    /// What a browser sends for a text that the operator did not touch is the same text.
    fn normal(self, text: &str) -> String {
        let text = text.replace("\r\n", "\n");
        match self {
            Self::Title | Self::Sku | Self::Brand | Self::Thumbnail => text.replace(['\r', '\n'], ""),
            Self::Description => text.trim().to_owned(),
            Self::RegularPrice | Self::SalePrice => whole_digits(&text).unwrap_or(text),
            Self::Gallery => lines(&text).collect::<Vec<_>>().join("\n"),
            Self::Categories => {
                lines(&text).collect::<BTreeSet<_>>().into_iter().collect::<Vec<_>>().join("\n")
            }
            Self::Popular | Self::Active => {
                if text.is_empty() {
                    text
                } else {
                    "1".to_owned()
                }
            }
            Self::PublishedAt => text,
        }
    }
}

fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.lines().map(str::trim).filter(|line| !line.is_empty())
}

/// A value of each field, as text. Lists have one item per line, and a box that is ticked has `1`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Texts([String; Field::ALL.len()]);

impl Texts {
    fn of(text: impl Fn(Field) -> String) -> Self {
        Self(Field::ALL.map(|field| field.normal(&text(field))))
    }

    /// Those of a new product: customers see it.
    pub(super) fn of_new() -> Self {
        Self::of(|field| if field == Field::Active { "1".to_owned() } else { String::new() })
    }

    /// Those that a browser sent. Members see a product now, unless the form says from which day on.
    pub(super) fn of_form(visit: &Visit<'_>, form: &Form) -> Self {
        let texts = Self::of(|field| form.all(field.name()).collect::<Vec<_>>().join("\n"));
        let is_now = form.optional(Field::Active.name()) == Some("1") && texts.is_later(visit);
        if is_now {
            texts.with(Field::PublishedAt, &local_text(visit.now, &visit.served.zone()))
        } else {
            texts
        }
    }

    /// Whether the day from which on members see the product is still to come.
    pub(super) fn is_later(&self, visit: &Visit<'_>) -> bool {
        parse_local(self.get(Field::PublishedAt), &visit.served.zone()).is_some_and(|at| at > visit.now)
    }

    pub(super) fn of_product(product: &Product, zone: &Zone) -> Self {
        let members = members_of(product);
        Self::of(|field| match field {
            Field::PublishedAt => local_text(product.published_at, zone),
            _ => members.get(field.name()).map_or_else(String::new, text_of),
        })
    }

    pub(super) fn get(&self, field: Field) -> &str {
        self.0.get(field.place()).map_or("", String::as_str)
    }

    /// These texts with another one of a field.
    pub(super) fn with(&self, field: Field, text: &str) -> Self {
        Self::of(|known| if known == field { text.to_owned() } else { self.get(known).to_owned() })
    }

    /// The text of each field from one of two.
    pub(super) fn chosen(mine: &Self, theirs: &Self, is_mine: impl Fn(Field) -> bool) -> Self {
        Self(Field::ALL.map(|field| if is_mine(field) { mine } else { theirs }.get(field).to_owned()))
    }

    /// The fields as a body of the interface has them. A text that is no value of its field stays one, and the reader refuses it.
    pub(super) fn to_members(&self, zone: &Zone) -> Vec<(String, Json)> {
        self.members(Field::ALL, zone)
    }

    /// The fields with another text than there.
    pub(super) fn changed_members(&self, before: &Self, zone: &Zone) -> Vec<(String, Json)> {
        let is_changed = |field: &Field| self.get(*field) != before.get(*field);
        self.members(Field::ALL.into_iter().filter(is_changed), zone)
    }

    fn members(&self, fields: impl IntoIterator<Item = Field>, zone: &Zone) -> Vec<(String, Json)> {
        // Without a time, a product keeps its time.
        let is_set =
            |field: &Field| *field != Field::PublishedAt || !self.get(Field::PublishedAt).trim().is_empty();
        let member = |field: Field| (field.name().to_owned(), self.to_json(field, zone));
        fields.into_iter().filter(is_set).map(member).collect()
    }

    fn to_json(&self, field: Field, zone: &Zone) -> Json {
        let text = self.get(field);
        match field {
            Field::Brand | Field::RegularPrice | Field::SalePrice if text.trim().is_empty() => Json::Null,
            Field::RegularPrice | Field::SalePrice => whole(text),
            Field::PublishedAt => {
                Json::Text(parse_local(text, zone).map_or_else(|| text.to_owned(), |at| at.to_string()))
            }
            Field::Gallery | Field::Categories => {
                // One more than allowed is a mistake already.
                let lines = text.lines().take(MAX_GALLERY_URLS + 1);
                Json::List(lines.map(|line| Json::Text(line.to_owned())).collect())
            }
            Field::Popular | Field::Active => Json::Bool(!text.is_empty()),
            Field::Title | Field::Sku | Field::Brand | Field::Description | Field::Thumbnail => {
                Json::Text(text.to_owned())
            }
        }
    }
}

/// The value of a member as a form has it.
fn text_of(value: &Value) -> String {
    match value {
        Value::Null | Value::Bool(false) => String::new(),
        Value::Bool(true) => "1".to_owned(),
        Value::String(text) => text.clone(),
        Value::Array(items) => items.iter().map(text_of).collect::<Vec<_>>().join("\n"),
        Value::Number(_) | Value::Object(_) => value.to_string(),
    }
}

/// A whole number of a form. The reader refuses any other text.
pub(super) fn whole(text: &str) -> Json {
    let text = text.trim();
    let (sign, digits) = match text.strip_prefix(['-', '−']) {
        Some(digits) => (-1, digits),
        None => (1, text.strip_prefix('+').unwrap_or(text)),
    };
    // A number with more digits is beyond each bound.
    let number = whole_digits(digits).map(|digits| digits.parse().unwrap_or(i64::MAX));
    number.map_or_else(|| Json::Text(text.to_owned()), |number| Json::Integer(sign * number))
}

/// The local date and minute, as a field of a form has it.
fn local_text(at: Timestamp, zone: &Zone) -> String {
    let local = zone.local_time(at);
    format!("{}T{:02}:{:02}", local.day, local.minute_of_day / 60, local.minute_of_day % 60)
}

/// What the fields of a product were when the form was made: a fingerprint of each. It tells which fields the operator changed, and which
/// ones another person changed meanwhile.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Fingerprints(String);

/// The bytes of a fingerprint. Its hexadecimal digits are twice as many.
const BYTES: usize = 8;

impl Fingerprints {
    pub(super) fn of(texts: &Texts) -> Self {
        Self(Field::ALL.iter().map(|field| fingerprint(texts.get(*field))).collect())
    }

    /// `None` when no page of this server made the text.
    pub(super) fn read(text: &str) -> Option<Self> {
        let is_right =
            text.len() == Field::ALL.len() * 2 * BYTES && text.bytes().all(|b| b.is_ascii_hexdigit());
        is_right.then(|| Self(text.to_owned()))
    }

    pub(super) fn as_str(&self) -> &str {
        &self.0
    }

    /// The same, with the field as it is in these texts.
    pub(super) fn with(&self, field: Field, texts: &Texts) -> Self {
        let print = |known: Field| {
            let own = self.0.get(known.place() * 2 * BYTES..(known.place() + 1) * 2 * BYTES);
            if known == field { fingerprint(texts.get(field)) } else { own.unwrap_or_default().to_owned() }
        };
        Self(Field::ALL.into_iter().map(print).collect())
    }

    /// Whether the field has another text by now.
    pub(super) fn is_changed(&self, field: Field, texts: &Texts) -> bool {
        let place = field.place();
        let seen = self.0.get(place * 2 * BYTES..(place + 1) * 2 * BYTES);
        seen != Some(&*fingerprint(texts.get(field)))
    }
}

fn fingerprint(text: &str) -> String {
    let hash: [u8; 32] = Sha256::digest(text).into();
    HEXLOWER.encode(hash.get(..BYTES).unwrap_or_default())
}

/// Whether a character may stand between groups of three digits.
fn is_separator(character: char) -> bool {
    matches!(character, ' ' | '.' | ',' | '\'' | '’' | '\u{a0}' | '\u{202f}' | '，')
}

/// The number without separators, with ASCII digits. `None` for any other text, such as `1.5`.
pub(super) fn whole_digits(text: &str) -> Option<String> {
    let groups: Vec<String> =
        text.trim().split(is_separator).map(|group| group.chars().map(ascii_digit).collect()).collect();
    let is_right = |(place, group): (usize, &String)| {
        let length = if place > 0 { group.len() == 3 } else { groups.len() == 1 || group.len() <= 3 };
        length && !group.is_empty() && group.bytes().all(|byte| byte.is_ascii_digit())
    };
    groups.iter().enumerate().all(is_right).then(|| groups.concat())
}

fn ascii_digit(character: char) -> char {
    match character {
        '０'..='９' => char::from_u32(u32::from(character) - u32::from('０') + u32::from('0')),
        _ => None,
    }
    .unwrap_or(character)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(title: &str) -> Texts {
        Texts::of(|field| if field == Field::Title { title.to_owned() } else { String::new() })
    }

    #[test]
    fn each_field_is_a_member_of_a_product() {
        let product = Product::blank(pointbook_domain::ProductId::new("p").unwrap(), Timestamp::MIN);
        let members = members_of(&product);
        assert!(Field::ALL.iter().all(|field| members.contains_key(field.name())), "{members:?}");
    }

    #[test]
    fn a_field_is_changed_when_its_text_is_another_one() {
        let seen = Fingerprints::read(Fingerprints::of(&texts("Mug")).as_str()).unwrap();
        for field in Field::ALL {
            assert!(!seen.is_changed(field, &texts("Mug")));
            assert_eq!(seen.is_changed(field, &texts("Cup")), field == Field::Title);
        }
        assert_eq!(Fingerprints::read(""), None);
        assert_eq!(Fingerprints::read(&"x".repeat(seen.as_str().len())), None);
    }

    #[test]
    fn line_ends_and_separators_are_no_change() {
        for (field, typed, stored) in [
            (Field::Description, "<p>a</p>\r\n<p>b</p>\r\n", "\n<p>a</p>\n<p>b</p>"),
            (
                Field::Gallery,
                " https://a.example \r\n\r\nhttps://b.example",
                "https://a.example\nhttps://b.example",
            ),
            (Field::Categories, "b\r\na\r\nb", "a\nb"),
            (Field::RegularPrice, "1,250", "1250"),
            (Field::Title, "A\r\nmug ", "Amug "),
        ] {
            assert_eq!(field.normal(typed), field.normal(stored), "{typed}");
        }
    }

    #[test]
    fn a_number_has_a_sign_and_no_fraction() {
        assert_eq!(
            (whole("-5"), whole(" +1,250 "), whole("−3")),
            (Json::Integer(-5), Json::Integer(1250), Json::Integer(-3))
        );
        assert_eq!(whole("99999999999999999999"), Json::Integer(i64::MAX));
        for bad in ["", "1.5", "five", "--5"] {
            assert_eq!(whole(bad), Json::Text(bad.to_owned()), "{bad}");
        }
    }

    #[test]
    fn groups_of_three_digits_are_one_number() {
        for text in ["1250", "1,250", "1.250", "1 250", " 1’250 ", "１２５０", "1\u{a0}250"] {
            assert_eq!(whole_digits(text).as_deref(), Some("1250"), "{text}");
        }
        assert_eq!(whole_digits("12.345.678").as_deref(), Some("12345678"));
        for bad in ["", "1.5", "1,25", "1250,0", "12500.000", "-5", "+5", "1e3", "five", "1,,250", ",250"] {
            assert_eq!(whole_digits(bad), None, "{bad}");
        }
    }
}
