# Signing in with OpenID Connect. $issuer is the name of the server that signs people in.
openid-sign-in = { $issuer } ile oturum aç
openid-onward = { $issuer } sayfasına geç
openid-onward-hint = { $issuer } kim olduğunuzu sorar ve sizi buraya geri gönderir. On dakikanız var.
openid-signed-out = Bu sayfayı kapatabilir veya yeniden oturum açabilirsiniz.
openid-stale = Bu oturum açma isteği artık geçerli değil
openid-stale-hint = Bir oturum açma isteği, başlatıldığı tarayıcıda, on dakika içinde ve bir kez geçerlidir. Yeniden başlayın.
openid-denied = Oturum açmadınız
openid-denied-hint = { $issuer } ile oturum açma iptal edildi veya { $issuer } buna izin vermedi.
openid-unverified = E-posta adresiniz doğrulanmamış
openid-unverified-hint = { $issuer } doğrulanmış bir e-posta adresi bildirmedi. { $issuer } yöneticisine başvurun.
openid-unknown = Burada operatör değilsiniz
openid-unknown-hint = { $issuer } sizi tanıyor, ancak burada e-posta adresinize sahip bir operatör yok. Bir sahipten sizi eklemesini isteyin.
openid-failed = Oturum açılamadı
openid-failed-hint = { $issuer } beklendiği gibi yanıt vermedi. Yeniden deneyin. İşe yaramazsa nedeni sunucunun yöneticisine bildirin.
openid-reason = Neden: { $name }
openid-back = Oturum açmaya dön
