package promquery

import "testing"

// Names of Prometheus 3 may hold what a pattern would read.
func TestSelectorQuotesNames(t *testing.T) {
	r := &Reader{}
	for want, names := range map[string][]string{
		`{__name__="hw.gpu.utilization"}[60000ms]`:             {"hw.gpu.utilization"},
		`{__name__=~"hw\\.gpu\\.utilization|vllm:x"}[60000ms]`: {"hw.gpu.utilization", "vllm:x"},
	} {
		if got := r.selector(names, Window{From: 0, To: 60_000}); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}
