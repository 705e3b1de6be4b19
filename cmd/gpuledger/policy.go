package main

import (
	"fmt"
	"os"
	"strings"
	"text/tabwriter"

	"gpuledger/allocation/policy"
	"gpuledger/internal/export"
	"gpuledger/internal/money"
	"gpuledger/internal/posting"
	"gpuledger/internal/store"
	"gpuledger/internal/visible"
	"gpuledger/metrics"
	"gpuledger/web/views/format"
)

type policyCmd struct {
	List     policyListCmd     `cmd:"" help:"List the versions of the policy and the dates they apply from."`
	Show     policyShowCmd     `cmd:"" help:"Print the original document of a version."`
	Settings policySettingsCmd `cmd:"" help:"List the settings of a policy document, with their defaults and presets."`
	Check    policyCheckCmd    `cmd:"" help:"Check a document without storing it."`
	Try      policyTryCmd      `cmd:"" help:"Show how a document would change what each team pays. Writes nothing."`
	Apply    policyApplyCmd    `cmd:"" help:"Store a document as a new version of the policy, or of a mapping. The next allocation uses it."`
	Withdraw policyWithdrawCmd `cmd:"" help:"Withdraw a version: the one before it applies again."`
}

type policyListCmd struct {
	Format string `enum:"table,json,csv" default:"table" help:"${enum}."`
}

// Run implements the command.
func (c *policyListCmd) Run(a *app) error {
	report := reportCmd{Dataset: "policies", Format: c.Format}
	if c.Format != string(export.Table) {
		return report.Run(a)
	}
	return a.readStore(func(s *store.Store) error {
		book, err := s.Policies(a.ctx)
		if err != nil {
			return err
		}
		w := tabwriter.NewWriter(a.stdout, 0, 0, 2, ' ', 0)
		fmt.Fprintln(w, "VERSION\tAPPLIES FROM\tNOTE")
		for _, v := range book.Documents() {
			from := "always"
			if v.ValidFrom != 0 {
				from = v.ValidFrom.Time().Format("2006-01-02")
			}
			visible.Fprintf(w, "%s\t%s\t%s\n", v.Settings.Version, from, strings.TrimSpace(v.Note))
		}
		for _, v := range book.OnlyRates() {
			visible.Fprintf(w, "%s\texchange rates\t%s\n", v.Settings.Version, strings.TrimSpace(v.Note))
		}
		return w.Flush()
	})
}

type policyShowCmd struct {
	Name string `arg:"" help:"Name of the version."`
}

// Run implements the command.
func (c *policyShowCmd) Run(a *app) error {
	return a.readStore(func(s *store.Store) error {
		document, err := s.PolicyDocument(a.ctx, c.Name)
		if err != nil {
			return err
		}
		_, err = fmt.Fprint(a.stdout, document)
		return err
	})
}

type policySettingsCmd struct{}

// Run implements the command.
func (c *policySettingsCmd) Run(a *app) error {
	w := tabwriter.NewWriter(a.stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "SETTING\tDEFAULT\tPRESETS\tMEANING")
	for _, s := range policy.Settings {
		visible.Fprintf(w, "%s\t%s\t%s\t%s\n", s.Name, s.Show(policy.Default()), strings.Join(s.Presets, ", "), s.Doc)
	}
	return w.Flush()
}

type policyCheckCmd struct {
	File string `arg:"" type:"existingfile" help:"Document, YAML or JSON."`
}

// Run implements the command.
func (c *policyCheckCmd) Run(a *app) error {
	_, v, err := readPolicy(c.File)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(a.stdout,
		"%s: version %s: %s, %s, %s, %s\n", c.File, v.Settings.Version,
		format.Plural(len(v.Overrides), "override", "overrides"), format.Plural(len(v.Owners), "owner rule", "owner rules"),
		format.Plural(len(v.Redistribute), "sharing rule", "sharing rules"),
		format.Plural(len(v.ExchangeRates), "exchange rate", "exchange rates"))
	return err
}

type policyApplyCmd struct {
	File   string `arg:"" type:"existingfile" help:"Document, YAML or JSON: of the policy, or with kind: mapping."`
	Reason string `placeholder:"WHY" help:"Why, kept with the version of a mapping and in the audit log."`
	By     string `help:"Name for the audit log; the operating system user by default." placeholder:"NAME"`
}

// Run implements the command.
func (c *policyApplyCmd) Run(a *app) error {
	text, err := os.ReadFile(c.File)
	if err != nil {
		return err
	}
	if policy.IsMapping(text) {
		return c.mapping(a, text)
	}
	if c.Reason != "" {
		return &metrics.OptionError{Option: "reason", Reason: "is only for a mapping: a version of the policy has its note"}
	}
	if _, _, err := readPolicy(c.File); err != nil {
		return err
	}
	return a.withStore(func(s *store.Store) error {
		v, saved, err := s.SavePolicy(a.commanded(), text, actor(c.By))
		switch {
		case err != nil:
			return err
		case v.OnlyRates && saved:
			_, err = fmt.Fprintf(a.stdout, "policy: version %s is stored; its exchange rates apply from now on\n",
				v.Settings.Version)
		case !saved:
			_, err = fmt.Fprintf(a.stdout, "policy: version %s is already stored\n", v.Settings.Version)
		default:
			_, err = fmt.Fprintf(a.stdout, "policy: version %s is stored; run `gpuledger allocate` to apply it\n",
				v.Settings.Version)
		}
		return err
	})
}

// mapping stores a mapping.
func (c *policyApplyCmd) mapping(a *app, text []byte) error {
	return a.withStore(func(s *store.Store) error {
		m, err := s.SaveMapping(a.commanded(), text, strings.TrimSpace(c.Reason), actor(c.By))
		if err != nil {
			return err
		}
		outcome := "is stored; run `gpuledger allocate` to apply it"
		if !m.Stored {
			outcome = "is already stored"
		}
		since := ""
		if day := m.Day(); day != "" {
			since = " from " + day
		}
		_, err = fmt.Fprintf(a.stdout, "mapping %s%s: version %d %s\n", m.Name, since, m.Number, outcome)
		return err
	})
}

type policyWithdrawCmd struct {
	Name string `arg:"" help:"Name of the version."`
	By   string `help:"Name for the audit log; the operating system user by default." placeholder:"NAME"`
}

// Run implements the command.
func (c *policyWithdrawCmd) Run(a *app) error {
	return a.withStore(func(s *store.Store) error {
		if err := s.WithdrawPolicy(a.commanded(), c.Name, actor(c.By)); err != nil {
			return err
		}
		_, err := fmt.Fprintf(a.stdout,
			"policy: version %s no longer applies; run `gpuledger allocate` to recompute without it\n", c.Name)
		return err
	})
}

type policyTryCmd struct {
	File   string `arg:"" type:"existingfile" help:"Document, YAML or JSON."`
	From   string `placeholder:"TIME" help:"First day. By default, all computed days."`
	To     string `placeholder:"TIME" help:"End of the window, exclusive."`
	Output string `enum:"text,json" default:"text" help:"Result as ${enum}."`
}

// Run implements the command.
func (c *policyTryCmd) Run(a *app) error {
	_, v, err := readPolicy(c.File)
	if err != nil {
		return err
	}
	within, err := metrics.ParseWindow(c.From, c.To, "UTC")
	if err != nil {
		return err
	}
	return a.readStore(func(s *store.Store) error {
		result, err := posting.Trial(a.ctx, s, v, within)
		if err != nil {
			return err
		}
		return a.printSummary(c.Output, result, func() string { return trialText(result) })
	})
}

func readPolicy(file string) ([]byte, policy.Version, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, policy.Version{}, err
	}
	v, err := policy.Parse(text)
	if err != nil {
		return nil, v, fmt.Errorf("%s: %w", file, err)
	}
	return text, v, nil
}

// trialText is the table of costs that would change.
func trialText(r *metrics.Trial) string {
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "team\tcause\teffective cost now\tthen\tdifference\tGPU-hours now\tthen\tdifference\t")
	moved := 0
	for i := range r.Rows {
		row := &r.Rows[i]
		if !row.Moved() {
			continue
		}
		moved++
		cells := append(trialCells(row.Effective, format.Coded(row.Currency).Money),
			trialCells(row.GPUHours, format.GPUHours)...)
		visible.Fprintf(w, "%s\t%s"+strings.Repeat("\t%s", len(cells))+"\t\n",
			append([]any{row.Team, string(row.Cause)}, cells...)...)
	}
	_ = w.Flush() // into memory
	if moved == 0 {
		b.Reset()
		b.WriteString("no team would pay more or less\n")
	}
	visible.Fprintf(&b, "\nversion %s, tried on %s; nothing was stored\n", r.Version, nodeDays(r.Days))
	if r.Waiting > 0 {
		visible.Fprintf(&b, "%s to be allocated: part of their difference does not come from the policy\n",
			daysWait(r.Waiting))
	}
	return b.String()
}

// trialCells are the costs now, then and their difference, formatted as on pages.
func trialCells(c metrics.TrialCost, print func(money.Amount) string) (out []any) {
	for _, a := range []*money.Amount{c.Now, c.Then, c.Difference} {
		if a == nil {
			out = append(out, "-")
			continue
		}
		out = append(out, print(*a))
	}
	return out
}
