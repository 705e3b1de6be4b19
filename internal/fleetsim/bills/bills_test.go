package bills

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"encoding/json"
	"io"
	"math/big"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/apache/arrow-go/v18/parquet/file"
	"github.com/apache/arrow-go/v18/parquet/pqarrow"
	"github.com/klauspost/compress/gzip"

	"gpuledger/internal/fleetsim/world"
)

func unpacked(t *testing.T, path string) []byte {
	t.Helper()
	body, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasSuffix(path, ".gz") {
		return body
	}
	zr, err := gzip.NewReader(bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	if body, err = io.ReadAll(zr); err != nil {
		t.Fatal(err)
	}
	return body
}

func text2rat(t *testing.T, raw any) *big.Rat {
	t.Helper()
	s, ok := raw.(string)
	if n, number := raw.(json.Number); number {
		s, ok = n.String(), true
	}
	r, good := new(big.Rat).SetString(s)
	if !ok || !good {
		t.Fatalf("%v (%T) is no number", raw, raw)
	}
	return r
}

// TestGoogleExportReadBack: every line is a JSON object of the export's
// schema, in order of export time; cost and credits add up to the charges.
func TestGoogleExportReadBack(t *testing.T) {
	_, bill, dir, m := billed(t, everywhere(3), world.GCP)
	want, got, lines := new(big.Rat), new(big.Rat), 0
	charges := bill.Charges()
	for _, c := range charges {
		want.Add(want, c.Billed)
	}
	seen := map[string]bool{}
	for i, rel := range m.GCP {
		for n, text := range bytes.Split(bytes.TrimSpace(unpacked(t, filepath.Join(dir, rel))), []byte("\n")) {
			var row map[string]any
			dec := json.NewDecoder(bytes.NewReader(text))
			dec.UseNumber()
			if err := dec.Decode(&row); err != nil {
				t.Fatalf("%s line %d: %v", rel, n+1, err)
			}
			lines++
			got.Add(got, text2rat(t, row["cost"]))
			for _, c := range row["credits"].([]any) {
				credit := c.(map[string]any)
				got.Add(got, text2rat(t, credit["amount"]))
				seen["credit "+credit["type"].(string)] = true
			}
			_, isText := row["cost"].(string)
			if isText != (i%2 == 1) {
				t.Fatalf("%s: cost is %T", rel, row["cost"])
			}
			if day := row["export_time"].(string)[:10]; !strings.Contains(rel, day) {
				t.Fatalf("%s holds a row exported on %s", rel, day)
			}
			seen["cost type "+row["cost_type"].(string)] = true
			if row["adjustment_info"] != nil {
				seen["adjustment"] = true
			}
			if row["project"] == nil {
				seen["no project"] = true
			}
			sku := row["sku"].(map[string]any)["description"].(string)
			for _, word := range []string{
				"Core running", "Ram running", "GPU running", "Spot Preemptible", "Commitment v1:", "Kubernetes Clusters",
			} {
				if strings.Contains(sku, word) {
					seen[word] = true
				}
			}
		}
	}
	if lines != len(charges) || want.Cmp(got) != 0 || lines == 0 || want.Sign() <= 0 {
		t.Errorf("%d lines of %s, want %d of %s", lines, got.FloatString(6), len(charges), want.FloatString(6))
	}
	for _, w := range []string{"credit COMMITTED_USAGE_DISCOUNT", "credit DISCOUNT", "credit PROMOTION",
		"credit SUSTAINED_USAGE_DISCOUNT", "cost type tax", "adjustment", "no project",
		"Core running", "Ram running", "GPU running", "Spot Preemptible", "Commitment v1:", "Kubernetes Clusters"} {
		if !seen[w] {
			t.Errorf("never seen: %s", w)
		}
	}
}

// TestAzurePairReadBack: header, rows and sums of both exports; the manifest counts the rows in the file; the current
// run was submitted last.
func TestAzurePairReadBack(t *testing.T) {
	_, bill, dir, m := billed(t, everywhere(3), world.Azure)
	want := map[string]*big.Rat{"ActualCost": new(big.Rat), "AmortizedCost": new(big.Rat)}
	for _, c := range bill.Charges() {
		for dataset, a := range map[string]*big.Rat{"ActualCost": c.Billed, "AmortizedCost": c.Effective} {
			if a != nil {
				want[dataset].Add(want[dataset], a)
			}
		}
	}
	got, submitted, types := map[string]*big.Rat{"ActualCost": new(big.Rat), "AmortizedCost": new(big.Rat)},
		map[string]string{}, map[string]bool{}
	for i, list := range [][]string{m.AzureOld, m.Azure} {
		for k := 0; k+1 < len(list); k += 2 {
			rows, err := csv.NewReader(bytes.NewReader(bytes.TrimPrefix(unpacked(t, filepath.Join(dir, list[k])),
				[]byte("\ufeff")))).ReadAll()
			if err != nil {
				t.Fatal(err)
			}
			var manifest struct {
				DataRowCount int
				ExportConfig struct{ Type, DataVersion string }
				RunInfo      struct{ SubmittedTime string }
				Blobs        []struct {
					BlobName     string
					ByteCount    int64
					DataRowCount int
				}
			}
			if err := json.Unmarshal(unpacked(t, filepath.Join(dir, list[k+1])), &manifest); err != nil {
				t.Fatal(err)
			}
			kind := manifest.ExportConfig.Type
			info, err := os.Stat(filepath.Join(dir, list[k]))
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(rows[0], azureColumns) || manifest.DataRowCount != len(rows)-1 || len(manifest.Blobs) != 1 ||
				manifest.Blobs[0].ByteCount != info.Size() ||
				manifest.Blobs[0].DataRowCount != len(rows)-1 ||
				!strings.HasSuffix(filepath.ToSlash(list[k]), manifest.Blobs[0].BlobName) {
				t.Errorf("%s does not agree with its manifest %+v", list[k], manifest)
			}
			if i == 0 {
				submitted[kind] = manifest.RunInfo.SubmittedTime
				continue
			}
			if manifest.RunInfo.SubmittedTime <= submitted[kind] {
				t.Errorf("%s was submitted at %s, what it restates at %s", kind, manifest.RunInfo.SubmittedTime, submitted[kind])
			}
			cost, typ := slices.Index(azureColumns, "CostInBillingCurrency"), slices.Index(azureColumns, "ChargeType")
			for _, r := range rows[1:] {
				got[kind].Add(got[kind], text2rat(t, r[cost]))
				types[kind+" "+r[typ]] = true
			}
		}
	}
	for kind, w := range want {
		if w.Cmp(got[kind]) != 0 || w.Sign() <= 0 {
			t.Errorf("%s: %s, want %s", kind, got[kind].FloatString(6), w.FloatString(6))
		}
	}
	for _, w := range []string{
		"ActualCost Usage", "ActualCost Purchase", "ActualCost Refund",
		"AmortizedCost Usage", "AmortizedCost UnusedReservation",
	} {
		if !types[w] {
			t.Errorf("never seen: %s", w)
		}
	}
}

// TestOwnedHoursAddUp: over a calendar month of service the hours of a machine cost the price book's monthly amount.
func TestOwnedHoursAddUp(t *testing.T) {
	w, _, _, _ := billed(t, everywhere(1), world.Owned)
	from, to := monthsAfter(w.OwnedSince(), 0), monthsAfter(w.OwnedSince(), ownedLife)
	got := new(big.Rat)
	for _, h := range HoursOf(from, to) {
		got.Add(got, OwnedCost(w, max(h.At, from), max(h.At, from)+h.Seconds))
	}
	want := new(big.Rat).Sub(world.Decimal(ownedPurchase), world.Decimal(ownedResidual))
	kw := new(big.Rat).Mul(world.Decimal(ownedDraw), world.Decimal(ownedPUE))
	for _, t := range []struct {
		price   string
		seconds int64
	}{{ownedTariff, newTariffFrom(w) - from}, {ownedNewTariff, to - newTariffFrom(w)}} {
		cost := new(big.Rat).Mul(kw, world.Decimal(t.price))
		want.Add(want, cost.Mul(cost, big.NewRat(t.seconds, 3600)))
	}
	// Four whole years and the two ends of the first and last month, which
	// differ in length: bounded, not equal.
	monthly := new(big.Rat).Add(world.Decimal(ownedColocation),
		new(big.Rat).Quo(world.Decimal(ownedSupport), big.NewRat(12, 1)))
	monthly.Add(monthly, new(big.Rat).Mul(world.Decimal(ownedStaff),
		new(big.Rat).Mul(world.Decimal(ownedStaffShare), big.NewRat(1, 2))))
	want.Add(want, new(big.Rat).Mul(monthly, big.NewRat(ownedLife, 1)))
	diff := new(big.Rat).Sub(got, want)
	if diff.Abs(diff).Cmp(new(big.Rat).Quo(monthly, big.NewRat(10, 1))) > 0 {
		t.Errorf("a life costs %s, want about %s", got.FloatString(4), want.FloatString(4))
	}
}

// TestEarlierStatesDiffer: the restated deliveries have lines that changed, lack some, and have one that goes away.
func TestEarlierStatesDiffer(t *testing.T) {
	_, bill, _, _ := billed(t, everywhere(2), world.AWS)
	b := bill.(*awsBill)
	old := map[string]float64{}
	for _, l := range b.first {
		old[l.id()+l.interval()] = l.cost
	}
	added, changed := 0, 0
	for _, l := range b.lines {
		k := l.id() + l.interval()
		was, there := old[k]
		switch {
		case !there:
			added++
		case was != l.cost:
			changed++
		}
		delete(old, k)
	}
	if added == 0 || changed == 0 || len(old) == 0 {
		t.Errorf("%d lines added, %d changed, %d removed", added, changed, len(old))
	}
}

// TestParquetBill reads the bill back and compares its sum with the lines.
func TestParquetBill(t *testing.T) {
	cfg := oneDayBilled(3)
	cfg.ChunkRows = 100
	_, bill, dir, m := billed(t, cfg, world.AWS)
	want, got := new(big.Rat), new(big.Rat)
	lines := bill.(*awsBill).lines
	for _, l := range lines {
		want.Add(want, world.OfDouble(l.cost))
	}
	var rows, files int64
	for _, rel := range m.AWSCUR {
		if !strings.HasSuffix(rel, ".parquet") {
			continue
		}
		files++
		pf, err := file.OpenParquetFile(filepath.Join(dir, rel), false)
		if err != nil {
			t.Fatal(err)
		}
		r, err := pqarrow.NewFileReader(pf, pqarrow.ArrowReadProperties{}, memory.DefaultAllocator)
		if err != nil {
			t.Fatal(err)
		}
		tbl, err := r.ReadTable(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		i := tbl.Schema().FieldIndices("line_item_unblended_cost")[0]
		for _, c := range tbl.Column(i).Data().Chunks() {
			for _, v := range c.(*array.Float64).Float64Values() {
				got.Add(got, world.OfDouble(v))
			}
		}
		rows += tbl.NumRows()
		if int(tbl.NumCols()) != len(curColumns) {
			t.Errorf("%d columns, want %d", tbl.NumCols(), len(curColumns))
		}
	}
	if files < 2 || rows != int64(len(lines)) || want.Cmp(got) != 0 {
		t.Fatalf("%d rows in %d files add up to %s, want %d rows and %s", rows, files, got.FloatString(10), len(lines),
			want.FloatString(10))
	}
	ids := map[string]bool{}
	for _, l := range lines {
		k := l.id() + l.interval()
		if ids[k] {
			t.Fatalf("line item %s twice", k)
		}
		ids[k] = true
	}
}

func TestCSVBill(t *testing.T) {
	cfg := oneDayBilled(3)
	cfg.CSV = true
	_, _, dir, m := billed(t, cfg, world.AWS)
	body, err := os.ReadFile(filepath.Join(dir, m.AWSCUR[0]))
	if err != nil {
		t.Fatal(err)
	}
	zr, err := gzip.NewReader(bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	n := int64(0)
	for sc := bufio.NewScanner(zr); sc.Scan(); {
		n++
	}
	if n != m.BillLines+1 {
		t.Errorf("%d lines for %d rows", n, m.BillLines)
	}
	var manifest struct{ ExecutionID, ExportArn string }
	if body, err = os.ReadFile(filepath.Join(dir, m.AWSCUR[len(m.AWSCUR)-1])); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(body, &manifest); err != nil || manifest.ExportArn != exportARN {
		t.Errorf("manifest %s: %v", body, err)
	}
}

func oneDayBilled(seed int64) world.Config {
	c := world.Preset(world.Small)
	c.Seed, c.Days, c.BillLagHours = seed, 1, 6
	return c
}

func everywhere(seed int64) world.Config {
	c := oneDayBilled(seed).Everywhere()
	c.Days, c.BillLagHours = 2, 20
	return c
}

// billed is the bill of the fleet's cluster of a provider, with its files in a
// folder.
func billed(t *testing.T, cfg world.Config, p world.Provider) (w *world.World, b Bill, dir string, m *Files) {
	t.Helper()
	worlds, err := world.All(cfg)
	if err != nil {
		t.Fatal(err)
	}
	bills := All(worlds)
	i := slices.IndexFunc(worlds, func(w *world.World) bool { return w.Site.Provider == p })
	if i < 0 {
		t.Fatalf("no cluster on %s", p)
	}
	dir, m = t.TempDir(), &Files{}
	if err := bills[i].Write(dir, m); err != nil {
		t.Fatal(err)
	}
	return worlds[i], bills[i], dir, m
}
