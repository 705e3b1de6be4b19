package azurecost

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"gpuledger/ingest/table"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
	"gpuledger/test/billtest"
)

// textRow is a row of text cells.
type textRow []string

func (r textRow) Line() int64 { return 1 }
func (r textRow) Raw(pos int) string {
	if table.IsNull(r[pos]) {
		return ""
	}
	return r[pos]
}
func (r textRow) Number(pos int) (money.Amount, bool, error) {
	a, err := money.Parse(r[pos])
	return a, err == nil, err
}
func (r textRow) Instant(pos int) (period.Second, bool, error) {
	at, err := table.ParseInstant(r[pos])
	return at, err == nil, err
}
func (r textRow) Pairs(pos int) ([]table.Pair, error) { return table.ParsePairs(r[pos]) }

func TestDates(t *testing.T) {
	for _, c := range []struct {
		in    string
		order dateOrder
		want  string
	}{
		{"09/22/2023", unknownOrder, "2023-09-22"}, {"9/2/2023", monthFirst, "2023-09-02"},
		{"9/2/2023", dayFirst, "2023-02-09"}, {"9/2/23", monthFirst, "2023-09-02"},
		{"9/2/2023", unknownOrder, ""}, {"9/9/2023", unknownOrder, "2023-09-09"},
		{"22/9/2023", unknownOrder, "2023-09-22"}, {"22/9/2023", monthFirst, ""}, {"9/22/2023", dayFirst, ""},
		{"22.09.2023", unknownOrder, "2023-09-22"},
		{"02.09.2023", unknownOrder, "2023-09-02"}, {"02-09-2023", dayFirst, "2023-09-02"},
		{"9/2/2023 12:00:00 AM", monthFirst, "2023-09-02"}, {"09/22/2023 23:59:59", unknownOrder, "2023-09-22"},
		{"2020-09-22", unknownOrder, "2020-09-22"}, {"2019-07-28 00:00:00", unknownOrder, "2019-07-28"},
		{"2023-09-22T00:00:00Z", unknownOrder, "2023-09-22"}, {"2023-09-22T00:00Z", unknownOrder, "2023-09-22"},
		{"2023-09-22T23:30:00-01:00", unknownOrder, "2023-09-23"},
		{"2023-09-22T13:37:00.1234567Z", unknownOrder, "2023-09-22"},
		{"20230922", unknownOrder, "2023-09-22"}, {"2023/09/22", unknownOrder, "2023-09-22"},
		{"2/30/2023", monthFirst, ""}, {"13/13/2023", monthFirst, ""}, {"0/1/2023", monthFirst, ""},
		{"1/2/3", monthFirst, ""}, {"1/2/2023/4", monthFirst, ""},
		{"1/2", monthFirst, ""}, {"soon", monthFirst, ""}, {"1/2/0023", monthFirst, ""},
		{"", monthFirst, ""}, {"/", monthFirst, ""}, {"1/-2/2023", monthFirst, ""}, {"1/2-2023", monthFirst, ""},
	} {
		at, err := parseDate(c.in, c.order)
		got := ""
		if err == nil {
			got = at.Time().Format("2006-01-02")
		}
		if got != c.want {
			t.Errorf("%q %d: %q %v", c.in, c.order, got, err)
		}
	}
}

// Which of two numbers is the month is decided once per file.
func TestDateOrder(t *testing.T) {
	dated := func(start, end string, dates ...string) (rows []cells) {
		for _, d := range dates {
			rows = append(rows, base(cells{"BillingPeriodStartDate": start, "BillingPeriodEndDate": end, "Date": d}))
		}
		return rows
	}
	for name, c := range map[string]struct {
		path string
		rows []cells
		want string // partition, first date; or reason
	}{
		"billing period, month first": {"x.csv", dated("09/01/2026", "09/30/2026", "09/02/2026"), "2026-09 2026-09-02"},
		"billing period, day first":   {"x.csv", dated("01/09/2026", "30/09/2026", "02/09/2026"), "2026-09 2026-09-02"},
		"odd period, month first":     {"x.csv", dated("9/10/2026", "10/9/2026", "9/11/2026"), "2026-09 2026-09-11"},
		"odd period, day first":       {"x.csv", dated("10/9/2026", "9/10/2026", "11/9/2026"), "2026-09 2026-09-11"},
		"a later date tells":          {"x.csv", dated("", "", "9/2/2026", "9/13/2026"), "2026-09 2026-09-02"},
		"a later date tells, other":   {"x.csv", dated("", "", "2/9/2026", "13/9/2026"), "2026-09 2026-09-02"},
		"one month":                   {"x.csv", dated("", "", "9/2/2026", "9/3/2026", "9/9/2026"), "2026-09 2026-09-02"},
		"one month, other":            {"x.csv", dated("", "", "2/9/2026", "3/9/2026"), "2026-09 2026-09-02"},
		"days of the folder":          {"20260901-20260930/x.csv", dated("", "", "9/2/2026"), "2026-09 2026-09-02"},
		"days of the folder, other":   {"20260201-20260228/x.csv", dated("", "", "9/2/2026"), "2026-02 2026-02-09"},
		"nobody knows":                {"x.csv", dated("", "", "9/2/2026"), "ambiguous date"},
		"nobody knows, two months":    {"x.csv", dated("", "", "9/2/2026", "9/3/2026", "3/9/2026"), "ambiguous date"},
		"it does not matter":          {"x.csv", dated("", "", "9/9/2026"), "2026-09 2026-09-09"},
		"years first":                 {"x.csv", dated("", "", "2026-09-02"), "2026-09 2026-09-02"},
		"two orders":                  {"x.csv", dated("", "", "9/22/2026", "22/9/2026"), "not a date"},
		"end only":                    {"x.csv", dated("", "09/30/2026", "10/01/2026"), "2026-09 2026-10-01"},
		"late line of a closed month": {"x.csv", dated("09/01/2026", "09/30/2026", "08/31/2026"), "2026-09 2026-08-31"},
	} {
		t.Run(name, func(t *testing.T) {
			root := t.TempDir()
			sheet(t, filepath.Join(root, c.path), c.rows...)
			r, err := readAll(t, billtest.List(t, root))
			var got string
			switch {
			case err != nil:
				got = err.Error()
			case r.Tally.RejectedRows() > 0:
				got = r.Tally.First[0].Reason
			default:
				r.Check(t)
				got = fmt.Sprint(r.Deliveries[0].Partition, " ", r.Charges[0][0].Period.From.Time().Format("2006-01-02"))
			}
			if !strings.Contains(got, c.want) {
				t.Errorf("%s, want %s", got, c.want)
			}
		})
	}
}
