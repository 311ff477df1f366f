# What the point history calls a group of activities of one type on one day: `-title` names the
# type, `-count` sums a group up. A tenant's own type without texts of its own takes `activity-…`.
# A group of orders also has $refunds: what was given back for cancelled orders is counted apart.

code-title = QR code scan
code-count = { $count ->
    [one] { $count } code scanned
   *[other] { $count } codes scanned
}

video-title = Video watched
video-count = { $count ->
    [one] { $count } video watched
   *[other] { $count } videos watched
}

quiz-title = Quiz answered
quiz-count = { $count ->
    [one] { $count } quiz answered
   *[other] { $count } quizzes answered
}

order-title = Gift store order
order-count = { $refunds ->
    [0] { $count ->
        [one] { $count } order
       *[other] { $count } orders
    }
    [one] { $count ->
        [0] { $refunds } refund
        [one] { $count } order, { $refunds } refund
       *[other] { $count } orders, { $refunds } refund
    }
   *[other] { $count ->
        [0] { $refunds } refunds
        [one] { $count } order, { $refunds } refunds
       *[other] { $count } orders, { $refunds } refunds
    }
}

expiry-title = Points expired
expiry-count = { $count ->
    [one] Points expired { $count } time
   *[other] Points expired { $count } times
}

activity-title = Activity
activity-count = { $count ->
    [one] { $count } activity
   *[other] { $count } activities
}
