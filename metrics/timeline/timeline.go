package timeline

import (
	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
)

// Run is the time line of one run.
type Run struct {
	Nodes         []Node
	Spans         []Span
	Checkpoints   []Checkpoint
	Interruptions []Interruption
	Prices        []Price
	Activity      Activity
}

// Node is a machine that the run held.
type Node struct {
	ID           ledger.ID
	Name         string
	InstanceID   string
	InstanceType string
	Region, Zone string
	PriceClass   ledger.PriceClass // empty if unknown
	GPUModel     string
	GPUs         int
}

// Span is a stretch of one slot, or slice of it, with one cause.
type Span struct {
	NodeID  ledger.ID
	Slot    int32
	SliceID int32 // ledger.WholeDevice if none
	Attempt ledger.ID
	Cause   ledger.Cause
	period.Interval
}

// Checkpoint is the time at which a pod of the run reported one.
type Checkpoint struct{ At period.Second }

// Interruption is a spot interruption warning for a node that the run held.
type Interruption struct {
	NodeID ledger.ID
	At     period.Second
}

// Price is the cost of the GPU-hours that the run held on machines of one price class, in one currency. GPUHours is
// more than zero.
type Price struct {
	Class     ledger.PriceClass // empty if unknown
	Currency  string
	Effective money.Amount
	GPUHours  money.Amount
}

// Line is the run's cost from one bill line, or from one rate if there is no bill yet.
type Line struct {
	ChargeID  ledger.ID // zero for a rate
	File      string
	Line      int64
	Source    string // of the rate
	Effective money.Amount
	Currency  string
}

// Lines are the largest bill lines behind a run.
type Lines struct {
	Top   []Line
	Total int64 // lines and rates in all
}
