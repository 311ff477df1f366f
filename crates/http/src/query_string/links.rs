//! The URLs of the pages of a list.

use pointbook_domain::digits::push_number;

use super::QueryString;
use super::members::Value;
use super::percent::encode_into;

/// Writes the URL of any page of one list. It encodes the shared query once: every parameter except `page[number]` in order of
/// first appearance, without empty ones, and `page[number]` last.
///
/// Everything it writes is safe inside a JSON string: base URLs, routes and encoded text have no quotes, backslashes or control
/// characters.
#[derive(Debug)]
pub struct PageLinks {
    shared: Vec<u8>,
    path_length: usize,
}

/// Capacity for the query of most URLs, in bytes: all filters of the list of products at once.
const QUERY_BYTES: usize = 384;

const NAME_BYTES: usize = 32;

impl PageLinks {
    pub fn new(base_url: &str, route: &str, query: &QueryString<'_>) -> Self {
        let path_length = base_url.len() + route.len();
        let mut shared = Vec::with_capacity(path_length + QUERY_BYTES);
        shared.extend_from_slice(base_url.as_bytes());
        shared.extend_from_slice(route.as_bytes());
        shared.push(b'?');
        let mut encoded = Vec::with_capacity(NAME_BYTES);
        for (name, value) in query.parameters.iter() {
            encoded.clear();
            encode_into(name, &mut encoded);
            match value {
                Value::Members(members) if name == b"page" => {
                    let others = members.iter().filter(|(name, _)| *name != b"number");
                    write_members(others, &mut encoded, &mut shared);
                }
                _ => write_value(value, &mut encoded, &mut shared),
            }
        }
        shared.extend_from_slice(b"page%5Bnumber%5D=");
        Self { shared, path_length }
    }

    pub fn path(&self) -> &[u8] {
        self.shared.get(..self.path_length).unwrap_or_default()
    }

    pub fn shared(&self) -> &[u8] {
        &self.shared
    }

    pub fn write(&self, page: u64, into: &mut Vec<u8>) {
        into.extend_from_slice(&self.shared);
        push_number(page, into);
    }

    /// The approximate length of one URL, in bytes.
    pub fn length(&self) -> usize {
        self.shared.len() + "2147483647".len()
    }
}

/// Appends `name=value&` for a scalar, and for each member of any other value.
fn write_value(value: &Value<'_>, name: &mut Vec<u8>, into: &mut Vec<u8>) {
    match value {
        Value::Text(text) => write_scalar(text.as_bytes(), name, into),
        Value::Bytes(bytes) => write_scalar(bytes, name, into),
        Value::Members(members) => write_members(members.iter(), name, into),
    }
}

fn write_scalar(value: &[u8], name: &[u8], into: &mut Vec<u8>) {
    into.extend_from_slice(name);
    into.push(b'=');
    encode_into(value, into);
    into.push(b'&');
}

fn write_members<'v>(
    members: impl Iterator<Item = (&'v [u8], &'v Value<'v>)>,
    name: &mut Vec<u8>,
    into: &mut Vec<u8>,
) {
    let outer = name.len();
    for (member, value) in members {
        name.extend_from_slice(b"%5B");
        encode_into(member, name);
        name.extend_from_slice(b"%5D");
        write_value(value, name, into);
        name.truncate(outer);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page_7(raw: &str) -> String {
        let query = QueryString::parse(Some(raw)).unwrap();
        let links = PageLinks::new("https://acme.example/api", "/v1/store/products", &query);
        assert_eq!(links.path(), b"https://acme.example/api/v1/store/products");
        let mut link = Vec::new();
        links.write(7, &mut link);
        let link = String::from_utf8(link).unwrap();
        link.strip_prefix("https://acme.example/api/v1/store/products?").unwrap().to_owned()
    }

    #[test]
    fn the_page_number_comes_last() {
        assert_eq!(page_7(""), "page%5Bnumber%5D=7");
        assert_eq!(
            page_7("page[number]=2&sort=-price&page[size]=500&filter[title]=a"),
            "page%5Bsize%5D=500&sort=-price&filter%5Btitle%5D=a&page%5Bnumber%5D=7"
        );
    }

    #[test]
    fn other_parameters_keep_their_first_place_and_their_last_value() {
        assert_eq!(page_7("b=1&a=2&b=3&c="), "b=3&a=2&page%5Bnumber%5D=7");
        assert_eq!(page_7("a=1&a="), "page%5Bnumber%5D=7");
        assert_eq!(page_7("number=5"), "number=5&page%5Bnumber%5D=7");
    }

    #[test]
    fn names_and_values_are_encoded_anew() {
        assert_eq!(
            page_7("filter[title]=caf\u{e9}+,%2f%26%3D\"\\&x%5By%20z%5D=~"),
            "filter%5Btitle%5D=caf%C3%A9%20%2C%2F%26%3D%22%5C&x%5By%20z%5D=~&page%5Bnumber%5D=7"
        );
        assert_eq!(page_7("%FF=%FE"), "%FF=%FE&page%5Bnumber%5D=7");
    }

    #[test]
    fn a_list_says_its_places() {
        assert_eq!(
            page_7("filter[title][]=a&filter[title][]=&filter[title][]=b"),
            "filter%5Btitle%5D%5B0%5D=a&filter%5Btitle%5D%5B2%5D=b&page%5Bnumber%5D=7"
        );
    }
}
