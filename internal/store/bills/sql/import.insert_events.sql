-- Days of new warnings are marked: machines are taken away after one.
with fresh as (
  insert into instance_events (tenant_id, provider, instance_id, kind, detail, at, account, region, event_id)
  select distinct on (provider, instance_id, kind, detail, at, account) tenant_id, provider, instance_id, kind, detail, at, account, region, event_id
  from next_events
  where tenant_id = $1
  order by provider, instance_id, kind, detail, at, account, event_id
  on conflict do nothing
  returning kind, at
), marked as (
  insert into stale_days (tenant_id, day, what)
  select distinct $1::int, date_trunc('day', at, 'UTC'), 'warnings' from fresh where kind = 'interruption_warning'
)
select count(*) from fresh
