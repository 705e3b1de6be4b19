-- Whether anything is shared, and whether a version of the policy that holds says who pays what.
select exists (select from shares where tenant_id = $1),
  exists (select from policy_versions where tenant_id = $1 and withdrawn_at is null and not only_rates
    and document ~ '(^|[\s{,"])(redistribute|commitments)"?\s*:')
