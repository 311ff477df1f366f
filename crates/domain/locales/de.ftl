code-title = QR-Code gescannt
code-count = { $count ->
    [one] { $count } Code gescannt
   *[other] { $count } Codes gescannt
}

video-title = Video angesehen
video-count = { $count ->
    [one] { $count } Video angesehen
   *[other] { $count } Videos angesehen
}

# The plural of „Quiz“ is „Quiz“.
quiz-title = Quiz beantwortet
quiz-count = { $count } Quiz beantwortet

order-title = Bestellung im Prämienshop
order-count = { $refunds ->
    [0] { $count ->
        [one] { $count } Bestellung
       *[other] { $count } Bestellungen
    }
    [one] { $count ->
        [0] { $refunds } Erstattung
        [one] { $count } Bestellung, { $refunds } Erstattung
       *[other] { $count } Bestellungen, { $refunds } Erstattung
    }
   *[other] { $count ->
        [0] { $refunds } Erstattungen
        [one] { $count } Bestellung, { $refunds } Erstattungen
       *[other] { $count } Bestellungen, { $refunds } Erstattungen
    }
}

expiry-title = Punkte verfallen
expiry-count = { $count } Mal Punkte verfallen

activity-title = Aktivität
activity-count = { $count ->
    [one] { $count } Aktivität
   *[other] { $count } Aktivitäten
}
