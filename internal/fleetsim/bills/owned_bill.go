package bills

import (
	"fmt"
	"math/big"
	"strings"
	"time"

	"gpuledger/internal/fleetsim/world"
)

// The racks in the books of finance: the purchase, its useful life, and the monthly costs.
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

// OwnedUntil is the end of the price book's charges.
func OwnedUntil(w *world.World) int64 { return w.BillTo }

func newTariffFrom(w *world.World) int64 { return w.From + 86400 + 12*3600 }

// ownedBill is the price book's charges for the racks.
type ownedBill struct{ w *world.World }

func newOwnedBill(w *world.World) Bill { return &ownedBill{w} }

// Write implements Bill.
func (b *ownedBill) Write(string, *Files) error { return nil } // a part of the price book

// Charges implements Bill.
func (b *ownedBill) Charges() []*Charge {
	w := b.w
	var out []*Charge
	for _, n := range w.Nodes {
		for _, h := range HoursOf(w.OwnedSince(), OwnedUntil(w)) {
			from := max(h.At, w.OwnedSince())
			cost := OwnedCost(w, from, from+h.Seconds)
			out = append(out, &Charge{Amounts: Amounts{Effective: cost, Billed: cost, Contracted: cost}, Rule: OfMachine,
				Billing: ownedBook, Account: w.Config.Cluster, Period: monthOf(from),
				Currency: w.Site.Currency, File: "price-book.yaml", Line: w.BookLine, From: from, To: from + h.Seconds,
				Node: n, Seconds: h.Seconds, Team: world.Platform.Name, Service: "owned", Region: w.Site.Region})
		}
	}
	return out
}

// OwnedCost is the cost of one machine in [from, to), which lies in one hour.
func OwnedCost(w *world.World, from, to int64) *big.Rat {
	sum := new(big.Rat)
	part := func(amount *big.Rat, spanFrom, spanTo int64) {
		if s := min(to, spanTo) - max(from, spanFrom); s > 0 {
			sum.Add(sum, new(big.Rat).Mul(amount, big.NewRat(s, spanTo-spanFrom)))
		}
	}
	// Depreciation, the same every month of life.
	monthly := new(big.Rat).Sub(world.Decimal(ownedPurchase), world.Decimal(ownedResidual))
	monthly.Quo(monthly, big.NewRat(ownedLife, 1))
	for m := range ownedLife {
		part(monthly, monthsAfter(w.OwnedSince(), m), monthsAfter(w.OwnedSince(), m+1))
	}
	// Costs per calendar month.
	at := time.Unix(from, 0).UTC()
	first := time.Date(at.Year(), at.Month(), 1, 0, 0, 0, 0, time.UTC)
	month := new(big.Rat).Add(world.Decimal(ownedColocation),
		new(big.Rat).Quo(world.Decimal(ownedSupport), big.NewRat(12, 1)))
	staff := new(big.Rat).Mul(world.Decimal(ownedStaff), world.Decimal(ownedStaffShare))
	month.Add(month, staff.Quo(staff, big.NewRat(int64(len(w.Nodes)), 1)))
	part(month, first.Unix(), first.AddDate(0, 1, 0).Unix())
	// Power.
	kw := new(big.Rat).Mul(world.Decimal(ownedDraw), world.Decimal(ownedPUE))
	for _, t := range []struct {
		price    string
		from, to int64
	}{{ownedTariff, 0, newTariffFrom(w)}, {ownedNewTariff, newTariffFrom(w), 1 << 40}} {
		if s := min(to, t.to) - max(from, t.from); s > 0 {
			cost := new(big.Rat).Mul(kw, world.Decimal(t.price))
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
func ownedHead(w *world.World) string {
	return fmt.Sprintf("# What machines cost that no provider bills, and what the others cost until their bill "+
		"comes.\nname: %s\nissued_at: %s\ncurrency: %s\nowned:\n",
		ownedBook, world.IsoSecond(w.From), w.Site.Currency)
}

// ownedEntry is the price book's entry for the machines of a site.
func ownedEntry(w *world.World) string {
	names := make([]string, 0, len(w.Nodes))
	for _, n := range w.Nodes {
		names = append(names, n.Name)
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
`, w.Site.Training, w.Config.Cluster, strings.Join(names, ", "), w.Site.Region, w.Site.Hall, w.Site.GPU, world.Platform.Name, world.IsoSecond(w.OwnedSince()),
		time.Unix(OwnedUntil(w)-86400, 0).UTC().Format("2006-01-02"), ownedPurchase,
		ownedResidual, ownedLife, ownedColocation, ownedSupport, ownedStaff, ownedStaffShare,
		ownedDraw, ownedPUE, ownedTariff, world.IsoSecond(newTariffFrom(w)), ownedNewTariff)
}
