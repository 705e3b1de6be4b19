package fleetsim

import (
	"fmt"
	"math/big"
	"strings"
	"time"
)

// The racks, as finance knows them: what was paid, for how long, and what
// runs on every month.
const (
	ownedBook       = "acme-ams"
	ownedPurchase   = "341250.00"
	ownedResidual   = "27300"
	ownedLife       = 48 // months
	ownedDraw       = "9.85"
	ownedPUE        = "1.31"
	ownedTariff     = "0.1134" // per kWh
	ownedNewTariff  = "0.0967" // from noon of the second day
	ownedColocation = "2130.5" // a node and month
	ownedSupport    = "10237.5"
	ownedStaff      = "9100" // a month, of which the share below is for these nodes together
	ownedStaffShare = "0.35"
)

// ownedSince is when the machines went into service: before the cluster
// reports, and not on the hour; where a history is told, as it begins.
func (w *world) ownedSince() int64 {
	if w.cfg.History > 0 {
		return w.from
	}
	return w.from - 6*3600 - 1800
}

func (w *world) ownedUntil() int64 { return w.billTo }

func (w *world) newTariffFrom() int64 { return w.from + 86400 + 12*3600 }

// ownedBill is what the price book says of the racks.
type ownedBill struct{ w *world }

func (w *world) ownedBill() bill { return &ownedBill{w} }

func (b *ownedBill) write(string, *Manifest) error { return nil } // a part of the price book

func (b *ownedBill) charges() []*charge {
	w := b.w
	var out []*charge
	for _, n := range w.nodes {
		for _, h := range hoursOf(w.ownedSince(), w.ownedUntil()) {
			from := max(h.at, w.ownedSince())
			cost := w.ownedCost(from, from+h.seconds)
			out = append(out, &charge{amounts: amounts{effective: cost, billed: cost, contracted: cost}, rule: ofMachine, billing: ownedBook, account: w.cfg.Cluster, period: monthOf(from),
				currency: w.site.currency, file: "price-book.yaml", line: w.bookLine, from: from, to: from + h.seconds, node: n, seconds: h.seconds, team: platform.name, service: "owned", region: w.site.region})
		}
	}
	return out
}

// ownedCost is what one machine costs in [from, to), which lies in one hour.
func (w *world) ownedCost(from, to int64) *big.Rat {
	sum := new(big.Rat)
	part := func(amount *big.Rat, spanFrom, spanTo int64) {
		if s := min(to, spanTo) - max(from, spanFrom); s > 0 {
			sum.Add(sum, new(big.Rat).Mul(amount, big.NewRat(s, spanTo-spanFrom)))
		}
	}
	// Depreciation, the same every month of life.
	monthly := new(big.Rat).Sub(decimal(ownedPurchase), decimal(ownedResidual))
	monthly.Quo(monthly, big.NewRat(ownedLife, 1))
	for m := range ownedLife {
		part(monthly, monthsAfter(w.ownedSince(), m), monthsAfter(w.ownedSince(), m+1))
	}
	// What is paid by the calendar month.
	at := time.Unix(from, 0).UTC()
	first := time.Date(at.Year(), at.Month(), 1, 0, 0, 0, 0, time.UTC)
	month := new(big.Rat).Add(decimal(ownedColocation), new(big.Rat).Quo(decimal(ownedSupport), big.NewRat(12, 1)))
	staff := new(big.Rat).Mul(decimal(ownedStaff), decimal(ownedStaffShare))
	month.Add(month, staff.Quo(staff, big.NewRat(int64(len(w.nodes)), 1)))
	part(month, first.Unix(), first.AddDate(0, 1, 0).Unix())
	// Power.
	kw := new(big.Rat).Mul(decimal(ownedDraw), decimal(ownedPUE))
	for _, t := range []struct {
		price    string
		from, to int64
	}{{ownedTariff, 0, w.newTariffFrom()}, {ownedNewTariff, w.newTariffFrom(), 1 << 40}} {
		if s := min(to, t.to) - max(from, t.from); s > 0 {
			cost := new(big.Rat).Mul(kw, decimal(t.price))
			sum.Add(sum, cost.Mul(cost, big.NewRat(s, 3600)))
		}
	}
	return sum
}

// monthsAfter is the same day and time n months later, or the last day of a
// shorter month.
func monthsAfter(at int64, n int) int64 {
	t := time.Unix(at, 0).UTC()
	first := time.Date(t.Year(), t.Month()+time.Month(n), 1, t.Hour(), t.Minute(), t.Second(), 0, time.UTC)
	return first.AddDate(0, 0, min(t.Day(), first.AddDate(0, 1, -1).Day())-1).Unix()
}

// ownedHead begins the price book: its entries start on line 6.
func (w *world) ownedHead() string {
	return fmt.Sprintf("# What machines cost that no provider bills, and what the others cost until their bill comes.\nname: %s\nissued_at: %s\ncurrency: %s\nowned:\n",
		ownedBook, isoSecond(w.from), w.site.currency)
}

// ownedEntry is the price book's entry for the machines of a site.
func (w *world) ownedEntry() string {
	names := make([]string, 0, len(w.nodes))
	for _, n := range w.nodes {
		names = append(names, n.name)
	}
	return fmt.Sprintf(`  - name: %[1]s
    cluster: %s
    nodes: [%s]
    region: %s
    zone: %s
    instance_type: %[1]s
    gpu_model: %[6]s
    gpus: 8
    tags: {team: %s}
    in_service: %s
    through: %s
    purchase_price: %q
    residual_value: %q
    depreciation: straight_line
    life_months: %d
    colocation_monthly: %q
    support_annual: %q
    staff_monthly: {total: %q, share: %q}
    power:
      draw_kw: %q
      pue: %q
      tariff_per_kwh:
        - {from: 2026-01-01, price: %q}
        - {from: %s, price: %q}
`, w.site.training, w.cfg.Cluster, strings.Join(names, ", "), w.site.region, w.site.hall, w.site.gpu, platform.name, isoSecond(w.ownedSince()),
		time.Unix(w.ownedUntil()-86400, 0).UTC().Format("2006-01-02"), ownedPurchase, ownedResidual, ownedLife, ownedColocation, ownedSupport, ownedStaff, ownedStaffShare,
		ownedDraw, ownedPUE, ownedTariff, isoSecond(w.newTariffFrom()), ownedNewTariff)
}
