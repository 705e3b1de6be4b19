package policy

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"gpuledger/internal/nearest"
	"gpuledger/internal/yamlfault"
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

// Parse reads a document. An error names the line of the first fault and the accepted values; Check lists all faults.
// Settings that it does not name are the standard's.
func Parse(text []byte) (Version, error) {
	v, faults := Check(text)
	switch {
	case len(faults) == 0:
		return v, nil
	case v.Settings.Version == "":
		return Version{}, fmt.Errorf("policy: line %d: %s", faults[0].Line, faults[0].Text)
	}
	return Version{}, fmt.Errorf("policy %q: line %d: %s", v.Settings.Version, faults[0].Line, faults[0].Text)
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

// settingsOf reads a mapping of settings as a change to a Policy, and lists its faults.
func settingsOf(n *yaml.Node, ofNode bool) (apply func(*Policy), wrong []error) {
	if n.Kind == 0 {
		return func(*Policy) {}, nil
	}
	fault := func(at *yaml.Node, format string, args ...any) {
		wrong = append(wrong, &lineError{Line: at.Line, Text: fmt.Sprintf(format, args...)})
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
		var texts []string
		for _, fault := range yamlfault.Decoded(text, err) {
			texts = append(texts, fault.Text)
		}
		return errors.New(strings.Join(texts, "; "))
	}
	return nil
}
