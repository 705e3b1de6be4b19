package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A machine that sends its telemetry under two cluster names has its cost twice: verify warns about it with the amount,
// and still passes; doctor, the dataset and the overview show the same.
func TestMachineUnderTwoClustersIsWarnedOf(t *testing.T) {
	db, dir := emptyDatabase(t), t.TempDir()
	samples := func(card string) string {
		var b strings.Builder
		b.WriteString("# TYPE DCGM_FI_DEV_GPU_UTIL gauge\n")
		for minute := range 60 {
			fmt.Fprintf(&b, "DCGM_FI_DEV_GPU_UTIL{gpu=\"0\",UUID=%q,device=\"nvidia0\",modelName=\"NVIDIA H100 80GB "+
				"HBM3\",Hostname=\"gpu-1\"} 50 %d\n", card, 1793577600+60*minute)
		}
		return b.String() + "# EOF\n"
	}
	for cluster, card := range map[string]string{
		"a": "GPU-0a1b2c3d-0000-4000-8000-00000000abcd", "b": "GPU-0a1b2c3d-0000-4000-8000-00000000abcd",
		"c": "GPU-0a1b2c3d-0000-4000-8000-00000000abce", // another machine of that name
	} {
		path := filepath.Join(dir, cluster+".om")
		if err := os.WriteFile(path, []byte(samples(card)), 0o600); err != nil {
			t.Fatal(err)
		}
		must(t, db, "import", "openmetrics", path, "--cluster="+cluster)
	}
	must(t, db, "allocate")
	rows := must(t, db, "report", "conflicts", "--format=csv")
	if strings.Count(rows, "machine_clusters,b,gpu-1,,a/gpu-1,b/gpu-1,2026-11-02T00:00:00Z,2026-11-02T01:00:00Z,USD,") != 1 || strings.Count(rows, "machine_") != 1 {
		t.Fatalf("conflicts are\n%s", rows)
	}
	cost := strings.TrimSpace(rows[strings.LastIndex(rows, ",USD,")+len(",USD,"):])
	half := strings.Fields(must(t, db, "report", "costs", "--group-by=cluster", "--columns=cluster,effective_cost",
		"--format=csv"))
	if len(half) != 4 || !strings.HasPrefix(half[1], "a,") || half[1][2:] != cost || half[2][2:] != cost {
		t.Errorf("%s is double of %q", cost, half)
	}
	says := must(t, db, "verify") // status 0
	if !strings.Contains(says, "warning  machines ") || !strings.Contains(says, "machine=a/gpu-1 other=b/gpu-1") ||
		!strings.Contains(says, "may_be_double="+cost+" currency=USD") ||
		!strings.Contains(says, "the ledger holds") {
		t.Errorf("verify says\n%s", says)
	}
	if says := must(t, db, "verify", "--output=json"); strings.Count(says, `"warning"`) != 1 {
		t.Errorf("verify says\n%s", says)
	}
	const said = "1 machine may be in the ledger twice, and "
	if says := must(t, db, "doctor"); !strings.Contains(says, said) || !strings.Contains(says, "a/gpu-1 and b/gpu-1") {
		t.Errorf("doctor says\n%s", says)
	}
	address, _ := serveLedger(t, db)
	if page := (&served{db: db, url: address}).get(t, "/"); !strings.Contains(page, said) {
		t.Error("the overview says nothing of it")
	}
}
