-- The naive allocation: every sample is joined with the hold and the charge whose
-- period contain it, here for some GPUs only.
with minutes as (
  select s.gpu, s.ts, s.ts // 3600 as hour, h.job, h.team, s.ppm >= 100000 as active, s.ppm,
    case when h.lost_from > 0
      and s.ts >= h.lost_from then 'lost' when s.ppm >= 100000 then 'used' when h.job is null then 'free'
          else 'held_idle' end as cause
  from (select * from {samples} where {part}) s left join (select * from {holds} where {part}) h on s.gpu = h.gpu
    and s.ts >= h.begins and s.ts < h.ends
)
select m.gpu, m.hour, job, team, cause, active, count(*) * 60 as seconds, sum(ppm) * 60 as work,
  count(*) * 60 * any_value(billed)::double / 28800 as billed,
  count(*) * 60 * any_value(effective)::double / 28800 as effective,
  count(*) * 60 * any_value(list)::double / 28800 as list,
  count(*) * 60 * any_value(contracted)::double / 28800 as contracted
from minutes m join (select * from {charges} where node < {nodes}) c on c.node = m.gpu // 8 and m.ts >= c.hour
  and m.ts < c.hour + 3600
group by all
