-- Saved views. They are read with full access, so each statement tests the holder, $2.

-- name: access.change_view
update saved_views set name = coalesce($4, name), shared = coalesce($5, shared)
where tenant_id = $1 and holder = $2 and view_id = $3

-- name: access.configured_views
-- Views for everyone: those of holder $2 first, then what people share, the oldest first.
select view_id as id, name, url, holder = $2 as own from saved_views
where tenant_id = $1 and (shared or holder = $2)
order by holder = $2 desc, created_at, view_id

-- name: access.drop_view
delete from saved_views where tenant_id = $1 and holder = $2 and view_id = $3
returning name, url, shared

-- name: access.own_view
select name, url, shared from saved_views
where tenant_id = $1 and holder = $2 and view_id = $3
for update

-- name: access.put_start
insert into start_views (tenant_id, holder, view_id) values ($1, $2, $3)
on conflict (tenant_id, holder) do update set view_id = excluded.view_id

-- name: access.drop_start
delete from start_views where tenant_id = $1 and holder = $2 and view_id = $3

-- name: access.put_view
-- Writes nothing if the holder has $9 views.
insert into saved_views (tenant_id, holder, view_id, owner, name, url, shared, created_at)
select $1, $2, $3, $4, $5, $6, $7, $8
where (select count(*) from saved_views where tenant_id = $1 and holder = $2) < $9

-- name: access.move_view
update saved_views set url = $4 where tenant_id = $1 and holder = $2 and view_id = $3

-- name: access.start_view
select v.url from start_views s
join saved_views v on v.tenant_id = s.tenant_id and v.view_id = s.view_id
where s.tenant_id = $1 and s.holder = $2 and (v.shared or v.holder = s.holder)

-- name: access.views
-- The holder's views by name, then the newest $3 that others share.
(select v.view_id as id, v.name, v.url, v.shared, v.owner, true as own, s.view_id is not null as start, v.created_at
 from saved_views v
 left join start_views s on s.tenant_id = v.tenant_id and s.holder = v.holder and s.view_id = v.view_id
 where v.tenant_id = $1 and v.holder = $2
 order by v.name, v.created_at, v.view_id)
union all
(select v.view_id, v.name, v.url, v.shared, v.owner, false, s.view_id is not null, v.created_at
 from saved_views v
 left join start_views s on s.tenant_id = v.tenant_id and s.holder = $2 and s.view_id = v.view_id
 where v.tenant_id = $1 and v.shared and v.holder <> $2
 order by v.created_at desc, v.view_id
 limit $3)

-- name: access.view
select v.view_id as id, v.name, v.url, v.shared, v.owner, v.holder = $2 as own, s.view_id is not null as start,
  v.created_at
from saved_views v
left join start_views s on s.tenant_id = v.tenant_id and s.holder = $2 and s.view_id = v.view_id
where v.tenant_id = $1 and v.view_id = $3 and (v.shared or v.holder = $2)
