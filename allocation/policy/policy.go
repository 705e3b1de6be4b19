package policy

import (
	"errors"
	"fmt"

	"gpuledger/internal/period"
)

// Policy is every tunable number of docs/rules.md as in force for one node on one day (Book.For), or for all machines
// and runs (Book.World). Durations are whole seconds unless the name says minutes.
type Policy struct {
	// Version names the set; it is stored with every posting and calculation.
	Version string

	// ScrapeStep is how long after its last own sample an object still counts as present (rules 1.4, 2.3, 4.1).
	ScrapeStep int64

	// IdleThresholdPPM: a minute below this activity is idle (rule 5.2).
	IdleThresholdPPM int64
	// IdleMinutes is the shortest unbroken run of idle minutes that counts as
	// held idle, or the length of the window that the mean is taken over (rule 7.4).
	IdleMinutes int64
	// IdleKind is how idle minutes become held idle time.
	IdleKind IdleKind
	// IdleSignal is the signal that is compared with the threshold.
	IdleSignal Signal
	// OverheadLimit bounds start-up overhead and waiting for a gang (rule 7.2).
	OverheadLimit int64

	// Split is how a machine's cost is divided between its GPUs and the rest (rule 8.22).
	Split Split
	// HostTo is who gets the share of the rest (rule 8.22).
	HostTo HostTo
	// MIG is how a slice is weighed (rule 3.4).
	MIG MIGWeight
	// MIGComputePPM is the weight of compute in a blended weight; the rest is memory's.
	MIGComputePPM int64
	// CardSharing is how holders of one card share it if no source has shares (rule 4.8).
	CardSharing CardSharing
	// Unpriced is the cost of hours without a price (rule 8.12).
	Unpriced Unpriced
	// LoseCancelled: cancelled attempts lose their work like failed ones (rule 6.10).
	LoseCancelled bool

	// Serving are the settings of inference cost (section 16 of docs/figures.md).
	Serving Serving

	// TeardownLimit is how long after the end of a gang attempt its other
	// members may take to stop and still belong to it (rule 6.6).
	TeardownLimit int64
	// RunGap: after this long without any hold, the same name is a new run (rule 6.3).
	RunGap int64
	// InterruptionWindow is how long before a pod's end a spot interruption
	// warning explains it (rule 6.7).
	InterruptionWindow int64
	// NodeEndWindow: a pod that ends within this distance of its node's end
	// ended with its node (rule 6.7).
	NodeEndWindow int64
	// FindingMinimum: shorter periods are not a finding (18.1 of docs/figures.md).
	FindingMinimum int64
	// CheckpointInterval: a run that writes checkpoints less often is a finding.
	CheckpointInterval int64
	// UnknownSteps is for how many scrape steps after a pod's last sample its
	// cluster must have been observed before the pod counts as gone (rule 6.7).
	UnknownSteps int64
}

// Default returns the policy that docs/rules.md describes: preset lt10pct-15min.
func Default() Policy {
	return Policy{
		Version:            "default-1",
		ScrapeStep:         60,
		IdleThresholdPPM:   100_000,
		IdleMinutes:        15,
		OverheadLimit:      1800,
		IdleKind:           Consecutive,
		IdleSignal:         BestSignal,
		Split:              GPUWhole,
		HostTo:             HostToHolders,
		MIG:                DominantShare,
		MIGComputePPM:      500_000,
		CardSharing:        GivenShares,
		Unpriced:           AssumePublicPrice,
		Serving:            Serving{OutputWeight: 4000},
		TeardownLimit:      300,
		RunGap:             86_400,
		InterruptionWindow: 600,
		FindingMinimum:     900,
		CheckpointInterval: 7200,
		NodeEndWindow:      60,
		UnknownSteps:       2,
	}
}

// maxIdleMinutes and maxOverhead limit the margin that is read around a day.
const (
	maxIdleMinutes = 12 * 60
	maxOverhead    = 3600
)

// Margin is how far beyond a day its facts are read on both sides: whole hours, at least the idle window and the
// overhead limit.
func (p Policy) Margin() period.Second {
	longest := max(period.Second(p.IdleMinutes)*period.Minute, period.Second(p.OverheadLimit), period.Hour)
	return (longest + period.Hour - 1).Floor(period.Hour)
}

// Validate returns an error that names the first setting out of bounds.
func (p Policy) Validate() error {
	if p.Version == "" {
		return errors.New("policy: version is empty: give the set of settings a name")
	}
	for _, s := range []struct {
		name            string
		value, min, max int64
	}{
		{"scrape_step_seconds", p.ScrapeStep, 1, 3600},
		{"idle_threshold_ppm", p.IdleThresholdPPM, 0, 1_000_000},
		{"idle_minutes", p.IdleMinutes, 1, maxIdleMinutes},
		{"overhead_limit_seconds", p.OverheadLimit, 0, maxOverhead},
		{"output_weight_thousandths", p.Serving.OutputWeight, 0, maxOutputWeight},
		{"teardown_limit_seconds", p.TeardownLimit, 0, 86_400},
		{"run_gap_seconds", p.RunGap, 0, 366 * 86_400},
		{"interruption_window_seconds", p.InterruptionWindow, 0, 86_400},
		{"finding_minimum_seconds", p.FindingMinimum, 0, 86_400},
		{"checkpoint_interval_seconds", p.CheckpointInterval, 60, 30 * 86_400},
		{"node_end_window_seconds", p.NodeEndWindow, 0, 86_400},
		{"unknown_steps", p.UnknownSteps, 0, 1440},
	} {
		if s.value < s.min || s.value > s.max {
			return fmt.Errorf("policy %s: %s is %d, allowed is %d to %d", p.Version, s.name, s.value, s.min, s.max)
		}
	}
	return p.validateChoices()
}
