package figures

import (
	"math/big"
	"strings"

	"gpuledger/internal/money"
	"gpuledger/metrics"
	"gpuledger/web/dashboard/page"
	"gpuledger/web/views"
	"gpuledger/web/views/format"
)

// How a value prints follows from its column's kind and unit alone.

// Print is a value as pages show it: rounded once, with all digits in the tooltip,
// the verdict of its target, and the reason if it is unknown.
func Print(p *page.Context, c metrics.Column, v metrics.Value, currency string) views.Figure {
	if !v.Valid {
		return views.Figure{Text: format.NA, Title: whyUnknown(c), Zero: true}
	}
	f := views.Figure{Text: v.Text, Title: v.Text, Copy: v.Text}
	switch {
	case c.Kind == metrics.Time:
		at := secondOf(v)
		return views.Figure{Text: format.Instant(at), Title: format.Stamp(at), Copy: at.String()}
	case c.Kind == metrics.Bool:
		return views.Figure{Text: map[bool]string{true: "yes", false: "no"}[v.Bool]}
	case c.Kind == metrics.Duration:
		f.Text, f.Title, f.Copy = format.Duration(v.Int), format.Count(v.Int)+" s", big.NewInt(v.Int).String()
		f.Zero = v.Int == 0
	case c.Kind == metrics.Count:
		f.Text, f.Copy = format.Count(v.Int), big.NewInt(v.Int).String()
		f.Title, f.Zero = f.Copy+" "+c.Unit, v.Int == 0
	case c.Kind.Decimal():
		printDecimal(p, &f, c, v.Text, currency)
	default:
		return views.Figure{Text: v.Text}
	}
	if c.Target != nil {
		f.Tag = verdict(c, v)
	}
	return f
}

// printDecimal prints money, quantities and ratios.
func printDecimal(p *page.Context, f *views.Figure, c metrics.Column, text, currency string) {
	a, err := money.Parse(text)
	if err != nil { // the read model writes plain decimals
		return
	}
	f.Zero = a.IsZero()
	coin := p.Printed(currency)
	switch {
	case c.Kind == metrics.Money && strings.HasPrefix(c.Unit,
		"currency per"), c.Kind == metrics.Ratio && strings.HasPrefix(c.Unit, "currency"):
		f.Text, f.Title = coin.UnitPrice(a.Rat()), coin.Exact(a)+strings.TrimPrefix(c.Unit, "currency")
	case c.Kind == metrics.Money:
		f.Text, f.Title = coin.Money(a), coin.Exact(a)
	case c.Unit == "GPU-hours", c.Unit == "hours", c.Unit == "device-hours":
		f.Text, f.Title = format.GPUHours(a), text+" "+c.Unit
	case c.Kind == metrics.Ratio && c.Unit == "seconds":
		f.Text, f.Title = seconds(a.Rat()), text+" s"
	case c.Kind == metrics.Ratio && c.Unit == "":
		f.Text, f.Title = format.Percent(a.Rat(), big.NewRat(1, 1)), text
	default:
		f.Text, f.Title = format.Decimal(a.Rat()), text+" "+c.Unit
	}
}

// seconds prints a duration, also below a second.
func seconds(r *big.Rat) string {
	switch {
	case r.Cmp(page.One) < 0:
		return new(big.Rat).Mul(r, big.NewRat(1000, 1)).FloatString(0) + " ms"
	case r.Cmp(big.NewRat(60, 1)) < 0:
		return r.FloatString(1) + " s"
	}
	whole := new(big.Int).Quo(r.Num(), r.Denom())
	return format.Duration(whole.Int64())
}

// whyUnknown is the column's caveat about NULL.
func whyUnknown(c metrics.Column) string {
	for _, text := range append([]string{c.Doc}, c.Caveats...) {
		if strings.Contains(text, "NULL") {
			return strings.ReplaceAll(text, "NULL", "n/a")
		}
	}
	return "not known"
}

// VerdictTones are the colours of verdicts.
var VerdictTones = map[metrics.Status]string{
	metrics.StatusGood: "good", metrics.StatusWatch: "warn", metrics.StatusAct: "bad",
}

// VerdictWords say on a page how a value compares with its target.
var VerdictWords = map[metrics.Status]string{
	metrics.StatusGood: "met", metrics.StatusWatch: "close", metrics.StatusAct: "missed",
}

// verdict judges a value by its column's target, nil without a target.
func verdict(c metrics.Column, v metrics.Value) *views.Tag {
	if c.Target == nil || !v.Valid {
		return nil
	}
	r, ok := new(big.Rat).SetString(v.Text)
	if !ok {
		return nil
	}
	status := c.Target.Of(r)
	return &views.Tag{Text: VerdictWords[status], Tone: VerdictTones[status], Title: "target " + c.Target.String()}
}

// wordTones are the tones of words for a status.
var wordTones = map[string]string{
	"pass": "good", "fail": "bad", "unknown": "", "succeeded": "good", "failed": "bad",
	"final": "good", "provisional": "warn", "open": "", "good": "good", "watch": "warn", "act": "bad",
	"holds": "good", "withdrawn": "", "accepted": "good", "done": "good", "dismissed": "",
	"starved": "bad", "waiting": "warn", "measured": "good", "estimated": "est", "assumed": "warn",
}

// wordTag is a word of a closed list as a tag.
func wordTag(c metrics.Column, v metrics.Value) *views.Tag {
	if len(c.Values) == 0 || !v.Valid || c.Name == "kind" || strings.HasSuffix(c.Name, "_kind") {
		return nil
	}
	tone, ok := wordTones[v.Text]
	if !ok {
		return nil
	}
	return &views.Tag{Text: strings.ReplaceAll(v.Text, "_", " "), Tone: tone}
}
