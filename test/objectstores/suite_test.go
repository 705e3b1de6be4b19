package objectstores

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"gpuledger/ingest"
	"gpuledger/internal/blob"
	"gpuledger/internal/period"
	"gpuledger/test/storetest"
)

// suite is the requirements for every store, whatever server it reads from.
type suite struct {
	stores    blob.Stores
	uri       string // of the bucket or container, without a slash at the end
	put       func(t *testing.T, key string, body []byte)
	remove    func(t *testing.T, key string)
	strangers func(t *testing.T) blob.Stores // without valid credentials; nil: the server needs none
	refusal   string                         // words of their error
}

func noise(n int) []byte {
	out := make([]byte, n)
	_, _ = rand.NewChaCha8([32]byte{7}).Read(out) // never fails
	return out
}

func (s suite) list(t *testing.T, path string) []blob.File {
	t.Helper()
	files, err := s.stores.List(t.Context(), s.uri+path)
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func (s suite) run(t *testing.T) {
	for i := range 11 {
		s.put(t, fmt.Sprintf("cur/data/part-%02d.csv", i), []byte("x"))
	}
	big := noise(9<<20 + 77)
	s.put(t, "cur/big.bin", big)
	s.put(t, "cur/data/.tmp/hidden", []byte("x"))
	s.put(t, "cur/database.csv", []byte("x"))
	s.put(t, "cur/odd name+%20é.csv", []byte("odd"))
	t.Run("list", s.testList)
	t.Run("read", func(t *testing.T) { s.testRead(t, big) })
	t.Run("changed", s.testChanged)
	t.Run("overwritten", s.testOverwritten)
	t.Run("missing", s.testMissing)
	t.Run("written", s.testWritten)
}

// testWritten writes, replaces, reads and deletes files of a folder, as exports do.
func (s suite) testWritten(t *testing.T) {
	f, err := s.stores.Folder(s.uri + "/out/costs")
	if err != nil {
		t.Fatal(err)
	}
	if list, err := f.List(t.Context()); err != nil || len(list) != 0 {
		t.Fatalf("a folder without files: %v %v", list, err)
	}
	if _, err := f.Read(t.Context(), "manifest.json", 9); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a missing file: %v", err)
	}
	big := noise(5<<20 + 3)
	for name, text := range map[string][]byte{"manifest.json": []byte("{}"), "service_date=2026-10-01/odd name+%20é.csv": big,
		"empty.csv": {}} {
		for _, content := range [][]byte{[]byte("replaced"), text} {
			if err := f.Put(t.Context(), name, bytes.NewReader(content), int64(len(content))); err != nil {
				t.Fatal(err)
			}
		}
	}
	list, err := f.List(t.Context())
	if err != nil || len(list) != 3 || list[2].Name != "service_date=2026-10-01/odd name+%20é.csv" ||
		list[2].Size != int64(len(big)) {
		t.Fatalf("%+v %v", list, err)
	}
	if text, err := f.Sub("service_date=2026-10-01").Read(t.Context(), "odd name+%20é.csv", 6<<20); err != nil ||
		!bytes.Equal(text, big) {
		t.Errorf("%d bytes, %v", len(text), err)
	}
	for _, e := range list {
		for range 2 { // the second time it is gone already
			if err := f.Remove(t.Context(), e.Name); err != nil {
				t.Error(err)
			}
		}
	}
	if list, err := f.List(t.Context()); err != nil || len(list) != 0 {
		t.Errorf("after deleting: %v %v", list, err)
	}
	elsewhere, err := s.stores.Folder(s.uri + "-else/out")
	if err != nil {
		t.Fatal(err)
	}
	if err := elsewhere.Put(t.Context(), "a", strings.NewReader("x"), 1); err == nil ||
		!strings.Contains(err.Error(), "there is no such") {
		t.Errorf("a missing bucket: %v", err)
	}
}

func (s suite) testList(t *testing.T) {
	files := s.list(t, "/cur/data")
	if len(files) != 11 || files[0].Name != "part-00.csv" || files[10].Path != s.uri+"/cur/data/part-10.csv" ||
		files[0].Modified == 0 || files[0].Version == "" || files[0].Size != 1 {
		t.Errorf("%d files: %+v", len(files), files)
	}
	if files := s.list(t, "/cur/"); len(files) != 14 {
		t.Errorf("%d files", len(files))
	}
	one := s.list(t, "/cur/database.csv")
	if len(one) != 1 || one[0].Name != "database.csv" {
		t.Errorf("%+v", one)
	}
	for _, f := range s.list(t, "/cur") {
		if strings.HasPrefix(f.Name, "odd") {
			if head, err := f.Head(10); err != nil || string(head) != "odd" || f.Name != "odd name+%20é.csv" {
				t.Errorf("%q: %q %v", f.Name, head, err)
			}
		}
	}
}

func (s suite) testRead(t *testing.T, want []byte) {
	f := s.list(t, "/cur/big.bin")[0]
	in, err := f.Open(blob.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	got, err := io.ReadAll(in)
	if err := errors.Join(err, in.Close()); err != nil || !bytes.Equal(got, want) {
		t.Errorf("%d of %d bytes, %v", len(got), len(want), err)
	}
	at, err := f.At()
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(1, 1))
	for range 40 {
		off := r.Int64N(int64(len(want)))
		p := make([]byte, r.IntN(400_000))
		n, err := at.ReadAt(p, off)
		if part := want[off:min(off+int64(len(p)), int64(len(want)))]; !bytes.Equal(p[:n], part) ||
			(err != nil) != (n < len(p)) {
			t.Fatalf("at %d: %d of %d, %v", off, n, len(part), err)
		}
	}
	if err := at.Close(); err != nil {
		t.Error(err)
	}
}

func (s suite) testChanged(t *testing.T) { // F07
	s.put(t, "changing", noise(4<<20))
	f := s.list(t, "/changing")[0]
	at, err := f.At()
	if err != nil {
		t.Fatal(err)
	}
	defer at.Close()
	if _, err := at.ReadAt(make([]byte, 10), 0); err != nil {
		t.Fatal(err)
	}
	s.put(t, "changing", bytes.Repeat([]byte("b"), 4<<20))
	if _, err := at.ReadAt(make([]byte, 10), 3<<20); !errors.Is(err, blob.ErrChanged) {
		t.Errorf("at random: %v", err)
	}
	if _, _, err := f.Sum(); !errors.Is(err, blob.ErrChanged) {
		t.Errorf("from the start: %v", err)
	}
	again := s.list(t, "/changing")[0]
	if again.Version == f.Version {
		t.Error("both have version ", f.Version)
	}
	s.remove(t, "changing")
	if _, err := again.Head(10); !errors.Is(err, blob.ErrChanged) {
		t.Errorf("removed: %v", err)
	}
}

func (s suite) testMissing(t *testing.T) {
	for path, words := range map[string]string{"/none": "has this name or is below it", "-else/x": "there is no such"} {
		if _, err := s.stores.List(t.Context(), s.uri+path); err == nil || !strings.Contains(err.Error(), words) {
			t.Errorf("%s: %v", path, err)
		}
	}
	if s.strangers == nil {
		return
	}
	if _, err := s.strangers(t).List(t.Context(), s.uri+"/cur/"); err == nil || !strings.Contains(err.Error(), s.refusal) {
		t.Errorf("a stranger: %v", err)
	}
}

const (
	billHeader = "identity_line_item_id,identity_time_interval,bill_payer_account_id,bill_billing_period_start_date,line_item_usage_account_id,line_item_line_item_type," +
		"line_item_usage_start_date,line_item_usage_end_date,line_item_product_code,line_item_usage_type,line_item_resource_id,line_item_usage_amount,line_item_currency_code,line_item_unblended_cost\n"
	billRow  = "l%d,2026-11-02T%02d:00:00Z/2026-11-02T%02d:00:00Z,111,2026-11-01T00:00:00Z,222,Usage,2026-11-02T%02d:00:00Z,2026-11-02T%02d:00:00Z,AmazonEC2,BoxUsage:g5.12xlarge,i-0a,1,USD,5.672\n"
	manifest = `{"executionId":"%d","exportArn":"arn:aws:bcm-data-exports:us-east-1:111:export/hourly","dataFiles":["s3://elsewhere/%s/data/hourly-00001.csv"]}`
)

// testOverwritten imports a bill that its export overwrites in the bucket, also twice within a second, with a manifest
// and without: only the objects' times and the earlier import show which is newer.
func (s suite) testOverwritten(t *testing.T) {
	ledger := storetest.New(t)
	bill := func(folder string, execution, hours int) {
		text := billHeader
		for h := range hours {
			text += fmt.Sprintf(billRow, h, h, h+1, h, h+1)
		}
		s.put(t, folder+"/data/hourly-00001.csv", []byte(text))
		if strings.HasPrefix(folder, "named") {
			s.put(t, folder+"/metadata/hourly-Manifest.json", fmt.Appendf(nil, manifest, execution, folder))
		}
	}
	take := func(want, folder string) {
		t.Helper()
		im := &ingest.Importer{Store: ledger, Now: time.Now}
		sum, err := im.Import(t.Context(), ingest.Request{
			Source: ingest.SourceAWSCUR, URIs: []string{s.uri + "/" + folder}, Stores: s.stores,
		})
		if err != nil || len(sum.Deliveries) != 1 || string(sum.Deliveries[0].State) != want {
			t.Fatalf("%s: %+v instead of %s (%v)", folder, sum, want, err)
		}
	}
	for _, folder := range []string{"named", "bare"} {
		if folder == "bare" {
			ledger = storetest.New(t)
		}
		bill(folder, 1, 18)
		take("published", folder)
		bill(folder, 2, 23)
		take("published", folder)
		take("unchanged", folder)
		bill(folder, 3, 20) // fewer lines, perhaps in the same second
		take("published", folder)
	}
	// A later copy of it is newer wherever it is.
	written := func(folder string) period.Second { return s.list(t, "/"+folder+"/data")[0].Modified }
	for bill("copied", 4, 22); written("copied") <= written("bare"); { // times of objects may have no fractions
		bill("copied", 4, 22)
	}
	take("published", "copied")
	if got := storetest.Dump(t, ledger,
		"select rows::text from deliveries where tenant_id = 1 and state = 'current'"); got != "22" {
		t.Errorf("%s rows count", got)
	}
}
