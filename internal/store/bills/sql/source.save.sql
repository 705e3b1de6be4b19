insert into source_states (tenant_id, source, tick, state, message, listing, versions, looked_at, imported_at)
values ($1, $2, coalesce($3, '-infinity'::timestamptz), $4, $5, coalesce($6, ''::bytea), $7::jsonb, $8, $9)
on conflict (tenant_id, source) do update set
  tick = greatest(source_states.tick, excluded.tick), state = excluded.state, message = excluded.message,
  listing = case when $6::bytea is null then source_states.listing else excluded.listing end,
  versions = case when $6::bytea is null then source_states.versions else excluded.versions end,
  looked_at = excluded.looked_at, imported_at = coalesce(excluded.imported_at, source_states.imported_at)
