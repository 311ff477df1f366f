# Signing in with OpenID Connect. $issuer is the name of the server that signs people in.
openid-sign-in = { $issuer } でサインイン
openid-onward = { $issuer } に進む
openid-onward-hint = { $issuer } で本人確認を行ってから、ここに戻ります。制限時間は 10 分です。
openid-signed-out = このページは閉じてかまいません。もう一度サインインすることもできます。
openid-stale = このサインインは無効になりました
openid-stale-hint = サインインは、始めたブラウザーで、10 分以内に 1 回だけ有効です。最初からやり直してください。
openid-denied = サインインしませんでした
openid-denied-hint = { $issuer } でのサインインが取り消されたか、{ $issuer } が許可しませんでした。
openid-unverified = メールアドレスが確認されていません
openid-unverified-hint = { $issuer } から、確認済みのメールアドレスが届きませんでした。{ $issuer } の管理者に問い合わせてください。
openid-unknown = ここの担当者として登録されていません
openid-unknown-hint = { $issuer } での本人確認はできましたが、このメールアドレスの担当者はいません。オーナーに追加を依頼してください。
openid-failed = サインインできませんでした
openid-failed-hint = { $issuer } から想定外の応答がありました。もう一度お試しください。それでもできない場合は、理由をサーバーの管理者に伝えてください。
openid-reason = 理由: { $name }
openid-back = サインインに戻る
