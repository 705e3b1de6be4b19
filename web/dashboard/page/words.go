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

// Short cuts an id to its first 8 characters.
func Short(id string) string {
	if len(id) > 8 {
		return id[:8]
	}
	return id
}

// Size is the absolute value of an amount, 0 if unknown.
func Size(a *money.Amount) money.Amount {
	if a == nil {
		return money.Amount{}
	}
	if a.Sign() < 0 {
		return a.Neg()
	}
	return *a
}

// Middle cuts a long id in its middle, since both ends distinguish it.
func Middle(text string, most int) string {
	r := []rune(text)
	if len(r) <= most {
		return text
	}
	return string(r[:most/2-1]) + "…" + string(r[len(r)-most/2:])
}

// mostFileName is how many letters of a file name fit next to its amount.
const mostFileName = 29

// FileName is the last part of a path, cut in the middle if it is long: the beginning names
// the export, the end its part.
func FileName(path string) string {
	name := path[strings.LastIndexByte(path, '/')+1:]
	if r := []rune(name); len(r) > mostFileName {
		return string(r[:9]) + "…" + string(r[len(r)-mostFileName+10:])
	}
	return name
}

// One is the denominator of a share.
var One = big.NewRat(1, 1)

// LikeEscaper escapes the special characters of LIKE.
var LikeEscaper = strings.NewReplacer(`\`, `\\`, "%", `\%`, "_", `\_`)

// AssumedLost marks a loss that no checkpoint proves.
var AssumedLost = &views.Tag{
	Text: "assumed", Tone: "warn",
	Title: "some attempts wrote no checkpoint: their loss is between zero and their full cost",
}

// UnknownEnd marks work with an unrecorded end.
var UnknownEnd = &views.Tag{
	Text: "assumed", Tone: "warn",
	Title: "the end of the attempt was not recorded: its cost stays in its causes and is not counted as lost work",
}

// Lost prints a loss, as a range if its bounds differ.
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

// Twin links charts to their tables and back.
func (p *Context) Twin() views.Link {
	if p.Scope.AsTable {
		return views.Link{Text: "Charts", Href: p.Scope.With("as", ""), Twin: true}
	}
	return views.Link{Text: "Table", Href: p.Scope.With("as", "table"), Twin: true}
}

// Gap marks a point without data.
var Gap = math.NaN()

// CauseLabel is the printed name of a cause.
func CauseLabel(c ledger.Cause) string {
	if i := c.Order(); i < len(ledger.Causes) {
		return ledger.Causes[i].Label
	}
	return string(c)
}

// Shorten cuts the end of a name, for places that cannot wrap.
func Shorten(name string, most int) string {
	if r := []rune(name); len(r) > most {
		return string(r[:most-1]) + "…"
	}
	return name
}

// Whole is the amount 1, the denominator of a share.
var Whole = money.MustParse("1")

// Defined links a chart to its definition.
func Defined(anchor string) views.Link {
	return views.Link{Text: "Definition", Href: metrics.ReferencePath + "#" + anchor}
}

// Clip cuts a text from an address to Longest bytes.
func Clip(s string) string {
	if len(s) > Longest {
		return strings.ToValidUTF8(s[:Longest], "") + "…"
	}
	return s
}

// Unknown is n/a with its reason.
func Unknown(why string) views.Figure { return views.Figure{Text: format.NA, Title: why, Zero: true} }
