package e2e

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gpuledger/test/tier"
)

// Files with times years apart create only as much as they hold, however long the time between (rule 2.11): a machine
// seen twice, a machine and a pod that are sixteen years old, an accounting of a job of nine years, counters that were
// read twice.
func TestTimesDecadesApartMakeLittle(t *testing.T) {
	sampled := func(names ...string) string {
		var b strings.Builder
		for _, name := range names {
			for _, at := range []int64{1275386400, 1275386460, 1788256800, 1788256860} { // June 2010, September 2026
				fmt.Fprintf(&b, "%s %d\n", name, at)
			}
		}
		return b.String() + "# EOF\n"
	}
	const accounting = "accounting"
	const pod = `{"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "p", "namespace": "ml", "uid": "u1", "creationTimestamp": "2010-06-02T00:00:00Z"},
		"spec": {"nodeName": "k1", "containers": [{"name": "c", "resources": {"requests": {"nvidia.com/gpu": "1"}}}]},
		"status": {"phase": "Running", "startTime": "2010-06-02T00:00:00Z"}}`
	const node = `{"apiVersion": "v1", "kind": "Node", "metadata": {"name": "k1", "creationTimestamp": "2010-06-01T00:00:00Z"},
		"status": {"capacity": {"nvidia.com/gpu": "1"}, "conditions": [{"type": "Ready", "status": "True", "lastTransitionTime": "2026-11-01T00:00:00Z"}]}}`
	for _, c := range []struct {
		name, source, content string
		most                  int // node-days
	}{
		{
			"utilisation", "openmetrics",
			sampled(`DCGM_FI_DEV_GPU_UTIL{gpu="0",UUID="GPU-1",modelName="NVIDIA H100 80GB HBM3",Hostname="n1"} 50`), 2,
		},
		{
			"profiling", "openmetrics",
			sampled(`DCGM_FI_PROF_GR_ENGINE_ACTIVE{gpu="0",UUID="GPU-1",modelName="NVIDIA H100 80GB HBM3",Hostname="n1"} 0.5`),
			2,
		},
		{"listing", "openmetrics", sampled(`kube_node_info{node="s1",provider_id="aws:///us-east-1a/i-0aaaaaaaaaaaaaaaa"} 1`,
			`kube_node_labels{node="s1",label_node_kubernetes_io_instance_type="p5.48xlarge"} 1`), 2},
		{
			"counters", "openmetrics",
			sampled(`vllm:generation_tokens_total{model_name="llama",namespace="ml",pod="srv-0"} 900`), 0,
		},
		{"a pod", "kubernetes", `{"apiVersion": "v1", "kind": "List", "items": [` + node + "," + pod + "]}", 33},
		{"a machine", "kubernetes", node, 33},
		{accounting, "slurm", "JobID|JobName|User|Account|Partition|State|ExitCode|Submit|Start|End|ElapsedRaw|NodeList|AllocTRES|Cluster\n" +
			"1|a|u|ml|gpu|COMPLETED|0:0|2017-01-01T00:00:00|2017-01-01T00:00:00|2017-01-01T02:00:00|7200|g1|gres/gpu=1,node=1|hpc\n" +
			"2|b|u|ml|gpu|COMPLETED|0:0|2017-02-01T00:00:00|2017-02-01T00:00:00|2026-11-01T00:00:00|307584000|g1|gres/gpu=1,node=1|hpc\n", 368 + 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.name == accounting {
				tier.OnlyInFull(t, "a year of days, whose number TestDarkPartsOfALife knows")
			}
			t.Parallel()
			db, path := emptyDatabase(t), writeFile(t, t.TempDir(), "file", c.content)
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			for _, args := range [][]string{{"import", c.source, path, "--cluster=c"}, {"allocate"}, {"verify"}} {
				within(ctx, t, append([]string{db}, args...)...)
			}
			conn := connect(t, db)
			for table, most := range map[string]int{"chunks": c.most, "dirty": 0, "usage": 24 * c.most * 8} {
				var rows int
				if err := conn.QueryRow(t.Context(), "select count(*) from "+table).Scan(&rows); err != nil {
					t.Fatal(err)
				}
				if rows > most {
					t.Errorf("%s has %d rows, at most %d were expected", table, rows, most)
				}
			}
		})
	}
}

func writeFile(t *testing.T, dir, name, content string) (path string) {
	t.Helper()
	path = filepath.Join(dir, name)
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// within runs a command line that must succeed before ctx ends.
func within(ctx context.Context, t *testing.T, args ...string) {
	t.Helper()
	out, err := exec.CommandContext(ctx, program(t), args...).CombinedOutput()
	if err != nil || ctx.Err() != nil {
		t.Fatalf("gpuledger %q: %v, %v\n%s", args, err, ctx.Err(), clip(string(out)))
	}
}

// Time billed for an unobserved machine is posted as unobserved. Later samples between two others close the gap in its
// life: the ledger then equals the one from all files at once.
func TestBilledInTheDark(t *testing.T) {
	dir := t.TempDir()
	sampled := func(name string, days ...int64) string {
		var b strings.Builder
		for _, day := range days {
			for minute := range int64(3) {
				// 1 September 2026, 10:00
				fmt.Fprintf(&b, "DCGM_FI_DEV_GPU_UTIL{gpu=\"0\",UUID=\"GPU-1\",modelName=\"NVIDIA H100 80GB "+
					"HBM3\",Hostname=\"node-0011\"} 50 %d\n", 1788256800+day*86400+60*minute)
			}
		}
		return writeFile(t, dir, name, b.String()+"# EOF\n")
	}
	ends := sampled("ends.om", 0, 40)
	between := sampled("between.om", 6, 12, 18, 24, 30, 36)
	bill := writeFile(t, dir, "bill.csv",
		"BilledCost,EffectiveCost,BillingAccountId,BillingCurrency,BillingPeriodStart,ChargeCategory,ChargeDescription,ChargePeriodStart,ChargePeriodEnd,"+
			"ConsumedQuantity,ConsumedUnit,ProviderName,ResourceId,ResourceName,ServiceCategory,ServiceName,SubAccountId\n"+
			"20,20,acct,USD,2026-09-01T00:00:00Z,Usage,1x "+
			"node,2026-09-15T07:00:00Z,2026-09-15T08:00:00Z,1,Hours,ExampleNeo,node-0011,,Compute,GPU Nodes,project\n")
	ledger := func(db string) (costs string, hours, billed int) {
		conn := connect(t, db)
		if err := conn.QueryRow(t.Context(),
			"select count(distinct hour), count(distinct hour) filter (where cause = 'unobserved' and hour = "+
				"'2026-09-15T07:00:00Z') from usage").Scan(&hours, &billed); err != nil {
			t.Fatal(err)
		}
		return must(t, db, "report", "costs", "--group-by=cause,state", "--format=csv"), hours, billed
	}
	step := emptyDatabase(t)
	must(t, step, "import", "openmetrics", ends, "--cluster=c")
	must(t, step, "import", "focus", bill)
	must(t, step, "allocate")
	must(t, step, "verify")
	if costs, hours, billed := ledger(step); hours != 3 || billed != 1 || !strings.Contains(costs, "unobserved,open,") {
		t.Errorf("%d hours, %d of them billed and unobserved, costs are\n%s", hours, billed, costs)
	}
	must(t, step, "import", "openmetrics", between, "--cluster=c")
	must(t, step, "allocate")
	must(t, step, "verify")
	once := emptyDatabase(t)
	must(t, once, "import", "openmetrics", between, ends, "--cluster=c")
	must(t, once, "import", "focus", bill)
	must(t, once, "allocate")
	costs, hours, billed := ledger(step)
	wantCosts, wantHours, wantBilled := ledger(once)
	if costs != wantCosts || hours != wantHours || billed != wantBilled || hours < 39*24 {
		t.Errorf("%d hours and %d billed, want %d and %d, costs are\n%swant\n%s", hours, billed, wantHours, wantBilled, costs,
			wantCosts)
	}
}
