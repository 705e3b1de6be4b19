-- How often a job should write a checkpoint that costs b.checkpoint_seconds, on machines
-- that are taken away every b.between_seconds in the mean (docs/figures.md, 20.4). Daly's
-- √(2CM) · (1 + ⅓ √(C/2M) + ⅑ (C/2M)) − C is √(2CM) · (1 + C/18M) − ⅔ C, so that one
-- root suffices: it is taken down to the millisecond.
select trunc(r.root / 1000)::bigint as young,
       case when b.between_seconds <= 2 * b.checkpoint_seconds then b.between_seconds -- a checkpoint costs at least half of what there is
            else div(3 * r.root * (18 * b.between_seconds + b.checkpoint_seconds) - 2000 * b.checkpoint_seconds * 18 * b.between_seconds, 3000 * 18 * b.between_seconds) end::bigint as daly
from (select trunc(sqrt((2000000 * b.checkpoint_seconds * b.between_seconds)::numeric(60, 20))) as root) r
where b.between_seconds > 0
