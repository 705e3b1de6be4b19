-- Who made a token; where that is what a token is called, who made that one, and so on.
with recursive makers (name) as (
  select created_by from tokens where tenant_id = $1 and token_id = $2 and created_by <> ''
  union
  select t.created_by from makers m join tokens t on t.tenant_id = $1 and t.name = m.name where t.created_by <> ''
)
select name from makers order by name
