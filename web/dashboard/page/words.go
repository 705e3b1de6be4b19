package page

import (
	"math"
	"math/big"
	"strings"

	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
	"gpuledger/metrics"
	"gpuledger/web/views"
	"gpuledger/web/views/format"
)

// MonthName prints a billing period: "November 2026".
func MonthName(billing string) string {
	if i, err := period.Month(billing).Interval(); err == nil {
		return format.Month(i.From)
	}
	return billing
}

// Short cuts an id to what tells it from others.
func Short(id string) string {
	if len(id) > 8 {
		return id[:8]
	}
	return id
}

// Size is the absolute of an amount that may be unknown.
func Size(a *money.Amount) money.Amount {
	if a == nil {
		return money.Amount{}
	}
	if a.Sign() < 0 {
		return a.Neg()
	}
	return *a
}

// Middle cuts a long id in its middle: both ends tell it from others.
func Middle(text string, most int) string {
	r := []rune(text)
	if len(r) <= most {
		return text
	}
	return string(r[:most/2-1]) + "…" + string(r[len(r)-most/2:])
}

// mostFileName is how many letters of a file's name fit beside its amount.
const mostFileName = 29

// FileName is the last part of a path, cut in the middle where it is long: the
// beginning tells the export, the end its part.
func FileName(path string) string {
	name := path[strings.LastIndexByte(path, '/')+1:]
	if r := []rune(name); len(r) > mostFileName {
		return string(r[:9]) + "…" + string(r[len(r)-mostFileName+10:])
	}
	return name
}

// One is the whole of a share.
var One = big.NewRat(1, 1)

// LikeEscaper takes the meaning from what a pattern of LIKE gives one.
var LikeEscaper = strings.NewReplacer(`\`, `\\`, "%", `\%`, "_", `\_`)

// AssumedLost marks a loss that no checkpoint proves.
var AssumedLost = &views.Tag{
	Text: "assumed", Tone: "warn",
	Title: "some attempts wrote no checkpoint: their loss is between zero and their full cost",
}

// UnknownEnd marks work of which nobody saw whether it was kept.
var UnknownEnd = &views.Tag{
	Text: "assumed", Tone: "warn",
	Title: "the end of the attempt was not recorded: its cost stays in its causes and is not counted as lost work",
}

// Lost prints both ends of a loss.
func (p *Context) Lost(c format.Currency, least, most money.Amount, basis string) views.Figure {
	f := Figure(c, &most, c.Money, basis+" cost")
	switch {
	case most.IsZero():
		f.Text, f.Title = "none", "nothing was lost"
	case least.Cmp(most) < 0:
		f.Text = c.Span(least, most)
		f.Title = c.Exact(least) + " at least, " + c.Exact(most) + " at most · " + basis + " cost · assumed"
	}
	return f
}

// Twin is the link between charts and their tables.
func (p *Context) Twin() views.Link {
	if p.Scope.AsTable {
		return views.Link{Text: "Charts", Href: p.Scope.With("as", ""), Twin: true}
	}
	return views.Link{Text: "Table", Href: p.Scope.With("as", "table"), Twin: true}
}

// Gap marks a point for which nothing is known.
var Gap = math.NaN()

// CauseLabel is a cause as people call it.
func CauseLabel(c ledger.Cause) string {
	if i := c.Order(); i < len(ledger.Causes) {
		return ledger.Causes[i].Label
	}
	return string(c)
}

// Shorten cuts a name's end for places that cannot wrap.
func Shorten(name string, most int) string {
	if r := []rune(name); len(r) > most {
		return string(r[:most-1]) + "…"
	}
	return name
}

// Whole is a share of all.
var Whole = money.MustParse("1")

// Defined is the link of a chart to what it shows.
func Defined(anchor string) views.Link {
	return views.Link{Text: "Definition", Href: metrics.ReferencePath + "#" + anchor}
}

// Clip cuts what an address gave to what a page can show.
func Clip(s string) string {
	if len(s) > Longest {
		return strings.ToValidUTF8(s[:Longest], "") + "…"
	}
	return s
}

// Unknown is n/a with its reason.
func Unknown(why string) views.Figure { return views.Figure{Text: format.NA, Title: why, Zero: true} }
