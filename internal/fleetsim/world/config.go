package world

import (
	"cmp"
	"fmt"
	"time"
)

// Size names a preset.
type Size string

// The presets.
const (
	Small  Size = "small"  // a cell of 40 GPUs, 2 days
	Medium Size = "medium" // 200 GPUs, 7 days
	Large  Size = "large"  // 200 GPUs, 30 days
)

// Config is the fleet to invent. Equal configurations give equal bytes.
type Config struct {
	Seed  int64
	Size  Size
	Start time.Time // 00:00 UTC of the first day
	Days  int       // 1..366
	// History is how many days before Start a quarter of the fleet (a larger part of a small one) was there already:
	// machines on AWS that train, on demand and spot, notebooks, and those of the owned hall. The exporters of cards
	// reported only activity and memory then.
	History int // 0..366
	// Until is where files end, at or after a whole day of data; later events are only served (Exporters). Zero: with
	// the last day.
	Until time.Time
	// BilledUntil is where the bill would end without its lag; zero: Until.
	BilledUntil time.Time
	GPUs        int // rounded to whole cells of 40

	Cluster string // EKS cluster name
	// BillLagHours is how many hours before the telemetry the bill ends: the hours between are provisional.
	BillLagHours int
	// ChunkRows is the most rows in one file of the bill.
	ChunkRows int
	// CSV writes the bill as gzip CSV instead of Parquet.
	CSV bool
	// EDPPercent adds an EdpDiscount line of that many percent to every on-demand line of a GPU node. 0: no such
	// agreement.
	EDPPercent int

	// Further clusters in addition to the one on AWS, one cell each.
	GCP   bool // GKE, billed by the detailed export
	Azure bool // AKS, billed in EUR by an ActualCost and AmortizedCost pair
	Owned bool // bare metal, charged by the price book
	Slurm bool // bare metal that Slurm runs, charged by the price book
	// Commitments adds to the AWS bill the cases that finance needs: reservations of each payment kind, a capacity
	// block, managed GPUs, EKS split rows and discounts without a resource.
	Commitments bool
	// Savings adds machines on AWS with possible savings: work that could be interrupted, notebooks that could share a
	// card, MIG cards of which half would do.
	Savings bool
	// Review gives a monthly review something to find. All of the fleet runs from 9 days before Start on, as far as the
	// history reaches, so that weeks before and after can be compared. In the last month one team's spend jumps, and a
	// forgotten notebook is ended.
	Review bool
	// ServedNames serves models under names that contain more than the model: the path of its image, a version, a
	// quantisation, the server.
	ServedNames bool
	// Labels gives pods more owner labels: business unit, dataset, version of the model and priority; services name the
	// model that they serve, not the deployment.
	Labels bool
	// Nameless leaves the exporters of time-sliced machines at their default: their rows name no pod, and no source
	// shows which pod holds which card.
	Nameless bool
	// Restate delivers the AWS and Azure bills twice: first an earlier state of the month, then the current one.
	Restate bool
	// Unbilled leaves out every bill and the price book: only the telemetry exists.
	Unbilled bool
	// Rules are the policy under which the truth is computed; the zero value is the standard.
	Rules Rules
	// LabelClusters puts the label cluster on every series. With further
	// clusters it is always set.
	LabelClusters bool
}

// Rules are the numbers of docs/rules.md that a policy may vary.
type Rules struct {
	IdlePPM       int64 // below it a minute is idle; 0: 100,000
	IdleMinutes   int64 // length of an idle run, or of the window of IdleMean; 0: 15
	IdleMean      bool  // the mean of a window counts, not every minute
	OverheadLimit int64 // seconds; 0: 1800
	LoseCancelled bool  // cancelled attempts lose their work, too
	Unpriced      bool  // hours that neither bill nor price book prices have no known cost
	// Measure is the weight of a MIG slice: compute, memory, blended (half of each); empty: the larger.
	Measure string
}

// Filled is the rules with zeros replaced by the standard.
func (r Rules) Filled() Rules {
	r.IdlePPM, r.IdleMinutes, r.OverheadLimit = cmp.Or(r.IdlePPM, 100_000), cmp.Or(r.IdleMinutes, 15),
		cmp.Or(r.OverheadLimit, 1800)
	return r
}

// Everywhere returns the configuration with every cloud, commitment and
// restatement, and an enterprise discount of 12 %.
func (c Config) Everywhere() Config {
	c.GCP, c.Azure, c.Owned, c.Slurm, c.Commitments, c.Restate, c.EDPPercent = true, true, true, true, true, true, 12
	return c
}

// Story returns the configuration of a demo: data for every page, and the history since the first of the month before.
func (c Config) Story() Config {
	c = c.Everywhere()
	c.Savings, c.Labels, c.ServedNames, c.Review = true, true, true, true
	before := time.Date(c.Start.Year(), c.Start.Month()-1, 1, 0, 0, 0, 0, time.UTC)
	c.History = int(c.Start.Sub(before).Hours()) / 24
	return c
}

// Preset returns the configuration of a size with seed 1. An unknown size gives the small one.
func Preset(size Size) Config {
	c := Config{
		Seed: 1, Size: Small, Start: time.Date(2026, 11, 2, 0, 0, 0, 0, time.UTC), Days: 2, GPUs: 40,
		Cluster: "ml-prod", BillLagHours: 20, ChunkRows: 200_000,
	}
	switch size {
	case Medium:
		c.Size, c.Days, c.GPUs, c.ChunkRows = Medium, 7, 200, 20_000
	case Large:
		c.Size, c.Days, c.GPUs, c.ChunkRows = Large, 30, 200, 50_000
	}
	return c
}

// check fills in defaults and refuses configurations that cannot be simulated.
func (c *Config) check() error {
	if c.Cluster == "" {
		c.Cluster = "ml-prod"
	}
	c.LabelClusters = c.LabelClusters || c.GCP || c.Azure || c.Owned || c.Slurm
	if c.ChunkRows == 0 {
		c.ChunkRows = 200_000
	}
	end := c.Start.AddDate(0, 0, c.Days)
	if c.Until.IsZero() {
		c.Until = end
	}
	if c.BilledUntil.IsZero() {
		c.BilledUntil = c.Until
	}
	switch {
	case c.Start.IsZero() || !c.Start.Equal(c.Start.UTC().Truncate(24*time.Hour)):
		return fmt.Errorf("simulation start %v is not the start of a UTC day", c.Start)
	case c.Days < 1 || c.Days > 366:
		return fmt.Errorf("simulation of %d days: 1 to 366 are possible", c.Days)
	case c.History < 0 || c.History > 366:
		return fmt.Errorf("history of %d days: 0 to 366 are possible", c.History)
	case c.GPUs < 1 || c.GPUs > 100_000:
		return fmt.Errorf("simulation of %d GPUs: 1 to 100000 are possible", c.GPUs)
	case c.Until.After(end) || c.Until.Before(c.Start.AddDate(0, 0, 1)):
		return fmt.Errorf("files until %v are not between the first and the last of %d days", c.Until, c.Days)
	case c.BilledUntil.After(c.Until):
		return fmt.Errorf("a bill until %v ends after the files until %v", c.BilledUntil, c.Until)
	case c.BillLagHours < 0 || c.BilledUntil.Add(-time.Duration(c.BillLagHours)*time.Hour).Sub(c.Start) < time.Hour:
		return fmt.Errorf("a bill that ends %d hours early covers none of %d days", c.BillLagHours, c.Days)
	case c.ChunkRows < 1:
		return fmt.Errorf("chunks of %d rows are not possible", c.ChunkRows)
	case c.EDPPercent < 0 || c.EDPPercent > 90:
		return fmt.Errorf("discount of %d percent: 0 to 90 are possible", c.EDPPercent)
	}
	return nil
}
