-- Devices and slices that were in several places, by each of these.
select place_id, places
from (
  select place_id, array_agg(place_id) over one as places, count(*) over one as n
  from sample_places
  where tenant_id = $1
  window one as (partition by cluster, device, slice_id, profile)
) p
where n > 1
