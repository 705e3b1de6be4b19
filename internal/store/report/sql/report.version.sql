-- What answers depend on, in one text: it changes whenever the ledger does. Who signs in
-- changes the audit log alone.
select concat_ws('.',
  (select count(*) || '-' || coalesce(sum(generation), 0) || '-' || coalesce(max(generation), 0) from chunks where tenant_id = $1),
  (select count(*) || '-' || coalesce(extract(epoch from max(coalesce(finished_at, started_at))), 0) from imports where tenant_id = $1),
  (select count(*) || '-' || coalesce(extract(epoch from max(coalesce(finished_at, started_at))), 0) from calculations where tenant_id = $1),
  (select count(*) || '-' || count(withdrawn_at) from policy_versions where tenant_id = $1),
  (select count(*) || '-' || count(reopened_at) from statements where tenant_id = $1),
  (select count(*) || '-' || coalesce(extract(epoch from max(at)), 0) from recommendation_states where tenant_id = $1)),
  coalesce((select number from audit_heads where tenant_id = $1), 0),
  coalesce((select max(generation) from chunks where tenant_id = $1), 0),
  coalesce((select policy_version from calculations where tenant_id = $1 order by started_at desc limit 1), '')
