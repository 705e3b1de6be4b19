package pages

import (
	"context"
	"fmt"
	"strings"

	"gpuledger/internal/ledger"
	"gpuledger/internal/store/pg"
)

// Undescribed is work that requests GPUs of a machine that no source describes. It is in no cost and in no GPU-hours.
type Undescribed struct {
	System  ledger.System
	Cluster string
	Node    string // empty: the work names no machine
	Count   int64
	Names   []string // the first names
	Units   int64    // requested, in 7,000,000ths of a GPU
	Parts   bool     // the number is unknown for some of it
}

// Undescribed returns such work by machine, as of the last allocation.
func (s *Pages) Undescribed(ctx context.Context) ([]Undescribed, error) {
	return pg.List[Undescribed](ctx, s.ReadOnly(), "doctor.undescribed", pg.Tenant)
}

// String names the machine and the work, and the data to import.
func (u Undescribed) String() string {
	names := strings.Join(u.Names, ", ")
	if more := u.Count - int64(len(u.Names)); more > 0 {
		names += fmt.Sprintf(" and %d more", more)
	}
	verb := "ask for "
	if u.Count == 1 {
		verb = "asks for "
	}
	who := names + " " + verb + u.gpus()
	switch {
	case u.Node != "" && u.System == ledger.SystemKubernetes:
		return fmt.Sprintf("machine %s of cluster %s: %s, and no source describes the machine, so this is in no cost: "+
			"import its node "+
			"(`kubectl get nodes -o json > nodes.json` and `gpuledger import kubernetes nodes.json --cluster %s`) or its "+
			"telemetry", u.Node, u.Cluster, who, u.Cluster)
	case u.Node != "":
		return fmt.Sprintf("machine %s of cluster %s: %s, and no source describes the machine at that time, so this is "+
			"in no cost: "+
			"import its telemetry, with --cluster %s", u.Node, u.Cluster, who, u.Cluster)
	case u.System == ledger.SystemSageMaker:
		return fmt.Sprintf("SageMaker, %s: %s, and no bill has a line of this, so it is in no cost: import the bill of "+
			"that account "+
			"(`gpuledger import aws-cur FOLDER`), with resource ids", u.Cluster, who)
	}
	return fmt.Sprintf("cluster %s: %s and names no machine, so this is in no cost: import it again with the machine "+
		"it ran on", u.Cluster, who)
}

func (u Undescribed) gpus() string {
	switch n := u.Units / ledger.AskedPerGPU; {
	case u.Parts || u.Units%ledger.AskedPerGPU != 0:
		return "parts of GPUs"
	case n == 1:
		return "1 GPU"
	default:
		return fmt.Sprintf("%d GPUs", n)
	}
}
