-- Cheaper reading under policies.
set local lock_timeout = '5s';

-- Owners in scope only in some clusters, without the clusters that are wholly in scope: rows of those clusters need no
-- check of owner and machine.
create function bound_owners_in_scope() returns setof scope_owners
language plpgsql stable security definer parallel safe set search_path = public, pg_temp as $$
declare s scopes := session_scope();
begin
  return query select o.* from scope_owners o
    where o.tenant_id = s.tenant_id and o.scope_id = s.scope_id and o.cluster is not null and not exists (
      select from scope_clusters c where c.tenant_id = s.tenant_id and c.scope_id = s.scope_id and c.cluster = o.cluster);
end $$;

-- The planner assumes 1,000 rows for a function in a policy, which makes a scan expensive to begin, so it chose joins
-- that scan once and read the whole table. Scopes have few rows.
alter function bound_owners_in_scope() rows 10;
alter function owners_in_scope() rows 10;
alter function teams_in_scope() rows 10;
alter function clusters_in_scope() rows 10;
alter function experiments_in_scope() rows 10;
alter function nodes_in_scope() rows 100;
---- create above / drop below ----
alter function nodes_in_scope() rows 1000;
alter function experiments_in_scope() rows 1000;
alter function clusters_in_scope() rows 1000;
alter function teams_in_scope() rows 1000;
alter function owners_in_scope() rows 1000;
drop function bound_owners_in_scope() cascade; -- the policies that call it are created again
