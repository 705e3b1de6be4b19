-- Runs of the groups that overlap the window: a group is whole.
select w.run_id from runs w
where w.tenant_id = @tenant and w.group_id in (
  select r.group_id from runs r where r.tenant_id = @tenant and r.group_id <> '' group by r.group_id
  having @group_overlaps)
