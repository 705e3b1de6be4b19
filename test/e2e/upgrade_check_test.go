package e2e

import (
	"encoding/json"
	"strings"
	"testing"
)

// `upgrade check` ends with 0 when nothing prevents the upgrade and with 1 when something does, and says what.
func TestUpgradeCheckNamesWhatBlocks(t *testing.T) {
	db := smallLedger(t)
	if out := must(t, db, "upgrade", "check"); !strings.Contains(out, "nothing to migrate") {
		t.Errorf("a current ledger:\n%s", out)
	}
	conn := connect(t, db)
	execute(t, conn, "update schema_version set version = 999")
	code, out, errs := gpuledger(t, db, "upgrade", "check", "--output=json")
	var report struct {
		Found    int
		Ready    bool
		Findings []struct{ Level, Name, Text string }
	}
	if err := json.Unmarshal([]byte(out), &report); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if code != exitFailed || report.Ready || report.Found != 999 || len(report.Findings) != 1 ||
		report.Findings[0].Level != "blocker" || !strings.Contains(report.Findings[0].Text, "use a newer gpuledger") ||
		!strings.Contains(errs, "nothing was changed") {
		t.Errorf("a newer ledger: status %d\n%s%s", code, out, errs)
	}
}
