package openmetrics

import (
	"bytes"
	"regexp"
	"testing"
	"time"

	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"
)

// BenchmarkParseAgainstExpfmt reads the same exporter rows with Prometheus'
// own text parser, turn by turn, and reports how many times as fast we are.
// Both read the text format with milliseconds, which is all expfmt knows; it
// builds metric families, we build minute vectors and hold evidence.
func BenchmarkParseAgainstExpfmt(b *testing.B) {
	text := bytes.TrimSuffix(exposition{16, 240, false}.text(), []byte("# EOF\n"))
	text = regexp.MustCompile(`(?m) (\d{10})\.(\d{3})$`).ReplaceAll(text, []byte(" $1$2"))
	lines := bytes.Count(text, []byte("\n"))
	b.SetBytes(int64(len(text)))
	var ours, peer time.Duration
	for b.Loop() {
		start := time.Now()
		st, err := Parse(b.Context(), bytes.NewReader(text), "generated", Options{}, discard)
		ours += time.Since(start)
		if err != nil || st.Accepted != int64(lines) {
			b.Fatal(st, err)
		}
		start = time.Now()
		parser := expfmt.NewTextParser(model.UTF8Validation)
		families, err := parser.TextToMetricFamilies(bytes.NewReader(text))
		peer += time.Since(start)
		if err != nil || len(families) != len(generatedMetrics) {
			b.Fatal(len(families), err)
		}
	}
	b.ReportMetric(float64(peer)/float64(ours), "×expfmt")
	b.ReportMetric(float64(lines)*float64(b.N)/ours.Seconds()/1e6, "Mlines/s")
}
