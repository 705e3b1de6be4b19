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
	"gpuledger/internal/nearest"
)

// MaxDocument is the most bytes that a document may have.
const MaxDocument = 256 << 10

// document is the form in which people write a version, YAML or JSON.
type document struct {
	Kind         string            `yaml:"kind"` // policy, as in a folder of files; may be left out
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
	v, faults := doc.version()
	if len(faults) > 0 {
		return Version{}, fmt.Errorf("policy %q: %w", doc.Version, faults[0].err)
	}
	return v, v.Validate()
}

var versionName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$`)

// version is the document as a version, with its faults in the order of the document.
func (d *document) version() (v Version, f faults) {
	v = Standard()
	v.Note = d.Note
	switch {
	case d.Kind != "" && d.Kind != "policy":
		f.add(fmt.Errorf("kind is %q: write policy, or leave it out", d.Kind), "kind")
	case !versionName.MatchString(d.Version):
		f.add(errors.New("version must be a name of at most 64 letters, digits, dots and hyphens"), "version")
	case d.Version == v.Settings.Version:
		f.add(fmt.Errorf("version %s is the standard's: choose another name", d.Version), "version")
	}
	v.ValidFrom = f.day(d.ValidFrom)
	apply, wrong := settingsOf(&d.Settings, false)
	for _, err := range wrong {
		f.add(err, "settings")
	}
	apply(&v.Settings)
	v.Settings.Version = d.Version
	v.Overrides = f.overrides(d.Overrides)
	v.Owners, v.Allowed, v.Values = f.owners(d.Owners), f.allowed(d.Allowed), f.values(d.Values)
	if d.Commitments != "" {
		if !slices.Contains([]Commitments{ToConsumer, ToBuyer, ToAll}, d.Commitments) {
			f.add(fmt.Errorf("commitments: %q is unknown: write consumer, buyer or spread", d.Commitments), "commitments")
		}
		v.Commitments = d.Commitments
	}
	var err error
	if d.UnownedLimit != "" {
		if v.UnownedLimitPPM, err = percent(d.UnownedLimit); err != nil {
			f.add(fmt.Errorf("unowned_limit: %w", err), "unowned_limit")
		}
	}
	v.SecondPerson, err = guarded(d.SecondPerson)
	f.add(err, "second_person")
	v.BudgetSteps, err = budgetSteps(d.BudgetSteps)
	f.add(err, "budget_steps")
	v.Fiscal, err = d.Fiscal.calendar()
	f.add(err, "fiscal_calendar")
	v.UnitCostTargets, err = unitCostTargets(d.UnitTargets)
	f.add(err, "unit_cost_targets")
	v.JournalAccounts, err = journalAccounts(d.Accounts)
	f.add(err, "journal_accounts")
	for i := range d.Redistribute {
		rule, err := redistribution(i, d.Redistribute[i])
		f.add(err, "redistribute", i)
		v.Redistribute = append(v.Redistribute, rule)
	}
	v.ExchangeRates, err = exchangeRates(d.Currency.Rates)
	f.add(err, "currency")
	if v.OnlyRates = d.onlyRates(); v.OnlyRates && d.ValidFrom != "" {
		f.add(errors.New("valid_from: the document has only exchange rates, each of which has its own day: leave it out"),
			"valid_from")
	}
	return v, f
}

func (f *faults) overrides(list []override) (out []Override) {
	for i := range list {
		o := &list[i]
		apply, wrong := settingsOf(&o.Settings, true)
		for _, err := range wrong {
			f.add(fmt.Errorf("override %d: %w", i+1, err), "overrides", i)
		}
		m := o.Match
		if err := patterns(m.Cluster, m.Node, m.InstanceType, m.GPUModel); err != nil {
			f.add(fmt.Errorf("override %d: %w", i+1, err), "overrides", i)
		}
		out = append(out, Override{m.Cluster, m.Node, m.InstanceType, m.GPUModel, apply})
	}
	return out
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

// values checks that every value maps to one other, in one step.
func (f *faults) values(list []valueMapping) (out []ValueMapping) {
	to := map[[2]string]bool{}
	for _, m := range list {
		to[[2]string{m.Key, m.To}] = true
	}
	from := map[[2]string]bool{}
	for i, m := range list {
		fault := func(format string, args ...any) {
			f.add(fmt.Errorf("values %d: %s", i+1, fmt.Sprintf(format, args...)), "values", i)
		}
		if !slices.Contains(ledger.Dimensions, m.Key) {
			fault("key %q must be one of %s", m.Key, strings.Join(ledger.Dimensions, ", "))
			continue
		}
		if m.To == "" || len(m.From) == 0 {
			fault("write from (a list of values as found) and to (the value that they mean)")
			continue
		}
		if word := ledger.Spell(m.Key, m.To); word != m.To {
			fault("%s is always written as %s: use that", m.To, word)
		}
		for j, value := range m.From {
			m.From[j] = ledger.Spell(m.Key, value) // spelling rules apply before mappings
			k := [2]string{m.Key, m.From[j]}
			switch {
			case value == "" || m.From[j] == m.To:
				fault("%q maps to itself: leave it out", value)
			case from[k]:
				fault("%q of %s is given twice", value, m.Key)
			case to[k]:
				fault("%q of %s is the target of another mapping; values are mapped only once, so map to the last one "+
					"directly", value, m.Key)
			}
			from[k] = true
		}
		out = append(out, ValueMapping{m.Key, m.From, m.To})
	}
	return out
}

// redistribution checks the rule with an index.
func redistribution(i int, r redistribute) (Redistribution, error) {
	out := Redistribution(r)
	fault := func(format string, args ...any) (Redistribution, error) {
		return out, fmt.Errorf("redistribute %d: %s", i+1, fmt.Sprintf(format, args...))
	}
	if err := patterns(r.Cluster, r.From); err != nil {
		return fault("%s", err)
	}
	for _, c := range r.Causes {
		if !slices.Contains(PassedOn, c) {
			return fault("cause %q is not passed on: choose from %s", c, strings.Join(PassedOn, ", "))
		}
	}
	switch r.Method {
	case PassNone, PassUsed, PassHeld, PassEven:
		if len(r.Weights) > 0 || r.Team != "" {
			return fault("method %s takes neither weights nor a team", r.Method)
		}
	case PassWeights:
		sum := int64(0)
		for team, weight := range r.Weights {
			if weight < 0 || weight > 1_000_000_000 {
				return fault("weight of %s is %d: 0 to 1000000000 are possible", team, weight)
			}
			sum += weight
		}
		if sum == 0 || r.Team != "" {
			return fault("method weights needs weights above 0 by team, and no team")
		}
	case PassOwner:
		if r.Team == "" || len(r.Weights) > 0 {
			return fault("method owner needs a team, and no weights")
		}
	default:
		return fault("method %q is unknown: write none, used, held, even, weights or owner", r.Method)
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

// settingsOf reads a mapping of settings as a change to a Policy, and lists its faults.
func settingsOf(n *yaml.Node, ofNode bool) (apply func(*Policy), wrong []error) {
	if n.Kind == 0 {
		return func(*Policy) {}, nil
	}
	fault := func(at *yaml.Node, format string, args ...any) {
		wrong = append(wrong, &lineError{at.Line, fmt.Sprintf(format, args...)})
	}
	if n.Kind != yaml.MappingNode {
		fault(n, "settings must be name: value pairs")
		return func(*Policy) {}, wrong
	}
	var changes []func(*Policy)
	seen := map[string]bool{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		s, known := LookupSetting(key.Value)
		switch {
		case !known:
			names := settingNames(ofNode)
			fault(key, "setting %q is unknown%s: known are %s", key.Value, nearest.Suggest(key.Value, names),
				strings.Join(names, ", "))
			continue
		case seen[key.Value]:
			fault(key, "setting %s is given twice", key.Value)
		case ofNode && s.World:
			fault(key, "%s distinguishes runs or machines, so it cannot differ between nodes", key.Value)
		}
		seen[key.Value] = true
		change, err := s.read(value)
		if err != nil {
			fault(key, "%s: %s", key.Value, err)
			continue
		}
		changes = append(changes, change)
	}
	return func(p *Policy) {
		for _, change := range changes {
			change(p)
		}
	}, wrong
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
