package policy

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"
)

// Setting is one setting of a document: its name, its meaning, its presets, and how it is read and shown. Documents,
// pages, the API and the list of differences between two versions are built from settings.
type Setting struct {
	Name    string
	Doc     string
	Presets []string // values with a name, the standard first
	// World settings distinguish machines, runs and attempts (rule 11.2): they cannot be overridden per node.
	World bool

	read func(*yaml.Node) (func(*Policy), error)
	show func(Policy) string
}

// Show returns the setting's value in p as a document writes it.
func (s Setting) Show(p Policy) string { return s.show(p) }

// idlePreset is a named way to find held idle time.
type idlePreset struct {
	name      string
	threshold int64 // ppm
	minutes   int64
	kind      IdleKind
}

var idlePresets = []idlePreset{
	{"lt10pct-15min", 100_000, 15, Consecutive},
	{"lt5pct-2h-mean", 50_000, 120, RollingMean},
	{"lt30pct-6h-mean", 300_000, 360, RollingMean},
}

var splitPresets = []struct {
	name  string
	split Split
}{{"gpu_whole", GPUWhole}, {"aws_split", AWSSplit}}

// Settings lists all settings in the order of documents.
var Settings = []Setting{
	{Name: "idle", Doc: "When held time counts as idle: a preset, or threshold, minutes, kind (consecutive, mean) " +
		"and signal (best, sm_active, tensor_active).",
		Presets: idleNames(), read: readIdle, show: showIdle},
	{Name: "split", Doc: "How a machine's cost is divided between GPUs, vCPUs and GB of memory: a preset, or " +
		"three weights.",
		Presets: []string{"gpu_whole", "aws_split"}, read: readSplit, show: showSplit},
	choice("host_to", "Who pays the host's share: GPU holders, or pods by their CPU and memory requests.",
		func(p *Policy) *HostTo { return &p.HostTo }, HostToHolders, HostToRequests),
	{Name: "mig", Doc: "How a MIG slice is weighed: by the larger of its compute and memory shares, by one of them, or " +
		"by a blend with a given weight for compute.",
		Presets: []string{string(DominantShare), string(ComputeOnly), string(MemoryOnly), string(Blended)},
		read:    readMIG, show: showMIG},
	choice("card_sharing", "How holders share a card: by claims, annotations and replicas, or equally.",
		func(p *Policy) *CardSharing { return &p.CardSharing }, GivenShares, EqualShares),
	choice("unpriced", "The cost of an hour that neither a bill nor the price book prices: the public price (an assumption), "+
		"or unknown.", func(p *Policy) *Unpriced { return &p.Unpriced }, AssumePublicPrice, LeaveUnknown),
	length("overhead_limit", "The longest time that starting or waiting for a gang counts as overhead.", false,
		func(p *Policy) *int64 { return &p.OverheadLimit }),
	{Name: "loss", Doc: "Which attempts lose the work after their last checkpoint.", World: true,
		Presets: []string{"failed", "failed_and_cancelled"}, read: readLoss,
		show: func(p Policy) string {
			if p.LoseCancelled {
				return "failed_and_cancelled"
			}
			return "failed"
		}},
	{Name: "output_weight", Doc: "The weight of a generated token relative to an uncached prompt token when " +
		"cost is divided by tokens.",
		read: readOutputWeight, show: func(p Policy) string { return unscaled(p.Serving.OutputWeight, 3) }},
	{Name: "served_models", Doc: "Maps served names to models, before any other rule (figures.md 16.11): a list of " +
		"served and model. In served, * matches anything; in model, it is the text that the first * matched.",
		read: readServedModels, show: showServedModels},
	length("scrape_step", "How long an object still counts as present after its last sample.", true,
		func(p *Policy) *int64 { return &p.ScrapeStep }),
	length("teardown", "Members of a gang that stop within this time after its attempt ends still belong to it.", true,
		func(p *Policy) *int64 { return &p.TeardownLimit }),
	length("run_gap", "After this long without any hold, the same name is a new run.", true,
		func(p *Policy) *int64 { return &p.RunGap }),
	length("interruption_window", "A spot warning up to this long before a pod ends counts as the reason.", true,
		func(p *Policy) *int64 { return &p.InterruptionWindow }),
	length("node_end_window", "A pod that ends within this time of its node's end counts as ended with the node.", true,
		func(p *Policy) *int64 { return &p.NodeEndWindow }),
	length("finding_minimum", "Waste that lasts less than this is not a finding.", true,
		func(p *Policy) *int64 { return &p.FindingMinimum }),
	length("checkpoint_interval", "Training that writes checkpoints less often than this is a finding.", true,
		func(p *Policy) *int64 { return &p.CheckpointInterval }),
	{Name: "unknown_steps", Doc: "A pod counts as gone once its cluster was seen for this many scrape steps after the " +
		"pod's last sample.", World: true,
		read: func(n *yaml.Node) (func(*Policy), error) {
			steps, err := strconv.ParseInt(n.Value, 10, 64)
			if err != nil {
				return nil, fmt.Errorf("%q is not a whole number", n.Value)
			}
			return func(p *Policy) { p.UnknownSteps = steps }, nil
		}, show: func(p Policy) string { return strconv.FormatInt(p.UnknownSteps, 10) }},
}

// LookupSetting finds a setting by its name.
func LookupSetting(name string) (Setting, bool) {
	i := slices.IndexFunc(Settings, func(s Setting) bool { return s.Name == name })
	if i < 0 {
		return Setting{}, false
	}
	return Settings[i], true
}

func idleNames() []string {
	var names []string
	for _, p := range idlePresets {
		names = append(names, p.name)
	}
	return names
}

// choice is a setting with a few named values, the first of which is the standard.
func choice[T ~string](name, doc string, field func(*Policy) *T, known ...T) Setting {
	var presets []string
	for _, k := range known {
		presets = append(presets, string(k))
	}
	return Setting{Name: name, Doc: doc, Presets: presets,
		read: func(n *yaml.Node) (func(*Policy), error) {
			if !slices.Contains(presets, n.Value) {
				return nil, fmt.Errorf("%q is unknown: write one of %s", n.Value, strings.Join(presets, ", "))
			}
			return func(p *Policy) { *field(p) = T(n.Value) }, nil
		},
		show: func(p Policy) string { return string(*field(&p)) }}
}

// length is a setting of whole seconds, written as 90s, 30m or 24h.
func length(name, doc string, world bool, field func(*Policy) *int64) Setting {
	return Setting{Name: name, Doc: doc, World: world,
		read: func(n *yaml.Node) (func(*Policy), error) {
			d, err := time.ParseDuration(n.Value)
			if err != nil || d%time.Second != 0 || d < 0 {
				return nil, fmt.Errorf("%q is not a duration in whole seconds, such as 90s, 30m or 24h", n.Value)
			}
			return func(p *Policy) { *field(p) = int64(d / time.Second) }, nil
		},
		show: func(p Policy) string { return showLength(time.Duration(*field(&p)) * time.Second) }}
}

// showLength is 30m instead of Go's 30m0s.
func showLength(d time.Duration) string {
	text := d.String()
	if strings.HasSuffix(text, "m0s") {
		text = strings.TrimSuffix(text, "0s")
	}
	if strings.HasSuffix(text, "h0m") {
		text = strings.TrimSuffix(text, "0m")
	}
	return text
}

func readIdle(n *yaml.Node) (func(*Policy), error) {
	if n.Kind == yaml.ScalarNode {
		i := slices.IndexFunc(idlePresets, func(x idlePreset) bool { return x.name == n.Value })
		if i < 0 {
			return nil, fmt.Errorf("%q is not a preset: write one of %s, or threshold, minutes and kind", n.Value,
				strings.Join(idleNames(), ", "))
		}
		x := idlePresets[i]
		return func(p *Policy) {
			p.IdleThresholdPPM, p.IdleMinutes, p.IdleKind, p.IdleSignal = x.threshold, x.minutes, x.kind, BestSignal
		}, nil
	}
	var in struct {
		Threshold string   `yaml:"threshold"`
		Minutes   int64    `yaml:"minutes"`
		Kind      IdleKind `yaml:"kind"`
		Signal    Signal   `yaml:"signal"`
	}
	if err := strict(n, &in); err != nil {
		return nil, err
	}
	if in.Threshold == "" || in.Minutes == 0 {
		return nil, errors.New("threshold and minutes are needed")
	}
	ppm, err := percent(in.Threshold)
	if err != nil {
		return nil, fmt.Errorf("threshold: %w", err)
	}
	kind, signal := cmp.Or(in.Kind, Consecutive), cmp.Or(in.Signal, BestSignal)
	return func(p *Policy) {
		p.IdleThresholdPPM, p.IdleMinutes, p.IdleKind, p.IdleSignal = ppm, in.Minutes, kind, signal
	}, nil
}

func showIdle(p Policy) string {
	for _, x := range idlePresets {
		if x.threshold == p.IdleThresholdPPM && x.minutes == p.IdleMinutes && x.kind == p.IdleKind &&
			p.IdleSignal == BestSignal {
			return x.name
		}
	}
	return fmt.Sprintf("{threshold: %s, minutes: %d, kind: %s, signal: %s}", showPercent(p.IdleThresholdPPM),
		p.IdleMinutes, p.IdleKind, p.IdleSignal)
}

func readSplit(n *yaml.Node) (func(*Policy), error) {
	if n.Kind == yaml.ScalarNode {
		for _, x := range splitPresets {
			if x.name == n.Value {
				return func(p *Policy) { p.Split = x.split }, nil
			}
		}
		return nil, fmt.Errorf("%q is not a preset: write gpu_whole, aws_split, or the weights gpu, cpu and memory", n.Value)
	}
	var in struct{ GPU, CPU, Memory string }
	if err := strict(n, &in); err != nil {
		return nil, err
	}
	var weights [3]int64
	for i, text := range []string{in.GPU, in.CPU, in.Memory} {
		if text == "" {
			return nil, errors.New("gpu, cpu and memory are all needed")
		}
		v, err := scaled(text, 3)
		if err != nil {
			return nil, err
		}
		weights[i] = v
	}
	return func(p *Policy) { p.Split = Split{weights[0], weights[1], weights[2]} }, nil
}

func showSplit(p Policy) string {
	for _, x := range splitPresets {
		if x.split == p.Split {
			return x.name
		}
	}
	return fmt.Sprintf("{gpu: %s, cpu: %s, memory: %s}", unscaled(p.Split.GPU, 3), unscaled(p.Split.CPU, 3),
		unscaled(p.Split.Memory, 3))
}

func readMIG(n *yaml.Node) (func(*Policy), error) {
	if n.Kind == yaml.ScalarNode {
		if !slices.Contains([]MIGWeight{DominantShare, ComputeOnly, MemoryOnly, Blended}, MIGWeight(n.Value)) {
			return nil, fmt.Errorf("%q is unknown: write dominant, compute, memory, blended, or blended with the weight of "+
				"compute", n.Value)
		}
		return func(p *Policy) { p.MIG = MIGWeight(n.Value) }, nil
	}
	var in struct{ Blended string }
	if err := strict(n, &in); err != nil {
		return nil, err
	}
	ppm, err := percent(in.Blended)
	if err != nil {
		return nil, fmt.Errorf("blended: %w", err)
	}
	return func(p *Policy) { p.MIG, p.MIGComputePPM = Blended, ppm }, nil
}

func showMIG(p Policy) string {
	if p.MIG == Blended && p.MIGComputePPM != Default().MIGComputePPM {
		return fmt.Sprintf("{blended: %s}", showPercent(p.MIGComputePPM))
	}
	return string(p.MIG)
}

func readLoss(n *yaml.Node) (func(*Policy), error) {
	switch n.Value {
	case "failed", "failed_and_cancelled":
		return func(p *Policy) { p.LoseCancelled = n.Value == "failed_and_cancelled" }, nil
	}
	return nil, fmt.Errorf("%q is unknown: write failed or failed_and_cancelled", n.Value)
}
