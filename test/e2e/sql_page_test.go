package e2e

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
)

var sqlBlock = regexp.MustCompile("(?s)```sql\n(.*?)```")

// Each query of the page on SQL returns the reports' data for the demo fleet: rows with a value in each column, and the
// sums of the reports.
func TestQueriesOfThePageOnSQL(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", "answer", "sql.md"))
	if err != nil {
		t.Fatal(err)
	}
	blocks := sqlBlock.FindAllStringSubmatch(string(text), -1)
	if len(blocks) != 5 {
		t.Fatalf("%d queries, and the page says five", len(blocks))
	}
	db := smallLedger(t)
	conn := connect(t, db)
	var first string
	for i, block := range blocks {
		query := strings.TrimSuffix(strings.TrimSpace(block[1]), ";")
		rows, err := conn.Query(t.Context(), query)
		if err != nil {
			t.Fatalf("query %d: %v", i+1, err)
		}
		list, err := pgx.CollectRows(rows, pgx.RowToMap)
		if err != nil || len(list) == 0 {
			t.Errorf("query %d: %d rows, %v", i+1, len(list), err)
			continue
		}
		for name := range list[0] {
			known := false
			for _, row := range list {
				known = known || row[name] != nil
			}
			if !known {
				t.Errorf("query %d: column %s has no value in %d rows", i+1, name, len(list))
			}
		}
		if i == 0 {
			first = query
		}
	}
	sum := scan[string](t, conn, "select trim_scale(sum(cost))::text from ("+first+") q where currency = 'USD'")
	want := decodeCSV(t, must(t, db, "report", "costs", "--filter=currency = USD", "--columns=effective_cost",
		"--format=csv"))
	if len(want.rows) != 1 || want.rows[0][0] != sum {
		t.Errorf("the first query adds up to %s, the report says %v", sum, want.rows)
	}
	if n := scan[int](t, conn,
		"select count(*) from bi_v1.reconciliation where role = 'book' and difference <> 0"); n > 0 {
		t.Errorf("%d totals differ", n)
	}
}
