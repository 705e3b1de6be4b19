package advice

import (
	"cmp"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
)

// MonthHours is a month of the figures: 730 hours, a twelfth of a year.
const MonthHours = 730

// LeastHours is the shortest window that is scaled to a month.
const LeastHours = 24

// Subject is what a recommendation is about: a root workload, a node, a team's
// work on a type of machine.
type Subject struct {
	Cluster, Namespace, Kind, Name string
}

// String is the subject's one spelling: its parts joined by slashes.
func (s Subject) String() string {
	return strings.Join([]string{s.Cluster, s.Namespace, s.Kind, s.Name}, "/")
}

// Fact is one number that a recommendation stands on.
type Fact struct {
	Name  string `json:"name"`
	Value string `json:"value"`
	Unit  string `json:"unit,omitempty"`
	Limit string `json:"limit,omitempty"` // what it was held against
}

// Confidence says how much a recommendation may be relied on.
type Confidence string

// Confidences.
const (
	High   Confidence = "high"   // at least 14 days of telemetry
	Medium Confidence = "medium" // at least 3 days
	Low    Confidence = "low"    // at least a day, or something was estimated
)

// confidence follows from how long something was watched.
func confidence(hours int64) Confidence {
	switch {
	case hours >= 14*24:
		return High
	case hours >= 3*24:
		return Medium
	}
	return Low
}

// Recommendation is one thing to do.
type Recommendation struct {
	Kind     string
	Subject  Subject
	Region   string // where a subject is in several regions, apart
	OwnerID  ledger.ID
	GPUModel string
	Window   period.Interval // of the evidence
	Proposal string          // what to do, in one sentence
	Facts    []Fact
	// Cost of the subject and what of it would be saved, in the window.
	Cost, Saving money.Amount
	Currency     string
	State        ledger.State
	Confidence   Confidence
	Commitment   *Commitment // of Commit only
	Claims       []Claim     // what it would save on
}

// ID names a recommendation: a kind and a subject in a currency. It stays the
// same while numbers change.
func (r *Recommendation) ID() ledger.ID {
	of := []string{r.Kind, r.Subject.String(), r.GPUModel, r.Currency}
	if r.Region != "" {
		of = append(of, r.Region)
	}
	return ledger.NewID("recommendation", of...)
}

// PerMonth is the saving scaled to 730 hours, rounded half up once.
func (r *Recommendation) PerMonth() money.Amount {
	hours := int64(r.Window.To-r.Window.From) / int64(period.Hour)
	if hours < LeastHours {
		return money.Amount{}
	}
	return r.Saving.MulRat(big.NewRat(MonthHours, hours))
}

// Sort orders recommendations: the largest saving first, then by kind and
// subject.
func Sort(list []Recommendation) {
	slices.SortFunc(list, func(a, b Recommendation) int {
		return cmp.Or(b.Saving.Cmp(a.Saving), cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Subject.String(), b.Subject.String()), cmp.Compare(a.Currency, b.Currency))
	})
}

// Distinct keeps the first of those that have one id: of several sizes of one
// workload on one model that is, after Sort, the one that saves most.
func Distinct(list []Recommendation) []Recommendation {
	seen := map[ledger.ID]bool{}
	return slices.DeleteFunc(list, func(r Recommendation) bool {
		id := r.ID()
		again := seen[id]
		seen[id] = true
		return again
	})
}

// percent prints parts per million as a percentage with one decimal.
func percent(ppm int64) string {
	return strconv.FormatInt(ppm/10_000, 10) + "." + strconv.FormatInt(ppm/1_000%10, 10)
}

// gib prints bytes in GiB with one decimal, rounded down.
func gib(bytes int64) string {
	const tenth = 1 << 30 / 10
	return strconv.FormatInt(bytes/tenth/10, 10) + "." + strconv.FormatInt(bytes/tenth%10, 10)
}
