-- How many activities earned each user points so far. All tenants at once: rows change, each in its place.
UPDATE users SET earned_counts = coalesce((
    SELECT group_concat(type || ':' || number, ',' ORDER BY type)
    FROM (
        SELECT type, count(*) AS number
        FROM transactions
        WHERE transactions.tenant_id = users.tenant_id AND transactions.user_id = users.id
            AND points > 0 AND type <> 'order' AND substr(source_id, -9) <> ':reversal'
        GROUP BY type
    ) AS counted
), '');
