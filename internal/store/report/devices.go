package report

import (
	"strings"

	"gpuledger/internal/star"
	"gpuledger/internal/store/pg"
)

// placeCurrencies are the kinds of machines whose costs in the window are in one currency, for all owners together.
func (c Compiler) placeCurrencies() string {
	if c.sees.inPart {
		return c.Expand(pg.Statement("report.known_currencies"))
	}
	var rows []string
	rollup := star.Device.Rollup("device_place")
	rd := readAs("place", &star.Device, rollup)
	for _, p := range c.pieces(rd) {
		of := c.over(p.Span).addedRows(rd, rollup, p.From, true)
		rows = append(rows, "select "+placeOf("r.")+" as place, r.currency from (\n"+of+"\n) r")
	}
	if c.arguments == nil {
		known := c.Expand(pg.Statement("report.known_currencies"))
		rows = append(rows, "select k.place, k.currency from (\n"+known+"\n) k where not "+readsWhole)
	}
	// A case, not a having: with a having, the server expects one place and loops over all of them for each row.
	return "select x.place, case when min(x.currency) = max(x.currency) then min(x.currency) end as currency\nfrom (\n" +
		strings.Join(rows, "\nunion all\n") + "\n) x group by x.place"
}

// placeOf is the key that distinguishes kinds of machines.
func placeOf(relation string) string { return "row(" + star.Listed(relation, placeNames) + ")::text" }
