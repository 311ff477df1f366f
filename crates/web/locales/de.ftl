# Was die Seiten des Shops sagen.

staging = Testumgebung: Bestellungen und Punkte sind hier nur zum Ausprobieren.
footer = Prämien für die Punkte, die Sie bei { $name } gesammelt haben.
gifts = Prämien
my-points = Meine Punkte
my-orders = Meine Bestellungen
to-gifts = Zu den Prämien

search = Suche
category = Kategorie
all-categories = Alle Kategorien
sort = Sortieren
newest = Neueste zuerst
cheapest = Wenigste Punkte zuerst
dearest = Meiste Punkte zuerst
max-price = Höchstens, in Punkten
only = Nur
on-sale = Reduziert
new-products = Neu
popular = Beliebt
apply = Anzeigen
found-one = { $count } Prämie
found-many = { $count } Prämien
sold-out = Ausverkauft
nothing-found = Keine Prämie passt dazu.
show-all = Alle Prämien anzeigen
instead-of = statt

quantity = Stück
order = Bestellen
points-missing = Für diese Prämie brauchen Sie noch { $points }.
confirm = Stimmt das so?
total = Summe
you-have = Sie haben
you-keep = Ihnen bleiben
order-now = Jetzt bestellen
other-price = Der Preis hat sich geändert. Stimmt das so noch?
order-placed = Vielen Dank. Ihre Bestellung ist eingegangen.
order-number = Bestellung { $name }
no-orders = Sie haben noch nichts bestellt.
no-points = Sie haben noch keine Punkte gesammelt.
status-placed = Bestellt
status-fulfilled = Verschickt
status-cancelled = Storniert
cancel = Bestellung stornieren
cancel-hint = Sie bekommen { $points } zurück.
cancel-now = Jetzt stornieren
not-cancelled = Diese Bestellung kann nicht mehr storniert werden.

not-ordered = Diese Bestellung ist nicht möglich
refused-unknown = Diese Prämie gibt es nicht mehr.
refused-sold-out = Diese Prämie ist ausverkauft.
refused-stock = Es sind weniger Stück da, als Sie möchten.
refused-range = Das ist zu viel für eine Bestellung.
refused-points = Ihre Punkte reichen nicht aus.

sign-in-hint = Öffnen Sie den Link, den Sie von uns bekommen haben. Er meldet Sie einmal an, innerhalb von zehn Minuten.
welcome = Willkommen bei { $name }
sign-in-as = Sie melden sich als { $name } an.
demo-people = Die Personen der Demo

error-quantity = Diese Stückzahl geht nicht
error-quantity-hint = Eine Bestellung hat 1 bis 1.000 Stück. Gehen Sie zurück und wählen Sie eine andere Zahl.
error-link = Dieser Link funktioniert nicht
error-link-unknown = Er ist unvollständig oder gehört zu einem anderen Shop. Lassen Sie sich einen neuen geben.
error-link-expired = Er galt zehn Minuten. Lassen Sie sich einen neuen geben.
error-link-used = Er wurde schon benutzt. Lassen Sie sich einen neuen geben.
error-link-disabled = Dieses Konto ist gesperrt.
