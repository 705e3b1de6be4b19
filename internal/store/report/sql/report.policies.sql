-- Versions of the policy with the time for which they hold, the standard first, unless a version
-- holds always. Documents of nothing but exchange rates follow none.
select v.version, nullif(v.valid_from, '-infinity') as valid_from,
       case when not v.only_rates then lead(v.valid_from) over (partition by v.withdrawn_at is null, v.only_rates order by v.valid_from, v.standard desc) end as valid_to,
       case when v.withdrawn_at is null then 'holds' else 'withdrawn' end as status,
       v.note, v.created_at, v.created_by, v.withdrawn_at, v.document
from (
  select version, valid_from, note, created_at, created_by, withdrawn_at, document, only_rates, false as standard
  from policy_versions where tenant_id = @tenant
  union all
  select 'default-1', '-infinity', 'The standard: what docs/rules.md describes.', null, null, null, null, false, true
  where not exists (select from policy_versions where tenant_id = @tenant and valid_from = '-infinity' and withdrawn_at is null and not only_rates)
) v
