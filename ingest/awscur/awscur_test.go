package awscur

import (
	"testing"

	"gpuledger/ingest/bill"
	"gpuledger/internal/blob"
	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
	"gpuledger/test/billtest"
)

type result = billtest.Result

func readAll(t testing.TB, files []blob.File, manifests []*bill.Manifest, at *period.Second) (*result, error) {
	t.Helper()
	return billtest.ReadAll(t, Format, files, manifests, at)
}

func total(d ledger.Delivery, m ledger.Metric) string { return billtest.Total(d, m) }

func samples(t testing.TB, path string) string { t.Helper(); return billtest.Samples(t, path) }

func list(t testing.TB, uri string) []blob.File { t.Helper(); return billtest.List(t, uri) }

func split(t testing.TB, files []blob.File) ([]blob.File, []*bill.Manifest) {
	t.Helper()
	return billtest.Split(t, Format, files)
}
