-- Ends session $3, or for null all but session $2 itself, of whoever that is of.
with gone as (
  delete from sessions s using sessions own
  where own.tenant_id = $1 and own.digest = $2 and s.tenant_id = own.tenant_id and s.user_id = own.user_id
    and case when $3::uuid is null then s.digest <> $2 else s.session_id = $3 end
  returning s.user_id
)
select u.name, count(*) from gone join users u on u.tenant_id = $1 and u.user_id = gone.user_id group by u.name
