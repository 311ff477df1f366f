//! The filters of the list of gifts, as the form of the page sends them.

use pointbook_catalogue::index::Snapshot;
use pointbook_catalogue::products::list_store::ProductListQuery;
use pointbook_catalogue::products::query::product_list;
use pointbook_domain::CategoryId;
use pointbook_http::pages::PageError;
use pointbook_http::query::ReadQuery;
use pointbook_http::query_string::QueryString;
use url::form_urlencoded;

use super::list_query;

/// The restrictions that a member may switch on, each with its text.
pub(super) const FLAGS: [(&str, &str); 3] = [
    ("filter[onSale]", "on-sale"),
    ("filter[newProducts]", "new-products"),
    ("filter[onlyPopular]", "popular"),
];

pub(super) const TITLE: &str = "filter[title]";
pub(super) const MAX_PRICE: &str = "filter[maxPrice]";
pub(super) const CATEGORY: &str = "filter[category]";

/// The query of the gifts that cost no more than this balance.
pub(super) fn affordable_to(balance: i64) -> String {
    Fields(Vec::new()).changed(MAX_PRICE, Some(&balance.max(0).to_string()))
}

/// Marks between thousands, in any of the shipped languages.
const SEPARATORS: [char; 8] = [' ', '.', ',', '\'', '’', '\u{a0}', '\u{202f}', '，'];

/// The digits of a whole number as members write it, perhaps with one kind of mark between thousands. `None` for other text: points have no
/// fractions, so `1,5` is not a number of points.
fn digits(text: &str) -> Option<String> {
    let plain = |letter: char| match letter {
        '０'..='９' => char::from_u32(u32::from(letter) - u32::from('０') + u32::from('0')),
        other => Some(other),
    };
    let text: String = text.trim().chars().filter_map(plain).collect();
    let separator = text.chars().find(|letter| SEPARATORS.contains(letter));
    let groups: Vec<&str> = match separator {
        Some(separator) => text.split(separator).collect(),
        None => vec![&text],
    };
    let (first, rest) = groups.split_first()?;
    let has_thousands = rest.is_empty() || first.len() <= 3 && rest.iter().all(|group| group.len() == 3);
    let is_number = has_thousands
        && groups.iter().all(|group| !group.is_empty() && group.bytes().all(|byte| byte.is_ascii_digit()));
    is_number.then(|| groups.concat())
}

/// The fields of the form, as they were typed.
pub(super) struct Fields(Vec<(String, String)>);

impl Fields {
    pub(super) fn of(query: Option<&str>) -> Self {
        let pairs = list_query::pairs(query).into_iter();
        Self(pairs.filter(|(_, value)| !value.trim().is_empty()).collect())
    }

    pub(super) fn get(&self, name: &str) -> &str {
        self.0.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str()).unwrap_or_default()
    }

    /// The highest price, when it is a number.
    pub(super) fn max_price(&self) -> Option<i64> {
        digits(self.get(MAX_PRICE))?.parse().ok()
    }

    /// The address of the first page with this value in place of what the filter has now. Without a value, the filter is left out.
    pub(super) fn changed(&self, name: &str, value: Option<&str>) -> String {
        let kept = self.0.iter().filter(|(known, _)| known != name && known != list_query::NUMBER);
        let mut query = form_urlencoded::Serializer::new(String::new());
        query.extend_pairs(kept).extend_pairs(value.map(|value| (name, value))).finish()
    }

    /// Whether the highest price is text that is no number of points. Then it restricts nothing, and the page says so.
    pub(super) fn has_bad_price(&self) -> bool {
        let mut prices = self.0.iter().filter(|(name, _)| name == MAX_PRICE);
        prices.any(|(_, value)| digits(value).is_none())
    }

    /// The address without fields that were left empty.
    pub(super) fn to_query(&self) -> String {
        form_urlencoded::Serializer::new(String::new()).extend_pairs(&self.0).finish()
    }

    /// The same for the reader of the interface, and the chosen category. The interface takes commas between ids, and the form sends one
    /// id, which may have commas itself. So a known id is not left to the reader.
    fn to_interface(&self, snapshot: &Snapshot) -> (String, Option<CategoryId>) {
        let chosen = self.get(CATEGORY);
        let known = CategoryId::new(chosen).ok().filter(|_| snapshot.children(chosen).is_some());
        let left = self.0.iter().filter(|(name, _)| known.is_none() || name != CATEGORY);
        let read = left.filter_map(|(name, value)| {
            let value = if name == MAX_PRICE { digits(value)? } else { value.clone() };
            Some((name, value))
        });
        (form_urlencoded::Serializer::new(String::new()).extend_pairs(read).finish(), known)
    }

    /// The query of the list.
    ///
    /// # Errors
    /// [`PageError::BadRequest`] for values that the interface refuses, and that no member can type.
    pub(super) fn read(&self, snapshot: &Snapshot) -> Result<ProductListQuery, PageError> {
        let (raw, category) = self.to_interface(snapshot);
        let query_string = QueryString::parse(Some(&raw)).map_err(|_| PageError::BadRequest)?;
        let mut query = query_string.read(product_list).map_err(|_| PageError::BadRequest)?;
        if let Some(id) = category {
            query.filter.categories = Some(vec![id]);
        }
        Ok(query)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_price_is_read_as_members_write_it() {
        for text in ["1000", "1,000", "1.000", "1 000", "１０００", "１，０００", " 1\u{202f}000 ", "1'000"]
        {
            assert_eq!(digits(text).as_deref(), Some("1000"), "{text}");
        }
        assert_eq!(digits("1.000.000").as_deref(), Some("1000000"));
        assert_eq!(digits("0").as_deref(), Some("0"));
    }

    #[test]
    fn a_text_that_is_no_number_of_points_is_no_price() {
        for text in [
            "many",
            "1,5",
            "1.50",
            "1,0000",
            "1000,000",
            "1.000,000",
            "1,,000",
            ",",
            ",100",
            "1,",
            "-5",
            "+5",
            "1e3",
            "٣",
        ] {
            assert_eq!(digits(text), None, "{text}");
        }
    }
}
