# Suche
search = Suchen
search-label = Mitglied, Bestellung, Artikel, Aktivität
search-none = Nichts gefunden für „{ $name }“.
search-all = Alle zeigen
search-members = Mitglieder
search-activities = Aktivitäten
search-orders = Bestellungen
search-products = Artikel
search-hint-members = Ein Mitglied: die ID oder ein Teil davon.
search-hint-activities = Eine Aktivität: die ID des Mitglieds, ein Leerzeichen und die Quell-ID. Die Quell-ID allein genügt nicht, weil die Buchungen nach Mitgliedern geordnet sind.
search-hint-orders = Eine Bestellung: ihre ganze Nummer oder ID.
search-hint-products = Ein Artikel: ein Teil von Titel, Artikelnummer oder ID.
search-nothing-allowed = Ihre Rolle findet hier nichts.
