-- The end of usage, in addition to the end of postings: fees are posted up to the end of their month.
set local lock_timeout = '5s';

create or replace view stored_hours as
select t.tenant_id,
  least((select min(p.hour) from posting_rows p where p.tenant_id = t.tenant_id), (select min(u.hour) from usage u where u.tenant_id = t.tenant_id)) as first,
  greatest((select max(p.hour) from posting_rows p where p.tenant_id = t.tenant_id), (select max(u.hour) from usage u where u.tenant_id = t.tenant_id)) as last,
  coalesce(
    (select max(u.hour) + interval '1 hour' from usage u where u.tenant_id = t.tenant_id),
    (select max(c.covered_until) from coverage c where c.tenant_id = t.tenant_id)) as used_until
from tenants t;
---- create above / drop below ----
drop view stored_hours;
create view stored_hours as
select t.tenant_id,
  least((select min(p.hour) from posting_rows p where p.tenant_id = t.tenant_id), (select min(u.hour) from usage u where u.tenant_id = t.tenant_id)) as first,
  greatest((select max(p.hour) from posting_rows p where p.tenant_id = t.tenant_id), (select max(u.hour) from usage u where u.tenant_id = t.tenant_id)) as last
from tenants t;
