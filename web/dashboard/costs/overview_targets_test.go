package costs

import (
	"strings"
	"testing"

	"gpuledger/internal/money"
	"gpuledger/internal/period"
	"gpuledger/metrics"
	"gpuledger/web/dashboard/page"
)

// A tile covers one day, the page's currency and the whole fleet whatever the filter; its
// name says so.
func TestTargetTilesNameTheirDayAndScope(t *testing.T) {
	amount := func(text string) *money.Amount { a := money.MustParse(text); return &a }
	const day = period.Second(1793577600) // 2 November 2026
	var days []targetDay
	for _, target := range metrics.Targets {
		d := targetDay{
			Target: target.Name, Day: day, Since: day - 2*period.Day,
			Value: amount("0.3"), Numerator: amount("1"), Status: metrics.StatusAct,
		}
		if target.Name != "unit_cost" {
			days = append(days, d)
			continue
		}
		for i, subject := range []string{"dear", "cheap", "dearer"} {
			d := d
			d.Subject, d.Unit, d.Numerator = subject, "1M tokens", amount([]string{"20", "10", "90"}[i])
			d.Currency = []string{"USD", "USD", "EUR"}[i]
			days = append(days, d)
		}
	}
	p := &page.Context{Currency: "USD"}
	tiles := targetTiles(p, days)
	for _, tile := range tiles {
		if !strings.HasSuffix(tile.Name, ", 2 Nov") || tile.Tag == nil || tile.Tag.Text != "act since 31 Oct" ||
			tile.Change != "" {
			t.Errorf("%+v %+v", tile, tile.Tag)
		}
	}
	if last := tiles[len(tiles)-1]; !strings.HasPrefix(last.Name, "Per 1M tokens") ||
		!strings.HasPrefix(last.Note, "dear") || strings.HasPrefix(last.Note, "dearer") {
		t.Errorf("%+v is not the costliest in the page's currency", last)
	}
	p.Scope.Team = "speech"
	for _, tile := range targetTiles(p, days) {
		if !strings.Contains(tile.Name, ", whole fleet, ") {
			t.Errorf("%q does not name the whole fleet", tile.Name)
		}
	}
}
