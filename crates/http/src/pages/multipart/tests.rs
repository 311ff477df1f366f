use http::HeaderValue;

use super::*;

const LIMITS: FormLimits = FormLimits { bytes: 1024, fields: 2, files: 1, too_large: FormLimits::TOO_LARGE };

fn read(body: &str) -> Option<Parts> {
    parse(&Bytes::copy_from_slice(body.as_bytes()), "x", LIMITS)
}

fn part(disposition: &str, content: &str) -> String {
    format!("--x\r\nContent-Disposition: form-data; {disposition}\r\n\r\n{content}\r\n")
}

fn body(parts: &[(&str, &str)]) -> String {
    let parts: String = parts.iter().map(|(disposition, content)| part(disposition, content)).collect();
    format!("{parts}--x--\r\n")
}

fn file(name: &str, bytes: &'static [u8]) -> (String, FormFile) {
    ("picture".to_owned(), FormFile { name: name.to_owned(), bytes: Bytes::from_static(bytes) })
}

#[test]
fn fields_and_files_are_read_in_their_order() {
    let sent =
        body(&[("name=\"form\"", "token"), ("name=\"picture\"; filename=\"a.png\"", "\u{1}\r\n--y\r\n")]);
    let parts = read(&sent).unwrap();
    assert_eq!(parts.fields, [("form".to_owned(), "token".to_owned())]);
    assert_eq!(parts.files, [file("a.png", b"\x01\r\n--y\r\n")]);
    let typed = sent.replace("\"a.png\"\r\n", "\"a.png\"\r\ncontent-type: image/png\r\n");
    assert_eq!(read(&typed).unwrap(), parts, "the claimed type means nothing");
    assert_eq!(read(sent.trim_end()).unwrap(), parts, "the last line needs no end");
}

#[test]
fn bytes_that_are_no_text_are_a_file_and_no_field() {
    let sent = |name: &str| {
        let mut sent =
            format!("--x\r\nContent-Disposition: form-data; name=\"a\"{name}\r\n\r\n").into_bytes();
        sent.extend_from_slice(b"\xff\x00\r\n--x--");
        parse(&sent.into(), "x", LIMITS)
    };
    assert_eq!(&*sent("; filename=\"f\"").unwrap().files[0].1.bytes, b"\xff\x00");
    assert_eq!(sent(""), None);
}

#[test]
fn a_field_without_a_chosen_file_is_left_out() {
    let none = read(&body(&[("name=\"picture\"; filename=\"\"", "")])).unwrap();
    assert_eq!(none, Parts::default());
    let empty = read(&body(&[("name=\"picture\"; filename=\"a\"", "")])).unwrap();
    assert_eq!(empty.files, [file("a", b"")]);
}

#[test]
fn names_keep_what_browsers_escape() {
    let hostile = "name=\"picture\"; filename=\"../<b>%22%0D%0A%20ü.png\"";
    assert_eq!(read(&body(&[(hostile, "1")])).unwrap().files, [file("../<b>\"\r\n%20ü.png", b"1")]);
}

#[test]
fn a_form_has_no_more_parts_than_its_limits() {
    let field = ("name=\"a\"", "1");
    assert!(read(&body(&[field; 2])).is_some());
    assert_eq!(read(&body(&[field; 3])), None);
    assert_eq!(read(&body(&[("name=\"a\"; filename=\"f\"", "1"); 2])), None);
}

#[test]
fn a_truncated_form_is_refused_wherever_it_ends() {
    let whole = body(&[("name=\"a\"", "1"), ("name=\"b\"; filename=\"f\"", "2")]);
    let ends = [whole.len() - 2, whole.len()];
    for end in 0..=whole.len() {
        assert_eq!(read(&whole[..end]).is_some(), ends.contains(&end), "{:?}", &whole[..end]);
    }
}

#[test]
fn malformed_forms_are_refused() {
    let disposition = "Content-Disposition: form-data; name=\"a\"";
    for head in [
        "",
        "X: y",
        "Content-Disposition form-data; name=\"a\"",
        "Content-Disposition: attachment; name=\"a\"",
        "Content-Disposition: form-data",
        "Content-Disposition: form-data; filename=\"a\"",
        "Content-Disposition: form-data; name=a",
        "Content-Disposition: form-data; name=\"a\"; name=\"b\"",
        "Content-Disposition: form-data; name=\"a\"; filename*=\"b\"",
        "Content-Disposition: form-data; name=\"a\" junk",
        &format!("{disposition}\r\n{disposition}"),
        &format!("{disposition}\r\nX: {}", "y".repeat(MAX_HEAD_BYTES)),
    ] {
        assert_eq!(read(&format!("--x\r\n{head}\r\n\r\n1\r\n--x--\r\n")), None, "{head}");
    }
    let good = body(&[("name=\"a\"", "1")]);
    for sent in [format!("preamble\r\n{good}"), format!("{good}epilogue"), good.replace("\r\n", "\n")] {
        assert_eq!(read(&sent), None, "{sent}");
    }
}

#[test]
fn boundaries_are_those_of_the_standard() {
    let of = |value: &str| {
        let headers = HeaderMap::from_iter([(CONTENT_TYPE, HeaderValue::from_str(value).unwrap())]);
        boundary(&headers).map(str::to_owned)
    };
    let is = |text: &str| Some(text.to_owned());
    assert_eq!(of("multipart/form-data; boundary=----WebKitFormBoundary7"), is("----WebKitFormBoundary7"));
    assert_eq!(of("Multipart/Form-Data; charset=utf-8; Boundary=\"a:b\""), is("a:b"));
    assert_eq!(of(&format!("multipart/form-data; boundary={}", "a".repeat(70))), is(&"a".repeat(70)));
    for bad in
        ["", "; boundary=", "; boundary=a b", "; boundary=a\"b", &format!("; boundary={}", "a".repeat(71))]
    {
        assert_eq!(of(&format!("multipart/form-data{bad}")), is(""), "{bad}");
    }
    assert_eq!(of("application/x-www-form-urlencoded"), None);
    assert_eq!(parse(&Bytes::from_static(b"--\r\n"), "", LIMITS), None);
}
