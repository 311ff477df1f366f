//! The filters of the list of gifts, as the form of the page sends them.

use pointbook_app::{ProductListQuery, Snapshot};
use pointbook_domain::CategoryId;
use pointbook_page_kit::PageError;
use pointbook_query_string::QueryString;
use pointbook_requests::query::{ReadQuery, product_list};
use url::form_urlencoded;

/// The restrictions that a member may switch on, each with its text.
pub(super) const FLAGS: [(&str, &str); 3] = [
    ("filter[onSale]", "on-sale"),
    ("filter[newProducts]", "new-products"),
    ("filter[onlyPopular]", "popular"),
];

pub(super) const MAX_PRICE: &str = "filter[maxPrice]";
pub(super) const CATEGORY: &str = "filter[category]";

/// A number as members write it: without separators, and with digits as the interface has them.
fn digits(text: &str) -> String {
    let plain = |letter: char| match letter {
        '０'..='９' => char::from_u32(u32::from(letter) - u32::from('０') + u32::from('0')),
        ' ' | '.' | ',' | '\'' | '’' | '\u{a0}' | '\u{202f}' | '，' => None,
        other => Some(other),
    };
    text.chars().filter_map(plain).collect()
}

/// The fields of the form, as the address has them.
pub(super) struct Fields(Vec<(String, String)>);

impl Fields {
    pub(super) fn of(query: Option<&str>) -> Self {
        let pairs = form_urlencoded::parse(query.unwrap_or_default().as_bytes()).into_owned();
        let pairs =
            pairs.map(|(name, value)| if name == MAX_PRICE { (name, digits(&value)) } else { (name, value) });
        Self(pairs.filter(|(_, value)| !value.is_empty()).collect())
    }

    pub(super) fn get(&self, name: &str) -> &str {
        self.0.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str()).unwrap_or_default()
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
        (form_urlencoded::Serializer::new(String::new()).extend_pairs(left).finish(), known)
    }

    /// The query of the list.
    ///
    /// # Errors
    /// [`PageError::BadRequest`] for values that the interface refuses.
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
        for text in ["1000", "1,000", "1.000", "1 000", "１０００"] {
            assert_eq!(digits(text), "1000", "{text}");
        }
        assert_eq!(digits("many"), "many", "the interface refuses it");
    }
}
