package live_test

import (
	"encoding/binary"
	"strings"
	"testing"

	"github.com/klauspost/compress/s2"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/testutil"

	"gpuledger/ingest/live"
	"gpuledger/ingest/remotewrite"
)

// message appends a field of a message: number, length, content.
func message(to []byte, number byte, content []byte) []byte {
	to = append(to, number<<3|2)
	return append(binary.AppendUvarint(to, uint64(len(content))), content...)
}

// Skipped samples are counted: the operator of a sender that switched to native histograms sees
// why its latencies are gone.
func TestNativeHistogramsAreCounted(t *testing.T) {
	registry := prometheus.NewPedanticRegistry()
	g := newRig(t, live.Options{Metrics: registry})
	label := message(message(nil, 1, []byte("__name__")), 2, []byte("vllm:e2e_request_latency_seconds"))
	one := message(nil, 1, label)
	one = message(message(one, 4, []byte{1 << 3, 1}), 4, []byte{1 << 3, 2}) // two histograms with a count
	one = message(one, 3, nil)                                              // an exemplar
	w := g.post(s2.EncodeSnappy(nil, message(nil, 1, one)), remotewrite.V1)
	if w.Code != 204 {
		t.Fatal(w.Code, w.Body)
	}
	want := `
# HELP live_samples_total Samples by outcome: stored, absent (no value), unmapped (series that gpuledger does not read), read past (native histograms, exemplars), or refused with a reason.
# TYPE live_samples_total counter
live_samples_total{kind="remote-write-1",outcome="read past",reason="exemplar"} 1
live_samples_total{kind="remote-write-1",outcome="read past",reason="native histogram"} 2
`
	if err := testutil.GatherAndCompare(registry, strings.NewReader(want), "live_samples_total"); err != nil {
		t.Error(err)
	}
}
