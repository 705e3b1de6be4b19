package openmetrics_test

import (
	"context"
	"fmt"
	"log"
	"strings"

	"gpuledger/ingest/openmetrics"
	"gpuledger/internal/ledger"
)

// Two samples of one card, a minute apart, as an exporter writes them. A value that is not a number is counted with its
// line, and does not stop the rest.
func ExampleParse() {
	text := `# TYPE DCGM_FI_DEV_GPU_UTIL gauge
DCGM_FI_DEV_GPU_UTIL{gpu="0",UUID="GPU-1",Hostname="node-1",namespace="ml",pod="train-0"} 93 1793664000
DCGM_FI_DEV_GPU_UTIL{gpu="0",UUID="GPU-1",Hostname="node-1",namespace="ml",pod="train-0"} 97 1793664060
DCGM_FI_DEV_GPU_UTIL{gpu="0",UUID="GPU-1",Hostname="node-1",namespace="ml",pod="train-0"} high 1793664120
# EOF
`
	var samples []ledger.SampleHour
	var holders []ledger.HoldEvidence
	stats, err := openmetrics.Parse(context.Background(), strings.NewReader(text), "node-1.om",
		openmetrics.Options{Cluster: "prod"}, func(batch *ledger.Telemetry) error {
			samples = append(samples, batch.Samples...)
			holders = append(holders, batch.Evidence...)
			return nil
		})
	if err != nil {
		log.Fatal(err)
	}
	use := samples[0].Vectors[ledger.SignalGPUUtil]
	// Parts per million, by the minute of the hour.
	fmt.Println(samples[0].Node, samples[0].Device, use.Value[0], use.Value[1])
	fmt.Println("held by", holders[0].Namespace, holders[0].Pod)
	fmt.Println("accepted", stats.Accepted, "rejected", stats.Rejected)
	// Output:
	// node-1 GPU-1 930000 970000
	// held by ml train-0
	// accepted 2 rejected 1
}
