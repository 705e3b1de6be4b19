-- At which prices hours stand that no bill has (docs/rules.md 8.12 to 8.14).
select nullif(n.cluster, '') as cluster, nullif(n.instance_type, '') as instance_type, nullif(n.region, '') as region, nullif(n.price_class, '') as price_class,
       case b.method
         when 'rate' then case when f.of_book then 'price_book' else 'bill_rate' end
         when 'public price' then 'public_price'
         when 'typical price' then 'typical_price'
         when 'prepaid capacity' then 'prepaid'
         when 'unbilled' then 'uncharged'
         when 'may be billed' then 'may_be_billed'
         else 'unknown'
       end as price_source, f.source as price,
       case when sum(b.effective_cost) is not null or b.method = 'may be billed' then nullif(b.currency, '') end as currency,
       case when b.method in ('unbilled', 'may be billed') then 'open' else 'provisional' end as state,
       round(sum(b.usage_seconds::numeric * n.gpus) / 3600, 12) as capacity_gpu_hours, sum(b.effective_cost) as effective_cost,
       sum(round(f.hourly * b.usage_seconds / 3600, 12)) filter (where b.method = 'may be billed') as would_cost,
       min(b.hour) as first_hour, max(b.hour) as last_hour
from parts b
join nodes n on n.tenant_id = @tenant and n.node_id = b.node_id
left join posted_rates f on f.tenant_id = @tenant and f.rate_id = b.rate_id
where b.tenant_id = @tenant and b.hour >= @from and b.hour < @to and b.kind = 'provisional'
group by 1, 2, 3, 4, 5, 6, b.currency, b.method
