-- Whether whoever asks sees whole teams: all owners of each team that he sees any of,
-- wherever he sees it.
select not exists (
  select from owners_in_scope() s
  left join owners o on o.tenant_id = $1 and o.owner_id = s.owner_id
  where not exists (
    select from teams_in_scope() t
    where t.team = coalesce(o.team, '') and (t.cluster is null or t.cluster = s.cluster)))
