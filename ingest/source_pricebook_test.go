package ingest

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
)

const ownedBook = `name: hall
issued_at: 2026-11-01
owned:
- name: dgx
  cluster: c
  nodes: [n1, n2]
  gpus: 8
  in_service: 2026-09-30T12:00:00Z
  through: 2026-10-02
  currency: EUR
  purchase_price: "36500"
  depreciation: straight_line
  life_months: 50
rates:
- {instance_type: p5.48xlarge, price_class: on_demand, currency: USD, hourly: "50"}
`

func TestOwnedHardwareIsABill(t *testing.T) {
	m := newMemory()
	s := mustImport(t, m, Request{Source: SourceAuto, URIs: []string{write(t, map[string]string{"hall.yaml": ownedBook})}})
	if s.State != ImportPublished || s.RowsRead != 2 || s.Accepted != 2 || len(s.Deliveries) != 2 || len(m.rates) != 1 {
		t.Fatalf("%+v", s)
	}
	for _, d := range m.current {
		if d.Source != SourcePriceBook || d.Rank != 3 || d.Kind != ledger.Snapshot || d.DeliveredAt == nil {
			t.Errorf("%+v", d)
		}
		var sum money.Amount
		for _, c := range m.charges[d.ID] {
			sum = sum.Add(*c.Effective)
		}
		if len(d.Totals) != 3 || d.Totals[0].SourceTotal.Cmp(sum) != 0 {
			t.Errorf("%s: lines %s, control totals %+v", d.Partition, sum, d.Totals)
		}
	}
	// The month of life from 30 September to 30 October has 720 hours at 730 EUR.
	if total := s.ControlTotals[0]; total.SourceTotal.String() != "24.333333333336" || total.Charges != 24 {
		t.Errorf("%+v", total)
	}
	if s = mustImport(t, m, Request{
		Source: SourcePriceBook, URIs: []string{write(t, map[string]string{"moved.yaml": ownedBook})},
	}); s.Deliveries[0].State != DeliveryUnchanged {
		t.Errorf("%+v", s.Deliveries)
	}
	longer := strings.NewReplacer("2026-10-02", "2026-10-03", "2026-11-01", "2026-11-02").Replace(ownedBook)
	s = mustImport(t, m, Request{
		Source: SourcePriceBook, URIs: []string{write(t, map[string]string{"hall.yaml": longer})},
	})
	if s.Deliveries[0].State != DeliveryUnchanged || s.Deliveries[1].State != DeliveryPublished ||
		s.Deliveries[1].Rows != 2*72 {
		t.Errorf("%+v", s.Deliveries)
	}
}

func TestTwoIssuesOfABook(t *testing.T) {
	newer := strings.NewReplacer("36500", "36000", "2026-11-01", "2026-11-05").Replace(ownedBook)
	s := mustImport(t, newMemory(), Request{
		Source: SourcePriceBook, URIs: []string{write(t, map[string]string{"b.yaml": ownedBook, "a.yaml": newer})},
	})
	if len(s.Deliveries) != 4 {
		t.Errorf("%+v", s.Deliveries)
	}
	// The order is unknown.
	m := newMemory()
	_, err := importer(m).Import(t.Context(), Request{Source: SourcePriceBook, URIs: []string{write(t, map[string]string{
		"a.yaml": ownedBook, "b.yaml": strings.Replace(ownedBook, "36500", "36000", 1)})}})
	if err == nil || !strings.Contains(err.Error(), "no order") || len(m.current)+len(m.rates) != 0 || m.open != 0 {
		t.Errorf("%v", err)
	}
}

// metered is a store that has measured energy.
type metered struct {
	*memory
	joules map[period.Second]ledger.MeasuredEnergy
}

func (m metered) NodeEnergy(
	_ context.Context, cluster, node string, within period.Interval,
) (map[period.Second]ledger.MeasuredEnergy, error) {
	if cluster != "c" || node == "" || within.Empty() {
		return nil, errStopped
	}
	return m.joules, nil
}

func TestEnergyThatWasMeasured(t *testing.T) {
	at := period.FromTime(time.Date(2026, 10, 1, 0, 0, 0, 0, time.UTC))
	m := metered{newMemory(), map[period.Second]ledger.MeasuredEnergy{at: {Joules: 18_000_000, DeviceSeconds: 8 * 3600}}}
	book := ownedBook[:strings.Index(ownedBook, "rates:")] +
		"  power: {measured: true, fallback_kw: '6', tariff_per_kwh: '0.5'}\n"
	s, err := (&Importer{Store: m, Now: func() time.Time { return time.Unix(1, 0) }}).Import(t.Context(),
		Request{Source: SourcePriceBook, URIs: []string{write(t, map[string]string{"hall.yaml": book})}})
	if err != nil || s.NotedByReason["node-hour whose energy was not measured throughout: fallback_kw"] != 2*(12+47) ||
		m.open != 0 {
		t.Fatalf("%v %+v", err, s)
	}
	for _, d := range m.current {
		for _, c := range m.charges[d.ID] {
			if measured := strings.Contains(c.Description, "power 2.5 (measured 5 kWh"); measured != (c.Period.From == at) {
				t.Errorf("%s: %s", c.Period, c.Description)
			}
		}
	}
}

// refusing is a store that refuses the deliveries of one book.
type refusing struct {
	*memory
	export string
}

type refusingStage struct {
	ChargeStage
	export string
	gone   map[int]bool
}

func (s refusingStage) Drop(slot int) {
	s.gone[slot] = true
	s.ChargeStage.Drop(slot)
}

func (m refusing) StageCharges(ctx context.Context, id ledger.ID) (ChargeStage, error) {
	s, err := m.memory.StageCharges(ctx, id)
	return refusingStage{s, m.export, map[int]bool{}}, err
}

func (s refusingStage) Publish(ctx context.Context, ds []ledger.Delivery) ([]PublishedDelivery, error) {
	for slot, d := range ds {
		if d.Export == s.export && !s.gone[slot] {
			return nil, &DeliveryError{Slot: slot, Reason: "equal rank", Err: errors.New("another book has this account")}
		}
	}
	return s.ChargeStage.Publish(ctx, ds)
}

func TestABadBookDoesNotAffectOthers(t *testing.T) {
	other := strings.NewReplacer("name: hall", "name: other", "cluster: c",
		"cluster: d").Replace(ownedBook[:strings.Index(ownedBook, "rates:")])
	files := map[string]string{"a.yaml": "rates:\n- {colour: red}\n", "b.yaml": other, "c.yaml": ownedBook}
	m := refusing{newMemory(), "other"}
	s, err := (&Importer{Store: m, Now: func() time.Time { return time.Unix(1, 0) }}).Import(t.Context(),
		Request{Source: SourcePriceBook, URIs: []string{write(t, files)}})
	var refused *RefusedError
	if !errors.As(err, &refused) || refused.Whole || s.RejectedByReason["equal rank"] != 1 ||
		s.RejectedByReason["unknown key"] != 1 || s.Rejected != 0 || s.Refused != 2 {
		t.Fatalf("%v %+v", err, s)
	}
	if s.State != ImportPublished || len(s.Deliveries) != 2 || len(m.current) != 2 || len(m.rates) != 1 ||
		s.RowsRead != 4 || s.Accepted != 2 || s.Ignored != 2 || m.open != 0 {
		t.Errorf("%+v", s)
	}
	delete(files, "c.yaml")
	if s, err = (&Importer{Store: m, Now: func() time.Time { return time.Unix(2, 0) }}).Import(t.Context(),
		Request{Source: SourcePriceBook, URIs: []string{write(t, files)}}); !errors.As(err,
		&refused) || !refused.Whole || s.Accepted != 0 {
		t.Errorf("%v %+v", err, s)
	}
}
