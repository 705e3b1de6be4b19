-- What makes reading under policies cheaper.
set local lock_timeout = '5s';

-- Owners that are in scope in some clusters alone, without those clusters that are in scope whole: who sees a cluster
-- sees it without a look at each row's owner and machine.
create function bound_owners_in_scope() returns setof scope_owners
language plpgsql stable security definer parallel safe set search_path = public, pg_temp as $$
declare s scopes := session_scope();
begin
  return query select o.* from scope_owners o
    where o.tenant_id = s.tenant_id and o.scope_id = s.scope_id and o.cluster is not null and not exists (
      select from scope_clusters c where c.tenant_id = s.tenant_id and c.scope_id = s.scope_id and c.cluster = o.cluster);
end $$;

-- A table whose policy asks a function for 1,000 rows, as the server takes it, is dear to begin to read, so that joins
-- were chosen that begin once and read all of it. What a scope is of is a few.
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
drop function bound_owners_in_scope() cascade; -- the policies that ask it are made anew
