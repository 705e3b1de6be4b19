-- Whether anything of a device is in the scope of whoever asks: by months, and by days of months that are not there.
select exists (select from star.device_holder_months d where d.tenant_id = $1 and d.device = $2)
  or exists (
    select from (
      select distinct generate_series(date_trunc('month', k.first_hour at time zone 'UTC'),
        k.last_hour at time zone 'UTC', interval '1 month') as month
      from devices k where k.tenant_id = $1 and k.device = $2
    ) m
    join star.device_holder_days d on d.tenant_id = $1 and d.device = $2
      and d.at >= m.month at time zone 'UTC' and d.at < (m.month + interval '1 month') at time zone 'UTC'
    where not exists (select from rolled_months r where r.tenant_id = $1 and r.month = m.month at time zone 'UTC'))
