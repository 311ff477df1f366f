//! Words of code and comments that belong in some rooms only, or nowhere.

use super::finding::Finding;
use super::lexer::is_word;
use super::source::Source;
use super::tree::Tree;

/// A rule about words: where it searches for them, where they are allowed, and what to do instead.
struct WordRule {
    name: &'static str,
    words: &'static [&'static str],
    /// The text that the rule searches: [`Source::code`] or [`Source::comments`].
    text: fn(&Source) -> &str,
    /// Path prefixes in which the rule applies.
    within: &'static [&'static str],
    /// Path prefixes inside those in which the words are allowed.
    except: &'static [&'static str],
    /// Whether tests may use the words everywhere.
    tests_too: bool,
    advice: &'static str,
}

const EVERYWHERE: &[&str] = &[""];

const RULES: &[WordRule] = &[
    WordRule {
        name: "concrete-store",
        words: &[
            "SqliteStore",
            "store_sqlite",
            "pointbook_store_sqlite",
            "PostgresStore",
            "store_postgres",
            "pointbook_store_postgres",
        ],
        text: Source::code,
        within: &["crates/server/src/"],
        except: &["crates/server/src/wiring"],
        tests_too: false,
        advice: "only the wiring names a concrete store: take a port of `app`",
    },
    WordRule {
        name: "status-code",
        words: &["StatusCode"],
        text: Source::code,
        within: EVERYWHERE,
        except: &[
            "crates/endpoint-kit/",
            "crates/http/",
            "crates/http-kernel/",
            "crates/http-manage/",
            "crates/describe/",
            "crates/web/",
            "crates/page-kit/",
            "crates/console/",
            "crates/console-kit/",
            "crates/console-imports/",
            "crates/console-catalogue/",
            "crates/console-pictures/",
            "crates/console-programme/",
            "crates/server/tests/",
            "bench/",
            "xtask/",
        ],
        tests_too: false,
        advice: "only the rooms of HTTP know status codes: return an error of this layer",
    },
    WordRule {
        name: "outside-world",
        words: &["std::fs", "std::env", "fs::", "env::", "File::open", "File::create"],
        text: Source::code,
        within: EVERYWHERE,
        except: &[
            "crates/operate/",
            "crates/files/",
            "crates/pages/build.rs",
            "crates/server/",
            "crates/store-sqlite/src/connection.rs",
            "crates/testkit/",
            "crates/throwaway-postgres/",
            "bench/",
            "xtask/",
        ],
        tests_too: false,
        advice: "only `server` and `files` read files, and only `server` reads the environment: take a reader or a setting as a parameter",
    },
    WordRule {
        name: "unfinished",
        words: &["todo!", "unimplemented!", "dbg!", "#[ignore"],
        text: Source::code,
        within: EVERYWHERE,
        except: &[],
        tests_too: true,
        advice: "finish it, or leave it out",
    },
    WordRule {
        name: "unfinished",
        words: &["TODO", "FIXME"],
        text: Source::comments,
        within: EVERYWHERE,
        except: &[],
        tests_too: true,
        advice: "do it, or open an issue",
    },
    WordRule {
        name: "allow",
        words: &["#[allow(", "#![allow("],
        text: Source::code,
        within: EVERYWHERE,
        except: &[],
        tests_too: true,
        advice: "write `#[expect(..., reason = \"...\")]`, which warns once it is not needed",
    },
    WordRule {
        name: "print",
        words: &["println!", "print!", "eprintln!", "eprint!"],
        text: Source::code,
        within: EVERYWHERE,
        except: &[
            "crates/operate/",
            // A build script prints to cargo.
            "crates/pages/build.rs",
            "crates/server/src/main.rs",
            "crates/server/src/commands",
            // They print what they measured.
            "crates/campaigns/examples/",
            "crates/webhooks/examples/",
            "bench/",
            "xtask/",
        ],
        tests_too: false,
        advice: "only a command prints to the terminal: return a value or emit a `tracing` event",
    },
    WordRule {
        name: "float",
        words: &["f32", "f64"],
        text: Source::code,
        within: &["crates/domain/", "crates/store-"],
        except: &[],
        tests_too: true,
        advice: "points and times are integers: do not use a float",
    },
    WordRule {
        name: "clock",
        words: &["Utc::now", "SystemTime::now", "Zoned::now", "Timestamp::now", "OffsetDateTime::now_utc"],
        text: Source::code,
        within: EVERYWHERE,
        except: &["crates/server/", "bench/", "xtask/"],
        tests_too: true,
        advice: "time is a parameter: take an `app::Clock`",
    },
];

/// Checks every Rust file against every rule. A line gives at most one finding per rule.
pub(crate) fn check(tree: &Tree) -> Vec<Finding> {
    let pairs = RULES.iter().flat_map(|rule| tree.sources().iter().map(move |source| (rule, source)));
    pairs
        .filter(|(rule, source)| rule.holds_in(source.path()))
        .flat_map(|(rule, source)| rule.findings(source))
        .collect()
}

impl WordRule {
    fn holds_in(&self, path: &str) -> bool {
        let starts = |prefix: &&str| path.starts_with(*prefix);
        self.within.iter().any(starts) && !self.except.iter().any(starts)
    }

    fn findings(&self, source: &Source) -> Vec<Finding> {
        let lines = (self.text)(source).lines().zip(1..);
        let found = lines.filter_map(|(text, line)| {
            let word = self.words.iter().find(|word| contains_word(text, word))?;
            let counts = self.tests_too || !source.is_test(line);
            counts.then(|| Finding::new(source.path(), line, self.name, format!("`{word}`: {}", self.advice)))
        });
        found.collect()
    }
}

/// Whether `text` contains `word` as a whole word: `fs::` is in `std::fs::read` but not in `offs::x`.
fn contains_word(text: &str, word: &str) -> bool {
    text.match_indices(word).any(|(at, _)| {
        let before = text.get(..at).and_then(|head| head.chars().next_back());
        let after = text.get(at + word.len()..).and_then(|tail| tail.chars().next());
        !joined(before, word.chars().next()) && !joined(word.chars().next_back(), after)
    })
}

fn joined(left: Option<char>, right: Option<char>) -> bool {
    left.is_some_and(is_word) && right.is_some_and(is_word)
}

#[cfg(test)]
mod tests {
    use super::super::finding::printed;
    use super::*;

    fn findings(path: &str, text: &str) -> Vec<String> {
        printed(&check(&Tree::of(&[(path, text)])))
    }

    /// A rule, a line that violates it, a path where it does, and a path where the same line is allowed.
    const CASES: &[[&str; 4]] = &[
        [
            "concrete-store",
            "let a = SqliteStore;",
            "crates/server/src/serve.rs",
            "crates/server/src/wiring.rs",
        ],
        ["status-code", "let a = StatusCode::OK;", "crates/app/src/a.rs", "crates/http/src/a.rs"],
        ["outside-world", "let a = std::fs::read(b);", "crates/app/src/a.rs", "crates/server/src/a.rs"],
        ["outside-world", "let a = env::var(b);", "crates/http/src/a.rs", "crates/http/tests/a.rs"],
        ["print", "println!();", "crates/server/src/wiring.rs", "crates/server/src/commands/audit.rs"],
        ["float", "let a: f64 = b;", "crates/store-postgres/src/a.rs", "crates/catalogue/src/a.rs"],
        ["clock", "let a = SystemTime::now();", "crates/app/src/a.rs", "crates/server/src/clock.rs"],
    ];

    #[test]
    fn every_rule_applies_to_its_paths_only() {
        for [rule, text, wrong, right] in CASES {
            let found = findings(wrong, text);
            assert_eq!(found.len(), 1, "{rule} in {wrong}");
            assert!(found[0].starts_with(&format!("{wrong}:1: {rule}: ")), "{found:?}");
            assert!(findings(right, text).is_empty(), "{rule} in {right}");
        }
    }

    #[test]
    fn unfinished_and_allowed_code_is_found_in_tests_too() {
        let lines = "todo!();\nunimplemented!();\ndbg!(a);\n#[ignore = \"\"]\n#[allow(dead_code)]\n#![allow(unused)]\n// FIXME\n";
        assert_eq!(findings("crates/server/tests/it/main.rs", lines).len(), 7);
    }

    #[test]
    fn words_in_strings_comments_and_longer_words_are_no_findings() {
        let text = "// println! writes\nlet a = \"todo!()\";\nlet my_dbg = offs::a(nf64);\n/* std::fs */\n";
        assert!(findings("crates/domain/src/a.rs", text).is_empty());
    }

    #[test]
    fn test_module_may_read_files_and_print() {
        let text = "#[cfg(test)]\nmod tests {\n    fn a() { println!(\"{}\", std::fs::read(b)); }\n}\n";
        assert!(findings("crates/app/src/a.rs", text).is_empty());
    }
}
