package pricebook

import (
	"fmt"
	"math/big"
	"slices"

	"go.yaml.in/yaml/v3"

	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
)

// Power is a machine's draw and its cost.
type Power struct {
	Draw     *big.Rat // kW; if Measured, only for unmeasured time
	Measured bool     // the energy of its GPUs comes from telemetry
	Host     *big.Rat // kW in addition to the measured GPUs
	PUE      *big.Rat // facility energy ÷ energy of the machine, at least 1
	Tariff   []Tariff // ascending
}

// Tariff is a price of energy from an instant on.
type Tariff struct {
	From  period.Second
	Price *big.Rat // per kWh
	raw   string
}

var (
	powerKeys  = []string{"draw_kw", "measured", "fallback_kw", "host_kw", "pue", "tariff_per_kwh"}
	tariffKeys = []string{"from", "price"}
)

// power reads how the cost of energy is computed.
func (e *Owned) power(m *mapping) *Power {
	w := &Power{PUE: big.NewRat(1, 1), Host: new(big.Rat)}
	switch t := m.text("measured"); t {
	case "", "false":
	case "true":
		if w.Measured = true; e.GPUs == 0 {
			m.reject("measured", "out of range", "telemetry cannot measure the energy of a machine without GPUs")
		}
	default:
		m.reject("measured", "not a yes or no", fmt.Sprintf("%q is neither true nor false", t))
	}
	key, not := "draw_kw", []string{"fallback_kw", "host_kw"}
	if w.Measured {
		key, not = "fallback_kw", []string{"draw_kw"}
	}
	for _, unused := range not {
		if m.nodes[unused] != nil {
			m.reject(unused, "unused value", fmt.Sprintf("not used when measured is %v", w.Measured))
		}
	}
	if t := m.need(key); t != "" {
		w.Draw, e.raw["power.draw"] = m.amount(key, t).Rat(), t
	}
	if a := m.decimal("host_kw"); a != nil {
		w.Host, e.raw["power.host"] = a.Rat(), m.text("host_kw")
	}
	if a := m.decimal("pue"); a != nil {
		if a.Cmp(money.MustParse("1")) < 0 || a.Cmp(money.MustParse("10")) > 0 {
			m.reject("pue", "out of range", "power usage effectiveness is at least 1 and at most 10")
		}
		w.PUE, e.raw["power.pue"] = a.Rat(), m.text("pue")
	}
	w.Tariff = m.tariffs("tariff_per_kwh")
	return w
}

// tariffs reads one price or a dated list of them.
func (m *mapping) tariffs(key string) []Tariff {
	n := m.nodes[key]
	if n == nil {
		if !m.bad() {
			m.reject(key, "missing value", "power needs "+key)
		}
		return nil
	}
	if n.Kind == yaml.ScalarNode {
		return []Tariff{{Price: m.amount(key, n.Value).Rat(), raw: n.Value}}
	}
	var out []Tariff
	for _, item := range m.list(key) {
		t := m.p.mapping(item, m.prefix+key+".", tariffKeys)
		text := t.need("price")
		if t.bad() {
			continue
		}
		out = append(out, Tariff{From: t.at("from"), Price: t.amount("price", text).Rat(), raw: text})
	}
	slices.SortStableFunc(out, func(a, b Tariff) int { return int(min(1, max(-1, a.From-b.From))) })
	for i := 1; i < len(out); i++ {
		if out[i].From == out[i-1].From {
			m.reject(key, "overlapping entries", fmt.Sprintf("two tariffs begin at %s", out[i].From))
			return nil
		}
	}
	if len(out) == 0 && !m.bad() {
		m.reject(key, "missing value", "the list of tariffs is empty")
	}
	return out
}

// cost is the price of energy used evenly over a span, not rounded. kwh is the machine's,
// without PUE.
func (w *Power) cost(kwh *big.Rat, span period.Interval) *big.Rat {
	sum := new(big.Rat)
	for i, t := range w.Tariff {
		valid := period.Interval{From: t.From, To: always.To}
		if i+1 < len(w.Tariff) {
			valid.To = w.Tariff[i+1].From
		}
		if s := valid.Intersect(span).Seconds(); s > 0 {
			part := big.NewRat(s, span.Seconds())
			sum.Add(sum, part.Mul(part, t.Price))
		}
	}
	return sum.Mul(sum, kwh).Mul(sum, w.PUE)
}

// energy is the use of a machine with this many GPUs in a span, in kWh: its draw; if measured,
// the joules of its GPUs and the host's draw for the known part of the span, and the fallback
// draw for the rest. known is that part, of 1.
func (w *Power) energy(span period.Interval, gpus int64, m ledger.MeasuredEnergy) (kwh, known *big.Rat) {
	hours := big.NewRat(span.Seconds(), period.Hour)
	known = new(big.Rat)
	if w.Measured && m.DeviceSeconds > 0 {
		known = big.NewRat(min(m.DeviceSeconds, gpus*span.Seconds()), gpus*span.Seconds())
	}
	rest := new(big.Rat).Sub(one.Rat(), known)
	rest.Mul(rest, w.Draw)
	host := new(big.Rat).Mul(known, w.Host)
	kwh = hours.Mul(hours, host.Add(host, rest))
	if known.Sign() > 0 {
		kwh.Add(kwh, big.NewRat(m.Joules, joulesPerKWh))
	}
	return kwh, known
}

const joulesPerKWh = 3_600_000
