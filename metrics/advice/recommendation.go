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

// MonthHours is the length of a month in figures per month: 730 hours, a twelfth of a year.
const MonthHours = 730

// LeastHours is the telemetry that advice on the size of a card needs.
const LeastHours = 24

// A monthly saving needs a fleet observed for LeastDays and a subject that existed on LeastSubjectDays of them: work
// that began this morning is no basis for a month.
const (
	LeastDays        = 7
	LeastSubjectDays = mediumDays
)

// Subject is the subject of a recommendation: a root workload, a node, a team's work on a type of machine.
type Subject struct {
	Cluster, Namespace, Kind, Name string
}

// String is the subject's one spelling: its parts joined by slashes.
func (s Subject) String() string {
	return strings.Join([]string{s.Cluster, s.Namespace, s.Kind, s.Name}, "/")
}

// Fact is one number behind a recommendation.
type Fact struct {
	Name  string `json:"name"`
	Value string `json:"value"`
	Unit  string `json:"unit,omitempty"`
	Limit string `json:"limit,omitempty"` // the value it was compared with
}

// Confidence is how reliable a recommendation is.
type Confidence string

// Confidences.
const (
	High   Confidence = "high"   // at least 14 days were observed
	Medium Confidence = "medium" // at least 3 days, or a quantity was inferred
	Low    Confidence = "low"    // less, or something was estimated
)

// Days of observation for each confidence.
const (
	highDays   = 14
	mediumDays = 3
)

// confidence follows from the number of observed days: a thousand cards on one day do not predict the next day.
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
	Region   string // separates a subject in several regions
	OwnerID  ledger.ID
	GPUModel string
	Window   period.Interval // of the evidence
	Life     Life            // of the subject, within it
	Proposal string          // what to do, in one sentence
	Facts    []Fact
	// Cost and Saving are the subject's cost and possible saving in the window. Both are unknown without a price, and the
	// currency is then empty; only the saving is unknown without a basis.
	Cost, Saving money.Amount
	Basis        Basis // of MoveToSpot only
	Currency     string
	State        ledger.State
	Confidence   Confidence
	Commitment   *Commitment // of Commit only
	Claims       []Claim     // the time it would save on
}

// ID identifies a recommendation: a kind and a subject in a currency. It stays the same while numbers change.
func (r *Recommendation) ID() ledger.ID {
	of := []string{r.Kind, r.Subject.String(), r.GPUModel, r.Currency}
	if r.Region != "" {
		of = append(of, r.Region)
	}
	return ledger.NewID("recommendation", of...)
}

// Money is the cost and the saving; nil if unknown.
func (r *Recommendation) Money() (cost, saving *money.Amount) {
	switch {
	case r.Currency == "":
		return nil, nil
	case r.Basis == ByNone:
		return &r.Cost, nil
	}
	return &r.Cost, &r.Saving
}

// PerMonth is the saving scaled from the life of the subject to 730 hours, rounded half up once; nil: too few days were
// observed, or it is unknown.
func (r *Recommendation) PerMonth() *money.Amount {
	_, saving := r.Money()
	if saving == nil {
		return nil
	}
	return r.month(*saving)
}

// StrandedPerMonth is the stranded cost of a commitment, scaled the same way.
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

// Evidence is the facts, and the hours and days of observation.
func (r *Recommendation) Evidence() []Fact {
	return append(slices.Clone(r.Facts),
		Fact{"seen", fmt.Sprintf("%d of %d hours", r.Life.Seen, r.Life.Hours()), "", "since it first appeared"},
		Fact{
			"days observed", strconv.FormatInt(r.Life.Days, 10), "",
			fmt.Sprintf("at least %d; %d for the fleet", LeastSubjectDays, LeastDays),
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

// Distinct keeps the first recommendation with each id: after Sort, of several sizes of one workload on one model, the
// one that saves most.
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
