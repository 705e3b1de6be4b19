-- Ends sessions of issuer $2 and says of whom how many: of its user $3 (null: whoever it is), of its session $4 (null: all).
-- One that does not say with which session of the provider it began may be that one, where the user is named.
with gone as (
  delete from sessions s using users u
  where s.tenant_id = $1 and u.tenant_id = s.tenant_id and u.user_id = s.user_id and u.issuer = $2
    and ($3::text is null or u.subject = $3)
    and ($4::bytea is null or s.provider_session = $4 or s.provider_session is null and $3::text is not null)
  returning u.name
)
select name, count(*) from gone group by name order by name
