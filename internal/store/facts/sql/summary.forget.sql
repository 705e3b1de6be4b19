delete from sample_summaries s
using unnest($2::int[], $3::timestamptz[]) f (place_id, hour)
where s.tenant_id = $1 and s.place_id = f.place_id and s.hour = f.hour and s.hour >= $4 and s.hour <= $5
