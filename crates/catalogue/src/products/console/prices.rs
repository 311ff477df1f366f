//! Whole numbers as operators write them.

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
