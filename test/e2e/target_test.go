package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Work without a known holder does not count in the utilisation of held cards: a machine that only its exporter reports
// made the share five times too large, more than the whole.
func TestUtilisationCountsOnlyHeldCards(t *testing.T) {
	dir, db := t.TempDir(), emptyDatabase(t)
	var bare strings.Builder // eight busy cards without holders
	bare.WriteString("# TYPE DCGM_FI_DEV_GPU_UTIL gauge\n")
	for gpu := range 8 {
		for m := range 180 {
			fmt.Fprintf(&bare, "DCGM_FI_DEV_GPU_UTIL{gpu=\"%d\",UUID=\"GPU-b%d\",modelName=\"NVIDIA H100 80GB "+
				"HBM3\",Hostname=\"bare-1\"} 100 %d\n",
				gpu, gpu, 1793577600+60*m)
		}
	}
	bare.WriteString("# EOF\n")
	for cluster, text := range map[string]string{"a": hoursOfNode("n1", "", "", 1), "b": bare.String()} {
		path := filepath.Join(dir, cluster+".prom")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		must(t, db, "import", "openmetrics", path, "--cluster="+cluster)
	}
	must(t, db, "allocate")
	got := must(t, db, "report", "targets", "--format=csv", "--filter=target = utilisation")
	if !strings.Contains(got, "utilisation,,,0.8,2.4,3,") {
		t.Errorf("three hours of one card, 80 %% used:\n%s", got)
	}
}
