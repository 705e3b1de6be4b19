package ingest

import (
	"context"
	"fmt"
	"iter"
	"maps"
	"slices"
	"sync"

	"gpuledger/internal/catalog"
	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
)

// memory is a Store that follows the contract of store.go, for tests of the importer alone.
type memory struct {
	imports   map[ledger.ID]ImportRecord
	current   map[string]ledger.Delivery // by key, of append-only exports and id
	appended  map[string][]AppendedDelivery
	older     []ledger.Delivery
	places    map[string]map[string]SeenPlace // by key
	newest    map[string]*period.Second
	charges   map[ledger.ID][]ledger.Charge // by delivery
	events    map[ledger.InstanceEvent]bool
	rates     map[ledger.ID]ledger.Rate
	prices    []catalog.Price
	llmCalls  map[ledger.ID]ledger.LLMCall
	results   map[ledger.ID]ledger.ExperimentResult
	sightings []Sighting
	nodes     []NodeIdentity
	samples   int64
	open      int // stages that were neither published nor discarded
	fail      error

	mu       sync.Mutex
	progress []Progress
	states   map[string]SourceState
}

func (m *memory) SourceState(_ context.Context, name string) (SourceState, error) {
	if st, ok := m.states[name]; ok {
		return st, nil
	}
	return SourceState{Name: name}, nil
}

func (m *memory) SaveSourceState(_ context.Context, st SourceState) error {
	m.states[st.Name] = st
	return m.fail
}

func newMemory() *memory {
	return &memory{imports: map[ledger.ID]ImportRecord{}, current: map[string]ledger.Delivery{},
		appended: map[string][]AppendedDelivery{}, charges: map[ledger.ID][]ledger.Charge{},
		events: map[ledger.InstanceEvent]bool{}, rates: map[ledger.ID]ledger.Rate{},
		llmCalls: map[ledger.ID]ledger.LLMCall{}, results: map[ledger.ID]ledger.ExperimentResult{},
		places: map[string]map[string]SeenPlace{}, newest: map[string]*period.Second{}, states: map[string]SourceState{}}
}

func (m *memory) StartImport(_ context.Context, rec ImportRecord) error {
	if _, dup := m.imports[rec.ID]; dup {
		return fmt.Errorf("import %s twice", rec.ID)
	}
	m.imports[rec.ID] = rec
	return nil
}

func (m *memory) FinishImport(_ context.Context, rec ImportRecord) error {
	if m.imports[rec.ID].State != ImportRunning || rec.State == ImportRunning {
		return fmt.Errorf("import %s: %s after %s", rec.ID, rec.State, m.imports[rec.ID].State)
	}
	if rec.RowsRead != rec.Accepted+rec.Rejected+rec.Ignored {
		return fmt.Errorf("import %s: %d rows read, but %d accepted, %d rejected (%v), %d ignored (%v)",
			rec.Source, rec.RowsRead, rec.Accepted, rec.Rejected, rec.RejectedByReason, rec.Ignored, rec.IgnoredByReason)
	}
	m.imports[rec.ID] = rec
	return nil
}

func (m *memory) SaveProgress(_ context.Context, id ledger.ID, p Progress) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.progress = append(m.progress, p)
	return nil
}

func (m *memory) NodeEnergy(
	context.Context, string, string, period.Interval,
) (map[period.Second]ledger.MeasuredEnergy, error) {
	return nil, nil
}

func (m *memory) PublishLLMCalls(
	_ context.Context, _ ledger.ID, calls iter.Seq2[*ledger.LLMCall, error],
) (int64, error) {
	added := map[ledger.ID]ledger.LLMCall{}
	for c, err := range calls {
		if err != nil {
			return 0, err
		}
		if _, known := m.llmCalls[c.ID]; !known {
			added[c.ID] = *c
		}
	}
	maps.Copy(m.llmCalls, added)
	return int64(len(added)), m.fail
}

func (m *memory) PublishResults(_ context.Context, _ ledger.ID, results []ledger.ExperimentResult) (int64, error) {
	before := len(m.results)
	for _, r := range results {
		m.results[r.ID] = r
	}
	return int64(len(m.results) - before), m.fail
}

func (m *memory) PublishEvents(_ context.Context, _ ledger.ID, events []ledger.InstanceEvent) (int64, error) {
	before := len(m.events)
	for _, e := range events {
		e.EventID = ""
		m.events[e] = true
	}
	return int64(len(m.events) - before), m.fail
}

func (m *memory) PublishBudgets(_ context.Context, _ ledger.ID, _ string, b []ledger.Budget) (int64, error) {
	return int64(len(b)), ledger.CheckParents(nil, b)
}

func (m *memory) PublishAnnotations(
	_ context.Context, _ ledger.ID, _ string, list []ledger.Annotation,
) (int64, error) {
	return int64(len(list)), nil
}

func (m *memory) PublishPublicPrices(_ context.Context, _ ledger.ID, prices []catalog.Price) (int64, error) {
	m.prices = append(m.prices, prices...)
	return int64(len(prices)), m.fail
}

func (m *memory) PublishRates(_ context.Context, _ ledger.ID, rates []ledger.Rate) error {
	for _, r := range rates {
		m.rates[r.ID] = r
	}
	return m.fail
}

func (m *memory) NodeIdentities(context.Context, string, []string) ([]NodeIdentity, error) {
	return m.nodes, nil
}

func (m *memory) Elsewhere(_ context.Context, seen []Sighting) ([]Sighting, error) {
	var out []Sighting
	for _, k := range m.sightings {
		for _, s := range seen {
			if s.Thing == k.Thing && s.Cluster != k.Cluster {
				out = append(out, k)
			}
		}
	}
	return out, nil
}

func (m *memory) Appended(_ context.Context, d ledger.Delivery) ([]AppendedDelivery, error) {
	return m.appended[fmt.Sprint(d.Source, "|", d.Export, "|", d.Scope, "|", d.Dataset, "|", d.Partition)], nil
}

func (m *memory) StageCharges(context.Context, ledger.ID) (ChargeStage, error) {
	m.open++
	return &memoryCharges{m: m, slots: map[int][]ledger.Charge{}, gone: map[int]bool{}}, nil
}

type memoryCharges struct {
	m     *memory
	slots map[int][]ledger.Charge
	gone  map[int]bool // by Drop
	done  bool
	look  func(string) Sight
}

func (s *memoryCharges) Look(look func(string) Sight) { s.look = look }

func (s *memoryCharges) Write(_ context.Context, slot int, charges []ledger.Charge) error {
	s.slots[slot] = append(s.slots[slot], charges...)
	return s.m.fail
}

func (s *memoryCharges) Drop(slot int) { s.gone[slot] = true }

func (s *memoryCharges) Publish(_ context.Context, ds []ledger.Delivery) ([]PublishedDelivery, error) {
	current, appended := maps.Clone(s.m.current), map[string][]AppendedDelivery{}
	var out []PublishedDelivery
	for slot, d := range ds {
		if s.gone[slot] {
			out = append(out, PublishedDelivery{})
			continue
		}
		if err := s.check(slot, d); err != nil {
			return nil, err
		}
		key := fmt.Sprint(d.Source, "|", d.Export, "|", d.Scope, "|", d.Dataset, "|", d.Partition)
		if d.Kind == ledger.Append {
			if len(d.Beside) != len(s.m.appended[key]) {
				return nil, ErrAnotherAppended
			}
			standing := slices.DeleteFunc(slices.Clone(s.m.appended[key]), func(a AppendedDelivery) bool {
				return slices.Contains(d.Replaces, a.ID)
			})
			appended[key] = append(standing, AppendedDelivery{d.ID, d.Aggregated, d.Appended, d.DeliveredAt, d.Places})
			key += "|" + d.ID.String()
		}
		p := PublishedDelivery{DeliveryID: d.ID, Partition: d.Partition, State: DeliveryPublished, Rows: d.Rows}
		if old, ok := current[key]; ok {
			standing := &StandingDelivery{ID: old.ID, Rows: old.Rows, Newest: s.m.newest[key], Seen: s.m.places[key]}
			for place, seen := range s.m.places[key] {
				if seen.Delivery == old.ID {
					standing.Files = append(standing.Files, ledger.DeliveryPlace{Path: place, SHA256: seen.SHA256})
				}
			}
			if old.Digest == d.Digest {
				p.State = DeliveryUnchanged
			} else if newer, err := Order(&d, standing, s.look); err != nil {
				return nil, &DeliveryError{Slot: slot, Reason: "no order", Err: err}
			} else if !newer {
				p.State = DeliveryOlder
				s.m.older = append(s.m.older, d)
			}
		}
		if s.m.places[key] == nil {
			s.m.places[key] = map[string]SeenPlace{}
		}
		for _, place := range d.Places {
			s.m.places[key][place.Path] = SeenPlace{place.SHA256, d.ID}
		}
		if at := s.m.newest[key]; p.State != DeliveryOlder && d.DeliveredAt != nil && (at == nil || *at < *d.DeliveredAt) {
			s.m.newest[key] = d.DeliveredAt
		}
		if p.State == DeliveryPublished {
			current[key] = d
			s.m.charges[d.ID] = s.slots[slot]
		}
		out = append(out, p)
	}
	s.m.current = current
	maps.Copy(s.m.appended, appended)
	s.end()
	return out, nil
}

func (s *memoryCharges) check(slot int, d ledger.Delivery) error {
	var lines int64
	for i := range s.slots[slot] {
		lines += linesOf(&s.slots[slot][i])
	}
	if lines != d.Rows {
		return fmt.Errorf("%d charges staged of %d", lines, d.Rows)
	}
	for _, t := range d.Totals {
		var sum money.Amount
		var n int64
		for i := range s.slots[slot] {
			c := &s.slots[slot][i]
			if c.Account == t.Account && c.Currency == t.Currency && c.BillingPeriod == t.BillingPeriod {
				n += linesOf(c)
				if a := c.Get(t.Metric); a != nil {
					sum = sum.Add(*a)
				}
			}
		}
		if n != t.Charges || sum.Cmp(t.SourceTotal) != 0 {
			return fmt.Errorf("%s %s %s: staged %d rows %s, raw text %d rows %s", t.Account, t.BillingPeriod, t.Metric, n, sum,
				t.Charges, t.SourceTotal)
		}
	}
	return nil
}

func (s *memoryCharges) end() {
	if !s.done {
		s.done = true
		s.m.open--
	}
}

func (s *memoryCharges) Discard(context.Context) error { s.end(); return nil }

func (m *memory) StageTelemetry(context.Context, ledger.ID) (TelemetryStage, error) {
	m.open++
	return &memoryTelemetry{m: m}, nil
}

type memoryTelemetry struct {
	m    *memory
	n    int64
	done bool
}

func (s *memoryTelemetry) Write(_ context.Context, t *ledger.Telemetry) error {
	s.n += int64(len(t.Samples))
	return s.m.fail
}

func (s *memoryTelemetry) Settle(context.Context, ledger.ID, int64) error { return s.m.fail }

func (s *memoryTelemetry) Publish(context.Context) error {
	s.m.samples += s.n
	return s.Discard(context.Background())
}

func (s *memoryTelemetry) Discard(context.Context) error {
	if !s.done {
		s.done = true
		s.m.open--
	}
	return nil
}

// states lists the states of the deliveries.
func states(s *Summary) []string {
	var out []string
	for _, d := range s.Deliveries {
		out = append(out, string(d.State))
	}
	return slices.Clip(out)
}

// linesOf is how many lines of the bill a charge represents.
func linesOf(c *ledger.Charge) int64 {
	if c.Aggregate != nil {
		return c.Aggregate.Lines
	}
	return 1
}
