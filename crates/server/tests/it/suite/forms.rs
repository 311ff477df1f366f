//! The forms of pages, as a browser reads and sends them.

use crate::client::Call;

/// The names and values of the fields of the form with this action, in the order of the page. The action may be that of a button. Boxes
/// that are not checked send nothing, and a list sends its selected option, or the first one.
pub(crate) fn fields(page: &str, action: &str) -> Vec<(String, String)> {
    elements(page, action).into_iter().filter_map(|element| field(page, element)).collect()
}

/// The elements of the form, and those elsewhere that name it. Each is a tag without its `<`, and the text after it.
fn elements<'p>(page: &'p str, action: &str) -> Vec<&'p str> {
    let own = format!(" action=\"{action}\"");
    let (before, _) = page.split_once(&own).unwrap_or_else(|| of_button(page, action));
    let begin = before.rfind('<').unwrap();
    let end = begin + page[begin..].find("</form>").unwrap();
    let id = attribute(page[begin..].split('>').next().unwrap(), "id");
    let mut at = 0;
    let mut found = Vec::new();
    for element in page.split('<') {
        let named = attribute(element.split('>').next().unwrap(), "form");
        if if named.is_some() { named == id } else { (begin..end).contains(&at) } {
            found.push(element);
        }
        at += element.len() + 1;
    }
    found
}

/// Splits the page in the tag of the form of a button with this action.
fn of_button<'p>(page: &'p str, action: &str) -> (&'p str, &'p str) {
    let (before, _) = page
        .split_once(&format!(" formaction=\"{action}\""))
        .unwrap_or_else(|| panic!("no {action}: {page}"));
    let named = attribute(before.rsplit('<').next().unwrap(), "form");
    let id_of = |at: usize| attribute(page[at..].split('>').next().unwrap(), "id");
    let begin = match named {
        Some(_) => page.match_indices("<form ").map(|(at, _)| at).find(|at| id_of(*at) == named),
        None => before.rfind("<form "),
    };
    page.split_at(begin.unwrap() + 1)
}

/// `element` is a tag without its `<`, and the text after it, in the form.
fn field(form: &str, element: &str) -> Option<(String, String)> {
    let (tag, text) = element.split_once('>')?;
    let name = attribute(tag, "name")?;
    if tag.starts_with("textarea") {
        return Some((name, unescape(text)));
    }
    if tag.starts_with("select") {
        let rest = &form[element.as_ptr() as usize - form.as_ptr() as usize..];
        let options: Vec<&str> = rest.split("</select>").next()?.split("<option").skip(1).collect();
        let chosen = options.iter().find(|option| is_set(option, "selected")).or(options.first())?;
        return Some((name, attribute(chosen, "value").unwrap_or_default()));
    }
    let kind = attribute(tag, "type").unwrap_or_default();
    let is_box = ["checkbox", "radio"].contains(&&*kind);
    let is_sent = tag.starts_with("input") && kind != "submit" && (!is_box || is_set(tag, "checked"));
    is_sent.then(|| (name, attribute(tag, "value").unwrap_or_default()))
}

/// A file of a form: the name of its field, its own name, and its bytes.
pub(crate) type FormFile<'f> = (&'f str, &'f str, &'f [u8]);

/// A form with these fields and one file, as a browser sends it.
pub(crate) fn multipart(
    call: Call,
    fields: &[(impl AsRef<str>, impl AsRef<str>)],
    file: Option<FormFile<'_>>,
) -> Call {
    let mut body = Vec::new();
    let mut part = |head: String, content: &[u8]| {
        let head = format!("--edge\r\nContent-Disposition: form-data; {head}\r\n\r\n");
        body.extend([head.as_bytes(), content, b"\r\n"].concat());
    };
    for (name, value) in fields {
        part(format!("name=\"{}\"", name.as_ref()), value.as_ref().as_bytes());
    }
    if let Some((field, name, bytes)) = file {
        let name = name.replace('"', "%22");
        let kind = "Content-Type: application/octet-stream";
        part(format!("name=\"{field}\"; filename=\"{name}\"\r\n{kind}"), bytes);
    }
    body.extend(b"--edge--\r\n");
    call.body(body).header("content-type", "multipart/form-data; boundary=edge")
}

/// Fields whose values are secrets or depend on the order of the requests of a test.
const CHANGING: [&str; 3] = ["form", "once", "link"];

/// A line for each element, and no value that changes.
pub(crate) fn normalised(page: &str) -> String {
    let mut lines = page.replace("><", ">\n<");
    for field in CHANGING {
        let begin = format!("name=\"{field}\" value=\"");
        let mut parts = lines.split(&*begin).map(str::to_owned).collect::<Vec<_>>();
        for part in parts.iter_mut().skip(1) {
            let (_, rest) = part.split_once('"').unwrap();
            *part = format!("…\"{rest}");
        }
        lines = parts.join(&begin);
    }
    lines
}

/// A field that a person fills in.
pub(crate) struct Control {
    pub(crate) name: String,
    pub(crate) kind: String,
    pub(crate) value: String,
    pub(crate) is_required: bool,
    /// Whether the browser offers values in place of free text.
    pub(crate) is_choice: bool,
}

/// The fields that a person fills in, of the form with this action.
pub(crate) fn controls(page: &str, action: &str) -> Vec<Control> {
    let control = |element: &str| {
        let (tag, text) = element.split_once('>')?;
        let (name, kind) = (attribute(tag, "name")?, attribute(tag, "type").unwrap_or_default());
        let is_area = tag.starts_with("textarea");
        let value = if is_area { unescape(text) } else { attribute(tag, "value").unwrap_or_default() };
        let is_choice = tag.starts_with("select") || ["checkbox", "radio"].contains(&&*kind);
        let is_required = is_set(tag, "required");
        (kind != "hidden" && kind != "submit" && !tag.starts_with("button")).then_some(Control {
            name,
            kind,
            value,
            is_required,
            is_choice,
        })
    };
    elements(page, action).into_iter().filter_map(control).collect()
}

fn attribute(tag: &str, name: &str) -> Option<String> {
    let (_, rest) = tag.split_once(&format!(" {name}=\""))?;
    Some(unescape(rest.split_once('"')?.0))
}

fn is_set(tag: &str, name: &str) -> bool {
    tag.split('>').next().is_some_and(|tag| tag.split(' ').any(|word| word == name))
}

fn unescape(text: &str) -> String {
    let pairs = [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&amp;", "&")];
    pairs.into_iter().fold(text.to_owned(), |text, (from, to)| text.replace(from, to))
}

#[test]
fn fields_are_those_that_a_browser_sends() {
    let page = concat!(
        "<form action=\"/a\"><input name=\"x\" value=\"1 &amp; 2\"><input type=\"checkbox\" name=\"y\" value=\"1\">",
        "<input type=\"checkbox\" name=\"z\" value=\"2\" checked><textarea name=\"t\">&lt;b&gt;</textarea>",
        "<select name=\"s\"><option value=\"1\">a</option><option value=\"2\" selected>b</option></select>",
        "<select name=\"f\"><option value=\"3\">c</option></select><button>Go</button></form>",
    );
    let expected = [("x", "1 & 2"), ("z", "2"), ("t", "<b>"), ("s", "2"), ("f", "3")];
    assert_eq!(fields(page, "/a"), expected.map(|(name, value)| (name.to_owned(), value.to_owned())));
}

#[test]
fn fields_elsewhere_are_those_of_the_form_that_they_name() {
    let page = concat!(
        "<form action=\"/other\"><input name=\"o\" value=\"0\"></form><form class=\"c\" id=\"e\" action=\"/a\">",
        "<input name=\"x\" value=\"1\"><input form=\"f\" name=\"y\" value=\"2\"></form>",
        "<input form=\"e\" name=\"z\" value=\"3\"><input name=\"n\" value=\"4\">",
        "<button form=\"e\" formaction=\"/b\">Go</button>",
    );
    for action in ["/a", "/b"] {
        let expected = [("x", "1"), ("z", "3")].map(|(name, value)| (name.to_owned(), value.to_owned()));
        assert_eq!(fields(page, action), expected);
    }
}
