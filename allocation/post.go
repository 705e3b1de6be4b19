package allocation

import (
	"fmt"

	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
)

// post turns the collected rows and the bills into the chunk's usage, parts
// and postings.
func (d *day) post(chunk *Chunk, bills []bill) error {
	postings, amounts := 0, 0
	for h := range bills {
		rows, b := len(d.hours[h].list), &bills[h]
		if len(b.frozen) > 0 {
			rows = len(b.frozen)
		}
		postings += max(rows, 1)*len(b.compute) + len(b.others)
		for i := range b.reversed {
			postings += len(d.in.Finals[b.reversed[i].Reverses])
		}
		for i := range b.compute {
			amounts += rows * carried(&b.compute[i])
		}
	}
	chunk.Usage = zeroed(chunk.Usage, len(d.rows))[:0]
	chunk.Postings = zeroed(chunk.Postings, postings)[:0]
	chunk.room.take(amounts+len(d.rows), len(d.rows))
	d.room = chunk.room
	p := poster{day: d, policy: d.policy.Version, methods: make(map[[2]string]string)}
	for h := range bills {
		if err := d.postHour(&p, chunk, &bills[h], d.sorted(h)); err != nil {
			return fmt.Errorf("hour %s: %w", bills[h].hour.From, err)
		}
	}
	return nil
}

// carried is how many metrics a part carries.
func carried(part *ledger.Part) int {
	n := 0
	for _, m := range ledger.Metrics {
		if part.Get(m) != nil {
			n++
		}
	}
	return n
}

// postHour splits the capacity and every compute part of one hour over its
// rows.
func (d *day) postHour(p *poster, chunk *Chunk, b *bill, rows []int32) error {
	if len(b.frozen) > 0 {
		return d.postFrozen(p, chunk, b, rows)
	}
	deviceSeconds := uint64(d.node.GPUs) * uint64(b.seconds())
	if err := d.weigh(rows, deviceSeconds); err != nil {
		return err
	}
	first := len(chunk.Usage)
	chunk.Usage = chunk.Usage[:first+len(rows)]
	usage := chunk.Usage[first:]
	d.beginIDs(b.hour.From)
	for i, r := range rows {
		d.usage(&usage[i], &d.rows[r], d.shares[i])
	}
	if b.made {
		chunk.Parts = append(chunk.Parts, b.compute[len(b.compute)-1])
	}
	for i := range b.compute {
		part := &b.compute[i]
		if len(rows) == 0 {
			d.report("part_without_usage",
				"part %s of hour %s has no instance time and the node did not exist: posted to no slot",
				part.ID, b.hour.From)
			chunk.Postings = append(chunk.Postings, p.whole(part, d.outsideCause(b.hour.From), d.node.OwnerID))
			continue
		}
		state := ledger.Open
		if part.Kind == ledger.PartProvisional && !d.covered(b.hour) && part.Method != MayBeBilled {
			state = ledger.Provisional
		}
		if err := p.spread(chunk, part, usage, state); err != nil {
			return fmt.Errorf("part %s: %w", part.ID, err)
		}
	}
	if len(rows) > 0 {
		if err := ride(chunk.Postings[len(chunk.Postings)-len(rows)*len(b.compute):], b.compute, usage); err != nil {
			return err
		}
	}
	for i := range b.others {
		chunk.Postings = append(chunk.Postings, p.whole(&b.others[i], causeOf(b.others[i].Kind), d.node.OwnerID))
	}
	return d.reverse(chunk, b)
}

var zero money.Amount

// ride puts the quantities of each row on its postings: on those of parts with a usage amount, by that amount (rule
// 8.4). postings are those of the hour's compute parts, part by part.
func ride(postings []ledger.Posting, parts []ledger.Part, usage []ledger.Usage) error {
	var carriers []int
	var amounts []uint64
	only := none
	for i := range parts {
		if s := seconds(&parts[i]); s > 0 {
			carriers, amounts = append(carriers, i), append(amounts, uint64(s))
			only = i
		}
	}
	if len(carriers) == 1 { // the row's own quantities
		for r := range usage {
			u, p := &usage[r], &postings[only*len(usage)+r]
			if u.Cause == ledger.Host { // money only
				continue
			}
			p.CapacityGPUHours, p.ActiveGPUHours, p.EnergyKWh, p.GPUHours = &u.CapacityGPUHours, &u.ActiveGPUHours, u.EnergyKWh,
				&zero
			if u.Held {
				p.GPUHours = &u.CapacityGPUHours
			}
		}
		return nil
	}
	for r := range usage {
		if usage[r].Cause == ledger.Host { // money only
			continue
		}
		capacity, err := money.SplitUint(usage[r].CapacityGPUHours, amounts)
		if err != nil {
			return err
		}
		active, err := money.SplitUint(usage[r].ActiveGPUHours, amounts)
		if err != nil {
			return err
		}
		var energy []money.Amount
		if usage[r].EnergyKWh != nil {
			if energy, err = money.SplitUint(*usage[r].EnergyKWh, amounts); err != nil {
				return err
			}
		}
		for c, part := range carriers {
			p := &postings[part*len(usage)+r]
			p.CapacityGPUHours, p.ActiveGPUHours, p.GPUHours = &capacity[c], &active[c], &zero
			if usage[r].Held {
				p.GPUHours = &capacity[c]
			}
			if energy != nil {
				p.EnergyKWh = &energy[c]
			}
		}
	}
	return nil
}

// poster makes postings.
type poster struct {
	*day
	policy  string
	methods map[[2]string]string // part method and row method → posting method
}

// spread posts a part over usage rows, one posting per row and each metric on
// its own (rule 8.3). A metric that the part does not carry stays nil.
func (p *poster) spread(chunk *Chunk, part *ledger.Part, usage []ledger.Usage, state ledger.State) error {
	first := len(chunk.Postings)
	chunk.Postings = chunk.Postings[:first+len(usage)]
	postings := chunk.Postings[first:]
	kind := postingKind(part)
	id := appendID(ledger.AppendIDPart(p.id[:0], "posting"), part.ID)
	p.id = id
	last, method := "", ""
	for i := range usage {
		u, to := &usage[i], &postings[i]
		if u.Method != last || method == "" {
			last, method = u.Method, p.method(part.Method, u.Method)
		}
		to.ID = ledger.HashID(ledger.AppendIDPart(appendID(id, u.ID), string(kind)))
		to.PartID, to.ChargeID, to.RateID, to.Part = part.ID, part.ChargeID, part.RateID, part.Number
		to.UsageID, to.Hour, to.Cause, to.Activity = u.ID, u.Hour, u.Cause, u.Activity
		to.Kind, to.OwnerID, to.Method, to.Quality = kind, u.OwnerID, method, part.Quality.Worse(u.Quality)
		if u.WorkloadID.IsZero() && !part.OwnerID.IsZero() { // split for an owner (8.31)
			to.OwnerID = part.OwnerID
		}
		to.Policy, to.Currency, to.State = p.policy, part.Currency, state
		to.NodeID, to.Slot, to.Device, to.SliceID, to.Profile = u.NodeID, u.Slot, u.Device, u.SliceID, u.Profile
		to.WorkloadID, to.RunID, to.AttemptID = u.WorkloadID, u.RunID, u.AttemptID
	}
	for k, m := range ledger.Metrics {
		amount := part.Get(m)
		if amount == nil {
			continue
		}
		if same := equalBefore(part, k, amount); same != "" { // split the same way; amounts are immutable
			for i := range postings {
				postings[i].Set(m, postings[i].Get(same))
			}
			continue
		}
		shares := p.room.amounts[:len(usage):len(usage)]
		p.room.amounts = p.room.amounts[len(usage):]
		if err := p.weights.SplitInto(shares, *amount, &p.split); err != nil {
			return fmt.Errorf("%s: %w", m, err)
		}
		for i := range shares {
			postings[i].Set(m, &shares[i])
		}
	}
	return nil
}

// equalBefore is a metric before the k-th in which a part has the same amount, empty if there is none.
func equalBefore(part *ledger.Part, k int, amount *money.Amount) ledger.Metric {
	units, ok := amount.Units()
	for _, m := range ledger.Metrics[:k] {
		if before := part.Get(m); ok && before != nil {
			if u, ok := before.Units(); ok && u == units {
				return m
			}
		}
	}
	return ""
}

// method joins the part's method with the row's.
func (p *poster) method(part, row string) string {
	key := [2]string{part, row}
	text, ok := p.methods[key]
	if !ok {
		text = part + ", " + row
		p.methods[key] = text
	}
	return text
}

// whole posts a part that goes to no usage row.
func (p *poster) whole(part *ledger.Part, c ledger.Cause, owner ledger.ID) ledger.Posting {
	if !part.OwnerID.IsZero() {
		owner = part.OwnerID
	}
	kind := postingKind(part)
	return ledger.Posting{
		ID:     ledger.NewID("posting", idText(part.ID), "", string(kind)),
		PartID: part.ID, ChargeID: part.ChargeID, RateID: part.RateID, Part: part.Number, Hour: part.Hour,
		Cause: c, Kind: kind, OwnerID: owner, Method: part.Method, Quality: ledger.Measured.Worse(part.Quality),
		Policy: p.policy, Currency: part.Currency, State: ledger.Open, Costs: part.Costs,
		NodeID: part.NodeID, Slot: none, SliceID: ledger.WholeDevice,
	}
}

// postingKind is the kind of a part's postings. Amortise pairs have a separate kind, so that reports can leave them out
// and verify can add them up.
func postingKind(part *ledger.Part) ledger.PostingKind {
	if part.PostingKind == "" {
		return ledger.Direct
	}
	return part.PostingKind
}

// causeOf is the cause of a part that goes to no slot. Instance time without a node is unobserved.
func causeOf(kind ledger.PartKind) ledger.Cause {
	switch kind {
	case ledger.PartCommitmentFee:
		return ledger.CommitmentFee
	case ledger.PartCommitmentUnused:
		return ledger.CommitmentUnused
	case ledger.PartShared:
		return ledger.Shared
	case ledger.PartMetered:
		return ledger.Metered
	case ledger.PartNonGPU:
		return ledger.NonGPU
	}
	return ledger.Unobserved
}

// Payer is the owner of the managed-service job that a metered part paid for.
type Payer struct {
	Workload ledger.ID
	Run      string
	Attempt  ledger.ID // zero when none ran in the part's hour
}

// NodelessDay posts the parts of a day that belong to no node, one posting each: fees and unused parts of commitments,
// metered, shared and non-GPU charges. Final parts are posted already; finals are the postings of final parts that
// others reverse or replace. payer returns the owner of a metered part, false if it has none; a nil payer means that no
// part has one. It returns an error if the day is not a UTC day or a part is outside it.
func NodelessDay(
	parts []ledger.Part, finals map[ledger.ID][]ledger.Posting, day period.Interval,
	policyVersion string, payer func(*ledger.Part) (Payer, bool),
) (*Chunk, error) {
	if day != period.DayOf(day.From) {
		return nil, fmt.Errorf("parts without a node: %s is not a UTC day", day)
	}
	sorted := make([]ledger.Part, len(parts))
	copy(sorted, parts)
	sortByHour(sorted)
	chunk := &Chunk{Day: day}
	p := poster{policy: policyVersion}
	for i := range sorted {
		if !day.Contains(sorted[i].Hour) {
			return nil, fmt.Errorf("part %s is for %s, outside %s", sorted[i].ID, sorted[i].Hour, day)
		}
		if sorted[i].Final {
			continue
		}
		if !sorted[i].Reverses.IsZero() {
			reversals, err := reversal(&sorted[i], finals[sorted[i].Reverses])
			if err != nil {
				return nil, err
			}
			chunk.Postings = append(chunk.Postings, reversals...)
			continue
		}
		posting := p.whole(&sorted[i], causeOf(sorted[i].Kind), ledger.ID{})
		posting.Adjusts = original(finals[sorted[i].Replaces], ledger.ID{})
		if sorted[i].Kind == ledger.PartMetered && payer != nil {
			if who, ok := payer(&sorted[i]); ok {
				posting.WorkloadID, posting.RunID, posting.AttemptID = who.Workload, who.Run, who.Attempt
			}
		}
		chunk.Postings = append(chunk.Postings, posting)
	}
	return chunk, nil
}
