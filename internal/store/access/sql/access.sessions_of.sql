-- Sessions of whoever session $2 is of, that go on at $3 and were used since $4: this one, then the newest.
select s.session_id, s.created_at, s.seen_at, s.address, s.agent, coalesce(o.name, ''), s.digest = $2
from sessions own
join sessions s on s.tenant_id = own.tenant_id and s.user_id = own.user_id
left join users o on o.tenant_id = s.tenant_id and o.user_id = s.as_user_id
where own.tenant_id = $1 and own.digest = $2 and s.expires_at > $3 and s.seen_at > $4
order by s.digest = $2 desc, s.seen_at desc, s.created_at desc, s.session_id
