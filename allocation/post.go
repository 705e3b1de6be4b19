package allocation

import (
	"fmt"

	"gpuledger/allocation/cause"
	"gpuledger/allocation/split"
	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
)

// post turns the collected rows and the bills into the chunk's usage, parts
// and postings.
func (d *day) post(chunk *Chunk, bills []bill) error {
	rows := d.sortedRows()
	chunk.Usage = make([]ledger.Usage, 0, len(rows))
	size := 0
	for h, at := 0, 0; h < len(bills); h++ {
		from := at
		for at < len(rows) && int(rows[at].key.hour) == h {
			at++
		}
		size += (at-from)*len(bills[h].compute) + len(bills[h].others)
	}
	chunk.Postings = make([]ledger.Posting, 0, size)
	p := poster{policy: d.policy.Version, node: &d.node, methods: make(map[[2]string]string)}
	for h, at := 0, 0; h < len(bills); h++ {
		from := at
		for at < len(rows) && int(rows[at].key.hour) == h {
			at++
		}
		if err := d.postHour(&p, chunk, &bills[h], rows[from:at]); err != nil {
			return fmt.Errorf("hour %s: %w", bills[h].hour.From, err)
		}
	}
	return nil
}

// postHour splits the capacity and every compute part of one hour over its
// rows.
func (d *day) postHour(p *poster, chunk *Chunk, b *bill, rows []*row) error {
	deviceSeconds := uint64(d.node.GPUs) * uint64(b.seconds())
	sums := make([]*split.Sum, len(rows))
	for i := range rows {
		sums[i] = &rows[i].weight
	}
	weights := split.NewWeights(sums)
	if !weights.AddUpTo(deviceSeconds) {
		return fmt.Errorf("usage rows do not add up to the hour's %d device-seconds: this is a fault of the engine", deviceSeconds)
	}
	capacity, err := weights.Split(split.Quantity(deviceSeconds, 2_500_000_000, 9)) // seconds → 1e-12 GPU-hours
	if err != nil {
		return err
	}
	first := len(chunk.Usage)
	for i := range rows {
		chunk.Usage = append(chunk.Usage, d.usage(rows[i], capacity[i]))
	}
	usage := chunk.Usage[first:]
	if b.made {
		chunk.Parts = append(chunk.Parts, b.compute[len(b.compute)-1])
	}
	for i := range b.compute {
		part := &b.compute[i]
		if len(rows) == 0 {
			d.report("part_without_usage", "part %s of hour %s has no instance time and the node was not there: posted whole", part.ID, b.hour.From)
			chunk.Postings = append(chunk.Postings, p.whole(part, cause.BilledOnly(d.node.InSource), d.node.OwnerID))
			continue
		}
		state := ledger.Open
		if part.Kind == ledger.PartProvisional && !d.covered(b.hour) {
			state = ledger.Provisional
		}
		if err := p.spread(chunk, part, weights, usage, state); err != nil {
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
	return nil
}

// ride puts the quantities of each row on its postings: on those of parts
// with a usage amount, by that amount (rule 8.4). postings are those of the
// hour's compute parts, part by part.
func ride(postings []ledger.Posting, parts []ledger.Part, usage []ledger.Usage) error {
	var carriers []int
	var amounts []uint64
	for i := range parts {
		if s := seconds(&parts[i]); s > 0 {
			carriers, amounts = append(carriers, i), append(amounts, uint64(s))
		}
	}
	share := func(q money.Amount) ([]money.Amount, error) {
		if len(carriers) == 1 {
			return []money.Amount{q}, nil
		}
		return money.SplitUint(q, amounts)
	}
	var zero money.Amount
	for r := range usage {
		capacity, err := share(usage[r].CapacityGPUHours)
		if err != nil {
			return err
		}
		active, err := share(usage[r].ActiveGPUHours)
		if err != nil {
			return err
		}
		var energy []money.Amount
		if usage[r].EnergyKWh != nil {
			if energy, err = share(*usage[r].EnergyKWh); err != nil {
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
	policy  string
	node    *ledger.Node
	methods map[[2]string]string // part method and row method → posting method
}

// spread posts a part over usage rows, one posting per row and each metric on
// its own (rule 8.3). A metric that the part does not carry stays nil.
func (p *poster) spread(chunk *Chunk, part *ledger.Part, weights split.Weights, usage []ledger.Usage, state ledger.State) error {
	first := len(chunk.Postings)
	partID, kind := idText(part.ID), postingKind(part)
	for i := range usage {
		u := &usage[i]
		chunk.Postings = append(chunk.Postings, ledger.Posting{
			ID:     ledger.NewID("posting", partID, idText(u.ID), string(kind)),
			PartID: part.ID, ChargeID: part.ChargeID, RateID: part.RateID, Part: part.Number, UsageID: u.ID, Hour: u.Hour,
			Cause: u.Cause, Activity: u.Activity, Kind: kind, OwnerID: u.OwnerID,
			Method: p.method(part.Method, u.Method), Quality: part.Quality.Worse(u.Quality),
			Policy: p.policy, Currency: part.Currency, State: state,
			NodeID: u.NodeID, Slot: u.Slot, Device: u.Device, SliceID: u.SliceID, Profile: u.Profile,
			WorkloadID: u.WorkloadID, RunID: u.RunID, AttemptID: u.AttemptID,
		})
	}
	for _, m := range ledger.Metrics {
		amount := part.Get(m)
		if amount == nil {
			continue
		}
		shares, err := weights.Split(*amount)
		if err != nil {
			return fmt.Errorf("%s: %w", m, err)
		}
		for i := range shares {
			chunk.Postings[first+i].Set(m, &shares[i])
		}
	}
	return nil
}

// method joins how the part was cut and how the row was held.
func (p *poster) method(part, row string) string {
	key := [2]string{part, row}
	text, ok := p.methods[key]
	if !ok {
		text = part + ", " + row
		p.methods[key] = text
	}
	return text
}

// whole posts a part that no usage row receives.
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

// postingKind marks the postings of a part: those of amortise pairs are told
// apart, so that reports may leave them out and verify may add them up.
func postingKind(part *ledger.Part) ledger.PostingKind {
	if part.PostingKind == "" {
		return ledger.Direct
	}
	return part.PostingKind
}

// causeOf is the cause of a part that goes to no slot. Instance time without
// a node is unobserved.
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

// Payer is whose job of a managed service a metered part paid.
type Payer struct {
	Workload ledger.ID
	Run      string
	Attempt  ledger.ID // zero when none ran in the part's hour
}

// NodelessDay posts the parts of a day that belong to no node, one posting
// each: fees and unused parts of commitments, metered, shared and non-GPU
// charges. payer says whose a metered part is, false when nobody's; nil knows
// nobody. It returns an error when the day is no UTC day or a part lies
// outside it.
func NodelessDay(parts []ledger.Part, day period.Interval, policyVersion string, payer func(*ledger.Part) (Payer, bool)) (*Chunk, error) {
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
		posting := p.whole(&sorted[i], causeOf(sorted[i].Kind), ledger.ID{})
		if sorted[i].Kind == ledger.PartMetered && payer != nil {
			if who, ok := payer(&sorted[i]); ok {
				posting.WorkloadID, posting.RunID, posting.AttemptID = who.Workload, who.Run, who.Attempt
			}
		}
		chunk.Postings = append(chunk.Postings, posting)
	}
	return chunk, nil
}
