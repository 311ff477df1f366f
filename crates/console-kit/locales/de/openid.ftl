# Signing in with OpenID Connect. $issuer is the name of the server that signs people in.
openid-sign-in = Mit { $issuer } anmelden
openid-onward = Weiter zu { $issuer }
openid-onward-hint = { $issuer } fragt, wer Sie sind, und schickt Sie dann hierher zurück. Sie haben zehn Minuten Zeit.
openid-signed-out = Sie können diese Seite schließen oder sich wieder anmelden.
openid-stale = Diese Anmeldung gilt nicht mehr
openid-stale-hint = Eine Anmeldung gilt einmal, zehn Minuten lang und nur in dem Browser, in dem sie begonnen hat. Fangen Sie noch einmal an.
openid-denied = Sie haben sich nicht angemeldet
openid-denied-hint = Die Anmeldung mit { $issuer } wurde abgebrochen, oder { $issuer } hat sie nicht erlaubt.
openid-unverified = Ihre E-Mail-Adresse ist nicht bestätigt
openid-unverified-hint = { $issuer } hat keine bestätigte E-Mail-Adresse von Ihnen genannt. Wenden Sie sich an die Verwaltung von { $issuer }.
openid-unknown = Sie sind hier kein Benutzer
openid-unknown-hint = { $issuer } kennt Sie, aber kein Benutzer hat hier Ihre E-Mail-Adresse. Bitten Sie einen Inhaber, Sie hinzuzufügen.
openid-failed = Die Anmeldung hat nicht geklappt
openid-failed-hint = { $issuer } hat nicht wie erwartet geantwortet. Versuchen Sie es noch einmal. Wenn das nicht hilft, nennen Sie der Verwaltung des Servers den Grund.
openid-reason = Grund: { $name }
openid-back = Zurück zur Anmeldung
