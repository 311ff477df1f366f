# Signing in with OpenID Connect. $issuer is the name of the server that signs people in.
openid-sign-in = Sign in with { $issuer }
openid-onward = Continue to { $issuer }
openid-onward-hint = { $issuer } asks who you are and then sends you back here. You have ten minutes.
openid-signed-out = You can close this page, or sign in again.
openid-stale = This sign-in is no longer valid
openid-stale-hint = A sign-in works once, within ten minutes, in the browser that began it. Begin again.
openid-denied = You did not sign in
openid-denied-hint = The sign-in with { $issuer } was cancelled, or { $issuer } did not allow it.
openid-unverified = Your email address is not verified
openid-unverified-hint = { $issuer } did not say that you have a verified email address. Ask its administrator.
openid-unknown = You are not an operator here
openid-unknown-hint = { $issuer } knows you, but no operator here has your email address. Ask an owner to add you.
openid-failed = Signing in did not work
openid-failed-hint = { $issuer } did not respond as expected. Try again. If that does not help, tell an administrator of the server the reason.
openid-reason = Reason: { $name }
openid-back = Back to sign-in
