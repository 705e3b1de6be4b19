package page

import (
	"testing"
)

func TestFileName(t *testing.T) {
	for path, want := range map[string]string{
		"a/b/c.parquet": "c.parquet", "c.csv": "c.csv",
		"aws-cur/data/BILLING_PERIOD=2026-11/acme-cur2-hourly-00001.snappy.parquet": "acme-cur2…0001.snappy.parquet",
	} {
		if got := FileName(path); got != want || len([]rune(got)) > mostFileName {
			t.Errorf("%s: %s, want %s", path, got, want)
		}
	}
}
