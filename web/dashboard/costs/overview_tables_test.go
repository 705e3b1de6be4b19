package costs

import (
	"errors"
	"math/big"
	"net/http"
	"net/http/httptest"
	"testing"

	"gpuledger/test/dashtest"
	"gpuledger/web/dashboard/page"
	"gpuledger/web/views"
	"gpuledger/web/views/format"
)

// The dataset is read over the same cost as the rows of the page: only the fleet, in the
// page's currency, for any basis and provider.
func TestCostPerActiveGPUHourIsOfTheFleet(t *testing.T) {
	reader := dashtest.New().WithEuros()
	for _, query := range []string{
		"", "?basis=billed", "?provider=aws", "?currency=EUR&provider=azure",
		"?from=2026-11-03&to=2026-11-05&team=search-ranking",
	} {
		s, err := page.ReadScope(httptest.NewRequest(http.MethodGet, "/"+query, nil))
		if err != nil {
			t.Fatal(query, err)
		}
		c, err := readCube(t.Context(), reader, s)
		if err != nil {
			t.Fatal(query, err)
		}
		rates, err := readPerActive(t.Context(), reader, s)
		if err != nil {
			t.Fatal(query, err)
		}
		total := c.total()
		want := format.Ratio(total.Cost.Rat(), total.Active.Rat())
		got := rates[c.Currency]
		if (got == nil) != (want == nil) || query == "" && got == nil || got != nil &&
			got.FloatString(9) != want.FloatString(9) {
			t.Errorf("%s: %s %v, want %v", query, c.Currency, got, want)
		}
	}
}

// The tile shows the dataset's figure, and is missing if the dataset could not be read.
func TestTheTilePerActiveGPUHourIsTheColumn(t *testing.T) {
	reader := dashtest.New()
	s, err := page.ReadScope(httptest.NewRequest(http.MethodGet, "/", nil))
	if err != nil {
		t.Fatal(err)
	}
	c, err := readCube(t.Context(), reader, s)
	if err != nil {
		t.Fatal(err)
	}
	tile := func(f overviewFacts) views.Tile {
		p, o := &page.Context{Scope: s, Currency: "USD"}, views.Overview{}
		tiles(p, &o, c, c.total(), f)
		return o.Tiles[0]
	}
	if got := tile(overviewFacts{
		perActive: map[string]*big.Rat{"USD": big.NewRat(1234, 100), "EUR": big.NewRat(1, 1)},
	}); got.Name != "Per active GPU-hour" || got.Value.Text != "$12.34" {
		t.Errorf("%+v", got)
	}
	if got := tile(overviewFacts{}); got.Value.Text != format.NA {
		t.Errorf("%+v", got)
	}
	if got := tile(overviewFacts{perActiveErr: errors.New("too slow")}); got.Name == "Per active GPU-hour" {
		t.Errorf("%+v", got)
	}
}
