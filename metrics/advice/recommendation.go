package advice

import (
	"cmp"
	"fmt"
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

// LeastHours of telemetry are enough to advise on the size of a card.
const LeastHours = 24

// A month is told of a fleet that was observed for LeastDays, about what was there on
// LeastSubjectDays of them: what began this morning says nothing of a month.
const (
	LeastDays        = 7
	LeastSubjectDays = mediumDays
)

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
	High   Confidence = "high"   // at least 14 days were observed
	Medium Confidence = "medium" // at least 3 days, or a quantity was inferred
	Low    Confidence = "low"    // less, or something was estimated
)

// Days of observation that a confidence needs.
const (
	highDays   = 14
	mediumDays = 3
)

// confidence follows from on how many days something was watched: a thousand
// cards of one day say nothing of the next.
func confidence(days int64) Confidence {
	switch {
	case days >= highDays:
		return High
	case days >= mediumDays:
		return Medium
	}
	return Low
}

// atMost is the lower of two confidences.
func (c Confidence) atMost(o Confidence) Confidence {
	order := []Confidence{Low, Medium, High}
	return order[min(slices.Index(order, c), slices.Index(order, o))]
}

// daysOf are the whole days of a window.
func daysOf(window period.Interval) int64 { return window.Seconds() / period.Day }

// Recommendation is one thing to do.
type Recommendation struct {
	Kind     string
	Subject  Subject
	Region   string // where a subject is in several regions, apart
	OwnerID  ledger.ID
	GPUModel string
	Window   period.Interval // of the evidence
	Life     Life            // of the subject, within it
	Proposal string          // what to do, in one sentence
	Facts    []Fact
	// Cost of the subject and what of it would be saved, in the window: both
	// unknown where nothing prices it, which then has no currency either; the saving
	// alone on no basis.
	Cost, Saving money.Amount
	Basis        Basis // of MoveToSpot only
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

// Money is the cost and the saving; nil where they are unknown.
func (r *Recommendation) Money() (cost, saving *money.Amount) {
	switch {
	case r.Currency == "":
		return nil, nil
	case r.Basis == ByNone:
		return &r.Cost, nil
	}
	return &r.Cost, &r.Saving
}

// PerMonth is the saving scaled from the life of the subject to 730 hours, rounded half
// up once; nil: too few days were observed to tell, or it is unknown.
func (r *Recommendation) PerMonth() *money.Amount {
	_, saving := r.Money()
	if saving == nil {
		return nil
	}
	return r.month(*saving)
}

// StrandedPerMonth is what a commitment would strand, scaled alike.
func (r *Recommendation) StrandedPerMonth() *money.Amount {
	return r.month(money.FromRat(r.Commitment.Stranded))
}

func (r *Recommendation) month(a money.Amount) *money.Amount {
	switch hours := r.Life.Hours(); {
	case daysOf(r.Window) < LeastDays:
		return nil
	case a.Sign() == 0:
		return &a // a risk costs nothing, however long
	case r.Life.Days < LeastSubjectDays || hours == 0:
		return nil
	default:
		return new(a.MulRat(big.NewRat(MonthHours, hours)))
	}
}

// Evidence are the facts, and in how many hours and on how many days they were observed.
func (r *Recommendation) Evidence() []Fact {
	return append(slices.Clone(r.Facts),
		Fact{"seen", fmt.Sprintf("%d of %d hours", r.Life.Seen, r.Life.Hours()), "", "since it first appeared in the window"},
		Fact{
			"days observed", strconv.FormatInt(r.Life.Days, 10), "",
			fmt.Sprintf("at least %d, and %d of the fleet", LeastSubjectDays, LeastDays),
		})
}

// Sort orders recommendations: the largest saving first, then by kind and
// subject.
func Sort(list []Recommendation) {
	slices.SortFunc(list, func(a, b Recommendation) int {
		return cmp.Or(b.Saving.Cmp(a.Saving), cmp.Compare(a.Kind, b.Kind),
			cmp.Compare(a.Subject.String(), b.Subject.String()), cmp.Compare(a.Currency, b.Currency))
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
