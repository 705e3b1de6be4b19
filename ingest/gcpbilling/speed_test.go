package gcpbilling

import (
	"fmt"
	"maps"
	"path/filepath"
	"testing"

	"gpuledger/test/billtest"
)

// manyRows are rows of machines, as a month of them looks.
func manyRows(t testing.TB, n int) billtest.Rows {
	t.Helper()
	kinds := machineRows(t)[:5]
	out := make(billtest.Rows, 0, n)
	for i := range n {
		row := maps.Clone(kinds[i%len(kinds)])
		row["cost"] = fmt.Sprintf("%d.%06d", i%97, i)
		row["export_time"] = fmt.Sprintf("2026-11-%02d %02d:00:00 UTC", 1+i%28, i%24)
		out = append(out, row)
	}
	return out
}

// BenchmarkBothPasses reads a file twice, as an import does; the figure is
// rows per second.
func BenchmarkBothPasses(b *testing.B) {
	const n = 20_000
	rows := manyRows(b, n)
	for _, encoding := range []string{"lines.json", "snappy.avro", "nested.parquet"} {
		b.Run(encoding, func(b *testing.B) {
			path := filepath.Join(b.TempDir(), encoding)
			content := billtest.Encode(b, encoding, detailedSchema, rows)
			billtest.Put(b, path, content)
			b.SetBytes(int64(len(content)))
			b.ResetTimer()
			for b.Loop() {
				if _, err := tryRead(b, path); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(n*b.N)/b.Elapsed().Seconds(), "rows/s")
		})
	}
}
