package fleetsim

import (
	"embed"
	"fmt"
	"os"
	"path/filepath"
)

// plans are the budgets that finance keeps for each size of the demo's fleet. Their amounts fit its spend: in each
// month some are nearly spent and some are overspent.
//
//go:embed budgets/*.csv
var plans embed.FS

// WriteBudgets writes the budgets of a fleet of this size.
func (f *Fleet) WriteBudgets(dir string) error {
	body, err := plans.ReadFile("budgets/" + string(f.Clusters[0].World.Config.Size) + ".csv")
	if err != nil {
		return fmt.Errorf("read budgets: %w", err)
	}
	if err := os.WriteFile(filepath.Join(dir, "budgets.csv"), body, 0o644); err != nil {
		return fmt.Errorf("write budgets: %w", err)
	}
	return nil
}
