# Was die Seiten des Shops sagen.

thousands = .
points-one = { $points } Punkt
points-many = { $points } Punkte
date = { $day }. { $month } { $year }
month-1 = Januar
month-2 = Februar
month-3 = März
month-4 = April
month-5 = Mai
month-6 = Juni
month-7 = Juli
month-8 = August
month-9 = September
month-10 = Oktober
month-11 = November
month-12 = Dezember

skip = Zum Inhalt
navigation = Navigation
staging = Testumgebung: Bestellungen und Punkte sind hier nur zum Ausprobieren.
footer = Prämien für die Punkte, die Sie bei { $name } gesammelt haben.
gifts = Prämien
my-points = Meine Punkte
my-orders = Meine Bestellungen
sign-out = Abmelden
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
found = { $count ->
    [one] { $count } Prämie
   *[other] { $count } Prämien
}
nothing-found = Keine Prämie passt dazu.
show-all = Alle Prämien anzeigen
instead-of = statt

pages = Seiten
page-before = Zurück
page-after = Weiter
page-of = Seite { $page } von { $pages }

quantity = Stück
order = Bestellen
points-missing = Für diese Prämie fehlen noch { $points }.
confirm = Stimmt das so?
total = Summe
you-have = Sie haben
you-keep = Ihnen bleiben
order-now = Jetzt bestellen
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

refused-unknown = Diese Prämie gibt es nicht mehr.
refused-sold-out = Diese Prämie ist ausverkauft.
refused-stock = Es sind weniger Stück da, als Sie möchten.
refused-range = Das ist zu viel für eine Bestellung.
refused-points = Ihre Punkte reichen nicht aus.

sign-in = Anmelden
sign-in-hint = Öffnen Sie den Link, den Sie von uns bekommen haben. Er meldet Sie einmal an, innerhalb von zehn Minuten.
welcome = Willkommen bei { $name }
sign-in-as = Sie melden sich als { $name } an.
demo-people = Die Personen der Demo

error-not-found = Seite nicht gefunden
error-not-found-hint = Die Adresse ist falsch, oder was hier war, gibt es nicht mehr.
error-form = Dieses Formular ist veraltet
error-form-hint = Gehen Sie zurück, laden Sie die Seite neu und senden Sie das Formular noch einmal.
error-request = Der Server kann das nicht lesen
error-request-hint = Gehen Sie zurück und versuchen Sie es mit anderen Angaben.
error-too-many = Zu viele Anfragen
error-too-many-hint = Warten Sie eine Minute und versuchen Sie es dann noch einmal.
error-link = Dieser Link funktioniert nicht
error-link-unknown = Er ist unvollständig oder gehört zu einem anderen Shop. Lassen Sie sich einen neuen geben.
error-link-expired = Er galt zehn Minuten. Lassen Sie sich einen neuen geben.
error-link-used = Er wurde schon benutzt. Lassen Sie sich einen neuen geben.
error-link-disabled = Dieses Konto ist gesperrt.
error-busy = Der Shop ist überlastet
error-busy-hint = Versuchen Sie es gleich noch einmal.
error-internal = Etwas ist schiefgegangen
error-internal-hint = Es liegt an uns. Versuchen Sie es später noch einmal.
