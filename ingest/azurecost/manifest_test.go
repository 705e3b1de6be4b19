package azurecost

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gpuledger/ingest/bill"
	"gpuledger/internal/ledger"
	"gpuledger/test/billtest"
)

const guid = "73746dc5-5dcc-4b83-b340-bb1bd2b1ca30"

// newStyle is a manifest.json of an export of 2024 and later.
func newStyle(kind, submitted, run string, blobs ...string) string {
	return fmt.Sprintf(`{"manifestVersion":"2024-04-01","byteCount":1,"blobCount":%d,"dataRowCount":1,
	"exportConfig":{"exportName":"daily","resourceId":"/providers/Microsoft.Billing/billingAccounts/8611/providers/Microsoft.CostManagement/exports/daily-%s","dataVersion":"2024-08-01","apiVersion":"2023-07-01-preview","type":"%s","timeFrame":"MonthToDate","granularity":"Daily"},
	"deliveryConfig":{"partitionData":true,"dataOverwriteBehavior":"OverwritePreviousReport","fileFormat":"Csv","compressionMode":"None","containerUri":"https://a.blob.core.windows.net/c","rootFolderPath":"root"},
	"runInfo":{"executionType":"Scheduled","submittedTime":"%s","runId":"%s","startDate":"2026-09-01T00:00:00","endDate":"2026-09-30T00:00:00"},
	"blobs":[%s]}`, len(blobs), kind, kind, submitted, run, strings.Join(blobs, ","))
}

func blobOf(name string, bytes, rows int64) string {
	return fmt.Sprintf(`{"blobName":"%s","byteCount":%d,"dataRowCount":%d}`, name, bytes, rows)
}

func size(t *testing.T, path string) int64 {
	t.Helper()
	st, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	return st.Size()
}

func read(t *testing.T, root string) (*result, error) {
	t.Helper()
	data, manifests := billtest.Split(t, Format, billtest.List(t, root))
	return readAll(t, data, manifests...)
}

func TestPublicManifest(t *testing.T) {
	text, err := os.ReadFile(billtest.Samples(t, "azure/koku_manifest_2021-01-01.json"))
	if err != nil {
		t.Fatal(err)
	}
	if !Format.IsManifest(text) {
		t.Error("not recognised")
	}
	m, err := Format.ParseManifest("manifest.json", text)
	if err != nil || len(m.DataFiles) != 1 || m.DataFiles[0].Rows != 490 || m.DataFiles[0].Bytes != 423869 ||
		m.Dataset != "" {
		t.Fatalf("%+v %v", m, err)
	}
	if m.SubmitTime == nil || m.SubmitTime.String() != "2023-01-04T14:42:00Z" || m.ExecutionID != guid ||
		m.Export != "azure cost/partitioned" {
		t.Errorf("%v %s %s", m.SubmitTime, m.ExecutionID, m.Export)
	}
}

func TestManifests(t *testing.T) {
	text := newStyle("AmortizedCost", "2026-09-20T03:04:05.6789Z", guid,
		blobOf("root/daily/20260901-20260930/"+guid+"/part_0_0001.csv", 10, 2))
	m, err := Format.ParseManifest("manifest.json", []byte(text))
	if err != nil || m.Dataset != datasetAmortized || m.ExecutionID != guid ||
		m.SubmitTime.String() != "2026-09-20T03:04:05Z" ||
		m.Export != "/providers/microsoft.billing/billingaccounts/8611/providers/microsoft.costmanagement/exports/daily-amortizedcost" {
		t.Errorf("%+v %v", m, err)
	}
	for _, empty := range []string{
		newStyle("ActualCost", "2026-09-01T00:00:00Z", guid),
		`{"manifestVersion":"2021-01-01","dataFormat":"csv","blobCount":0,"byteCount":0,"dataRowCount":0,"blobs":[]}`,
		`{"blobCount":0,"exportConfig":{"type":"ActualCost"}}`,
	} {
		if m, err := Format.ParseManifest("m", []byte(empty)); err != nil || len(m.DataFiles) != 0 ||
			!Format.IsManifest([]byte(empty)) {
			t.Errorf("%s: %v", empty, err)
		}
	}
	gz, err := Format.ParseManifest("m",
		[]byte(newStyle("ActualCost", "", guid, blobOf("a/20260901-20260930/"+guid+"/part_0_0001.csv.gz", 10, 2))))
	if err != nil || gz.DataFiles[0].Bytes != -1 || gz.DataFiles[0].Rows != 2 {
		t.Errorf("%+v %v", gz, err)
	}
	for broken, want := range map[string]string{
		"{": "broken manifest", "{}": "neither blobCount nor blobs",
		`{"blobCount":2,"blobs":[{"blobName":"a/b"}]}`: "declares 2 blobs but lists 1",
		`{"blobCount":1}`:                         "declares 1 blobs but lists 0",
		`{"blobs":[{"blobName":"/"}]}`:            "is not the name of a blob",
		newStyle("ActualCost", "yesterday", guid): "submittedTime",
	} {
		var refused *ledger.FileError
		if _, err := Format.ParseManifest("m", []byte(broken)); !errors.As(err, &refused) ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", broken, err)
		}
	}
	for text, want := range map[string]bool{
		newStyle("FocusCost", "", guid): false, newStyle("PriceSheet", "", guid): false,
		newStyle("ReservationDetails", "", guid): false, newStyle("Usage", "", guid): true,
		`{"executionId":"e","dataFiles":["x"]}`: false,
		`{"blobs":[],"dataRowCount":0}`:         true, `[]`: false, `{"blobs":1}`: false,
	} {
		if got := Format.IsManifest([]byte(text)); got != want {
			t.Errorf("%.300s: %v", text, got)
		}
	}
}

// An export run: the manifest names the dataset, the order and every part.
func TestRun(t *testing.T) {
	root := t.TempDir()
	for i, kind := range []string{"ActualCost", "AmortizedCost"} {
		folder := fmt.Sprintf("root/export%d/20260901-20260930/%08d-5dcc-4b83-b340-bb1bd2b1ca30", i, i)
		for part := 1; part <= 2; part++ {
			sheet(t, filepath.Join(root, folder, fmt.Sprintf("part_0_000%d.csv", part)),
				base(cells{"CostInBillingCurrency": fmt.Sprint(part)}), base(cells{"CostInBillingCurrency": "3"}))
		}
		sheet(t, filepath.Join(root, folder, "part_1_0001.csv"), base(nil)) // of a run that was overwritten
		write(t, filepath.Join(root, folder, "manifest.json"), newStyle(kind, "2026-09-20T00:00:00Z", fmt.Sprint("run", i),
			blobOf(folder+"/part_0_0001.csv", size(t, filepath.Join(root, folder, "part_0_0001.csv")), 2),
			blobOf(folder+"/part_0_0002.csv", size(t, filepath.Join(root, folder, "part_0_0002.csv")), 2)))
	}
	r, err := read(t, root)
	if err != nil {
		t.Fatal(err)
	}
	r.Check(t)
	if len(r.Deliveries) != 2 || len(r.Leftover) != 2 {
		t.Fatalf("%d deliveries, %q", len(r.Deliveries), r.Leftover)
	}
	for _, d := range r.Deliveries {
		m := map[string]ledger.Metric{datasetActual: ledger.BilledCost, datasetAmortized: ledger.EffectiveCost}[d.Dataset]
		if d.Rows != 4 || len(d.Files) != 2 || billtest.Total(d, m) != "9" ||
			!strings.HasSuffix(d.Export, "exports/daily-"+strings.ToLower(d.Dataset)) ||
			d.DeliveredAt.String() != "2026-09-20T00:00:00Z" {
			t.Errorf("%+v", d)
		}
	}
}

// F06: parts that are missing, cut, doubled or of another run.
func TestIncompleteRuns(t *testing.T) {
	const folder = "root/export/20260901-20260930/" + guid
	for name, c := range map[string]struct {
		blobs func(bytes int64) []string
		want  string
	}{
		"a part is missing": {func(n int64) []string {
			return []string{blobOf(folder+"/part_0_0001.csv", n, 1), blobOf(folder+"/part_0_0002.csv", n, 1)}
		}, "file missing"},
		"more rows promised": {
			func(n int64) []string { return []string{blobOf(folder+"/part_0_0001.csv", n, 7)} }, "not as in the manifest",
		},
		"more bytes": {
			func(n int64) []string { return []string{blobOf(folder+"/part_0_0001.csv", n+1, 1)} }, "not as in the manifest",
		},
		"another run": {func(n int64) []string {
			return []string{blobOf("root/export/20260901-20260930/00000000-5dcc-4b83-b340-bb1bd2b1ca30/part_0_0001.csv", n, 1)}
		}, "file missing"},
		"other days": {func(n int64) []string {
			return []string{blobOf("root/export/20260801-20260831/"+guid+"/part_0_0001.csv", n, 1)}
		}, "file missing"},
		"all is well": {func(n int64) []string { return []string{blobOf(folder+"/part_0_0001.csv", n, 1)} }, ""},
	} {
		t.Run(name, func(t *testing.T) {
			root := t.TempDir()
			part := filepath.Join(root, folder, "part_0_0001.csv")
			sheet(t, part, base(nil))
			write(t, filepath.Join(root, folder, "manifest.json"),
				newStyle("ActualCost", "2026-09-20T00:00:00Z", guid, c.blobs(size(t, part))...))
			_, err := read(t, root)
			if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
				t.Errorf("%v", err)
			}
		})
	}
}

// Partitioned exports of 2021: the folder says when the run was, and the
// newer of two runs comes second.
func TestRunsOfOldLayout(t *testing.T) {
	root := t.TempDir()
	for i, minute := range []string{"202609201442", "202609211442"} {
		folder := fmt.Sprintf("cost/actualcost/20260901-20260930/%s/%08d-5dcc-4b83-b340-bb1bd2b1ca30", minute, i)
		sheet(t, filepath.Join(root, folder, "000001.csv"), base(cells{"CostInBillingCurrency": fmt.Sprint(i + 1)}))
		write(t, filepath.Join(root, folder, "manifest.json"),
			fmt.Sprintf(`{"manifestVersion":"2021-01-01","dataFormat":"csv","blobCount":1,"dataRowCount":1,"blobs":[{"blobName":"%s/000001.csv","dataRowCount":1,"headerRowCount":1}]}`, folder))
	}
	check := func(r *result, err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		r.Check(t)
		if len(r.Deliveries) != 2 || billtest.Total(r.Deliveries[1], ledger.BilledCost) != "2" ||
			r.Deliveries[1].DeliveredAt.String() != "2026-09-21T14:42:00Z" || r.Deliveries[0].ID == r.Deliveries[1].ID {
			t.Fatalf("%+v", r.Deliveries)
		}
	}
	check(read(t, root))
	data, _ := billtest.Split(t, Format, billtest.List(t, root))
	check(readAll(t, data)) // the manifests were not kept
}

// The manifest takes precedence over the path.
func TestManifestNamesTheDataset(t *testing.T) {
	root := t.TempDir()
	part := filepath.Join(root, "amortized", "part_0_0001.csv")
	sheet(t, part, base(nil))
	m, err := Format.ParseManifest("m",
		[]byte(newStyle("ActualCost", "2026-09-20T00:00:00Z", guid, blobOf("amortized/part_0_0001.csv", size(t, part), 1))))
	if err != nil {
		t.Fatal(err)
	}
	r, err := readAll(t, billtest.List(t, root), m)
	if err != nil || r.Deliveries[0].Dataset != datasetActual {
		t.Fatal(err, r)
	}
	// Usage of old exports carries the amortised measures if no row is covered by a commitment.
	for cost, want := range map[string]string{"-": "1 1 null null", "0": "0 null null null"} {
		row := base(nil)
		if cost != "-" {
			row = base(cells{"PricingModel": "Reservation", "CostInBillingCurrency": cost})
		}
		sheet(t, part, row)
		m, err := Format.ParseManifest("m",
			[]byte(newStyle("Usage", "2026-09-20T00:00:00Z", guid, blobOf("amortized/part_0_0001.csv", size(t, part), 1))))
		if err != nil {
			t.Fatal(err)
		}
		r, err := readAll(t, billtest.List(t, root), []*bill.Manifest{m}...)
		if err != nil || r.Deliveries[0].Dataset != datasetUsage || r.Deliveries[0].Rank != rankUnnamed ||
			costs(r.Charges[0][0]) != want {
			t.Errorf("%v %s", err, costs(r.Charges[0][0]))
		}
	}
}
