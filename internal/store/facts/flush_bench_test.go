package facts_test

import (
	"context"
	"fmt"
	"os"
	"sort"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"gpuledger/internal/ledger"
	"gpuledger/internal/minutes"
	"gpuledger/internal/period"
	"gpuledger/internal/store"
	"gpuledger/internal/store/pg"
	"gpuledger/test/pgtest"
	"gpuledger/test/storetest"
)

// stopwatch adds up the time of statements, without COPY.
type stopwatch struct {
	took map[string]time.Duration
}

type startKey struct{}

type started struct {
	sql string
	at  time.Time
}

func (w *stopwatch) TraceQueryStart(ctx context.Context, _ *pgx.Conn, q pgx.TraceQueryStartData) context.Context {
	return context.WithValue(ctx, startKey{}, started{q.SQL, time.Now()})
}

func (w *stopwatch) TraceQueryEnd(ctx context.Context, _ *pgx.Conn, _ pgx.TraceQueryEndData) {
	s := ctx.Value(startKey{}).(started)
	w.took[s.sql] += time.Since(s.at)
}

func (w *stopwatch) String() string {
	names := map[string]string{}
	for name, text := range pg.Statements {
		names[text] = name
	}
	var list []string
	for sql := range w.took {
		list = append(list, sql)
	}
	sort.Slice(list, func(i, k int) bool { return w.took[list[i]] > w.took[list[k]] })
	var b strings.Builder
	for _, sql := range list[:min(len(list), 30)] {
		name := names[sql]
		if name == "" {
			name = strings.Join(strings.Fields(sql), " ")
			name = name[:min(len(name), 60)]
		}
		fmt.Fprintf(&b, "%8.1f ms  %s\n", float64(w.took[sql].Microseconds())/1000, name)
	}
	return b.String()
}

// flush is 15 seconds of telemetry of 10,000 GPUs: 12 signals per device, a pod on each, eight per node.
func flush(gpus int, hour period.Second, second int) *ledger.Telemetry {
	t := &ledger.Telemetry{
		Sources: []ledger.SourceHour{
			{Cluster: "c", Source: ledger.SourceKubernetes, Hour: hour, Minutes: 1 << (second / 60)},
		},
	}
	signals := []ledger.Signal{ledger.SignalGrEngine, ledger.SignalGPUUtil, ledger.SignalSM, ledger.SignalTensor,
		ledger.SignalDRAM, ledger.SignalMemoryUsed,
		ledger.SignalMemoryFree, ledger.SignalPower, ledger.SignalEnergy,
		ledger.SignalTemperature, ledger.SignalPCIeTx, ledger.SignalPCIeRx}
	now := hour + period.Second(second)
	for g := range gpus {
		node := fmt.Sprintf("node-%04d", g/8)
		h := ledger.SampleHour{Cluster: "c", Node: node, Device: fmt.Sprintf("GPU-%08d-0000-0000-0000-000000000000", g),
			Index: int32(g % 8), Model: "NVIDIA H100 80GB HBM3",
			SliceID: ledger.WholeDevice, Hour: hour, Vectors: map[ledger.Signal]ledger.Minutes{}, RowCount: 12}
		for i, s := range signals {
			var m ledger.Minutes
			minutes.Set(&m, second/60, second%60*1000, int64(g*31+i*1000+second)*7919%1_000_000)
			h.Vectors[s] = m
		}
		t.Samples = append(t.Samples, h)
		pod := fmt.Sprintf("train-%d", g)
		t.Evidence = append(t.Evidence, ledger.HoldEvidence{
			Cluster: "c", Node: node, Device: h.Device, SliceID: ledger.WholeDevice,
			Namespace: "ml", Pod: pod, Hour: hour, Minutes: 1 << (second / 60),
		})
		t.Workloads = append(t.Workloads,
			ledger.WorkloadFact{Cluster: "c", Namespace: "ml", Name: pod, UID: "uid-" + pod, Node: node, OwnerKind: "Job",
				OwnerName: "train",
				Labels:    map[string]string{"team": "ml", "app": "train", "index": fmt.Sprint(g), "hash": "3b5f9d7c"},
				Requests:  map[string]int64{"nvidia_com_gpu": 1}, Created: storetest.Day0,
				Scheduled: storetest.Day0 + 5, Phase: "Running",
				FirstSeen: now, LastSeen: now, AttrsAt: int64(now) * 1000})
		if g%8 == 0 {
			t.Nodes = append(t.Nodes,
				ledger.NodeFact{Cluster: "c", Name: node, ProviderID: "aws:///us-east-1a/i-" + node,
					Labels:   map[string]string{"zone": "us-east-1a", "type": "p5.48xlarge"},
					Capacity: map[string]int64{"nvidia_com_gpu": 8}, Created: storetest.Day0,
					FirstSeen: now, LastSeen: now, AttrsAt: int64(now) * 1000})
			t.NodeStates = append(t.NodeStates, ledger.NodeStateHour{
				Cluster: "c", Name: node, State: ledger.NotReady, Hour: hour, Known: 1 << (second / 60),
			})
		}
	}
	return t
}

// flushLedger stores half an hour of 10,000 GPUs, with nodes and holds as allocation derives them.
func flushLedger(b *testing.B, s *store.Store, gpus int) {
	b.Helper()
	for _, sql := range []string{
		fmt.Sprintf(`insert into nodes (tenant_id, node_id, cluster, name, appeared_at, gone_at, gpus)
			select 1, md5('n' || i)::uuid, 'c', 'node-' || lpad(i::text, 4, '0'), to_timestamp(%d), to_timestamp(%d), 8
			from generate_series(0, %d) i`, storetest.Day0, storetest.Day0+2*period.Day, gpus/8-1),
		fmt.Sprintf(`insert into workloads (tenant_id, workload_id, cluster, namespace, name, uid, kind, owner_name, class,
			  node_id, hold_from, hold_to, outcome)
			select 1, md5('w' || i)::uuid, 'c', 'ml', 'train-' || i, 'uid-train-' || i, 'Job', 'train', 'run',
			  md5('n' || i / 8)::uuid, to_timestamp(%d), to_timestamp(%d), 'running' from generate_series(0, %d) i`,
			storetest.Day0, storetest.Day0+2*period.Day, gpus-1),
	} {
		storetest.MustExec(b, s, sql)
	}
	for m := range 30 {
		storetest.PublishTelemetry(b, s, flush(gpus, storetest.Day0+10*period.Hour, m*60+10))
	}
	storetest.MustExec(b, s, "vacuum analyze")
}

// BenchmarkFlush publishes 15 seconds of 10,000 GPUs into an hour that is already stored. GPULEDGER_STATEMENTS=1 prints
// the time of each statement.
func BenchmarkFlush(b *testing.B) {
	watch := &stopwatch{took: map[string]time.Duration{}}
	s, err := store.Open(b.Context(), pgtest.New(b, storetest.Migrate), pg.Options{Tracer: watch})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(s.Close)
	const gpus = 10_000
	flushLedger(b, s, gpus)
	clear(watch.took)
	second := 30 * 60
	runs := 0
	for b.Loop() {
		f := flush(gpus, storetest.Day0+10*period.Hour, second%3600)
		second += 15
		runs++
		storetest.MustExec(b, s, "delete from dirty where tenant_id = 1")
		storetest.PublishTelemetry(b, s, f)
	}
	if os.Getenv("GPULEDGER_STATEMENTS") != "" {
		fmt.Printf("%d flushes\n%s", runs, watch)
	}
}
