package fleetsim

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"gpuledger/internal/fleetsim/world"
)

// writeExperiments writes the results of the cluster's experiments.
func writeExperiments(w *world.World, dir string, m *Manifest) error {
	var body strings.Builder
	body.WriteString("experiment,run,metric,value,baseline,threshold,direction,model_version,dataset,dataset_size," +
		"dataset_unit,at\n")
	for _, e := range w.ExperimentResults() {
		direction, at := "higher", ""
		if e.Lower {
			direction = "lower"
		}
		if e.At != 0 {
			at = world.IsoSecond(e.At)
		}
		body.WriteString(strings.Join([]string{e.Experiment, e.Run, e.Metric, e.Value, e.Baseline, e.Threshold, direction,
			e.Model, e.Dataset, e.Size, e.Unit, at}, ",") + "\n")
	}
	m.Experiments = "experiments.csv"
	if err := os.WriteFile(filepath.Join(dir, m.Experiments), []byte(body.String()), 0o644); err != nil {
		return fmt.Errorf("write results of experiments: %w", err)
	}
	return nil
}
