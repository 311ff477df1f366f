//! Why a body is not JSON, in plain words.

use serde::Serialize;

/// How far a body is JSON, and the problem at that position. It quotes nothing of the body.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct JsonProblem {
    /// The line, from 1.
    pub line: usize,
    /// The byte within the line, from 1.
    pub column: usize,
    pub detail: &'static str,
}

/// The message of serde, and the message for clients.
const SENTENCES: [(&str, &str); 13] = [
    ("EOF while parsing a string", "The body ends within a string."),
    ("EOF while parsing", "The body ends before the JSON value does."),
    ("trailing comma", "A comma stands before a closing bracket."),
    ("trailing characters", "Something follows the end of the JSON value."),
    ("expected `,` or `}`", "A comma or a closing brace is expected here."),
    ("expected `,` or `]`", "A comma or a closing bracket is expected here."),
    ("expected `:`", "A colon is expected after the name of a member."),
    ("key must be a string", "The name of a member must be a string in double quotes."),
    ("control character", "A string holds a control character, such as a line break, that is not escaped."),
    ("invalid escape", "A string holds an unknown escape sequence."),
    ("recursion limit exceeded", "The JSON value is nested too deeply: 128 levels are allowed."),
    ("invalid number", "A number is not written as JSON has it."),
    ("expected value", "A JSON value is expected here."),
];

const OTHERWISE: &str = "The body is not valid JSON here.";

impl JsonProblem {
    pub fn new(body: &[u8], error: &serde_json::Error) -> Self {
        if body.is_empty() {
            return Self { line: 1, column: 1, detail: "The body is empty. A JSON object is expected." };
        }
        if body.starts_with(b"\xef\xbb\xbf") {
            let detail = "The body begins with a byte order mark (U+FEFF). Send it without one.";
            return Self { line: 1, column: 1, detail };
        }
        if let Err(error) = std::str::from_utf8(body) {
            let before = body.get(..error.valid_up_to()).unwrap_or_default();
            let line = before.split(|&byte| byte == b'\n').count();
            let column = before.rsplit(|&byte| byte == b'\n').next().unwrap_or_default().len() + 1;
            return Self { line, column, detail: "The body is not valid UTF-8 here." };
        }
        let text = error.to_string();
        let known = SENTENCES.iter().find(|(beginning, _)| text.starts_with(beginning));
        let detail = known.map_or(OTHERWISE, |(_, detail)| detail);
        Self { line: error.line().max(1), column: error.column().max(1), detail }
    }

    /// The problem in one line of several, after this many bytes of spaces.
    pub fn of_line(self, indent: usize) -> String {
        let detail = self.detail.replacen("The body", "The line", 1);
        format!("The line is not JSON at column {}: {detail}", indent + self.column)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::Json;

    fn told(body: &[u8]) -> String {
        let JsonProblem { line, column, detail } = JsonProblem::new(body, &Json::parse(body).unwrap_err());
        format!("{line}:{column} {detail}")
    }

    const PROBLEMS: [&[u8]; 17] = [
        b"",
        b" ",
        b"\xef\xbb\xbf{}",
        b"{\n  \"a\": \"\xff\"}",
        b"{\"type\":\"code\",}",
        b"{'a':1}",
        b"{\"a\" 1}",
        b"{\"a\":1 \"b\":2}",
        b"[1 2]",
        b"{} {}",
        b"{\"a\":\"x",
        b"{\"a\":",
        b"\"\n\"",
        b"\"\\x\"",
        b"nul",
        b"01",
        b"{\"a\":1e400,\n\"b\":-0,}",
    ];

    #[test]
    fn a_problem_of_a_line_counts_from_its_beginning() {
        let told = |text: &[u8]| JsonProblem::new(text, &Json::parse(text).unwrap_err()).of_line(2);
        let trailing = "The line is not JSON at column 10: A comma stands before a closing bracket.";
        assert_eq!(told(b"{\"a\":1,}"), trailing);
        assert_eq!(
            told(b"{\"\xff\"}"),
            "The line is not JSON at column 5: The line is not valid UTF-8 here."
        );
    }

    #[test]
    fn a_problem_says_what_and_where() {
        let all: Vec<String> = PROBLEMS.into_iter().map(told).collect();
        insta::assert_snapshot!(all.join("\n"), @"
        1:1 The body is empty. A JSON object is expected.
        1:1 The body ends before the JSON value does.
        1:1 The body begins with a byte order mark (U+FEFF). Send it without one.
        2:9 The body is not valid UTF-8 here.
        1:16 A comma stands before a closing bracket.
        1:2 The name of a member must be a string in double quotes.
        1:6 A colon is expected after the name of a member.
        1:8 A comma or a closing brace is expected here.
        1:4 A comma or a closing bracket is expected here.
        1:4 Something follows the end of the JSON value.
        1:7 The body ends within a string.
        1:5 The body ends before the JSON value does.
        2:1 A string holds a control character, such as a line break, that is not escaped.
        1:3 A string holds an unknown escape sequence.
        1:3 The body ends before the JSON value does.
        1:2 A number is not written as JSON has it.
        2:8 A comma stands before a closing bracket.
        ");
        assert!(told("[".repeat(999).as_bytes()).ends_with("128 levels are allowed."));
    }
}
