//! What the people of the demo scan, watch and answer, written by hand; each with its base points.

/// Products with a code on the pack.
pub(super) const CODES: [(&str, i64); 16] = [
    ("Oat drink, 1 litre", 60),
    ("Sourdough crackers", 70),
    ("Apple juice from old orchards", 80),
    ("Muesli with hazelnuts", 90),
    ("Dark chocolate with sea salt", 75),
    ("Tomato sauce “Nonna”", 85),
    ("Mountain cheese, 200 g", 120),
    ("Laundry soap, refill bag", 150),
    ("Ground coffee, 500 g", 180),
    ("Lemonade, six bottles", 140),
    ("Peanut butter, crunchy", 95),
    ("Sea bream, tinned", 110),
    ("Washing-up sponge of cellulose", 65),
    ("Blueberry jam", 100),
    ("Rice crackers with nori", 70),
    ("Olive oil, first pressing", 175),
];

/// Short films in the app.
pub(super) const VIDEOS: [(&str, i64); 12] = [
    ("How cork is harvested", 20),
    ("A day at the bakery", 15),
    ("Coffee: from cherry to cup", 25),
    ("Sharpening a kitchen knife", 20),
    ("What the bees do in winter", 15),
    ("Packing a rucksack for three days", 25),
    ("Meet the glass blowers", 20),
    ("Five knots for the campsite", 15),
    ("Where our oats grow", 20),
    ("Repairing a wool jumper", 25),
    ("The long way of a lemon", 15),
    ("One night in the lighthouse", 30),
];

/// Quizzes in the app.
pub(super) const QUIZZES: [(&str, i64); 10] = [
    ("How well do you know tea?", 40),
    ("Which tree is this?", 50),
    ("Kitchen tools of the world", 45),
    ("True or false: coffee", 40),
    ("Trail signs and what they mean", 50),
    ("Bread, bun or bagel?", 35),
    ("Find the fake museum", 45),
    ("Save water: your household in ten questions", 60),
    ("Cheese or place name?", 35),
    ("Sounds of the forest", 50),
];

/// The item of a list that comes at this turn; after the last, the first comes again.
pub(super) fn in_turn(items: &[(&'static str, i64)], turn: usize) -> (&'static str, i64) {
    items.iter().cycle().nth(turn % items.len().max(1)).copied().unwrap_or_default()
}
