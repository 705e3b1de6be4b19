package page

import (
	"math/big"
	"strconv"

	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/web/views"
	"gpuledger/web/views/format"
)

// Figure prints an amount with its exact digits and context in the tooltip.
func Figure(c format.Currency, a *money.Amount, print func(money.Amount) string, context string) views.Figure {
	if a == nil {
		return views.Figure{Text: format.NA, Title: "the bill does not state this cost", Zero: true}
	}
	title := c.Exact(*a)
	if context != "" {
		title += " · " + context
	}
	return views.Figure{Text: print(*a), Title: title, Exact: c.Exact(*a), Copy: a.String(), Zero: a.IsZero()}
}

// Money prints an amount of the currency and basis of the page.
func (p *Context) Money(a money.Amount) views.Figure {
	return Figure(p.Currency, &a, p.Currency.Money, p.Scope.Basis+" cost")
}

// Quantity prints GPU-hours.
func Quantity(a money.Amount) views.Figure {
	return views.Figure{Text: format.GPUHours(a), Title: a.String() + " GPU-hours", Copy: a.String(), Zero: a.IsZero()}
}

// Price prints a price per unit; the tooltip has nine decimals and the meaning.
func Price(c format.Currency, r *big.Rat, of string) views.Figure {
	if r == nil {
		return views.Figure{Text: format.NA, Title: of + " is not known", Zero: true}
	}
	return views.Figure{Text: c.UnitPrice(r), Title: c.Symbol() + r.FloatString(9) + " · " + of, Copy: r.FloatString(9)}
}

// CauseStrip draws costs by cause as a strip. Negative amounts (credits) cannot be drawn as
// a part of a whole and stay in the table; the label says so. If lostAtLeast is below the
// lost cost, it splits the lost segment.
func CauseStrip(
	c format.Currency, size string, byCause map[ledger.Cause]money.Amount, lostAtLeast *money.Amount,
) views.Strip {
	var whole, positive money.Amount
	for _, a := range byCause {
		Add(&whole, a)
		if a.Sign() > 0 {
			Add(&positive, a)
		}
	}
	s := views.Strip{Size: size}
	if positive.IsZero() {
		s.Label = "No cost"
		return s
	}
	label, negative := "", false
	for _, info := range ledger.Causes {
		a, ok := byCause[info.Cause]
		if !ok || a.IsZero() {
			continue
		}
		if a.Sign() < 0 {
			negative = true
			continue
		}
		cents := format.Cents(a, whole)
		if c != "USD" { // cents are of a dollar
			cents = format.Share(a, whole)
		}
		if label != "" {
			label += ", "
		}
		label += info.Label + " " + cents
		room := fits(thousandths(a, positive))
		add := func(part money.Amount, bound bool, text string) {
			if part.Sign() <= 0 {
				return
			}
			grow := thousandths(part, positive)
			named := len(s.Segments) == 0 || s.Segments[len(s.Segments)-1].Cause != string(info.Cause)
			room := room
			if !named {
				room = "small" // only the first part shows the cents
			}
			s.Segments = append(s.Segments, views.Segment{
				Cause: string(info.Cause), Label: info.Label, Amount: text, Cents: cents, Bound: bound,
				Grow: "g" + strconv.Itoa(grow), Fits: room, Named: named,
			})
		}
		if info.Cause == ledger.Lost && lostAtLeast != nil && lostAtLeast.Cmp(a) < 0 {
			text := c.Span(*lostAtLeast, a)
			add(*lostAtLeast, false, text)
			add(a.Sub(*lostAtLeast), true, text)
			continue
		}
		add(a, false, c.Money(a))
	}
	s.Label = label
	if negative {
		s.Label += "; credits are in the table"
	}
	return s
}

// fits is the class of widths at which the cents fit below a segment: they need 40 px of
// about 1,150, 830 and 640 px.
func fits(grow int) string {
	switch {
	case grow >= 63:
		return ""
	case grow >= 49:
		return "from-lg"
	case grow >= 35:
		return "from-xl"
	}
	return "small"
}

// thousandths is the width of a segment, 1 to 1000.
func thousandths(part, whole money.Amount) int {
	r := format.Ratio(part.Rat(), whole.Rat())
	if r == nil {
		return 1
	}
	f, _ := r.Mul(r, big.NewRat(1000, 1)).Float64()
	return min(max(int(f+.5), 1), 1000)
}

// Pixels converts money to a float, for geometry only.
func Pixels(a money.Amount) float64 {
	f, _ := a.Rat().Float64()
	return f
}

var priceClassNames = map[string]string{
	string(ledger.OnDemand): "On-demand", string(ledger.Spot): "Spot", string(ledger.SavingsPlan): "Savings plan",
	string(ledger.Reserved): "Reserved", string(ledger.Owned): "Owned", "": "No machine",
}

// PriceClassOrder is the order of columns and groups.
var PriceClassOrder = []string{
	string(ledger.OnDemand), string(ledger.SavingsPlan),
	string(ledger.Reserved), string(ledger.Spot), string(ledger.Owned), "",
}

// PriceClassName is the printed name of a price class.
func PriceClassName(class string) string {
	if name, ok := priceClassNames[class]; ok {
		return name
	}
	return class
}

// Unowned is the team of cost without an owner.
const Unowned = "unowned"

// TeamName is the printed name of a team.
func TeamName(team string) string {
	if team == Unowned || team == "" {
		return "Unowned"
	}
	return team
}

// QualityTag marks cost that is not measured; nil for measured cost.
func QualityTag(q ledger.Quality) *views.Tag {
	switch q {
	case ledger.Assumed:
		return &views.Tag{
			Text: "assumed", Tone: "warn",
			Title: "at least 1 % of the cost is assumed, such as lost work without a checkpoint",
		}
	case ledger.Estimated:
		return &views.Tag{
			Text: "est.", Tone: "est", Title: "at least 1 % of the cost is estimated, such as the shares of a time-sliced GPU",
		}
	}
	return nil
}

// StateTag says whether postings can still change.
func StateTag(s ledger.State) views.Tag {
	switch s {
	case ledger.Final:
		return views.Tag{Text: "final", Tone: "good", Title: "postings of a closed period"}
	case ledger.Provisional:
		return views.Tag{Text: "provisional", Tone: "warn", Title: "no bill yet: priced from a rate"}
	}
	return views.Tag{Text: "open", Title: "billed; the period is still open"}
}

// Rule is the class of the underline for a state, as accountants draw it.
func Rule(s ledger.State) string {
	switch s {
	case ledger.Final:
		return "final"
	case ledger.Provisional:
		return "provisional"
	}
	return ""
}
