package policy

import (
	"cmp"
	"fmt"
	"path"
	"slices"

	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

// Version is one version of the policy: a document that somebody wrote, with
// the day from which it holds. It never changes once it is stored.
type Version struct {
	// Settings are those of every node that no override matches; its Version
	// names the document.
	Settings Policy
	// ValidFrom is the start of the UTC day from which it holds; 0: always.
	ValidFrom period.Second
	// Note says why it was made.
	Note string

	Overrides    []Override
	Owners       []OwnerRule
	Allowed      []AllowedValues
	Values       []ValueMapping
	Redistribute []Redistribution
	Commitments  Commitments
	// UnownedLimitPPM: a period is not closed while more than this share of its
	// cost has no owner (rule 13.2); 1,000,000 never refuses.
	UnownedLimitPPM int64
	// SecondPerson lists the changes that another person confirms while this is the
	// version of today (rule 11.5).
	SecondPerson []Guarded
	// ExchangeRates convert what reports show; no posting depends on them.
	ExchangeRates []ExchangeRate
	// OnlyRates documents say nothing else: the rules stay those of the others.
	OnlyRates bool
}

// Node is what an override may look at.
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
	// Apply changes the settings; it is made by the parser from the fields that
	// the document names.
	Apply func(*Policy)
}

// OwnerRule answers for what labels and tags leave open (rule 9.1): the first
// rule that matches answers each dimension that it sets. Patterns are those of
// path.Match; empty ones match everything.
type OwnerRule struct {
	Cluster, Namespace, Workload, Node, InstanceType, Account string
	Set                                                       map[string]string // dimension → value
}

// AllowedValues are the values of a dimension that a namespace may claim by
// its pods' labels (rule 9.3). Others are a conflict, and the namespace answers.
type AllowedValues struct {
	Namespace string // pattern
	Dimension string
	Values    []string
}

// ValueMapping says that values of a dimension mean another one (rule 9.5).
type ValueMapping struct {
	Dimension string
	From      []string
	To        string
}

// RedistributionMethod says by what cost that nobody held is passed on (rule 12.3).
type RedistributionMethod string

// Redistribution methods.
const (
	PassNone    RedistributionMethod = "none"
	PassUsed    RedistributionMethod = "used"    // by used GPU-hours
	PassHeld    RedistributionMethod = "held"    // by held GPU-hours
	PassEven    RedistributionMethod = "even"    // every consumer alike
	PassWeights RedistributionMethod = "weights" // by the weights of the document
	PassOwner   RedistributionMethod = "owner"   // to one named team
)

// PassedOn lists the causes of which a rule may pass on what nobody held (rule 12.2).
var PassedOn = []string{string(ledger.Free), string(ledger.Stranded), string(ledger.Unavailable),
	string(ledger.Unobserved),
	string(ledger.CommitmentUnused), string(ledger.CommitmentFee),
	string(ledger.Host), string(ledger.Shared), string(ledger.NonGPU)}

// Redistribution says who pays what nobody held. The first rule that matches
// a pool counts; without one it stays where it is.
type Redistribution struct {
	Cluster string   // pattern; empty: all, and what has no cluster
	From    string   // pattern of the team that has it; empty: all, "unowned": only what nobody owns
	Causes  []string // of PassedOn; none: all that may be passed on
	Method  RedistributionMethod
	// Weights by team (PassWeights); Team receives all (PassOwner).
	Weights map[string]int64
	Team    string
}

// Commitments says who gets the discount of reservations and savings plans
// (rule 12.5).
type Commitments string

// Receivers of a commitment's discount.
const (
	ToConsumer Commitments = "consumer" // whoever ran on the covered machine: as the bill has it
	ToBuyer    Commitments = "buyer"    // the owner of the commitment; consumers pay the contracted price
	ToAll      Commitments = "spread"   // every consumer of the same kind of machine, by contracted cost
)

// Standard is the version that holds until somebody writes another.
func Standard() Version {
	return Version{
		Settings: Default(), Note: "what docs/rules.md describes", Commitments: ToConsumer, UnownedLimitPPM: 1_000_000,
	}
}

// Book is all versions of the policy, oldest first. The zero Book holds Standard.
type Book struct{ versions, rates []Version }

// NewBook orders versions by the day from which they hold. It returns an error
// when two hold from the same day or a setting is out of bounds. Before the
// first of them Standard holds. Versions of nothing but exchange rates are kept
// apart, in the order given.
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

// Versions lists the versions, oldest first; Standard where there is none.
func (b Book) Versions() []Version {
	if len(b.versions) == 0 {
		return []Version{Standard()}
	}
	return b.versions
}

// OnlyRates lists the versions that say nothing but exchange rates.
func (b Book) OnlyRates() []Version { return b.rates }

// At is the version that holds at an instant.
func (b Book) At(t period.Second) Version {
	for _, v := range slices.Backward(b.versions) {
		if v.ValidFrom <= t {
			return v
		}
	}
	return Standard()
}

// World are the settings by which machines, runs and attempts are told apart:
// those of the newest version, without overrides, because a run has no day.
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

// matches reports whether a pattern of path.Match fits; the parser has checked
// its form.
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
		return fmt.Errorf("policy %s: holds from %s, which is no start of a UTC day", v.Settings.Version, v.ValidFrom)
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
