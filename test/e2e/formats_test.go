package e2e

import (
	"errors"
	"math"
	"math/rand/v2"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/xuri/excelize/v2"

	"gpuledger/metrics"
	"gpuledger/metrics/ask"
	"gpuledger/test/tier"
)

// mostRows bounds the answers that are compared; SQL is compared if an answer has fewer.
const mostRows = 400

// TestAllFormatsAgree draws questions and compares their answers as JSON, CSV, Parquet, Arrow and workbook, and that of
// SQL where the views answer them, for a user with full access and for a team lead.
func TestAllFormatsAgree(t *testing.T) {
	db := smallLedger(t)
	s := &served{db: db}
	admin := s.tokenOf(t, "admin")
	s.url, _ = serveLedger(t, db, "--auth", "on", "--config", manyRequests(t))
	rows, _, _ := admin.rows(t, "costs", url.Values{"group_by": {"team"}, "order": {"-effective_cost"}})
	scope := "team = '" + rows[0]["team"] + "'"
	login := strings.Split(strings.TrimSpace(must(t, db, "bi", "login", "formats", "--scope", scope)), "\n")
	conn, err := pgx.Connect(t.Context(), login[len(login)-1])
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(t.Context())
	for name, d := range map[string]*drawer{
		"everything": {asker: admin, conn: connect(t, db), rand: rand.New(rand.NewPCG(42, 1))},
		"a team":     {asker: s.tokenOf(t, "team_lead", scope), conn: conn, rand: rand.New(rand.NewPCG(42, 2))},
	} {
		t.Run(name, func(t *testing.T) { d.ask(t, tier.Draws(500)) })
	}
}

// drawer draws questions of one reader.
type drawer struct {
	*asker
	conn *pgx.Conn
	rand *rand.Rand
}

func (d *drawer) pick(list ...string) string { return list[d.rand.IntN(len(list))] }

// ask compares the answers to so many questions that the reader may ask.
func (d *drawer) ask(t *testing.T, questions int) {
	full, inSQL := 0, 0
	for asked := 0; asked < questions; {
		q := d.question()
		path := q.REST()
		if !strings.Contains(path, "?") {
			path += "?"
		}
		path += "&limit=" + strconv.Itoa(mostRows)
		status, _, text := d.asker.ask(t, path)
		switch status {
		case http.StatusOK:
		case http.StatusBadRequest, http.StatusForbidden: // options that exclude each other; a dataset of whole fleets
			continue
		default:
			t.Fatalf("%s: %d %s", path, status, clip(text))
		}
		asked++
		want, more := decodeJSON(t, text)
		if len(want.rows) == 0 {
			continue
		}
		full++
		for format, decode := range map[string]func(testing.TB, string) *answer{
			"csv": decodeCSV, "parquet": decodeParquet, "arrow": decodeArrow, "xlsx": decodeXLSX,
		} {
			status, _, body := d.asker.ask(t, path+"&format="+format)
			if status != http.StatusOK {
				t.Fatalf("%s as %s: %d %s", path, format, status, clip(body))
			}
			d.same(t, path, format, want, decode(t, body))
		}
		if more == "" && d.sameInSQL(t, q, path, text) {
			inSQL++
		}
	}
	t.Logf("%d questions, %d with rows, %d compared with SQL", questions, full, inSQL)
	if full < questions/3 || inSQL < questions/10 {
		t.Errorf("only %d of %d questions had rows, and %d an answer in SQL", full, questions, inSQL)
	}
}

// question draws a dataset and options that may not fit each other.
func (d *drawer) question() ask.Question {
	set := metrics.Datasets[d.rand.IntN(len(metrics.Datasets))]
	if d.rand.IntN(3) == 0 {
		set, _ = metrics.LookupDataset("costs")
	}
	var o metrics.Options
	if set.Grouped || d.rand.IntN(6) == 0 {
		var by []string
		for range 1 + d.rand.IntN(3) {
			if k := metrics.Keys[d.rand.IntN(len(metrics.Keys))].Name; !slices.Contains(by, k) {
				by = append(by, k)
			}
		}
		o.GroupBy = strings.Join(by, ",")
		o.Granularity = d.pick("", "", "day", "hour", "week", "month")
	}
	if d.rand.IntN(3) == 0 {
		o.Filter = d.pick("currency = USD", "effective_cost > 0", "team is not null", "team like '%e%'",
			"cause in (used, held_idle)", "provider != aws", "effective_cost is null or effective_cost < 10.5")
	}
	if d.rand.IntN(4) == 0 {
		o.Basis = d.pick("billed", "list", "contracted")
	}
	if set.Shared && d.rand.IntN(3) == 0 {
		o.Sharing = "after"
	}
	return ask.Question{Dataset: set.Name, Options: o}
}

// same compares cells. CSV has no nulls, and a workbook holds times as days since 1899-12-30.
func (d *drawer) same(t *testing.T, path, format string, want, got *answer) {
	t.Helper()
	if !slices.Equal(want.columns, got.columns) || len(want.rows) != len(got.rows) {
		t.Fatalf("%s as %s has %d rows of %v, as JSON %d of %v", path, format, len(got.rows), got.columns, len(want.rows),
			want.columns)
	}
	for n, row := range want.rows {
		for i, cell := range row {
			have := got.rows[n][i]
			if format == "csv" || format == "xlsx" {
				cell = strings.TrimPrefix(cell, null)
			}
			if have != cell && (format != "xlsx" || !sameInWorkbook(cell, have)) {
				t.Fatalf("%s as %s: row %d, %s is %q, as JSON %q", path, format, n+1, want.columns[i], have, cell)
			}
		}
	}
}

// sameInWorkbook compares values that a workbook writes in another form: times and truth values.
func sameInWorkbook(cell, have string) bool {
	switch cell {
	case "true":
		return have == "1" || have == "TRUE"
	case "false":
		return have == "0" || have == "FALSE"
	}
	at, err := time.Parse(time.RFC3339Nano, cell)
	if err != nil {
		return false
	}
	days, err := strconv.ParseFloat(have, 64)
	epoch := time.Date(1899, 12, 30, 0, 0, 0, 0, time.UTC)
	return err == nil && math.Round(days*86_400) == math.Round(at.Sub(epoch).Seconds())
}

// decodeXLSX reads the first sheet of a workbook; cells that are left out are empty.
func decodeXLSX(t testing.TB, text string) *answer {
	t.Helper()
	f, err := excelize.OpenReader(strings.NewReader(text))
	if err != nil {
		t.Fatal("no workbook: ", err)
	}
	defer f.Close()
	rows, err := f.GetRows(f.GetSheetName(0), excelize.Options{RawCellValue: true})
	if err != nil || len(rows) == 0 {
		t.Fatalf("no rows in the workbook: %v", err)
	}
	a := &answer{columns: rows[0]}
	for _, row := range rows[1:] {
		a.rows = append(a.rows, append(row, make([]string, len(a.columns)-len(row))...))
	}
	return a
}

// sameInSQL compares the answer with the statement over bi_v1; false where no view answers the question.
func (d *drawer) sameInSQL(t *testing.T, q ask.Question, path, text string) bool {
	t.Helper()
	sql, err := q.SQL()
	if refused, ok := errors.AsType[*ask.NoSQLError](err); ok && refused.Reason != "" {
		return false
	}
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	rest := numbersOf(t, text)
	for name, list := range asTexts(t, d.conn, strings.TrimSuffix(sql, ";")) {
		want, ok := rest[name]
		if !ok {
			t.Errorf("%s: SQL returns %s, which REST does not have", path, name)
		}
		if len(list) != len(want) || !allText(want) && !slices.Equal(list, want) {
			t.Fatalf("%s: SQL and REST differ in %s, only in SQL %q, only in REST %q:\n%s", path, name, without(list, want),
				without(want, list), sql)
		}
	}
	return true
}

// without are the values of a list that another lacks, as often as it lacks them; both are sorted.
func without(list, other []string) (only []string) {
	other = slices.Clone(other)
	for _, v := range list {
		if i, found := slices.BinarySearch(other, v); found {
			other = slices.Delete(other, i, i+1)
		} else {
			only = append(only, v)
		}
	}
	return only
}
