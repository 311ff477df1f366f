# Übersicht
overview = Übersicht
figure-issued = Gesammelte Punkte mit Boni
figure-spent = Eingelöste Punkte
figure-open = Offene Punkte
figure-active = Aktive Mitglieder
figure-new = Neue Mitglieder
in-28-days = in 28 Tagen
now = jetzt
yesterday = { $count } gestern
day = Tag
no-figures = Noch keine Zahlen
chart-description = Ein Wert für jeden der letzten 28 Tage.
still-counting = Noch sind nicht alle Buchungen gezählt. „–“ steht für Zahlen, die erst danach bekannt sind.
days-of-zone = Es gelten die Tage von { $name }.
orders-waiting = Zu versendende Bestellungen: { $count }
