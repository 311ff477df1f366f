# What the point history calls a group of activities of one type on one day: `-title` names the
# type, `-count` sums a group up. A tenant's own type without texts of its own takes `activity-…`.

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
order-count = { $count ->
    [one] { $count } order
   *[other] { $count } orders
}

activity-title = Activity
activity-count = { $count ->
    [one] { $count } activity
   *[other] { $count } activities
}
