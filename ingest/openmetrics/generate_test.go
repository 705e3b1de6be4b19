package openmetrics

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"testing"
)

// exposition is generated text shaped like a day of dcgm-exporter rows.
type exposition struct {
	entities, minutes int
	interleaved       bool // all series of a minute together, as scraped
}

var generatedMetrics = []string{
	"DCGM_FI_PROF_GR_ENGINE_ACTIVE", "DCGM_FI_DEV_GPU_UTIL", "DCGM_FI_PROF_SM_ACTIVE", "DCGM_FI_PROF_PIPE_TENSOR_ACTIVE",
	"DCGM_FI_PROF_DRAM_ACTIVE", "DCGM_FI_DEV_FB_USED", "DCGM_FI_DEV_POWER_USAGE", "DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION",
}

func (g exposition) text() []byte {
	r := rand.New(rand.NewPCG(1, 2))
	var b bytes.Buffer
	line := func(m, e, t int) {
		fmt.Fprintf(&b, `%s{gpu="%d",UUID="GPU-7099682b-a20d-2bcc-74ab-%012d",pci_bus_id="00000000:07:00.0",device="nvidia%d",modelName="NVIDIA H100 80GB HBM3",Hostname="ip-10-0-%d-%d.ec2.internal",DCGM_FI_DRIVER_VERSION="550.54.15",container="trainer",namespace="research",pod="llm-pretrain-worker-%d"} `,
			generatedMetrics[m], e%8, e, e%8, e/8/256, e/8%256, e)
		switch m {
		case 1:
			fmt.Fprintf(&b, "%d", r.IntN(100))
		case 5:
			fmt.Fprintf(&b, "%d", 60000+r.IntN(100))
		case 6:
			fmt.Fprintf(&b, "%.3f", 600+r.Float64()*50)
		case 7:
			fmt.Fprintf(&b, "%d", 126272101025+t*42_000_000)
		default:
			fmt.Fprintf(&b, "%.4f", 0.8+r.Float64()/10)
		}
		fmt.Fprintf(&b, " %d.015\n", 1_790_000_000-1_790_000_000%3600+t*60)
	}
	for m := range generatedMetrics {
		if g.interleaved {
			break
		}
		for e := range g.entities {
			for t := range g.minutes {
				line(m, e, t)
			}
		}
	}
	for t := range g.minutes {
		if !g.interleaved {
			break
		}
		for m := range generatedMetrics {
			for e := range g.entities {
				line(m, e, t)
			}
		}
	}
	b.WriteString("# EOF\n")
	return b.Bytes()
}

func benchmarkParse(b *testing.B, g exposition) {
	text := g.text()
	lines := bytes.Count(text, []byte("\n"))
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		st, err := Parse(b.Context(), bytes.NewReader(text), "generated", Options{}, discard)
		if err != nil || st.Accepted != int64(lines-1) {
			b.Fatal(st, err)
		}
	}
	b.ReportMetric(float64(lines)*float64(b.N)/b.Elapsed().Seconds()/1e6, "Mlines/s")
}

func BenchmarkParseContiguous(b *testing.B) { benchmarkParse(b, exposition{16, 1440, false}) }

func BenchmarkParseInterleaved(b *testing.B) { benchmarkParse(b, exposition{256, 120, true}) }
