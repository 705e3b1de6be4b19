package store_test

import (
	"bufio"
	"bytes"
	"encoding/hex"
	"encoding/json"
	"flag"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"gpuledger/internal/store"
	"gpuledger/internal/store/book"
	"gpuledger/metrics"
	"gpuledger/migrations"
	"gpuledger/test/storetest"
)

// Until the first release is out, write its data with
//
//	go test ./internal/store -run TestDataOfTheFirstRelease -update
//
// After the release, do not write them again: they test that later schemas upgrade the data of the first.
var update = flag.Bool("update", false, "write testdata of the first release anew")

var (
	firstData = filepath.Join("testdata", "first_release.copy") // tables, in the text format of COPY
	firstSays = filepath.Join("testdata", "first_release.json") // the reports about them
)

// says is reports as rows, with cells by column; statements have only their digests.
type says map[string][]map[string]string

// firstQuestions are the datasets read before and after an upgrade. Their figures are stored in the ledger, so no later
// rule changes them.
var firstQuestions = []string{"charges", "postings", "usage", "reconciliation", "costs", "runs", "attempts"}

// heard reads the datasets again, limited to the rows and columns in before.
func heard(t *testing.T, s *store.Store, before says) says {
	t.Helper()
	out := says{}
	for _, dataset := range firstQuestions {
		var options metrics.Options
		if dataset != "reconciliation" { // it does not filter by time
			options = metrics.Options{From: "2026-10-01", To: "2026-12-01"}
		}
		rows := storetest.Table(t, s, dataset, options)
		for i, row := range rows {
			for column := range row {
				if before != nil && i < len(before[dataset]) {
					if _, was := before[dataset][i][column]; !was {
						delete(row, column) // added by a later release
					}
				}
			}
		}
		out[dataset] = rows
	}
	rows, err := s.Pool.Query(t.Context(),
		"select billing_account, billing_period, version from statements order by 1, 2, 3")
	if err != nil {
		t.Fatal(err)
	}
	keys, err := pgx.CollectRows(rows, pgx.RowToStructByPos[book.StatementKey])
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range keys {
		written, err := s.WriteStatement(t.Context(), io.Discard, k)
		if err != nil {
			t.Fatal(err)
		}
		out["statements"] = append(out["statements"], map[string]string{
			string(k.BillingPeriod): hex.EncodeToString(written.Digest[:]),
		})
	}
	return out
}

func TestDataOfTheFirstRelease(t *testing.T) {
	if !*update {
		s := atVersion(t, firstRelease)
		if loadFirstRelease(t, s); storetest.Count(t, s, "select count(*) from postings") == 0 {
			t.Error("there is no posting in " + firstData)
		}
		return
	}
	if migrations.Latest() != firstRelease {
		t.Fatalf("the schema is of version %d: the data of version %d are not written any more", migrations.Latest(),
			firstRelease)
	}
	s, _, _ := storetest.ToyLedger(t) // telemetry, a bill, and a ledger from them
	storetest.MustClose(t, s)
	var b bytes.Buffer
	conn := connected(t, s)
	mustExecConn(t, conn, "set time zone 'UTC'")
	for _, query := range []string{
		`select format('select ensure_month(%L, %L)', p.relname, to_date(right(c.relname, 6), 'YYYYMM'))
		 from pg_inherits i join pg_class p on p.oid = i.inhparent join pg_class c on c.oid = i.inhrelid
		 where p.relkind = 'p' and c.relkind = 'r' and p.relnamespace = 'public'::regnamespace and c.relname ~ '_[0-9]{6}$'
		 order by 1`,
		`select format('select setval(%L, %s)', format('%I.%I', schemaname, sequencename), last_value)
		 from pg_sequences where schemaname = 'public' and last_value is not null order by 1`,
	} {
		for _, line := range collected(t, conn, query) {
			b.WriteString(line + "\n")
		}
	}
	for _, line := range collected(t, conn, `
		select format('%I (%s)', c.relname, string_agg(quote_ident(a.attname), ', ' order by a.attnum))
		from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
		  and a.attgenerated = ''
		where c.relkind in ('r', 'p') and not c.relispartition and c.relnamespace = 'public'::regnamespace
		  and c.relname not in ('tenants', 'schema_version')
		group by c.oid, c.relname order by c.relname`) {
		name, columns, _ := strings.Cut(line, " ")
		var rows bytes.Buffer
		columns = strings.Trim(columns, "()")
		if _, err := conn.PgConn().CopyTo(t.Context(), &rows,
			"copy (select "+columns+" from "+name+" order by "+columns+") to stdout"); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if rows.Len() > 0 {
			b.WriteString("copy " + line + " from stdin\n" + rows.String() + "\\.\n")
		}
	}
	if err := os.MkdirAll("testdata", 0o755); err != nil {
		t.Fatal(err)
	}
	text, err := json.MarshalIndent(heard(t, s, nil), "", "\t")
	if err != nil {
		t.Fatal(err)
	}
	for path, data := range map[string][]byte{firstData: b.Bytes(), firstSays: append(text, '\n')} {
		if err := os.WriteFile(path, data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// loadFirstRelease fills a database with the data of the first release and returns the reports about it.
func loadFirstRelease(t *testing.T, s *store.Store) says {
	t.Helper()
	data, err := os.ReadFile(firstData)
	if err != nil {
		t.Fatal(err)
	}
	conn := connected(t, s)
	// Tables come in order of name, so keys and triggers must not apply before all are loaded.
	mustExecConn(t, conn, "set session_replication_role = replica")
	mustExecConn(t, conn, "set time zone 'UTC'")
	for lines := bufio.NewReader(bytes.NewReader(data)); ; {
		line, err := lines.ReadString('\n')
		if err != nil {
			break
		}
		if !strings.HasPrefix(line, "copy ") {
			mustExecConn(t, conn, line)
			continue
		}
		var rows strings.Builder
		for row := ""; row != "\\.\n"; {
			rows.WriteString(row)
			if row, err = lines.ReadString('\n'); err != nil {
				t.Fatalf("%s ends within %s", firstData, line)
			}
		}
		if _, err := conn.PgConn().CopyFrom(t.Context(), strings.NewReader(rows.String()), line); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
	}
	mustExecConn(t, conn, "reset session_replication_role")
	text, err := os.ReadFile(firstSays)
	if err != nil {
		t.Fatal(err)
	}
	var out says
	if err := json.Unmarshal(text, &out); err != nil {
		t.Fatal(err)
	}
	return out
}

func mustExecConn(t *testing.T, conn *pgx.Conn, sql string) {
	t.Helper()
	if _, err := conn.Exec(t.Context(), sql); err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
}

func collected(t *testing.T, conn *pgx.Conn, sql string) []string {
	t.Helper()
	rows, err := conn.Query(t.Context(), sql)
	if err != nil {
		t.Fatal(err)
	}
	list, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		t.Fatal(err)
	}
	return list
}
