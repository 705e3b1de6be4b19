package star

// deviceKeys identify the device; holderKeys its holder and how it was held.
var (
	deviceKeys = keys(always(own("node_id", ID, "Machine.")), always(own("slot", Integer, "Slot of the machine.")))
	holderKeys = keys(texts("mig_profile"), always(owner), texts("workload_class", "namespace"))

	deviceNames = []string{"node_id", "slot", "device"}
	holderNames = []string{"mig_profile", "owner_id", "workload_class", "namespace"}
	costNames   = []string{"cause", "state", "currency"}
)

// Device is the use and cost of machine slots. Pages about kinds of machines read few rows; pages about devices and
// holders read more.
var Device = Fact{
	Name: "device",
	Doc:  "Cost and GPU time of the slots of machines (docs/figures.md, 17.1).",
	Rows: "report.device_usage",
	Keys: keys(deviceKeys, own("device", Text, "UUID of the device. Null: never seen."), holderKeys,
		always(texts("cause", "state")), currency, Machine),
	Measures: measures(money("effective_cost", "billed_cost", "list_cost", "contracted_cost"),
		quantities("gpu_hours", "capacity_gpu_hours"),
		sums("GPU-h", map[string]string{
			"known_gpu_hours":       "GPU time, held or not, whose activity is known.",
			"active_gpu_hours":      "GPU time in which the engine worked. Null: no activity is known.",
			"held_active_gpu_hours": "Held part of active_gpu_hours.",
		}, "known_gpu_hours", "active_gpu_hours", "held_active_gpu_hours"), energy),
	Rollups: []Rollup{
		{
			Name: "device_place", Doc: "The devices of a kind of machine.",
			Keys: and(Names(Machine), costNames...), Steps: []Step{Days, Months},
		},
		{
			Name: "device_seen", Doc: "The devices that were seen or billed.", Keys: and(deviceNames, "currency"),
			Measures: []string{"capacity_gpu_hours"}, Steps: []Step{Days, Months},
		},
		{
			Name: "device_holder_place", Doc: "A holder's part of the devices of a kind of machine.",
			Keys: and(and(Names(Machine), holderNames...), costNames...), Steps: []Step{Days, Months},
		},
		{
			Name: "device_holder_seen", Doc: "The devices that a holder had.",
			Keys:     and(and(deviceNames, holderNames...), "currency"),
			Measures: []string{"capacity_gpu_hours"}, Steps: []Step{Days, Months},
		},
		{
			Name: "device", Doc: "A device, with all its holders.",
			Keys: and(deviceNames, costNames...), Steps: []Step{Days, Months},
		},
		{
			Name: "device_holder", Doc: "A holder's part of a device.",
			Keys: and(and(deviceNames, holderNames...), costNames...), Steps: []Step{Days, Months},
		},
	},
	Org:   []string{"owner_id"},
	Place: []string{"node_id", "cluster"},
	Reads: []string{"devices"},
}

// DeviceSignal is the signals of devices. An hour belongs to the owner who held most of it.
var DeviceSignal = Fact{
	Name: "device_signal",
	Doc:  "Minute values of device signals, as counts per bin (docs/figures.md, 17.2 and 17.3).",
	Made: "internal/analysis, DeviceSignals, 1",
	Keys: keys(deviceKeys, always(own("device", Text, "UUID of the device.")), holderKeys, Machine),
	Measures: measures(
		[]Measure{
			{
				Name: "throttled_hours", Type: Decimal, Merge: Sum, Unit: "h",
				Doc: "Slice hours in which power caps, heat or the hardware slowed the device down.", Always: true,
			},
			{Name: "xids", Type: Numbers, Merge: Union, Doc: "XID error codes seen, apart from 0.", Always: true},
		},
		counted("activity", "ppm"), counted("sm", "ppm"), counted("tensor", "ppm"),
		counted("dram", "ppm"), counted("memory", "ppm"), counted("power", "mW")),
	Rollups: []Rollup{
		{
			Name: "device_signal_place", Doc: "The devices of a kind of machine.",
			Keys: Names(Machine), Steps: []Step{Days, Months},
		},
		{
			Name: "device_signal_holder_place", Doc: "A holder's part of the devices of a kind of machine.",
			Keys: and(Names(Machine), holderNames...), Steps: []Step{Days, Months},
		},
		{Name: "device_signal", Doc: "A device, with all its holders.", Keys: deviceNames, Steps: []Step{Days, Months}},
		{
			Name: "device_signal_holder", Doc: "A holder's part of a device.",
			Keys: and(deviceNames, holderNames...), Steps: []Step{Days, Months},
		},
	},
	Org:   []string{"owner_id"},
	Place: []string{"node_id", "cluster"},
	Reads: []string{"devices"},
}

// counted are the measures of a signal: measured minutes, the sum of their values, and minutes per bin of values.
func counted(signal, unit string) []Measure {
	return []Measure{
		{Name: signal + "_minutes", Type: Decimal, Merge: Sum, Unit: "min", Doc: "Minutes that were measured."},
		{Name: signal + "_total", Type: Decimal, Merge: Sum, Unit: unit + " × min", Doc: "Sum of their values."},
		{
			Name: signal + "_bins", Type: Numbers, Merge: Counts,
			Doc: "Minutes per bin of values (internal/sketch): (bin + 1) << 40 | count, ascending.",
		},
	}
}
