package posting_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gpuledger/ingest"
	"gpuledger/test/tier"
)

// exportRows are the rows of a world in Google's export, in export order, as lines of JSON.
func (w *world) exportRows() (rows [][]byte, times []string) {
	w.t.Helper()
	for _, name := range w.files.GCP {
		f, err := os.Open(filepath.Join(w.dir, name))
		if err != nil {
			w.t.Fatal(err)
		}
		zr, err := gzip.NewReader(f)
		if err != nil {
			w.t.Fatal(err)
		}
		text, err := io.ReadAll(zr)
		if err != nil {
			w.t.Fatal(err)
		}
		if err := f.Close(); err != nil {
			w.t.Fatal(err)
		}
		for line := range bytes.Lines(text) {
			var row struct {
				At string `json:"export_time"`
			}
			if err := json.Unmarshal(line, &row); err != nil {
				w.t.Fatal(err)
			}
			rows, times = append(rows, bytes.Clone(line)), append(times, row.At)
		}
	}
	return rows, times
}

func (w *world) writeExport(name string, rows [][]byte) string {
	w.t.Helper()
	if err := os.WriteFile(filepath.Join(w.dir, name), bytes.Join(rows, nil), 0o644); err != nil {
		w.t.Fatal(err)
	}
	return name
}

// append imports files of the export in one import and checks that all their rows are accounted for.
func (w *world) append(keep bool, files ...string) *ingest.Summary {
	w.t.Helper()
	req := ingest.Request{Source: "gcp-billing", KeepEverything: keep}
	for _, f := range files {
		req.URIs = append(req.URIs, filepath.Join(w.dir, f))
	}
	im := ingest.Importer{Store: w.store, Now: w.files.To.Local}
	sum, err := im.Import(w.t.Context(), req)
	if err != nil {
		w.t.Fatalf("import %v: %v", files, err)
	}
	if sum.RowsRead != sum.Accepted+sum.Rejected+sum.Ignored || sum.RowsRead == 0 {
		w.t.Errorf("import %v: %d rows read, %d accepted, %d rejected, %d ignored", files, sum.RowsRead, sum.Accepted,
			sum.Rejected, sum.Ignored)
	}
	return sum
}

// billText is the stored bill, except the file and delivery of each line. Lines of an aggregate are identified by
// their sums.
func (w *world) billText() []string {
	w.t.Helper()
	var out []string
	for _, q := range []string{
		`select (to_jsonb(c) - '{delivery_id,delivery,source_file,line,import_id,number,scope,item,resource,tag_set,aggregate,lines,ranges,digest,state}'::text[])::text from charges c
			where not exists (select from charge_aggregates a where a.tenant_id = c.tenant_id and a.charge_id = c.charge_id)
			order by c.charge_id`,
		`select service_name || region || account || category || billing_period || coalesce(sum(effective_cost)::text,
			  '-') || coalesce(sum(billed_cost)::text, '-') || coalesce(sum(list_cost)::text, '-')
			from charges c group by service_name, region, account, category, billing_period order by 1`,
		`select account || billing_period || currency || metric || role || sum(source_total) || ' ' || sum(charges)
			from control_totals t join deliveries d using (tenant_id, delivery_id)
			where d.state = 'current' group by account, billing_period, currency, metric, role order by 1`,
	} {
		rows := w.rows(q)
		if len(rows) == 0 {
			w.t.Errorf("nothing: %s", q)
		}
		out = append(out, rows...)
	}
	return out
}

// TestIncrementsEqualTheWholeExport: a month of a BigQuery export, cut by time of export into fifty increments that
// arrive in any order (every day: ten, some of them twice), equals the month imported at once, line by line and
// posting by posting, in either mode.
func TestIncrementsEqualTheWholeExport(t *testing.T) {
	t.Parallel()
	cfg := twoDays(5)
	cfg.GCP, cfg.Days = true, 4
	whole := simulate(t, cfg)
	rows, times := whole.exportRows()
	elsewhere := func(file string) bool { return !strings.Contains(file, "/gke-") }
	ofGKE := slices.DeleteFunc(slices.Clone(whole.files.Telemetry), elsewhere)
	telemetry := func(w *world) {
		w.load("openmetrics", ofGKE...)
		w.load("price-book", w.files.PriceBook)
		w.allocate()
	}
	pieces := 50
	if !tier.Full() {
		pieces = 10
	}
	for mode, keep := range map[string]bool{"aggregated": false, "keep everything": true} {
		t.Run(mode, func(t *testing.T) {
			r := rand.New(rand.NewPCG(7, uint64(len(mode))))
			at := whole.separate()
			at.t = t
			at.fresh()
			at.append(keep, at.writeExport("whole-"+mode+".json", rows))
			telemetry(at)
			want := at.billText()

			parts := at.separate()
			cuts := map[string]bool{}
			for len(cuts) < pieces-1 {
				cuts[times[1+r.IntN(len(times)-1)]] = true
			}
			var files []string
			from := 0
			for i := 1; i <= len(rows); i++ {
				if i == len(rows) || cuts[times[i]] && times[i] != times[i-1] {
					files = append(files, parts.writeExport(fmt.Sprintf("increment-%s-%d.json", mode, len(files)), rows[from:i]))
					from = i
				}
			}
			if len(files) < pieces*4/5 {
				t.Fatalf("%d increments", len(files))
			}
			for round := range 2 {
				r.Shuffle(len(files), func(i, j int) { files[i], files[j] = files[j], files[i] })
				for i, f := range files {
					if round == 1 && !tier.Full() && i%4 != 0 {
						continue
					}
					parts.append(keep, f)
					if round == 0 && i == len(files)/2 {
						telemetry(parts)
					}
				}
				if diff := cmp.Diff(want, parts.billText()); diff != "" {
					t.Fatalf("the increments differ from the whole:\n%.3000s", diff)
				}
			}
			parts.allocate()
			sameMoney(t, at, parts)
			parts.mustVerify("after increments")

			// All at once, with the whole export in addition: nothing is counted twice.
			heap := at.separate()
			sum := heap.append(keep, append(slices.Clone(files), "whole-"+mode+".json")...)
			if diff := cmp.Diff(want, heap.billText()); diff != "" || sum.Accepted != int64(len(rows)) {
				t.Errorf("one import of all files takes %d of %d rows:\n%.3000s", sum.Accepted, len(rows), diff)
			}
			// The other mode replaces the stored lines once it has all of them.
			heap.append(!keep, "whole-"+mode+".json")
			if got := heap.rows("select source from deliveries where state = 'current' and aggregated = " +
				fmt.Sprint(!keep)); len(got) != 0 {
				t.Errorf("kept otherwise: %v", got)
			}
		})
	}
}

// TestDamagedIncrementIsDropped: if one of several increments in an import is damaged, only it and the increments that
// share a time of export with it are dropped; the days of the others are stored, all rows are accounted for, and the
// repaired increment adds the missing rows.
func TestDamagedIncrementIsDropped(t *testing.T) {
	t.Parallel()
	cfg := twoDays(5)
	cfg.GCP = true
	whole := simulate(t, cfg)
	rows, times := whole.exportRows()
	whole.append(false, whole.writeExport("whole.json", rows))
	want := whole.billText()
	for name, spoil := range map[string]func([]byte) []byte{
		"a wrong cell": func(text []byte) []byte {
			return bytes.Replace(text, []byte(`"cost":`), []byte(`"cost":"cheap","was":`), 1)
		},
		"a line cut short":      func(text []byte) []byte { return text[:len(text)-len(text)/3] },
		"nothing but its start": func([]byte) []byte { return []byte(`{"billing_account_id":`) },
	} {
		t.Run(name, func(t *testing.T) {
			parts := whole.separate()
			parts.t = t
			var cuts []int // at times of export, except one between the second and the third file
			for i := 1; i < 6; i++ {
				at := i * len(rows) / 6
				for i != 2 && times[at] == times[at-1] {
					at++
				}
				for i == 2 && times[at] != times[at-1] {
					at++
				}
				cuts = append(cuts, at)
			}
			var req ingest.Request
			req.Source = "gcp-billing"
			from, mended := 0, ""
			for i, to := range append(cuts, len(rows)) {
				file := fmt.Sprintf("cut-%d.json", i)
				parts.writeExport(file, rows[from:to])
				req.URIs = append(req.URIs, filepath.Join(parts.dir, file))
				if i == 2 {
					mended = req.URIs[i]
				}
				from = to
			}
			good, err := os.ReadFile(mended)
			if err != nil {
				t.Fatal(err)
			}
			write := func(text []byte) {
				t.Helper()
				if err := os.WriteFile(mended, text, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			write(spoil(good))
			im := ingest.Importer{Store: parts.store, Now: parts.files.To.Local}
			sum, err := im.Import(t.Context(), req)
			if err == nil || sum == nil || sum.State != ingest.ImportPublished || !strings.Contains(err.Error(), "cut-2.json") {
				t.Fatalf("%+v: %v", sum, err)
			}
			if sum.RowsRead != sum.Accepted+sum.Rejected+sum.Ignored {
				t.Errorf("%d rows read, %d accepted, %d rejected, %d ignored", sum.RowsRead, sum.Accepted, sum.Rejected,
					sum.Ignored)
			}
			// The file before shares a time with it. That is known if only cells are wrong; the contents of a damaged
			// file are unknown.
			least := int64(len(rows) - (cuts[2] - cuts[1]))
			if name == "a wrong cell" {
				if !strings.Contains(err.Error(), "cut-1.json: incomplete delivery: cut-2.json was refused") {
					t.Errorf("nothing is said of the file that shares a time with it: %v", err)
				}
				least -= int64(cuts[1] - cuts[0])
			}
			if sum.Accepted != least {
				t.Errorf("%d rows are taken, want %d", sum.Accepted, least)
			}
			write(good)
			if sum, err := im.Import(t.Context(), req); err != nil || sum.Accepted != int64(len(rows))-least {
				t.Fatalf("the mended file: %+v, %v", sum, err)
			}
			if diff := cmp.Diff(want, parts.billText()); diff != "" {
				t.Errorf("with the mended file it differs from the whole:\n%.3000s", diff)
			}
			parts.mustOnlyWait()
		})
	}
}

// sameMoney: postings are equal except for the files of their lines.
func sameMoney(t *testing.T, one, other *world) {
	t.Helper()
	const q = `select hour, node_id, cause, owner_id, sum(effective_cost), sum(billed_cost), sum(list_cost),
		sum(gpu_hours), count(*) from postings where charge_id is null or not exists
		(select from charge_aggregates a where a.tenant_id = postings.tenant_id and a.charge_id = postings.charge_id)
		group by 1, 2, 3, 4 order by 1, 2, 3, 4`
	if diff := cmp.Diff(one.rows(q), other.rows(q)); diff != "" {
		t.Errorf("the ledgers differ:\n%.3000s", diff)
	}
}
