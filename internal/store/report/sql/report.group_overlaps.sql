-- Whether runs r together overlap the window.
min(coalesce(r.started_at, r.created_at, @asked_from)) < @asked_to and (bool_or(r.ended_at is null) or max(r.ended_at) > @asked_from)
