package fleetsim

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"gpuledger/internal/fleetsim/bills"
	"gpuledger/internal/fleetsim/world"
)

// WriteLater writes the files that arrive after the first month of the bill was closed: the AWS bill of that month
// restated once more, and telemetry of one node's hour that was held back. It returns the files, relative to dir.
func (f *Fleet) WriteLater(dir string) ([]string, error) {
	w := f.Clusters[0].World
	files, err := bills.WriteLater(dir, f.Clusters[0].Bill)
	if err != nil {
		return nil, err
	}
	telemetry, err := writeLateTelemetry(w, dir)
	return append(files, telemetry), err
}

// From is the start of the data.
func (f *Fleet) From() time.Time { return time.Unix(f.Clusters[0].World.From, 0).UTC() }

// writeLateTelemetry writes for the seventh hour of a node that every GPU worked in the last second of each minute: the
// newest value of a minute counts.
func writeLateTelemetry(w *world.World, dir string) (string, error) {
	from := w.From + 6*3600
	var n *world.Node
	for _, candidate := range w.Nodes {
		if candidate.Joined && candidate.Profiling && candidate.Created < from &&
			(candidate.End == 0 || candidate.End > from+3600) && len(candidate.Devices[0].Layouts) == 0 {
			n = candidate
			break
		}
	}
	if n == nil {
		return "", errors.New("no node with whole devices was there in the seventh hour")
	}
	var b bytes.Buffer
	b.WriteString("# TYPE DCGM_FI_PROF_GR_ENGINE_ACTIVE gauge\n")
	for _, d := range n.Devices {
		cluster := ""
		if w.Config.LabelClusters {
			cluster = fmt.Sprintf(",cluster=%q", w.Config.Cluster)
		}
		for m := from; m < from+3600; m += 60 {
			fmt.Fprintf(&b, "DCGM_FI_PROF_GR_ENGINE_ACTIVE{gpu=\"%d\",UUID=%q,device=\"nvidia%d\",modelName=%q,"+
				"Hostname=%q%s} 0.97 %d\n",
				d.Index, d.UUID, d.Index, n.Type.Model, n.Name, cluster, m+59)
		}
	}
	b.WriteString("# EOF\n")
	rel := "late-telemetry-" + time.Unix(w.From, 0).UTC().Format(time.DateOnly) + ".om.txt"
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", fmt.Errorf("make folder of late telemetry: %w", err)
	}
	if err := os.WriteFile(filepath.Join(dir, rel), b.Bytes(), 0o644); err != nil {
		return "", fmt.Errorf("write late telemetry: %w", err)
	}
	return rel, nil
}
