use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};

use super::*;
use crate::index::fold::fold_title;
use crate::index::title_search::TitleSearch;

fn lists_of(titles: &[String]) -> Lists<u8> {
    let mut lists = Lists::default();
    for title in titles {
        lists.push_text(title.as_bytes());
    }
    lists
}

fn found_in(titles: &Lists<u8>, parts: &[&str], index: Option<&TitleIndex>) -> Vec<u32> {
    let parts: Vec<String> = parts.iter().map(|&part| part.to_owned()).collect();
    let mut numbers =
        TitleSearch::new(&parts).map(|search| search.numbers(titles, index)).unwrap_or_default();
    numbers.sort_unstable();
    numbers.dedup();
    numbers
}

/// What a search finds with an index and without.
fn found(titles: &[String], parts: &[&str]) -> Vec<u32> {
    let lists = lists_of(titles);
    // A handful of titles hardly repeats a word, but is indexed here all the same.
    let index = TitleIndex::within(&lists, usize::MAX);
    assert!(index.is_some());
    let scanned = found_in(&lists, parts, None);
    assert_eq!(found_in(&lists, parts, index.as_ref()), scanned, "{parts:?} in {titles:?}");
    scanned
}

/// The rule, without any short cut.
fn holding(titles: &[String], parts: &[&str]) -> Vec<u32> {
    let numbered = (0..).zip(titles);
    let parts: Vec<String> =
        parts.iter().map(|part| fold_title(part)).filter(|part| !part.is_empty()).collect();
    let holds = |title: &str| parts.iter().any(|part| title.contains(part));
    numbered.filter(|(_, title)| holds(title)).map(|(number, _)| number).collect()
}

fn texts(characters: &'static str, length: std::ops::Range<usize>) -> impl Strategy<Value = String> {
    let characters: Vec<char> = characters.chars().collect();
    vec(select(characters), length).prop_map(|characters| characters.into_iter().collect())
}

/// Letters, separators, and characters of two to four bytes of every kind.
const MIXED: &str = "aab1  -\né・カーかな漢字国ก𠮷한\u{301}";
/// So few that long parts repeat.
const TWO_WORDS: &str = "ab ";
/// A script without spaces.
const UNSPACED: &str = "手机保护";

fn titles() -> impl Strategy<Value = Vec<String>> {
    let title = prop_oneof![texts(MIXED, 0..14), texts(TWO_WORDS, 0..14), texts(UNSPACED, 0..14)];
    vec(title, 0..60)
}

fn part() -> impl Strategy<Value = String> {
    prop_oneof![texts(MIXED, 0..4), texts(TWO_WORDS, 0..7), texts(UNSPACED, 0..5)]
}

/// A stretch of some title, wherever it begins and ends.
fn cut_out(titles: &[String], (title, start, end): (Index, Index, Index)) -> String {
    if titles.is_empty() {
        return String::new();
    }
    let characters: Vec<char> = title.get(titles).chars().collect();
    let (start, end) = (start.index(characters.len() + 1), end.index(characters.len() + 1));
    characters[start.min(end)..start.max(end)].iter().collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]

    #[test]
    fn a_search_finds_what_a_loop_finds(
        titles in titles(),
        parts in vec(part(), 0..3),
        cuts in vec(any::<(Index, Index, Index)>(), 0..3),
    ) {
        let cut: Vec<String> = cuts.into_iter().map(|cut| cut_out(&titles, cut)).collect();
        let parts: Vec<&str> = parts.iter().chain(&cut).map(String::as_str).collect();
        prop_assert_eq!(found(&titles, &parts), holding(&titles, &parts));
    }
}

/// Titles in which some words are common and some rare.
fn many_titles() -> Vec<String> {
    let title = |number: u32| {
        let name = ["Classic Mug", "ノート", "Étui-Classic", "手机保护壳防摔"][(number % 7 % 4) as usize];
        let suffix = if number % 50 == 3 { " Titanium" } else { "" };
        fold_title(&format!("{name}{suffix} {}", number.wrapping_mul(0x9E37_79B1) >> 22))
    };
    (0..10_000).map(title).collect()
}

#[test]
fn a_large_index_finds_what_a_loop_finds() {
    let titles = many_titles();
    let lists = lists_of(&titles);
    let index = TitleIndex::new(&lists).expect("there are few words");
    let parts = [
        "classic",
        "lass",
        "a",
        "tit",
        "titanium",
        "titanium 77",
        "classic mug 1",
        "c 7",
        "i-classic t",
        "77",
        "123",
        "ノート 5",
        "ート",
        "护壳",
        "手机保护壳防摔 9",
        " ",
        "-",
        "mug titanium 1",
        "nothing",
        "mug nothing",
        "classic titanium",
        "classic mug titanium 1 2 3",
    ];
    for pair in parts.windows(2) {
        for parts in [&pair[..1], pair] {
            assert_eq!(found_in(&lists, parts, Some(&index)), holding(&titles, parts), "{parts:?}");
        }
    }
}

#[test]
fn a_search_without_parts_finds_nothing() {
    assert!(found(&["a".into()], &[]).is_empty());
}

#[test]
fn words_as_long_as_titles_are_not_kept() {
    let titles: Vec<String> = (0..500_u32).map(|number| format!("{:064}", number * 7)).collect();
    assert!(TitleIndex::new(&lists_of(&titles)).is_none());
}

#[test]
fn an_index_of_repeated_words_is_smaller_than_the_titles() {
    let lists = lists_of(&many_titles());
    let bytes = TitleIndex::new(&lists).unwrap().memory_bytes();
    assert!((1..lists.memory_bytes()).contains(&bytes), "{bytes}");
}
