package metrics

import "time"

// NodeEvidence is the evidence of telemetry and schedulers for one node-hour. Closing a period freezes it, so that it
// outlives the samples.
type NodeEvidence struct {
	// Source: live while the facts are still stored, frozen if this is the copy from closing.
	Source  string           `json:"source"`
	Samples []SliceSamples   `json:"samples"`
	Layouts []CardLayout     `json:"layouts,omitempty"` // of cards split into slices
	Holders []HolderEvidence `json:"holders"`
	// Rows are the holders and the order in which shares are rounded, whatever happens to workloads and attempts later;
	// only frozen evidence has them.
	Rows []HeldRow `json:"rows,omitempty"`
}

// SliceSamples are the samples of one device or slice in the hour.
type SliceSamples struct {
	Slot    int     `json:"slot"`
	Device  string  `json:"device"`
	Slice   *int    `json:"slice"`
	Profile *string `json:"mig_profile"`
	Rows    int64   `json:"telemetry_rows"`
	Signal  string  `json:"signal"`  // source of the activity (rule 5.1); empty: none
	Minutes int     `json:"minutes"` // of the hour with a value
	Sum     int64   `json:"sum_ppm"`
	Low     int64   `json:"low_ppm"`
	High    int64   `json:"high_ppm"`
	// Values are the 60 minutes in ppm, null if unknown; absent if the minutes are no longer kept or the query covers many
	// hours.
	Values []*int64 `json:"values_ppm,omitempty"`
	Kept   string   `json:"kept"` // minutes, summary
}

// CardLayout is the partitioning of a card in the hour, with the weight of each slice.
type CardLayout struct {
	Slot   int           `json:"slot"`
	Device string        `json:"device"`
	Model  string        `json:"gpu_model"`
	Rule   string        `json:"mig_weight"` // setting of the policy
	Slices []LayoutSlice `json:"slices"`
	Sum    string        `json:"sum_of_raw_weights"`
	// Note says when a neighbour's profile changed the weight of a slice.
	Note string `json:"note,omitempty"`
}

// LayoutSlice is one instance of a layout.
type LayoutSlice struct {
	Slice   int    `json:"slice"`
	Profile string `json:"mig_profile"`
	Minutes int    `json:"minutes"` // minutes with samples
	Raw     string `json:"raw_weight"`
	Weight  string `json:"weight"` // raw ÷ max(1, Σ raw)
}

// HolderEvidence is the reason why a workload counts as a holder.
type HolderEvidence struct {
	Holder  string     `json:"holder"` // namespace/pod
	UID     string     `json:"uid"`
	Kind    string     `json:"workload_kind"`
	Class   string     `json:"workload_class"`
	From    *time.Time `json:"hold_from"`
	To      *time.Time `json:"hold_to"`
	Outcome string     `json:"outcome"`
	// Basis: exporter rows, resource_claim, annotation, job_record, process, or request if no device is named.
	Basis  string  `json:"basis"`
	Device *string `json:"device"`
	Slice  *int    `json:"slice"`
	// Minutes in which exporter rows of the device named the pod.
	Minutes int `json:"minutes"`
	// Shares of the device in ppm by the placement; null: unknown.
	Core   *int64 `json:"core_share_ppm"`
	Memory *int64 `json:"memory_share_ppm"`
}

// HeldRow is the holder of a usage row.
type HeldRow struct {
	UsageID string  `json:"usage_id"`
	Holder  string  `json:"holder"`
	UID     string  `json:"uid"`
	RunID   *string `json:"run_id"`
	Attempt *int    `json:"attempt"`
	Task    string  `json:"task"`
	Team    string  `json:"team"`
}

// OwnEvidence is the evidence of the slots of the subject's own rows; nil if not gathered.
func (n *NodeHour) OwnEvidence() *NodeEvidence {
	if n.Evidence == nil {
		return nil
	}
	slots, devices := map[int]bool{}, map[string]bool{}
	for i := range n.Rows {
		if r := &n.Rows[i]; r.Mine {
			slots[r.Slot] = true
			if r.Device != nil {
				devices[*r.Device] = true
			}
		}
	}
	own := &NodeEvidence{Source: n.Evidence.Source}
	for _, s := range n.Evidence.Samples {
		if slots[s.Slot] {
			own.Samples = append(own.Samples, s)
		}
	}
	for _, l := range n.Evidence.Layouts {
		if slots[l.Slot] {
			own.Layouts = append(own.Layouts, l)
		}
	}
	for _, h := range n.Evidence.Holders {
		if h.Device == nil || devices[*h.Device] {
			own.Holders = append(own.Holders, h)
		}
	}
	return own
}
