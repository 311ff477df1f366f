//! Parses the token file: a user and a token on each line.

use std::collections::{HashMap, HashSet};

use pointbook_domain::UserId;

use crate::check::Token;

/// A user of both servers, and the user's token on the other server.
#[derive(Clone)]
pub struct Account {
    /// The id of the user here.
    pub user: UserId,
    /// The token that the other server accepts.
    pub token: Token,
}

/// Parses lines of `USER_ID TOKEN`. Skips blank lines and lines that begin with `#`.
///
/// # Errors
/// One message for each bad line. No message contains a token.
pub fn parse_accounts(text: &str) -> Result<Vec<Account>, Vec<String>> {
    let (mut accounts, mut problems) = (Vec::new(), Vec::new());
    let (mut users, mut tokens) = (HashSet::new(), HashMap::new());
    let lines = text.lines().zip(1..).map(|(line, number): (&str, usize)| (line.trim(), number));
    for (line, number) in lines.filter(|(line, _)| !line.is_empty() && !line.starts_with('#')) {
        // A token belongs to one user: on a second line, it would copy that user's history to another user.
        let first = tokens.entry(line.split_whitespace().next_back()).or_insert(number);
        match parse_account(line) {
            Ok(_) if *first != number => {
                problems.push(format!("line {number}: the token is on line {first} already"));
            }
            Ok(account) if !users.insert(account.user.clone()) => {
                problems.push(format!("line {number}: user {} is on another line already", account.user));
            }
            Ok(account) => accounts.push(account),
            Err(rule) => problems.push(format!("line {number}: {rule}")),
        }
    }
    if accounts.is_empty() && problems.is_empty() {
        problems.push("no line has a user and a token".to_owned());
    }
    if problems.is_empty() { Ok(accounts) } else { Err(problems) }
}

fn parse_account(line: &str) -> Result<Account, String> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let [user, token] = words.as_slice() else {
        return Err(format!("must be USER_ID TOKEN, got {} words", words.len()));
    };
    let user = UserId::new(*user).map_err(|rule| format!("the user's id {rule}"))?;
    let token = Token::new(token).map_err(|rule| rule.to_string())?;
    Ok(Account { user, token })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_give_users_with_tokens() {
        let accounts = parse_accounts("# from the vendor\nann  t-1\n\n ben\tt-2 \n").ok().unwrap();
        let users: Vec<&str> = accounts.iter().map(|account| account.user.as_str()).collect();
        assert_eq!(users, ["ann", "ben"]);
    }

    #[test]
    fn every_bad_line_is_reported_without_its_token() {
        let problems = parse_accounts("ann\nben hush hush\nann é\ncy a\ncy b\ndan a\n").err().unwrap();
        assert_eq!(
            problems,
            [
                "line 1: must be USER_ID TOKEN, got 1 words",
                "line 2: must be USER_ID TOKEN, got 3 words",
                "line 3: a token must have visible ASCII characters only, and at least one",
                "line 5: user cy is on another line already",
                "line 6: the token is on line 4 already",
            ]
        );
        assert_eq!(parse_accounts("# none\n").err().unwrap(), ["no line has a user and a token"]);
    }
}
