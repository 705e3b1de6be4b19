package posting_test

import "testing"

// devicesAgree compares the slots of machines with the ledger, and the slices of cards with the cards.
func devicesAgree(t *testing.T, w *world) {
	slotsAgree(t, w)
	// The rows of a card add up to the card, exactly.
	apart := w.rows(`select d.node_id, d.slot, sum(d.effective_cost),
		(select sum(s.effective_cost) from star.slice_days s where s.node_id = d.node_id and s.slot = d.slot)
		from star.device_days d
		where exists (select from star.layout_days l where l.node_id = d.node_id and l.slot = d.slot)
		group by d.node_id, d.slot
		having row(sum(d.effective_cost), sum(d.capacity_gpu_hours), sum(d.gpu_hours), coalesce(sum(d.active_gpu_hours), 0),
		    sum(d.energy_kwh)) is distinct from
			(select row(sum(s.effective_cost), sum(s.capacity_gpu_hours), sum(s.gpu_hours), coalesce(sum(s.active_gpu_hours), 0),
			  sum(s.energy_kwh)) from star.slice_days s where s.node_id = d.node_id and s.slot = d.slot)`)
	if len(apart) > 0 {
		t.Errorf("%d cards differ from their slices: %s", len(apart), apart[0])
	}
	// The small fleet repartitions one card at 10:20.
	if cut := w.rows(`select from_at from star.layout_days where number > 0
		and to_char(from_at at time zone 'UTC', 'HH24:MI:SS') = '10:20:00'`); len(cut) != 1 {
		t.Errorf("layouts that changed within a day: %v", cut)
	}
	if more := w.rows(`select 1 from star.packing_days where fewest > cards`); len(more) > 0 {
		t.Error("a proposal needs more cards than were used")
	}
	// Percentiles of merged counts are within 0.8 % of those from the hours' own sketches.
	if wrong := w.rows(`select b.node_id from (select node_id, slot, device,
		  bins_percentile(merged_bins(activity_bins), 100) as most from star.device_signal_days group by 1, 2, 3) b
		join (select p.device, max(f.high) as high from sample_summaries s join sample_places p using (tenant_id, place_id)
		    cross join lateral sample_figures(s.figures) f
			join sample_signals g on g.signal = f.signal and g.name = 'gr_engine_ppm' group by p.device) m using (device)
		where abs(b.most - m.high) > 0.008 * m.high + 1`); len(wrong) > 0 {
		t.Errorf("%d devices whose largest activity is not within the bound: %s", len(wrong), wrong[0])
	}
}
