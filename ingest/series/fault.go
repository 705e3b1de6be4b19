package series

// Fault is the reason for refusing a sample or a series. Faults of a series are created once
// and counted per sample.
type Fault struct {
	Reason string // stable, countable
	Column string // label, or "value", "timestamp", "name"
	Detail string // what to do
}

// Absent is returned for samples that carry no value: NaN, stale markers,
// blank sentinels.
var Absent = &Fault{Reason: "absent"}

// Unmapped is returned for series that the tables exclude by their labels, such as other
// conditions of a node.
var Unmapped = &Fault{Reason: "unmapped"}

// ValueColumn names the value of a sample in rejections.
const ValueColumn = "value"

var (
	faultInfinite = &Fault{"not finite", ValueColumn, "an infinite value is not a measurement"}
	faultRange    = &Fault{"value out of range", ValueColumn, "the value in its stored unit must fit 63 bits"}
	faultNegative = &Fault{"negative value", ValueColumn, "this quantity cannot be negative"}

	faultNoDevice = &Fault{"no device uuid", "UUID", "an exporter row names its GPU by UUID; keep that label"}
	faultNoNode   = &Fault{"no node", "Hostname", "run the exporter with NODE_NAME, or keep the label node or instance"}
	faultSlice    = &Fault{"bad slice id", "GPU_I_ID", "the GPU instance id is a small number"}
	faultPlace    = &Fault{
		"no memory slice", "value",
		"the value is the first memory slice of the instance, as nvidia-smi mig -lgi prints it before the colon: 0, 1, 2 …",
	}
	faultAmbiguous = &Fault{
		"ambiguous unit", "name",
		"DCGM 4.6 counts to 100 and dcgm-exporter 4.9 to 1 under this name; keep the label " +
			"DCGM_FI_SYSTEM_DRIVER_VERSION, which marks 4.9, or export DCGM_FI_DEV_GPU_UTIL",
	}

	faultNoHost = &Fault{
		"no node", "instance", "an address does not name a machine; keep the label node or nodename on this series",
	}
	faultProcess = &Fault{
		"no process", "pid", "a row of a process names its pod by pod_uid, its job by hpc_job, or itself by pid",
	}

	faultNoUID = &Fault{
		"no uid", "uid", "kube-state-metrics 2.0 and later label every pod series with uid; upgrade it or keep the label",
	}
	faultNoName = &Fault{"no name", "labels", "the series must name its object"}
	faultNoPod  = &Fault{
		"no pod", "pod", "keep the target labels namespace and pod on this series, or instance outside Kubernetes",
	}
	faultCounter = &Fault{
		"bad counter label", "labels",
		"the labels that split this counter must have short values, and a process at most a thousand such counters",
	}
	faultWriting = &Fault{
		"implausible duration", ValueColumn, "writing a checkpoint takes at most a day; the value is in seconds",
	}
	faultInstant = &Fault{"not a point in time", ValueColumn, "the value must be unix seconds inside the plausible range"}
)

// refuse is the sink of a series that is refused as a whole.
type refuse struct{ why *Fault }

func (r refuse) sample(*Collector, int64, Decimal) *Fault { return r.why }
