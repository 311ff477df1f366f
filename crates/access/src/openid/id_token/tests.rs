//! Tests of the claims, one fault at a time.

use super::*;

const NOW: i64 = 1_800_000_000;

/// Good claims, as names and JSON values.
const GOOD: [(&str, &str); 7] = [
    ("iss", r#""https://login.example.com""#),
    ("aud", r#""pointbook""#),
    ("exp", "1800000300"),
    ("iat", "1800000000"),
    ("nonce", r#""n""#),
    ("sub", r#""248289761001""#),
    ("email", r#""Ada@Example.com""#),
];

/// A token with this payload.
fn token(payload: &str) -> String {
    let part = |text: &str| BASE64URL_NOPAD.encode(text.as_bytes());
    format!("{}.{}.{}", part(r#"{"alg":"RS256"}"#), part(payload), part("signature"))
}

fn check(token: &str) -> Result<Identity, OpenIdError> {
    let issuer = Issuer::parse("https://login.example.com").unwrap();
    let (client_id, nonce) = ("pointbook", "n");
    read(token, &Expected { issuer: &issuer, client_id, nonce, now_seconds: NOW })
}

/// The result of good claims with another value of one claim; an empty one leaves the claim out.
fn with(name: &str, value: &str) -> Result<Identity, OpenIdError> {
    let all = GOOD.into_iter().chain([("email_verified", "true")]);
    let mut claims: Vec<_> = all.filter(|(known, _)| *known != name).collect();
    claims.extend((!value.is_empty()).then_some((name, value)));
    let members: Vec<_> = claims.iter().map(|(name, value)| format!("\"{name}\":{value}")).collect();
    check(&token(&format!("{{{}}}", members.join(","))))
}

#[test]
fn good_claims_say_the_email_address() {
    let email = "Ada@Example.com".to_owned();
    for (name, value) in [
        ("other", "{}"),
        ("aud", r#"["pointbook"]"#),
        ("azp", r#""pointbook""#),
        ("exp", "1799999941"),
        ("iat", "1800000060"),
        ("iat", "1799999340"),
    ] {
        assert_eq!(with(name, value), Ok(Identity { email: email.clone() }), "{name} {value}");
    }
}

#[test]
fn each_claim_has_to_be_right() {
    use OpenIdError as E;
    for (name, value, error) in [
        ("iss", "", E::ClaimIssuer),
        ("iss", r#""https://login.example.com/""#, E::ClaimIssuer),
        ("iss", r#"["https://login.example.com"]"#, E::ClaimIssuer),
        ("aud", "", E::ClaimAudience),
        ("aud", r#""other""#, E::ClaimAudience),
        ("aud", r#""Pointbook""#, E::ClaimAudience),
        ("aud", "[]", E::ClaimAudience),
        ("aud", r#"["other"]"#, E::ClaimAudience),
        ("aud", r#"["pointbook","other"]"#, E::ClaimAudience),
        ("azp", r#""other""#, E::ClaimAudience),
        ("azp", "null", E::ClaimAudience),
        ("exp", "", E::ClaimExpiry),
        ("exp", r#""1800000300""#, E::ClaimExpiry),
        ("exp", "1799999940", E::ClaimExpiry),
        ("exp", "-99999999999999999999", E::ClaimExpiry),
        ("iat", "", E::ClaimIssuedAt),
        ("iat", "1800000061", E::ClaimIssuedAt),
        ("iat", "1799999339", E::ClaimIssuedAt),
        ("iat", "1800000000.5", E::ClaimIssuedAt),
        ("nonce", "", E::ClaimNonce),
        ("nonce", r#""N""#, E::ClaimNonce),
        ("sub", "", E::ClaimSubject),
        ("sub", "1", E::ClaimSubject),
        ("email", "", E::ClaimEmail),
        ("email", r#"["ada@example.com"]"#, E::ClaimEmail),
        ("email_verified", "", E::ClaimEmailVerified),
        ("email_verified", "false", E::ClaimEmailVerified),
        ("email_verified", r#""true""#, E::ClaimEmailVerified),
        ("email_verified", "1", E::ClaimEmailVerified),
    ] {
        assert_eq!(with(name, value), Err(error), "{name} {value}");
    }
    assert_eq!(with("sub", &format!("\"{}\"", "a".repeat(256))), Err(E::ClaimSubject));
}

#[test]
fn several_audiences_need_the_authorized_party() {
    let claims = |azp: &str| {
        let rest = GOOD.map(|(name, value)| match name {
            "aud" => format!(r#""aud":["other","pointbook"],"azp":"{azp}""#),
            _ => format!("\"{name}\":{value}"),
        });
        check(&token(&format!("{{{},\"email_verified\":true}}", rest.join(","))))
    };
    assert!(claims("pointbook").is_ok());
    assert_eq!(claims("other"), Err(OpenIdError::ClaimAudience));
}

#[test]
fn no_other_text_is_a_token() {
    let good = token("{}");
    assert_eq!(check(&good), Err(OpenIdError::ClaimIssuer));
    for bad in [
        String::new(),
        "a".to_owned(),
        good.replace('.', ""),
        good.rsplit_once('.').unwrap().0.to_owned(),
        format!("{good}.a"),
        good.replacen("eyJ", "!!!", 1),
        token("[]"),
        token("not JSON"),
        token(r#"{"aud":"pointbook","aud":"other"}"#),
        good.replace("e30", "e30="),
    ] {
        assert_eq!(check(&bad), Err(OpenIdError::IdToken), "{bad}");
    }
}
