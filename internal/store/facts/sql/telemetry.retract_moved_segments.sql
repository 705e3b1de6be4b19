-- Segments that were read in another zone, as telemetry.retract_moved.
with said as (
  select * from unnest($2::text[], $3::timestamptz[]) k (statement, from_at)
)
delete from segment_facts f
where f.tenant_id = $1 and f.statement in (select statement from said)
  and not exists (select from said s where s.statement = f.statement and s.from_at = f.from_at)
