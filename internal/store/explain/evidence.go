package explain

import (
	"context"
	"fmt"
	"math/big"
	"math/bits"
	"slices"

	"github.com/jackc/pgx/v5"

	"gpuledger/allocation/policy"
	"gpuledger/internal/catalog/mig"
	"gpuledger/internal/ledger"
	"gpuledger/internal/minutes"
	"gpuledger/internal/store/pg"
	"gpuledger/metrics"
)

// explainer collects one explanation.
type explainer struct {
	tx      pgx.Tx
	subject metrics.Subject
	book    policy.Book
	listed  int
	levels  bool // explain figures of reports one step at a time
	first   int  // first row of a level's page
	out     *metrics.Explanation
	shares  map[ledger.ID]metrics.Figure // by part
	posted  map[ledger.ID]postedPart
}

// evidence adds the telemetry behind the node-hours, and the policy settings that mattered. e.out.NodeHours are those
// of hours, in the same order.
func (e *explainer) evidence(ctx context.Context, hours []NodeHour) error {
	g := gatherer{tx: e.tx, book: e.book, values: true}
	found, err := g.gather(ctx, hours)
	if err != nil {
		return err
	}
	frozen, err := frozenEvidence(ctx, e.tx, hours)
	if err != nil {
		return err
	}
	seen := map[string]bool{}
	for i, at := range hours {
		live := found[at]
		if kept := frozen[at]; kept != nil {
			// The evidence as frozen at closing, with minutes if they are still stored.
			kept.Source = "frozen"
			addValues(kept, live)
			live = kept
		}
		e.out.NodeHours[i].Evidence = live
		e.addSettings(g.places[at.Node], at, seen)
	}
	return nil
}

// addValues copies the minutes of samples that are still stored.
func addValues(kept, live *metrics.NodeEvidence) {
	for i := range kept.Samples {
		k := &kept.Samples[i]
		for j := range live.Samples {
			if l := &live.Samples[j]; l.Device == k.Device && sameSlice(l.Slice, k.Slice) && l.Signal == k.Signal &&
				l.Minutes == k.Minutes && l.Sum == k.Sum {
				k.Values = l.Values
			}
		}
	}
}

func sameSlice(a, b *int) bool { return a == nil && b == nil || a != nil && b != nil && *a == *b }

// addSettings adds the settings in force for a node and hour, once per policy version.
func (e *explainer) addSettings(n policy.Node, at NodeHour, seen map[string]bool) {
	p := e.book.For(n, at.Hour)
	if seen[p.Version] {
		return
	}
	seen[p.Version] = true
	s := metrics.PolicySettings{Version: p.Version, Settings: map[string]string{}}
	for _, setting := range policy.Settings {
		s.Settings[setting.Name] = setting.Show(p)
	}
	e.out.Settings = append(e.out.Settings, s)
}

// gatherer collects the evidence of node-hours from the facts.
type gatherer struct {
	tx     pgx.Tx
	book   policy.Book
	values bool // keep the minutes' values
	places map[ledger.ID]policy.Node
}

func (g *gatherer) gather(ctx context.Context, hours []NodeHour) (map[NodeHour]*metrics.NodeEvidence, error) {
	out := make(map[NodeHour]*metrics.NodeEvidence, len(hours))
	for _, at := range hours {
		out[at] = &metrics.NodeEvidence{
			Source: "live", Samples: []metrics.SliceSamples{}, Holders: []metrics.HolderEvidence{},
		}
	}
	if err := g.readPlaces(ctx, hours); err != nil {
		return nil, err
	}
	if err := g.samples(ctx, "explain.samples", hours, out); err != nil {
		return nil, err
	}
	if err := g.summaries(ctx, hours, out); err != nil {
		return nil, err
	}
	for at, ev := range out {
		g.layouts(at, ev)
	}
	keys, times := SplitHours(hours)
	holders, err := pg.List[struct {
		NodeHour
		metrics.HolderEvidence
	}](ctx, g.tx, "explain.holders", pg.Tenant, keys, times)
	for _, h := range holders {
		if ev := out[h.NodeHour]; ev != nil {
			ev.Holders = append(ev.Holders, h.HolderEvidence)
		}
	}
	return out, err
}

// readPlaces reads name, cluster, machine type and GPU model of the nodes.
func (g *gatherer) readPlaces(ctx context.Context, hours []NodeHour) error {
	nodes, _ := SplitHours(hours)
	g.places = map[ledger.ID]policy.Node{}
	list, err := pg.List[struct {
		NodeID ledger.ID
		policy.Node
	}](ctx, g.tx, "explain.node_places", pg.Tenant, nodes)
	for _, n := range list {
		g.places[n.NodeID] = n.Node
	}
	return err
}

// sliceRow is a row of samples or summaries.
type sliceRow struct {
	NodeHour
	Slot    int
	Device  string
	SliceID int
	Profile string
}

func (r *sliceRow) samples(kept string) metrics.SliceSamples {
	s := metrics.SliceSamples{Slot: r.Slot, Device: r.Device, Kept: kept}
	if r.SliceID != int(ledger.WholeDevice) {
		s.Slice = &r.SliceID
	}
	if r.Profile != "" {
		s.Profile = &r.Profile
	}
	return s
}

// samples adds the rows of a samples statement to out, which has an entry for every hour.
func (g *gatherer) samples(
	ctx context.Context, statement string, hours []NodeHour, out map[NodeHour]*metrics.NodeEvidence,
) error {
	keys, times := SplitHours(hours)
	type row struct {
		sliceRow
		RowCount int64
		Vectors  pg.PgxBytes
	}
	return pg.Each(ctx, g.tx, statement, func(r row) error {
		s := r.samples("minutes")
		s.Rows = r.RowCount
		wanted := g.signals(r.NodeHour, s.Slice == nil)
		vectors, err := minutes.Select(r.Vectors, func(name ledger.Signal) bool {
			return slices.Contains(wanted, name)
		})
		if err != nil {
			return fmt.Errorf("samples of device %s at %s: %w", s.Device, r.Hour, err)
		}
		for _, signal := range wanted {
			if v, ok := vectors[signal]; ok && v.Known != 0 {
				g.minutes(&s, signal, &v)
				break
			}
		}
		out[r.NodeHour].Samples = append(out[r.NodeHour].Samples, s)
		return nil
	}, pg.Tenant, keys, times)
}

// signals are the signals that activity is read from, best first (rule 5.1).
func (g *gatherer) signals(at NodeHour, whole bool) []ledger.Signal {
	switch g.book.For(g.places[at.Node], at.Hour).IdleSignal {
	case policy.SMActive:
		return []ledger.Signal{ledger.SignalSM}
	case policy.Tensor:
		return []ledger.Signal{ledger.SignalTensor}
	}
	if whole {
		return []ledger.Signal{ledger.SignalGrEngine, ledger.SignalGPUUtil}
	}
	return []ledger.Signal{ledger.SignalGrEngine}
}

// minutes adds up the minutes of a signal, clamped to 0..1 as the engine does.
func (g *gatherer) minutes(s *metrics.SliceSamples, signal ledger.Signal, v *ledger.Minutes) {
	s.Signal, s.Minutes = string(signal), bits.OnesCount64(v.Known&(1<<60-1))
	if g.values {
		s.Values = make([]*int64, 60)
	}
	first := true
	for m := range 60 {
		if v.Known>>m&1 == 0 {
			continue
		}
		ppm := min(max(v.Value[m], 0), 1_000_000)
		s.Sum += ppm
		if first || ppm < s.Low {
			s.Low = ppm
		}
		if first || ppm > s.High {
			s.High = ppm
		}
		first = false
		if g.values {
			s.Values[m] = &ppm
		}
	}
}

// summaries adds slices whose minutes are no longer stored.
func (g *gatherer) summaries(ctx context.Context, hours []NodeHour, out map[NodeHour]*metrics.NodeEvidence) error {
	var bare []NodeHour
	for _, at := range hours {
		if len(out[at].Samples) == 0 {
			bare = append(bare, at)
		}
	}
	if len(bare) == 0 {
		return nil
	}
	keys, times := SplitHours(bare)
	list, err := pg.List[struct {
		sliceRow
		Signal         string
		Known          int
		Sum, Low, High int64
	}](ctx, g.tx, "explain.summaries", pg.Tenant, keys, times)
	for _, r := range list {
		s, ev := r.samples("summary"), out[r.NodeHour]
		last := len(ev.Samples) - 1
		if last < 0 || ev.Samples[last].Device != s.Device || !sameSlice(ev.Samples[last].Slice, s.Slice) {
			ev.Samples = append(ev.Samples, s)
			last++
		}
		for place, w := range g.signals(r.NodeHour, s.Slice == nil) {
			if to := &ev.Samples[last]; string(w) == r.Signal && r.Known > 0 && (to.Signal == "" || place == 0) {
				to.Signal, to.Minutes, to.Sum, to.Low, to.High = r.Signal, r.Known, r.Sum, r.Low, r.High
			}
		}
	}
	return err
}

// layouts adds the weights of the slices in the samples, and whether neighbours changed them (rules 3.4 and 3.5).
func (g *gatherer) layouts(at NodeHour, ev *metrics.NodeEvidence) {
	n := g.places[at.Node]
	p := g.book.For(n, at.Hour)
	cards := map[string]int{}
	var sums []*big.Rat
	var raws [][]*big.Rat
	card := mig.CardOf(n.GPUModel)
	for i := range ev.Samples {
		s := &ev.Samples[i]
		if s.Slice == nil || s.Profile == nil {
			continue
		}
		k, ok := cards[s.Device]
		if !ok {
			k = len(ev.Layouts)
			cards[s.Device] = k
			ev.Layouts = append(ev.Layouts, metrics.CardLayout{
				Slot: s.Slot, Device: s.Device, Model: n.GPUModel, Rule: string(p.MIG),
			})
			sums, raws = append(sums, new(big.Rat)), append(raws, nil)
		}
		shape := card.ShapeOf(*s.Profile)
		raw := rawWeight(big.NewRat(int64(shape.Compute), int64(card.Compute)),
			big.NewRat(int64(shape.Memory), int64(card.Memory)), p)
		sums[k].Add(sums[k], raw)
		raws[k] = append(raws[k], raw)
		ev.Layouts[k].Slices = append(ev.Layouts[k].Slices, metrics.LayoutSlice{
			Slice: *s.Slice, Profile: *s.Profile, Minutes: s.Minutes, Raw: raw.RatString(),
		})
	}
	for k := range ev.Layouts {
		l := &ev.Layouts[k]
		l.Sum = sums[k].RatString()
		most := big.NewRat(1, 1)
		if sums[k].Cmp(most) > 0 {
			most = sums[k]
			l.Note = "is more than 1: a neighbour's profile changed the weight of each slice, and so its price; slices that " +
				"existed at different times are not counted together"
		}
		for i := range l.Slices {
			l.Slices[i].Weight = new(big.Rat).Quo(raws[k][i], most).RatString()
		}
	}
}

// rawWeight is the weight of a slice before its neighbours count (rule 3.4).
func rawWeight(compute, memory *big.Rat, p policy.Policy) *big.Rat {
	switch p.MIG {
	case policy.ComputeOnly:
		return compute
	case policy.MemoryOnly:
		return memory
	case policy.Blended:
		part := big.NewRat(p.MIGComputePPM, 1_000_000)
		sum := new(big.Rat).Mul(compute, part)
		return sum.Add(sum, new(big.Rat).Mul(memory, part.Sub(big.NewRat(1, 1), part)))
	}
	if compute.Cmp(memory) > 0 {
		return compute
	}
	return memory
}
