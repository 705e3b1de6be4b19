-- The part of an attempt's time whose work may be lost, by attempts a (docs/rules.md, 6.10).
coalesce(extract(epoch from a.ended_at - a.may_lose_from) / nullif(extract(epoch from a.ended_at - a.started_at), 0), 0)
