-- Versions of the policy with the time for which they hold, the standard first.
select v.version, nullif(v.valid_from, '-infinity') as valid_from,
       lead(v.valid_from) over (partition by v.withdrawn_at is null order by v.valid_from, v.standard desc) as valid_to,
       case when v.withdrawn_at is null then 'holds' else 'withdrawn' end as status,
       v.note, v.created_at, v.created_by, v.withdrawn_at, v.document
from (
  select version, valid_from, note, created_at, created_by, withdrawn_at, document, false as standard
  from policy_versions where tenant_id = @tenant
  union all
  select 'default-1', '-infinity', 'The standard: what docs/rules.md describes.', null, null, null, null, true
) v
