-- What is stored of the minutes of replicas on a day.
select workload_id, hour, merged_bins(activity_bins)
from serving_hours
where tenant_id = $1 and hour >= $2 and hour < $2::timestamptz + interval '1 day' and activity_bins is not null
group by workload_id, hour
