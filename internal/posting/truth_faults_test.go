package posting_test

import (
	"context"
	"iter"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"gpuledger/allocation"
	"gpuledger/allocation/part"
	"gpuledger/allocation/policy"
	"gpuledger/internal/fleetsim"
	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
	"gpuledger/internal/posting"
	"gpuledger/test/tier"
	"gpuledger/test/truth"
)

// fault is a possible error of the engine, injected between the engine and its database. Nil fields change nothing.
type fault struct {
	name     string
	policy   func(*policy.Policy)
	world    func(*posting.World)
	derived  func(*posting.Derived)
	day      func(*allocation.DayInput)
	chunk    func(*allocation.Chunk)
	coverage func(map[string]period.Second)
	charge   func(*ledger.Charge)
}

// faults are seeded one by one; the truth test must notice each of them.
var faults = []fault{
	{name: "the idle window is a minute too short", policy: func(p *policy.Policy) { p.IdleMinutes-- }},
	{name: "the idle threshold is 12 %", policy: func(p *policy.Policy) { p.IdleThresholdPPM = 120_000 }},
	{name: "overhead lasts half as long", policy: func(p *policy.Policy) { p.OverheadLimit = 900 }},
	{name: "checkpoints do not save anything", derived: func(d *posting.Derived) {
		for i := range d.Attempts {
			if a := &d.Attempts[i]; a.LossFrom != 0 {
				a.LossFrom = a.Span.From
			}
		}
	}},
	{name: "a failed attempt loses nothing", derived: func(d *posting.Derived) {
		for i := range d.Attempts {
			d.Attempts[i].LossFrom = 0
		}
	}},
	{name: "pods hold until they are last seen", world: func(w *posting.World) {
		for i := range w.Pods {
			w.Pods[i].Completed, w.Pods[i].TerminalAt = 0, 0
		}
	}},
	{name: "the end of an instance is not noticed", world: func(w *posting.World) { w.Events = nil }},
	{name: "a shared card belongs to whoever is there", world: func(w *posting.World) {
		for i := range w.Nodes {
			for k := range w.Nodes[i].Labels {
				if strings.Contains(k, "replicas") {
					w.Nodes[i].Labels[k] = "1"
				}
			}
		}
	}},
	{name: "a gap in telemetry is idleness", day: func(in *allocation.DayInput) {
		for i := range in.Samples {
			v, ok := in.Samples[i].Vectors[ledger.SignalGrEngine]
			if !ok {
				continue
			}
			for m := range v.Value {
				if v.Known&(1<<m) == 0 {
					v.Known |= 1 << m
					v.Value[m] = 0
				}
			}
			in.Samples[i].Vectors[ledger.SignalGrEngine] = v
		}
	}},
	{name: "a 3g slice weighs like a 2g", day: func(in *allocation.DayInput) {
		for i := range in.Samples {
			if in.Samples[i].Profile == "3g.20gb" {
				in.Samples[i].Profile = "2g.10gb"
			}
		}
	}},
	{name: "placements are always observed", day: func(in *allocation.DayInput) {
		for i := range in.Sources {
			in.Sources[i].Minutes = math.MaxUint64 >> 4
		}
	}},
	{name: "a node is never unready", day: func(in *allocation.DayInput) { in.NodeStates = nil }},
	{name: "a handful of units strays to the neighbour", chunk: func(c *allocation.Chunk) {
		for i := 1; i < len(c.Postings); i++ {
			a, b := &c.Postings[i-1], &c.Postings[i]
			if a.PartID == b.PartID && a.Effective != nil && b.Effective != nil {
				x, y := a.Effective.Add(money.FromUnits(5)), b.Effective.Sub(money.FromUnits(5))
				a.Effective, b.Effective = &x, &y
				return
			}
		}
	}},
	{name: "everything is thought to be measured", chunk: func(c *allocation.Chunk) {
		for i := range c.Postings {
			c.Postings[i].Quality = ledger.Measured
		}
	}},
	{name: "nobody asks the namespace who pays", world: func(w *posting.World) {
		w.Objects = slices.DeleteFunc(w.Objects, func(o ledger.ObjectFact) bool { return o.Kind == "Namespace" })
	}},
	{name: "the bill is thought to be complete", coverage: func(c map[string]period.Second) {
		for account := range c {
			c[account] += 10 * period.Day
		}
	}},
}

// billFaults are faults in the data of bills.
var billFaults = []fault{
	{name: "nobody learns what commitments took off", charge: func(c *ledger.Charge) { c.CommitmentCredit = nil }},
	{name: "what is billed by the day falls into one hour", charge: func(c *ledger.Charge) {
		if c.Period.Seconds() == period.Day {
			c.Period.To = c.Period.From + period.Hour
		}
	}},
	{name: "memory and GPUs of a machine count as time of their own", charge: func(c *ledger.Charge) {
		if c.Provider == "gcp" && c.InstanceHours && c.InstanceSeconds == nil {
			seconds := int64(600)
			c.InstanceSeconds = &seconds
		}
	}},
	{name: "the capacity of a block is what runs in it", charge: func(c *ledger.Charge) {
		if c.Kind == ledger.LinePrepaid {
			c.InstanceSeconds = nil
		}
	}},
	{name: "an hour in a block has a rate beside its share of the fee", day: func(in *allocation.DayInput) {
		for i := range in.Parts {
			if p := &in.Parts[i]; p.Method == part.ByPrepaid {
				p.Method = part.ByCredit
			}
		}
	}},
	{name: "a discount without a resource is tax", charge: func(c *ledger.Charge) {
		if c.Kind == ledger.LineDiscount && c.ResourceID == "" {
			c.Kind = ledger.LineInvoice
		}
	}},
	{name: "an upfront payment is a cost of its hour", charge: func(c *ledger.Charge) {
		if c.Kind == ledger.LineCommitmentFee && c.Effective != nil && c.Effective.IsZero() && c.Billed != nil {
			c.Effective = c.Billed
		}
	}},
	{name: "managed GPUs are outside the fleet", charge: func(c *ledger.Charge) {
		if strings.HasPrefix(c.InstanceType, "ml.") {
			c.Kind = ledger.LineOther
		}
	}},
	{name: "the hours of a rack bill no time", charge: func(c *ledger.Charge) {
		if c.PriceClass == ledger.Owned {
			c.InstanceSeconds = nil
		}
	}},
}

// faultyStore is the real store with an injected fault.
type faultyStore struct {
	posting.AllocationStore
	fault fault
}

func (s faultyStore) World(ctx context.Context) (*posting.World, error) {
	w, err := s.AllocationStore.World(ctx)
	if err == nil && s.fault.world != nil {
		s.fault.world(w)
	}
	return w, err
}

func (s faultyStore) SaveWorld(ctx context.Context, d *posting.Derived) error {
	if s.fault.derived != nil {
		s.fault.derived(d)
	}
	return s.AllocationStore.SaveWorld(ctx, d)
}

func (s faultyStore) Policies(context.Context) (policy.Book, error) {
	version := policy.Standard()
	if s.fault.policy != nil {
		s.fault.policy(&version.Settings)
	}
	return policy.NewBook(version)
}

func (s faultyStore) Days(
	ctx context.Context, n ledger.Node, days []period.Interval, margin period.Second,
) ([]allocation.DayInput, error) {
	if s.fault.day == nil {
		return s.AllocationStore.Days(ctx, n, days, margin)
	}
	var list []allocation.DayInput
	for i := range days { // one by one: a fault may change data that days share
		in, err := s.AllocationStore.Days(ctx, n, days[i:i+1], margin)
		if err != nil {
			return nil, err
		}
		s.fault.day(&in[0])
		list = append(list, in[0])
	}
	return list, nil
}

func (s faultyStore) ScanCharges(ctx context.Context, delivery ledger.ID) iter.Seq2[*ledger.Charge, error] {
	return func(yield func(*ledger.Charge, error) bool) {
		for c, err := range s.AllocationStore.ScanCharges(ctx, delivery) {
			if err == nil && s.fault.charge != nil {
				s.fault.charge(c)
			}
			if !yield(c, err) {
				return
			}
		}
	}
}

func (s faultyStore) Coverage(ctx context.Context) (map[string]period.Second, error) {
	c, err := s.AllocationStore.Coverage(ctx)
	if err == nil && s.fault.coverage != nil {
		s.fault.coverage(c)
	}
	return c, err
}

func (s faultyStore) SaveChunks(ctx context.Context, chunks []*allocation.Chunk, meta posting.ChunkMeta) error {
	for _, c := range chunks {
		if s.fault.chunk != nil {
			s.fault.chunk(c)
		}
	}
	return s.AllocationStore.SaveChunks(ctx, chunks, meta)
}

// forget makes the next allocation compute everything again.
func (w *world) forget() {
	w.t.Helper()
	ctx := context.Background()
	conn, err := pgx.Connect(ctx, w.dsn)
	if err != nil {
		w.t.Fatal(err)
	}
	defer func() { _ = conn.Close(ctx) }()
	for _, sql := range []string{
		"insert into dirty (tenant_id, mark_id, node_id, day, reason) select tenant_id, next_mark(1), node_id, day, " +
			"'test' from chunks",
		"update deliveries set fleet_digest = ''",
	} {
		if _, err := conn.Exec(ctx, sql); err != nil {
			w.t.Fatal(err)
		}
	}
}

func TestTheTruthNoticesSeededFaults(t *testing.T) {
	t.Parallel()
	w := simulate(t, fleetsim.Preset(fleetsim.Small))
	w.loadAll()
	w.notices(faults)
}

func TestTheTruthNoticesFaultsInBills(t *testing.T) {
	t.Parallel()
	tier.OnlyInFull(t, "faults of another fleet")
	everywhere(t).notices(billFaults)
}

// notices allocates with each fault, then without.
func (w *world) notices(faults []fault) {
	w.t.Helper()
	oracle := truePostings(truth.Of(w.fleet))
	for _, f := range faults[:tier.Draws(len(faults))] {
		w.forget()
		a := posting.Allocator{Store: faultyStore{w.store, f}}
		if _, err := a.Run(w.t.Context(), period.Interval{}); err != nil {
			w.t.Fatalf("%s: %v", f.name, err)
		}
		diffs := differences(w.postings(), oracle)
		if len(diffs) == 0 {
			w.t.Errorf("not noticed: %s", f.name)
			continue
		}
		w.t.Logf("noticed, %6d differences: %s", len(diffs), f.name)
	}
	w.forget()
	w.allocate()
	report(w.t, differences(w.postings(), oracle))
}
