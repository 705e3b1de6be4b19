package policy

import (
	"strings"
	"testing"

	"gpuledger/internal/period"
)

const example = `
version: strict-2026-11
valid_from: 2026-11-01
note: idle is what idles for two hours
settings:
  idle: lt5pct-2h-mean
  split: {gpu: 9, cpu: 0.9, memory: 0.1}
  mig: {blended: 30%}
  card_sharing: equal
  loss: failed_and_cancelled
  overhead_limit: 10m
overrides:
  - match: {cluster: "prod-*", instance_type: "p5.*"}
    settings:
      idle: {threshold: 2.5%, minutes: 30, kind: mean, signal: sm_active}
      split: gpu_whole
owners:
  - when: {namespace: "ml-*"}
    set: {team: research, cost_center: "4711"}
allowed:
  - {namespace: "ml-*", dimension: team, values: [research, vision]}
redistribute:
  - {cluster: prod-eu, causes: [free, stranded], method: held}
  - {causes: [shared], method: weights, weights: {research: 3, search: 1}}
  - {from: unowned, method: owner, team: platform}
commitments: spread
unowned_limit: 5%
`

func TestADocumentIsRead(t *testing.T) {
	v, err := Parse([]byte(example))
	if err != nil {
		t.Fatal(err)
	}
	day, _ := period.ParseDay("2026-11-01")
	if v.ValidFrom != day || v.Commitments != ToAll || v.UnownedLimitPPM != 50_000 || len(v.Redistribute) != 3 ||
		len(v.Allowed) != 1 {
		t.Errorf("read %+v", v)
	}
	book, err := NewBook(v)
	if err != nil {
		t.Fatal(err)
	}
	show := func(n Node, at period.Second) (out []string) {
		p := book.For(n, at)
		for _, s := range Settings {
			out = append(out, s.Name+"="+s.Show(p))
		}
		return append(out, p.Version)
	}
	for _, c := range []struct {
		what string
		node Node
		at   period.Second
		want string
	}{
		{
			"before the version", Node{}, day - 1,
			"idle=lt10pct-15min split=gpu_whole host_to=holders mig=dominant card_sharing=given unpriced=public_price " +
				"overhead_limit=30m loss=failed",
		},
		{
			"any node", Node{Cluster: "dev"}, day,
			"idle=lt5pct-2h-mean split=aws_split host_to=holders mig={blended: 30%} card_sharing=equal " +
				"unpriced=public_price overhead_limit=10m loss=failed_and_cancelled",
		},
		{"an override", Node{Cluster: "prod-eu", InstanceType: "p5.48xlarge"}, day + period.Day,
			"idle={threshold: 2.5%, minutes: 30, kind: mean, signal: sm_active} split=gpu_whole host_to=holders " +
				"mig={blended: 30%}"},
	} {
		if got := strings.Join(show(c.node, c.at), " "); !strings.HasPrefix(got, c.want) {
			t.Errorf("%s: %s, want %s …", c.what, got, c.want)
		}
	}
}

func TestShownSettingsCanBeReadBack(t *testing.T) {
	v, err := Parse([]byte(example))
	if err != nil {
		t.Fatal(err)
	}
	text := "version: again\nsettings:\n"
	for _, s := range Settings {
		text += "  " + s.Name + ": " + s.Show(v.Settings) + "\n"
	}
	again, err := Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	again.Settings.Version = v.Settings.Version
	if again.Settings != v.Settings {
		t.Errorf("%+v, want %+v", again.Settings, v.Settings)
	}
}

func TestEveryPresetCanBeRead(t *testing.T) {
	for _, s := range Settings {
		for i, preset := range s.Presets {
			v, err := Parse([]byte("version: x\nsettings: {" + s.Name + ": " + preset + "}"))
			if err != nil {
				t.Errorf("%s: %v", s.Name, err)
				continue
			}
			if got := s.Show(v.Settings); got != preset {
				t.Errorf("%s: %s is shown as %s", s.Name, preset, got)
			}
			if i == 0 && s.Show(Default()) != preset {
				t.Errorf("%s: the first preset %s is not the standard %s", s.Name, preset, s.Show(Default()))
			}
		}
	}
}

func TestErrorsInDocumentsAreNamed(t *testing.T) {
	for document, want := range map[string]string{
		"":                                   "the document is empty",
		"version: x\n---\nversion: y":        "more than one document",
		"version: a b":                       "version must be a name",
		"version: default-1":                 "is the standard's",
		"version: x\ncolour: red":            `policy "x": line 2: "colour" is not a field`,
		"version: x\nvalid_from: 2026-13-01": `"2026-13-01" is not a day`,
		"version: x\nsettings:\n  idel: 5":   `line 3: setting "idel" is unknown (did you mean idle?): known are idle, split`,
		"version: x\nsettings:\n  idle: lt5": `line 3: idle: "lt5" is not a preset`,
		"version: x\nsettings: {idle: {threshold: 10, minutes: 5}}":                      `"10" is not a percentage`,
		"version: x\nsettings: {idle: {threshold: 10%, minutes: 5, sort: 2}}":            "field sort not found",
		"version: x\nsettings: {idle: {threshold: 10%, minutes: 5, kind: median}}":       `idle_kind is "median"`,
		"version: x\nsettings: {idle: {threshold: 10%, minutes: 999}}":                   "idle_minutes is 999",
		"version: x\nsettings: {split: {gpu: 9, cpu: 1}}":                                "gpu, cpu and memory are all needed",
		"version: x\nsettings: {split: {gpu: 0, cpu: 1, memory: 1}}":                     "that of GPUs above 0",
		"version: x\nsettings: {split: {gpu: 0.00001, cpu: 1, memory: 1}}":               "at most 3 decimals",
		"version: x\nsettings: {overhead_limit: 1.5s}":                                   "not a duration in whole seconds",
		"version: x\nsettings: {loss: all}":                                              `"all" is unknown`,
		"version: x\noverrides: [{settings: {run_gap: 1h}}]":                             "cannot differ between nodes",
		"version: x\noverrides: [{match: {cluster: '['}, settings: {mig: compute}}]":     `pattern "["`,
		"version: x\nowners: [{when: {namespace: a}}]":                                   "set is empty",
		"version: x\nowners: [{set: {colour: red}}]":                                     `"colour" must be one of business_unit, team`,
		"version: x\nredistribute: [{causes: [used], method: held}]":                     `cause "used" is not passed on`,
		"version: x\nredistribute: [{causes: [free], method: fair}]":                     `method "fair" is unknown`,
		"version: x\nredistribute: [{causes: [free], method: owner}]":                    "needs a team",
		"version: x\nredistribute: [{causes: [free], method: weights, weights: {a: 0}}]": "needs weights above 0",
		"version: x\nredistribute: [{causes: [free], method: held, team: a}]":            "takes neither weights nor a team",
		"version: x\ncommitments: me":                                                    `commitments: "me" is unknown`,
		"version: x\nunowned_limit: 5":                                                   "is not a percentage",
	} {
		if _, err := Parse([]byte(document)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", document, err, want)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(example))
	f.Add([]byte(`{"version": "x", "settings": {"idle": "lt30pct-6h-mean"}}`))
	f.Add([]byte(rated("from: USD, to: EUR, on: 2026-11-01, rate: 0.9, source: ECB")))
	f.Add([]byte("version: &a [*a]"))
	f.Fuzz(func(t *testing.T, text []byte) {
		v, err := Parse(text)
		if err != nil {
			return
		}
		book, err := NewBook(v)
		if err != nil {
			t.Fatal(err)
		}
		p := book.For(Node{Cluster: "c", Name: "n", InstanceType: "p5.48xlarge"}, v.ValidFrom)
		if err := p.Validate(); err != nil {
			t.Errorf("a document that was read holds what no rule can work with: %v", err)
		}
	})
}
