package web_test

import (
	"context"
	"fmt"
	"hash/crc32"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/go-chi/chi/v5"
	"pgregory.net/rapid"

	"gpuledger/metrics"
	"gpuledger/test/dashtest"
	"gpuledger/web"
	"gpuledger/web/api"
	"gpuledger/web/dashboard"
)

// named are values for the parameters of addresses. A page with another parameter
// fails the crawl.
var named = map[string]string{
	"/runs/*": runPage, "/explain/run/*": "/explain/run/" + dashtest.RunID, "/explain/*": "/explain/run/" + dashtest.RunID,
	"/data/{import}": "/data/" + dashtest.ImportID, "/fleet/devices/{device}": "/fleet/devices/" + dashtest.DeviceID,
}

// everyPage lists the GET routes.
func everyPage(t *testing.T) []string {
	t.Helper()
	d, err := dashboard.New(dashboard.Options{Reader: dashtest.New()})
	if err != nil {
		t.Fatal(err)
	}
	r := chi.NewRouter()
	d.Routes(r)
	var list []string
	err = chi.Walk(r, func(method, route string, _ http.Handler, _ ...func(http.Handler) http.Handler) error {
		if method != http.MethodGet {
			return nil
		}
		address, open := named[route], strings.ContainsAny(route, "*{")
		switch {
		case address != "":
			list = append(list, address)
		case open:
			return fmt.Errorf("nothing is named for %s", route)
		default:
			list = append(list, route)
		}
		return nil
	})
	if err != nil || len(list) < 20 {
		t.Fatalf("%d pages: %v", len(list), err)
	}
	return list
}

// odd answers like dashtest, but with figures that are possible with some basis, provider or filter:
// zero, unknown, negative.
type odd struct {
	*dashtest.Reader
	turn func(column string) string
}

func (o odd) Query(ctx context.Context, q metrics.Query) (metrics.Rows, error) {
	rows, err := o.Reader.Query(ctx, q)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var out [][]metrics.Value
	for rows.Next() {
		row := append([]metrics.Value(nil), rows.Values()...)
		for i, c := range rows.Columns() {
			if !row[i].Valid {
				continue
			}
			switch how := o.turn(c.Name); {
			case how == "zero" && c.Kind.Decimal(), how == "no money" && c.Kind == metrics.Money, how == "no quantity" &&
				c.Kind == metrics.Quantity:
				row[i].Text = "0"
			case how == "negative" && c.Kind.Decimal():
				row[i].Text = "-" + strings.TrimPrefix(row[i].Text, "-")
			case how == "zero" && c.Kind.Integer():
				row[i].Int = 0
			case how == "unknown" && (c.Kind.Decimal() || c.Kind.Integer()):
				row[i] = metrics.Null
			}
		}
		out = append(out, row)
	}
	return metrics.NewSliceRows(rows.Columns(), out), rows.Err()
}

// TestEveryPageStandsWhateverTheFiguresAre replaces the figures, column by column,
// and gets every page of the router: none panics or answers 5xx.
func TestEveryPageStandsWhateverTheFiguresAre(t *testing.T) {
	list := everyPage(t)
	var broke strings.Builder
	log := slog.New(slog.NewTextHandler(&broke, &slog.HandlerOptions{Level: slog.LevelError}))
	single := []string{"zero", "unknown", "negative", "as it is"}
	rapid.Check(t, func(rt *rapid.T) {
		drawn := rapid.Uint32().Draw(rt, "figures")
		// panels query concurrently
		h, err := web.New(web.Deps{Log: log, Reader: odd{dashtest.New(), func(column string) string {
			return single[crc32.Update(drawn, crc32.IEEETable, []byte(column))%uint32(len(single))]
		}}})
		if err != nil {
			rt.Fatal(err)
		}
		query := url.Values{
			"basis": {rapid.SampledFrom([]string{"effective", "billed", "list", "contracted"}).Draw(rt, "basis")},
		}
		for _, f := range [][]string{
			{"provider", "", "aws", "owned", "nothing"}, {"team", "", "nobody"},
			{"from", "", "2001-01-01"}, {"as", "", "table"}, {"sharing", "", "after"},
		} {
			if v := rapid.SampledFrom(f[1:]).Draw(rt, f[0]); v != "" {
				query.Set(f[0], v)
			}
		}
		for _, page := range []string{"/", rapid.SampledFrom(list).Draw(rt, "page")} {
			if w := get(t, h, page+"?"+query.Encode()); w.Code >= 500 {
				rt.Fatalf("%s?%s answers %d: %s", page, query.Encode(), w.Code, broke.String())
			}
		}
	})
	for _, how := range append(single, "no money", "no quantity") { // and each page once with all figures alike
		h, err := web.New(web.Deps{Log: log, Reader: odd{dashtest.New(), func(string) string { return how }}})
		if err != nil {
			t.Fatal(err)
		}
		for _, page := range list {
			for _, query := range []string{"", "?basis=list&provider=owned", "?basis=billed&from=2001-01-01&to=2001-01-02"} {
				if w := get(t, h, page+query); w.Code >= 500 {
					t.Errorf("%s%s with all figures %s answers %d: %s", page, query, how, w.Code, clipped(broke.String()))
				}
			}
		}
	}
	if strings.Contains(broke.String(), "did not ask for") {
		t.Error(clipped(broke.String()))
	}
}

func clipped(s string) string { return s[:min(len(s), 1500)] }

// strict is a reader that, like the database, fails on queries with invalid
// text; it parses ids like the store.
type strict struct{ *dashtest.Reader }

func (s strict) Explain(ctx context.Context, subject string) (*metrics.Explanation, error) {
	if _, err := metrics.ParseSubject(subject); err != nil {
		return nil, err
	}
	return s.Reader.Explain(ctx, subject)
}

func (s strict) ExplainLevel(ctx context.Context, subject string, _ int) (*metrics.Explanation, error) {
	return s.Explain(ctx, subject)
}

// FuzzAddresses proves that no parameter of a path, id or
// filter causes a 5xx.
func FuzzAddresses(f *testing.F) {
	for _, text := range []string{
		strings.Repeat("a", 34), strings.Repeat("0", 31), "\x00", "\xff\xfe", "a'b", "..", "%", "'", "team = '\x00'",
		"import_id = '" + strings.Repeat("a", 40) + "'", "not (((", "a\\", "posting/" + strings.Repeat("f", 33),
	} {
		f.Add(text)
	}
	reader := strict{dashtest.New()}
	h, err := web.New(web.Deps{Reader: reader, API: api.New(reader, slog.New(slog.DiscardHandler))})
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, text string) {
		path, query := url.PathEscape(text), url.QueryEscape(text)
		for _, address := range []string{
			"/data/" + path, "/runs/" + path, "/explain/run/" + path, "/explain/" + path, "/fleet/devices/" + path,
			"/api/v1/explain/" + path, "/api/v1/explain/posting/" + path, "/api/v1/" + path,
			"/api/v1/imports?filter=" + query, "/api/v1/imports?filter=" + url.QueryEscape("import_id = '"+text+"'"),
			"/api/v1/costs?filter=" + query, "/api/v1/costs?cursor=" + query, "/?team=" + query,
			"/charges?q=" + query, "/charges?charge=" + query, "/charges?delivery=" + query, "/?from=" + query,
			"/runs?order=" + query, "/statement?period=" + query, "/recommendations?decide=" + query, "/?" + query,
		} {
			u, err := url.Parse(address)
			if err != nil {
				continue // no client can send it
			}
			if w := get(t, h, u.RequestURI()); w.Code >= 500 {
				t.Errorf("%s answers %d", address, w.Code)
			}
		}
	})
}
