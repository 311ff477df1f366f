# Overview
overview = Overview
figure-issued = Points earned with bonuses
figure-spent = Points spent
figure-open = Open points
figure-active = Active members
figure-new = New members
in-28-days = in 28 days
now = now
yesterday = { $count } yesterday
day = Day
no-figures = No figures yet
chart-description = One value for each of the last 28 days.
still-counting = Not everything in the ledger is counted yet. “–” stands for numbers that are not known before.
days-of-zone = Days are those of { $name }.
orders-waiting = Orders to send: { $count }
