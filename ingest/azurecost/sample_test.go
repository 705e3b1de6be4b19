package azurecost

import (
	"compress/gzip"
	"encoding/binary"
	"encoding/csv"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/compress"
	"github.com/apache/arrow-go/v18/parquet/pqarrow"

	"gpuledger/ingest/bill"
	"gpuledger/internal/blob"
	"gpuledger/internal/ledger"
	"gpuledger/test/billtest"
)

type result = billtest.Result

// readAll makes both passes and checks the invariants of every delivery.
func readAll(t testing.TB, files []blob.File, manifests ...*bill.Manifest) (*result, error) {
	t.Helper()
	return billtest.ReadAll(t, Format, files, manifests, nil)
}

// repack writes a CSV file in another encoding.
func repack(t testing.TB, from, to string) string {
	t.Helper()
	text, err := os.ReadFile(from)
	if err != nil {
		t.Fatal(err)
	}
	switch {
	case strings.HasSuffix(to, ".gz"):
		f, err := os.Create(to)
		if err != nil {
			t.Fatal(err)
		}
		z := gzip.NewWriter(f)
		if _, err := z.Write(text); err != nil {
			t.Fatal(err)
		}
		if err := z.Close(); err != nil {
			t.Fatal(err)
		}
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
		return to
	case strings.HasSuffix(to, ".parquet"):
		parquetFile(t, to, string(text))
		return to
	case strings.Contains(to, "utf16"):
		text = binary.LittleEndian.AppendUint16(nil, 0xfeff)
		raw, err := os.ReadFile(from)
		if err != nil {
			t.Fatal(err)
		}
		for _, u := range utf16.Encode([]rune(strings.TrimPrefix(string(raw), "\ufeff"))) {
			text = binary.LittleEndian.AppendUint16(text, u)
		}
	}
	if err := os.WriteFile(to, text, 0o600); err != nil {
		t.Fatal(err)
	}
	return to
}

// parquetFile writes CSV text as Parquet of strings, nulls where it is empty.
func parquetFile(t testing.TB, to, text string) {
	t.Helper()
	rows, err := csv.NewReader(strings.NewReader(strings.TrimPrefix(text, "\ufeff"))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var fields []arrow.Field
	for _, name := range rows[0] {
		fields = append(fields, arrow.Field{Name: name, Type: arrow.BinaryTypes.String, Nullable: true})
	}
	schema := arrow.NewSchema(fields, nil)
	b := array.NewRecordBuilder(memory.DefaultAllocator, schema)
	defer b.Release()
	for _, r := range rows[1:] {
		for i, v := range r {
			f, ok := b.Field(i).(*array.StringBuilder)
			if !ok {
				t.Fatal("no string column")
			}
			if v == "" {
				f.AppendNull()
			} else {
				f.Append(v)
			}
		}
	}
	out, err := os.Create(to)
	if err != nil {
		t.Fatal(err)
	}
	w, err := pqarrow.NewFileWriter(schema, out,
		parquet.NewWriterProperties(parquet.WithCompression(compress.Codecs.Snappy)), pqarrow.DefaultWriterProps())
	if err != nil {
		t.Fatal(err)
	}
	rec := b.NewRecordBatch()
	defer rec.Release()
	if err := w.Write(rec); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
}

// Counts and sums of the public samples, from every encoding, with the same
// rows, ids and digest whatever the encoding.
func TestPublicFiles(t *testing.T) {
	for name, want := range map[string]struct {
		rows    int
		dataset string
		months  int
		sums    map[ledger.Metric]string
	}{
		"finops_toolkit_EA_ActualCost_Small.csv": {
			11, datasetActual, 1, map[ledger.Metric]string{ledger.BilledCost: "8.5450077867419368"},
		},
		"finops_toolkit_EA_AmortizedCost_Small.csv": {
			28, datasetAmortized, 1, map[ledger.Metric]string{ledger.EffectiveCost: "16.296932136636644627485419"},
		},
		"finops_toolkit_EA_NoRows.csv": {0, "", 0, nil},
		"focus_converters_sample-anonymous-ea-export-dataset.csv": {
			27, datasetPlain, 1, map[ledger.Metric]string{
				ledger.BilledCost: "1.26136926505726", ledger.EffectiveCost: "1.26136926505726",
			},
		},
		"koku_azure_version_2.csv": {
			5, datasetPlain, 1, map[ledger.Metric]string{
				ledger.BilledCost: "19.998413754", ledger.EffectiveCost: "19.998413754",
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			from := billtest.Samples(t, filepath.Join("azure", name))
			var digest [32]byte
			var ids []ledger.ID
			for _, as := range []string{".csv", ".csv.gz", ".snappy.parquet", "-utf16.csv"} {
				t.Run(as, func(t *testing.T) {
					file := repack(t, from, filepath.Join(t.TempDir(), strings.TrimSuffix(name, ".csv")+as))
					r, err := readAll(t, billtest.List(t, file))
					if err != nil {
						t.Fatal(err)
					}
					if r.Tally.RejectedRows() > 0 {
						t.Fatalf("%+v", r.Tally.First)
					}
					r.Check(t)
					if len(r.Deliveries) != want.months {
						t.Fatalf("%d deliveries", len(r.Deliveries))
					}
					rows := 0
					var have []ledger.ID
					for slot, d := range r.Deliveries {
						rows += len(r.Charges[slot])
						if d.Dataset != want.dataset {
							t.Errorf("dataset %s", d.Dataset)
						}
						for m, sum := range want.sums {
							if got := billtest.Total(d, m); got != sum {
								t.Errorf("%s = %s, want %s", m, got, sum)
							}
						}
						if digest == [32]byte{} {
							digest = d.Digest
						}
						if d.Digest != digest {
							t.Errorf("digest %x, want %x", d.Digest, digest)
						}
						for i := range r.Charges[slot] {
							have = append(have, r.Charges[slot][i].ID)
						}
					}
					if rows != want.rows {
						t.Errorf("%d rows", rows)
					}
					if ids == nil {
						ids = have
					}
					if !slices.Equal(ids, have) {
						t.Error("the charges have other ids than those of the plain file")
					}
				})
			}
		})
	}
}
