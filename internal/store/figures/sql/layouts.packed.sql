-- Days of cards that had instances, with what each day alone would need.
select d.cluster, d.model, d.day, d.cards, c.node_id, c.slot, c.device, c.had, c.profiles
from packing_days d
left join packing_cards c on c.tenant_id = d.tenant_id and c.day = d.day and c.cluster = d.cluster and c.model = d.model
where d.tenant_id = $1
order by d.cluster, d.model, d.day, c.card
