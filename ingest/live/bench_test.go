package live_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"gpuledger/ingest"
	"gpuledger/ingest/live"
	"gpuledger/ingest/remotewrite"
	"gpuledger/ingest/series"
	"gpuledger/internal/ledger"
)

// memory is a store that keeps nothing.
type memory struct{}

func (memory) StageTelemetry(context.Context, ledger.ID) (ingest.TelemetryStage, error) {
	return memory{}, nil
}
func (memory) PutInbox(context.Context, ledger.ID, int64, []live.Stored) error { return nil }
func (memory) LeaseInbox(context.Context, ledger.ID) (live.Lease, error)       { return memory{}, nil }
func (memory) InboxBacklog(context.Context) (int64, time.Time, error)          { return 0, time.Time{}, nil }
func (memory) Write(context.Context, *ledger.Telemetry) error                  { return nil }
func (memory) Settle(context.Context, ledger.ID, int64) error                  { return nil }
func (memory) Publish(context.Context) error                                   { return nil }
func (memory) Discard(context.Context) error                                   { return nil }
func (memory) Check(context.Context) error                                     { return nil }
func (memory) Adopt(context.Context) ([]ledger.ID, error)                      { return nil, nil }
func (memory) Read(context.Context, ledger.ID, int64) ([]live.Stored, error)   { return nil, nil }
func (memory) Release(context.Context, ledger.ID) error                        { return nil }
func (memory) Close()                                                          {}

func dcgm(gpu int) series.Labels {
	return series.Labels{
		{Name: "DCGM_FI_DRIVER_VERSION", Value: "550.90.07"}, {Name: "Hostname", Value: fmt.Sprintf("gpu-node-%05d", gpu/8)},
		{Name: "UUID", Value: fmt.Sprintf("GPU-5fd4f087-86f3-7a43-b711-%012x", gpu)}, {Name: "cluster", Value: "train"},
		{Name: "device", Value: fmt.Sprintf("nvidia%d", gpu%8)},
		{Name: "exported_container", Value: "trainer"}, {Name: "exported_namespace", Value: "research"},
		{Name: "exported_pod", Value: fmt.Sprintf("pretrain-worker-%d", gpu/8)}, {Name: "gpu", Value: fmt.Sprint(gpu % 8)},
		{Name: "instance", Value: "10.0.0.1:9400"}, {Name: "job", Value: "dcgm-exporter"},
		{Name: "modelName", Value: "NVIDIA H100 80GB HBM3"},
		{Name: "pci_bus_id", Value: "00000000:10:00.0"}, {Name: "pod", Value: fmt.Sprintf("nvidia-dcgm-exporter-%d", gpu/8)},
	}
}

// BenchmarkAccept measures a request of 2,000 known series without the
// database: unpacking, reading, collecting.
func BenchmarkAccept(b *testing.B) {
	for _, v := range []remotewrite.Version{remotewrite.V1, remotewrite.V2} {
		b.Run(fmt.Sprint("v", v), func(b *testing.B) {
			now := start
			r := live.New(live.Options{Store: memory{}, Now: func() time.Time { return now }, FlushEvery: time.Hour})
			ctx, cancel := context.WithCancel(b.Context())
			done := make(chan error, 1)
			go func() { done <- r.Run(ctx) }()
			kind := live.KindRemoteWrite1
			if v == remotewrite.V2 {
				kind = live.KindRemoteWrite2
			}
			names := []string{
				"DCGM_FI_DEV_GPU_UTIL", "DCGM_FI_DEV_POWER_USAGE", "DCGM_FI_DEV_FB_USED",
				"DCGM_FI_DEV_SM_CLOCK", "DCGM_FI_PROF_GR_ENGINE_ACTIVE",
			}
			var bodies [][]byte
			for req := range 100 { // 200,000 series
				bodies = append(bodies, slices.Clone(body(v, func(e *remotewrite.Encoder) {
					for i := range 2000 {
						e.Series(names[i%len(names)], dcgm(req*400+i/len(names)), remotewrite.Sample{
							Ms: start.UnixMilli(), Value: float64(i) / 8,
						})
					}
				})))
			}
			i := 0
			for range bodies {
				if _, err := r.Accept(b.Context(), live.Request{Kind: kind, Sender: "s", Body: bodies[i%100]}); err != nil {
					b.Fatal(err)
				}
				i++
			}
			b.ReportAllocs()
			for b.Loop() {
				if _, err := r.Accept(b.Context(), live.Request{Kind: kind, Sender: "s", Body: bodies[i%100]}); err != nil {
					b.Fatal(err)
				}
				i++
			}
			b.ReportMetric(float64(b.N)*2000/b.Elapsed().Seconds(), "samples/s")
			cancel()
			<-done
		})
	}
}
