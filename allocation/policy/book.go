package policy

import (
	"cmp"
	"fmt"
	"path"
	"slices"

	"gpuledger/internal/fiscal"
	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

// Version is one version of the policy: a stored document, with the day from which it holds. It never changes once it
// is stored.
type Version struct {
	// Settings are those of every node that no override matches; its Version
	// names the document.
	Settings Policy
	// ValidFrom is the start of the UTC day from which it holds; 0: always.
	ValidFrom period.Second
	// Note is the reason for the version.
	Note string

	Overrides    []Override
	Owners       []OwnerRule
	Allowed      []AllowedValues
	Values       []ValueMapping
	Redistribute []Redistribution
	Commitments  Commitments
	// UnownedLimitPPM: a period cannot be closed while more than this share of its cost has no owner (rule 13.2);
	// 1,000,000 never blocks.
	UnownedLimitPPM int64
	// SecondPerson lists the changes that another person must confirm while this version is in force today (rule 11.5).
	SecondPerson []Guarded
	// BudgetSteps are the percentages of a budget that its state names, ascending.
	BudgetSteps []int64
	// Fiscal is the fiscal calendar of budgets and of the periods that pages offer; it may be none.
	Fiscal fiscal.Calendar
	// UnitCostTargets are the most that units of work may cost, by team or for the whole fleet.
	UnitCostTargets []UnitCostTarget
	// JournalAccounts name the accounts of journal entries.
	JournalAccounts JournalAccounts
	// ExchangeRates convert the amounts in reports; no posting depends on them.
	ExchangeRates []ExchangeRate
	// OnlyRates documents contain only exchange rates: the rules stay those of the other versions.
	OnlyRates bool
}

// Node is the data that an override may match.
type Node struct {
	Cluster      string
	Name         string
	InstanceType string
	GPUModel     string
}

// Override changes settings of some nodes. Patterns are those of path.Match;
// empty ones match everything.
type Override struct {
	Cluster, Node, InstanceType, GPUModel string
	// Apply changes the settings; the parser makes it from the fields that the document names.
	Apply func(*Policy)
}

// OwnerRule gives values that labels and tags leave open (rule 9.1): for each dimension the first matching rule that
// sets it. Patterns are those of path.Match; empty ones match everything.
type OwnerRule struct {
	Cluster, Namespace, Workload, Node, InstanceType, Account string
	Set                                                       map[string]string // dimension → value
}

// AllowedValues are the values of a dimension that a namespace may claim by its pods' labels (rule 9.3). Other values
// are a conflict, and the namespace's own labels count.
type AllowedValues struct {
	Namespace string // pattern
	Dimension string
	Values    []string
}

// ValueMapping maps values of a dimension to another one (rule 9.5).
type ValueMapping struct {
	Dimension string
	From      []string
	To        string
}

// RedistributionMethod is the weight by which unheld cost is passed on (rule 12.3).
type RedistributionMethod string

// Redistribution methods.
const (
	PassNone    RedistributionMethod = "none"
	PassUsed    RedistributionMethod = "used"    // by used GPU-hours
	PassHeld    RedistributionMethod = "held"    // by held GPU-hours
	PassEven    RedistributionMethod = "even"    // every consumer equally
	PassWeights RedistributionMethod = "weights" // by the weights of the document
	PassOwner   RedistributionMethod = "owner"   // to one named team
)

// PassedOn lists the causes whose unheld cost a rule may pass on (rule 12.2).
var PassedOn = []string{string(ledger.Free), string(ledger.Stranded), string(ledger.Unavailable),
	string(ledger.Unobserved),
	string(ledger.CommitmentUnused), string(ledger.CommitmentFee),
	string(ledger.Host), string(ledger.Shared), string(ledger.NonGPU)}

// Redistribution sets who pays unheld cost. The first rule that matches a pool counts; without one the cost stays with
// its owner.
type Redistribution struct {
	Cluster string   // pattern; empty: all clusters, and cost without a cluster
	From    string   // pattern of the owning team; empty: all, "unowned": only cost without an owner
	Causes  []string // from PassedOn; none: all that may be passed on
	Method  RedistributionMethod
	// Weights by team (PassWeights); Team receives all (PassOwner).
	Weights map[string]int64
	Team    string
}

// Commitments sets who gets the discount of reservations and savings plans (rule 12.5).
type Commitments string

// Receivers of a commitment's discount.
const (
	ToConsumer Commitments = "consumer" // the user of the covered machine, as on the bill
	ToBuyer    Commitments = "buyer"    // the owner of the commitment; consumers pay the contracted price
	ToAll      Commitments = "spread"   // every consumer of the same kind of machine, by contracted cost
)

// Standard is the version that holds until another is stored.
func Standard() Version {
	return Version{
		Settings: Default(), Note: "what docs/rules.md describes", Commitments: ToConsumer, UnownedLimitPPM: 1_000_000,
		BudgetSteps: defaultSteps(),
	}
}

// Book is all versions of the policy, oldest first. The zero Book holds Standard.
type Book struct {
	versions, rates []Version // documents
	mappings        []Mapping
	joined          []Version // documents with the mappings that apply; nil if there are no mappings
}

// NewBook orders versions by the day from which they hold. It returns an error if two hold from the same day or a
// setting is out of bounds. Before the first of them Standard holds. Versions with only exchange rates are kept
// separate, in the order given.
func NewBook(versions ...Version) (Book, error) {
	var b Book
	for _, v := range versions {
		if v.OnlyRates {
			b.rates = append(b.rates, v)
		} else {
			b.versions = append(b.versions, v)
		}
	}
	slices.SortFunc(b.versions, func(x, y Version) int { return cmp.Compare(x.ValidFrom, y.ValidFrom) })
	for i := range b.versions {
		v := &b.versions[i]
		if i > 0 && b.versions[i-1].ValidFrom == v.ValidFrom {
			return Book{}, fmt.Errorf("policy %s: holds from the same day as %s", v.Settings.Version,
				b.versions[i-1].Settings.Version)
		}
		if err := v.Validate(); err != nil {
			return Book{}, err
		}
	}
	return b, nil
}

// Documents lists the versions as documents state them, oldest first; Standard if there are none.
func (b Book) Documents() []Version {
	if len(b.versions) == 0 {
		return []Version{Standard()}
	}
	return b.versions
}

// Versions lists the versions with the mappings that apply to them, oldest first; Standard if there are none. A version
// is listed once for each stretch in which the same mappings apply.
func (b Book) Versions() []Version {
	if len(b.joined) > 0 {
		return b.joined
	}
	return b.Documents()
}

// OnlyRates lists the versions that contain only exchange rates.
func (b Book) OnlyRates() []Version { return b.rates }

// At is the version that holds at an instant, with the mappings that apply.
func (b Book) At(t period.Second) Version {
	if len(b.joined) > 0 {
		return at(b.joined, t)
	}
	return b.documentAt(t)
}

// documentAt is the version that holds at an instant, without mappings.
func (b Book) documentAt(t period.Second) Version { return at(b.versions, t) }

// at is the last of versions that begins at or before an instant.
func at(versions []Version, t period.Second) Version {
	for _, v := range slices.Backward(versions) {
		if v.ValidFrom <= t {
			return v
		}
	}
	return Standard()
}

// World are the settings by which machines, runs and attempts are distinguished: those of the newest version, without
// overrides, because a run has no day.
func (b Book) World() Policy {
	v := b.Versions()
	return v[len(v)-1].Settings
}

// For returns the settings of a node at an instant: those of the version in
// force with every matching override applied in the order of the document.
func (b Book) For(n Node, t period.Second) Policy {
	v := b.At(t)
	p := v.Settings
	for _, o := range v.Overrides {
		if o.matches(n) {
			o.Apply(&p)
		}
	}
	p.Version = v.Settings.Version
	return p
}

func (o Override) matches(n Node) bool {
	return matches(o.Cluster, n.Cluster) && matches(o.Node, n.Name) && matches(o.InstanceType, n.InstanceType) &&
		matches(o.GPUModel, n.GPUModel)
}

// matches reports whether a pattern of path.Match fits; the parser has checked its form.
func matches(pattern, text string) bool {
	if pattern == "" {
		return true
	}
	ok, err := path.Match(pattern, text)
	return ok && err == nil
}

// Margin is the farthest that a change of telemetry reaches beyond its day
// under the version, overrides included.
func (v Version) Margin() period.Second {
	margin := v.Settings.Margin()
	for _, o := range v.Overrides {
		p := v.Settings
		o.Apply(&p)
		margin = max(margin, p.Margin())
	}
	return margin
}

// Validate returns an error that names the first setting out of bounds, in the
// version itself or under one of its overrides.
func (v Version) Validate() error {
	if err := v.Settings.Validate(); err != nil {
		return err
	}
	if v.ValidFrom%period.Day != 0 {
		return fmt.Errorf("policy %s: holds from %s, which is not the start of a UTC day", v.Settings.Version, v.ValidFrom)
	}
	for i, o := range v.Overrides {
		p := v.Settings
		o.Apply(&p)
		if err := p.Validate(); err != nil {
			return fmt.Errorf("override %d: %w", i+1, err)
		}
	}
	return nil
}
