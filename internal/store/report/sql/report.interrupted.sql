-- Whom interruptions hit, for report.spot and report.interruptions. An attempt that
-- lost several machines at once counts its recovery at the first (docs/figures.md,
-- 20.3).
select i.node_id, i.at, i.warned_at, h.attempt_id, a.run_id,
       case when row_number() over (partition by h.attempt_id order by i.at, i.node_id) = 1 then h.recovery_seconds end as recovery_seconds
from spot_interruptions i
left join spot_hits h on h.tenant_id = i.tenant_id and h.node_id = i.node_id
left join attempts a on a.tenant_id = h.tenant_id and a.attempt_id = h.attempt_id
where i.tenant_id = @tenant and i.at >= @from and i.at < @to
