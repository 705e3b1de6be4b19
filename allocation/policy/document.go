package policy

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

// MaxDocument is the most bytes that a document may have.
const MaxDocument = 256 << 10

// document is the form in which people write a version, YAML or JSON.
type document struct {
	Version      string            `yaml:"version"`
	ValidFrom    string            `yaml:"valid_from"`
	Note         string            `yaml:"note"`
	Settings     yaml.Node         `yaml:"settings"`
	Overrides    []override        `yaml:"overrides"`
	Owners       []ownerRule       `yaml:"owners"`
	Allowed      []allowedValues   `yaml:"allowed"`
	Values       []valueMapping    `yaml:"values"`
	Redistribute []redistribute    `yaml:"redistribute"`
	Commitments  Commitments       `yaml:"commitments"`
	UnownedLimit string            `yaml:"unowned_limit"`
	SecondPerson []Guarded         `yaml:"second_person"`
	BudgetSteps  []int64           `yaml:"budget_steps"`
	Fiscal       fiscalCalendar    `yaml:"fiscal_calendar"`
	UnitTargets  []unitCostTarget  `yaml:"unit_cost_targets"`
	Accounts     map[string]string `yaml:"journal_accounts"`
	Currency     currency          `yaml:"currency"`
}

type override struct {
	Match struct {
		Cluster      string `yaml:"cluster"`
		Node         string `yaml:"node"`
		InstanceType string `yaml:"instance_type"`
		GPUModel     string `yaml:"gpu_model"`
	} `yaml:"match"`
	Settings yaml.Node `yaml:"settings"`
}

type ownerRule struct {
	When struct {
		Cluster      string `yaml:"cluster"`
		Namespace    string `yaml:"namespace"`
		Workload     string `yaml:"workload"`
		Node         string `yaml:"node"`
		InstanceType string `yaml:"instance_type"`
		Account      string `yaml:"account"`
	} `yaml:"when"`
	Set map[string]string `yaml:"set"`
}

type allowedValues struct {
	Namespace string   `yaml:"namespace"`
	Dimension string   `yaml:"dimension"`
	Values    []string `yaml:"values"`
}

type valueMapping struct {
	Key  string   `yaml:"key"`
	From []string `yaml:"from"`
	To   string   `yaml:"to"`
}

type redistribute struct {
	Cluster string               `yaml:"cluster"`
	From    string               `yaml:"from"`
	Causes  []string             `yaml:"causes"`
	Method  RedistributionMethod `yaml:"method"`
	Weights map[string]int64     `yaml:"weights"`
	Team    string               `yaml:"team"`
}

// Parse reads a document. An error names the line and the accepted values. Settings that it does not name are the
// standard's.
func Parse(text []byte) (Version, error) {
	if len(text) > MaxDocument {
		return Version{}, fmt.Errorf("policy: the document is larger than %d bytes", MaxDocument)
	}
	dec := yaml.NewDecoder(bytes.NewReader(text))
	dec.KnownFields(true)
	var doc document
	if err := dec.Decode(&doc); err != nil {
		if errors.Is(err, io.EOF) {
			return Version{}, errors.New("policy: the document is empty")
		}
		return Version{}, fmt.Errorf("policy: %s", plain(err))
	}
	if err := dec.Decode(new(yaml.Node)); !errors.Is(err, io.EOF) {
		return Version{}, errors.New("policy: more than one document: remove everything from the line --- on")
	}
	v, err := doc.version()
	if err != nil {
		return Version{}, fmt.Errorf("policy %q: %w", doc.Version, err)
	}
	return v, v.Validate()
}

var versionName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$`)

func (d *document) version() (Version, error) {
	v := Standard()
	v.Note = d.Note
	if !versionName.MatchString(d.Version) {
		return v, errors.New("version must be a name of at most 64 letters, digits, dots and hyphens")
	}
	if d.Version == v.Settings.Version {
		return v, fmt.Errorf("version %s is the standard's: choose another name", d.Version)
	}
	if d.ValidFrom != "" {
		day, err := period.ParseDay(d.ValidFrom)
		if err != nil {
			return v, fmt.Errorf("valid_from: %w", err)
		}
		v.ValidFrom = day
	}
	apply, err := settingsOf(&d.Settings, false)
	if err != nil {
		return v, err
	}
	apply(&v.Settings)
	v.Settings.Version = d.Version
	for i := range d.Overrides {
		o := &d.Overrides[i]
		apply, err := settingsOf(&o.Settings, true)
		if err != nil {
			return v, fmt.Errorf("override %d: %w", i+1, err)
		}
		m := o.Match
		if err := patterns(m.Cluster, m.Node, m.InstanceType, m.GPUModel); err != nil {
			return v, fmt.Errorf("override %d: %w", i+1, err)
		}
		v.Overrides = append(v.Overrides, Override{m.Cluster, m.Node, m.InstanceType, m.GPUModel, apply})
	}
	for i := range d.Owners {
		r, err := d.Owners[i].rule()
		if err != nil {
			return v, fmt.Errorf("owner rule %d: %w", i+1, err)
		}
		v.Owners = append(v.Owners, r)
	}
	for i, a := range d.Allowed {
		if err := patterns(a.Namespace); err != nil || !slices.Contains(ledger.Dimensions, a.Dimension) {
			return v, fmt.Errorf("allowed %d: namespace must be a pattern and dimension one of %s", i+1,
				strings.Join(ledger.Dimensions, ", "))
		}
		v.Allowed = append(v.Allowed, AllowedValues(a))
	}
	if v.Values, err = mappings(d.Values); err != nil {
		return v, err
	}
	if d.Commitments != "" {
		if !slices.Contains([]Commitments{ToConsumer, ToBuyer, ToAll}, d.Commitments) {
			return v, fmt.Errorf("commitments: %q is unknown: write consumer, buyer or spread", d.Commitments)
		}
		v.Commitments = d.Commitments
	}
	if d.UnownedLimit != "" {
		if v.UnownedLimitPPM, err = percent(d.UnownedLimit); err != nil {
			return v, fmt.Errorf("unowned_limit: %w", err)
		}
	}
	if v.SecondPerson, err = guarded(d.SecondPerson); err != nil {
		return v, err
	}
	if v.BudgetSteps, err = budgetSteps(d.BudgetSteps); err != nil {
		return v, err
	}
	if v.Fiscal, err = d.Fiscal.calendar(); err != nil {
		return v, err
	}
	if v.UnitCostTargets, err = unitCostTargets(d.UnitTargets); err != nil {
		return v, err
	}
	if v.JournalAccounts, err = journalAccounts(d.Accounts); err != nil {
		return v, err
	}
	if v.Redistribute, err = redistributions(d.Redistribute); err != nil {
		return v, err
	}
	if v.ExchangeRates, err = exchangeRates(d.Currency.Rates); err != nil {
		return v, err
	}
	if v.OnlyRates = d.onlyRates(); v.OnlyRates && d.ValidFrom != "" {
		return v, errors.New("valid_from: the document has only exchange rates, each of which has its own day: " +
			"leave it out")
	}
	return v, nil
}

func (r ownerRule) rule() (OwnerRule, error) {
	w := r.When
	if err := patterns(w.Cluster, w.Namespace, w.Workload, w.Node, w.InstanceType, w.Account); err != nil {
		return OwnerRule{}, err
	}
	if len(r.Set) == 0 {
		return OwnerRule{}, errors.New("set is empty: give a value for at least one dimension, such as team: research")
	}
	for _, dimension := range slices.Sorted(maps.Keys(r.Set)) {
		if !slices.Contains(ledger.Dimensions, dimension) || r.Set[dimension] == "" {
			return OwnerRule{}, fmt.Errorf("set: %q must be one of %s, and have a value", dimension,
				strings.Join(ledger.Dimensions, ", "))
		}
	}
	return OwnerRule{w.Cluster, w.Namespace, w.Workload, w.Node, w.InstanceType, w.Account, r.Set}, nil
}

// mappings checks that every value maps to one other, in one step.
func mappings(list []valueMapping) ([]ValueMapping, error) {
	var out []ValueMapping
	to := map[[2]string]bool{}
	for _, m := range list {
		to[[2]string{m.Key, m.To}] = true
	}
	from := map[[2]string]bool{}
	for i, m := range list {
		fault := func(format string, args ...any) error {
			return fmt.Errorf("values %d: %s", i+1, fmt.Sprintf(format, args...))
		}
		if !slices.Contains(ledger.Dimensions, m.Key) {
			return nil, fault("key %q must be one of %s", m.Key, strings.Join(ledger.Dimensions, ", "))
		}
		if m.To == "" || len(m.From) == 0 {
			return nil, fault("write from (a list of values as found) and to (the value that they mean)")
		}
		if word := ledger.Spell(m.Key, m.To); word != m.To {
			return nil, fault("%s is always written as %s: use that", m.To, word)
		}
		for j, value := range m.From {
			m.From[j] = ledger.Spell(m.Key, value) // spelling rules apply before mappings
			k := [2]string{m.Key, m.From[j]}
			switch {
			case value == "" || m.From[j] == m.To:
				return nil, fault("%q maps to itself: leave it out", value)
			case from[k]:
				return nil, fault("%q of %s is given twice", value, m.Key)
			case to[k]:
				return nil, fault("%q of %s is the target of another mapping; values are mapped only once, so map to the "+
					"last one directly", value, m.Key)
			}
			from[k] = true
		}
		out = append(out, ValueMapping{m.Key, m.From, m.To})
	}
	return out, nil
}

func redistributions(rules []redistribute) ([]Redistribution, error) {
	var out []Redistribution
	for i, r := range rules {
		fault := func(format string, args ...any) error {
			return fmt.Errorf("redistribute %d: %s", i+1, fmt.Sprintf(format, args...))
		}
		if err := patterns(r.Cluster, r.From); err != nil {
			return nil, fault("%s", err)
		}
		for _, c := range r.Causes {
			if !slices.Contains(PassedOn, c) {
				return nil, fault("cause %q is not passed on: choose from %s", c, strings.Join(PassedOn, ", "))
			}
		}
		switch r.Method {
		case PassNone, PassUsed, PassHeld, PassEven:
			if len(r.Weights) > 0 || r.Team != "" {
				return nil, fault("method %s takes neither weights nor a team", r.Method)
			}
		case PassWeights:
			sum := int64(0)
			for team, weight := range r.Weights {
				if weight < 0 || weight > 1_000_000_000 {
					return nil, fault("weight of %s is %d: 0 to 1000000000 are possible", team, weight)
				}
				sum += weight
			}
			if sum == 0 || r.Team != "" {
				return nil, fault("method weights needs weights above 0 by team, and no team")
			}
		case PassOwner:
			if r.Team == "" || len(r.Weights) > 0 {
				return nil, fault("method owner needs a team, and no weights")
			}
		default:
			return nil, fault("method %q is unknown: write none, used, held, even, weights or owner", r.Method)
		}
		out = append(out, Redistribution(r))
	}
	return out, nil
}

// patterns checks the form of patterns of path.Match.
func patterns(list ...string) error {
	for _, p := range list {
		if _, err := path.Match(p, ""); err != nil {
			return fmt.Errorf("pattern %q: brackets or a backslash are not closed", p)
		}
	}
	return nil
}

// settingsOf reads a mapping of settings as a change to a Policy.
func settingsOf(n *yaml.Node, ofNode bool) (func(*Policy), error) {
	if n.Kind == 0 {
		return func(*Policy) {}, nil
	}
	if n.Kind != yaml.MappingNode {
		return nil, fmt.Errorf("line %d: settings must be name: value pairs", n.Line)
	}
	var changes []func(*Policy)
	seen := map[string]bool{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		s, known := LookupSetting(key.Value)
		switch {
		case !known:
			return nil, fmt.Errorf("line %d: setting %q is unknown: known are %s", key.Line, key.Value,
				strings.Join(settingNames(ofNode), ", "))
		case seen[key.Value]:
			return nil, fmt.Errorf("line %d: setting %s is given twice", key.Line, key.Value)
		case ofNode && s.World:
			return nil, fmt.Errorf("line %d: %s distinguishes runs or machines, so it cannot differ between nodes", key.Line,
				key.Value)
		}
		seen[key.Value] = true
		change, err := s.read(value)
		if err != nil {
			return nil, fmt.Errorf("line %d: %s: %w", key.Line, key.Value, err)
		}
		changes = append(changes, change)
	}
	return func(p *Policy) {
		for _, change := range changes {
			change(p)
		}
	}, nil
}

func settingNames(ofNode bool) []string {
	var names []string
	for _, s := range Settings {
		if !ofNode || !s.World {
			names = append(names, s.Name)
		}
	}
	return names
}

// strict decodes a mapping into out and refuses fields that out does not have.
func strict(n *yaml.Node, out any) error {
	text, err := yaml.Marshal(n)
	if err != nil {
		return err
	}
	dec := yaml.NewDecoder(bytes.NewReader(text))
	dec.KnownFields(true)
	if err := dec.Decode(out); err != nil {
		return errors.New(typeName.ReplaceAllString(linePart.ReplaceAllString(plain(err), ""), ""))
	}
	return nil
}

var (
	typeName = regexp.MustCompile(` (in|into) type [^\s;]+|!!`)
	linePart = regexp.MustCompile(`line \d+: `)
)

// plain is the decoder's text without its prefix and Go types.
func plain(err error) string {
	text := strings.TrimPrefix(err.Error(), "yaml: ")
	text = strings.ReplaceAll(text, "unmarshal errors:\n  ", "")
	text = strings.ReplaceAll(text, "\n  ", "; ")
	return typeName.ReplaceAllString(text, "")
}
