-- More views for scoped users: devices, and slices of cards.
set local lock_timeout = '5s';

-- The currencies in which kinds of machines are paid on days, without payers and amounts: usage that is not paid yet is
-- shown in the currency of its kind. Limited to machines that the user may see. gpuledger creates the day tables after
-- the migrations, so only a function can name them here.
create function currencies_of_places(from_at timestamptz, to_at timestamptz)
returns table (
  gpu_model text, cluster text, instance_type text, region text, zone text, pricing text, account text, currency text
)
language plpgsql stable security definer parallel safe set search_path = public, pg_temp as $$
declare s scopes := session_scope();
begin
  return query
    select distinct d.gpu_model, d.cluster, d.instance_type, d.region, d.zone, d.pricing, d.account, d.currency
    from star.device_place_days d
    where d.tenant_id = s.tenant_id and d.at >= from_at and d.at < to_at and d.currency is not null
      and (s.everything or exists (select from owners_in_scope() o where o.cluster is null)
        or d.cluster in (select clusters_in_scope())
        or d.cluster in (select o.cluster from owners_in_scope() o where o.cluster is not null));
end $$;

-- How cards were cut, without the holders and their times, and the currency of cards, without amounts.
create view layout_words as
select tenant_id, day, node_id, slot, number, device, model, from_at, to_at, slice_ids, profiles, weights, denominator,
  free, stranded, null::bigint[] as held_seconds, assumed, compute, memory, free_compute, largest, dead_compute,
  dead_memory, fragmentation_ppm
from layout_days;
create view slice_words as
select tenant_id, day, node_id, slot, number, currency from slice_days where currency is not null;
---- create above / drop below ----
drop view slice_words, layout_words;
drop function currencies_of_places(timestamptz, timestamptz);
