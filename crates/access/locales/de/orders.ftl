# Orders
orders = Bestellungen
orders-number = Nummer
orders-age-now = gerade eben
orders-age-minutes = { $count ->
    [one] { $count } Minute
   *[other] { $count } Minuten
  }
orders-age-hours = { $count ->
    [one] { $count } Stunde
   *[other] { $count } Stunden
  }
orders-age-days = { $count ->
    [one] { $count } Tag
   *[other] { $count } Tage
  }
orders-member = Mitglied
orders-product = Artikel
orders-sku = Artikelnummer
orders-pieces = Stück
orders-points = Punkte
orders-price = Einzelpreis
orders-total = Summe
orders-stock = Bestand
orders-stock-taken = Die Stücke kamen aus dem Bestand
orders-stock-unlimited = Der Bestand war unbegrenzt
orders-status = Status
orders-status-placed = Offen
orders-status-fulfilled = Verschickt
orders-status-cancelled = Storniert
orders-all = Alle
orders-placed-at = Bestellt am
orders-fulfilled-at = Verschickt am
orders-cancelled-at = Storniert am
orders-id = ID
orders-title = Bestellung { $number }
orders-found-oldest = { $count } offen, die älteste zuerst.
orders-found-newest = { $count } gefunden, die neueste zuerst.
orders-packing-list = Packliste (CSV)
orders-none-wait = Es gibt keine offenen Bestellungen. Neue Bestellungen von Mitgliedern erscheinen hier.
orders-none-found = Keine Bestellung passt. Wählen Sie einen anderen Status.
orders-select-number = Bestellung { $number } auswählen
orders-fulfil-selected = Als verschickt markieren
orders-fulfil = Als verschickt markieren
orders-back = Zurück zu den Bestellungen
orders-results = Ergebnis
orders-result = Ergebnis
orders-results-sum = { $count } von { $of } als verschickt markiert.
orders-result-done = Verschickt
orders-result-already = War schon verschickt
orders-result-cancelled = War schon storniert
orders-result-unknown = Unbekannte Bestellung
orders-result-failed = Nicht erledigt: Versuchen Sie es erneut
orders-error-none = Wählen Sie mindestens eine Bestellung aus.
orders-error-too-many = Wählen Sie höchstens 100 Bestellungen auf einmal aus.
orders-cancel = Bestellung stornieren
orders-cancel-hint = Das Mitglied bekommt { $points } zurück, und die Stücke kommen zurück in den Bestand. Das lässt sich nicht rückgängig machen.
orders-reason = Grund, für das Protokoll
orders-error-reason = Geben Sie einen Grund mit höchstens 1.000 Zeichen an.
orders-error-fulfilled = Die Bestellung wurde inzwischen verschickt. Es wurde nichts geändert.
orders-error-cancelled = Die Bestellung wurde inzwischen storniert. Es wurde nichts geändert.
orders-error-range = Der Punktestand des Mitglieds würde zu groß. Es wurde nichts geändert.
orders-error-refund = Die Punkte dieser Bestellung wurden schon früher zurückgegeben. Es wurde nichts geändert. Lassen Sie den Mandanten prüfen (audit).
said-order-fulfilled = Die Bestellung ist als verschickt markiert.
said-order-cancelled = Die Bestellung ist storniert, und die Punkte sind zurückgegeben.
orders-waits-long = Länger als 3 Tage
orders-waits-some = 1 bis 3 Tage
orders-waits-short = Heute
orders-search = Nummer, Mitglied oder Produkt
orders-waits = Wartet
orders-what = Was
orders-who = Wer
orders-history = Wann
