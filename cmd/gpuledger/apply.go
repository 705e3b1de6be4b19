package main

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"gpuledger/internal/folder"
	"gpuledger/internal/period"
	"gpuledger/internal/posting"
	"gpuledger/internal/store"
	"gpuledger/internal/visible"
	"gpuledger/metrics"
	"gpuledger/web/dashboard"
	"gpuledger/web/views/format"
)

type applyCmd struct {
	Folder   string `name:"file" short:"f" xor:"way" required:"" placeholder:"DIR" help:"Folder of YAML files, each with its kind: budgets, mapping, policy, price_book, schedule, view."`
	Export   string `xor:"way" required:"" placeholder:"DIR" help:"Write the stored configuration as files to a new or empty folder, and change nothing."`
	DryRun   bool   `help:"Show what would change, and store nothing."`
	ExitCode bool   `help:"With --dry-run: end with status 3 if anything would change."`
	NoMoney  bool   `help:"Do not compute what owners would pay after a change of policies, mappings and owned machines."`
	From     string `placeholder:"TIME" help:"First day of that computation. By default, the two newest months."`
	To       string `placeholder:"TIME" help:"Its end, exclusive."`
	Reason   string `placeholder:"WHY" help:"Why, kept with the versions and in the audit log."`
	By       string `help:"Name for the audit log; the operating system user by default." placeholder:"NAME"`
	Output   string `enum:"text,json" default:"text" help:"Result as ${enum}."`
}

// errDiffers says that a dry run found differences.
var errDiffers = errors.New("the ledger differs from the folder")

// applied is the answer of the command.
type applied struct {
	Changes []folder.Change `json:"changes"`
	Money   []metrics.Move  `json:"money"`
	// Looked is the time that money was computed for; null if it was not.
	Looked  *looked `json:"money_looked_at"`
	Applied bool    `json:"applied"`
}

type looked struct {
	From    string `json:"from"`
	To      string `json:"to"`
	Days    int    `json:"node_days"`
	Waiting int    `json:"node_days_waiting"`
}

// Run implements the command.
func (c *applyCmd) Run(a *app) error {
	if c.Export != "" {
		return a.readStore(func(s *store.Store) error { return c.export(a, s) })
	}
	if c.ExitCode && !c.DryRun {
		return &metrics.OptionError{Option: "exit-code", Reason: "needs --dry-run"}
	}
	within, err := metrics.ParseWindow(c.From, c.To, "UTC")
	if err != nil {
		return err
	}
	if err := checkFolder(c.Folder); err != nil {
		return err
	}
	f, faults, err := folder.Read(os.DirFS(c.Folder), folder.Options{Page: dashboard.CheckAddress, Target: checkTarget})
	if err != nil {
		return fmt.Errorf("%s: %w", c.Folder, err)
	}
	if len(faults) > 0 {
		return c.refuse(a, faults)
	}
	use := a.withStore
	if c.DryRun {
		use = a.readStore
	}
	return use(func(s *store.Store) error { return c.apply(a, s, f, within) })
}

// checkFolder names a folder that is not there, since reading it would call it ".".
func checkFolder(name string) error {
	info, err := os.Stat(name)
	if wrong, ok := errors.AsType[*os.PathError](err); ok {
		err = wrong.Err
	}
	switch {
	case err != nil:
		return fmt.Errorf("folder %s: %w", name, err)
	case !info.IsDir():
		return fmt.Errorf("%s is a file: name the folder that it is in", name)
	}
	return nil
}

// checkTarget refuses a folder that no store can write to.
func checkTarget(uri string) error {
	_, err := exportTargets(nil).Folder(uri)
	return err
}

// refuse prints all faults, each as FILE:LINE, and returns how many there are.
func (c *applyCmd) refuse(a *app, faults []folder.Fault) error {
	for _, fault := range faults {
		fault.File = filepath.Join(c.Folder, fault.File)
		visible.Fprintf(a.stderr, "%s\n", fault.Error())
	}
	return fmt.Errorf("%s: %s, so nothing is applied", c.Folder, format.Plural(len(faults), "fault", "faults"))
}

func (c *applyCmd) apply(a *app, s *store.Store, f *folder.Folder, within period.Interval) error {
	state, err := s.Configuration(a.ctx)
	if err != nil {
		return err
	}
	plan, faults := folder.Compare(state, f)
	if len(faults) > 0 {
		return c.refuse(a, faults)
	}
	out := applied{Changes: plan.Changes, Money: []metrics.Move{}}
	if plan.Recomputes() && !c.NoMoney {
		proposal, err := plan.Proposal(state.At, s.Energy(a.ctx))
		if err != nil {
			return err
		}
		moves, err := posting.Moves(a.ctx, s, proposal, plan.Keys(state), within)
		if err != nil {
			return err
		}
		out.Money = moves.Rows
		out.Looked = &looked{dayText(moves.From), dayText(moves.To), moves.Days, moves.Waiting}
	}
	if !c.DryRun && plan.Differs() {
		plan, err = s.Configure(a.commanded(), f, actor(c.By), strings.TrimSpace(c.Reason))
		if wrong, ok := errors.AsType[*store.ConfigurationError](err); ok {
			return c.refuse(a, wrong.Faults)
		}
		if err != nil {
			return err
		}
		out.Changes = plan.Changes
	}
	out.Applied = !c.DryRun
	if err := a.printSummary(c.Output, out, func() string { return out.text(plan) }); err != nil {
		return err
	}
	if c.ExitCode && plan.Differs() {
		return errDiffers
	}
	return nil
}

func dayText(at period.Second) string {
	if at == 0 {
		return ""
	}
	return at.Time().Format(time.DateOnly)
}

// export writes the stored configuration to a folder that has no files for apply yet.
func (c *applyCmd) export(a *app, s *store.Store) error {
	state, err := s.Configuration(a.ctx)
	if err != nil {
		return err
	}
	files, err := folder.Export(state)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(c.Export, 0o755); err != nil { //nolint:gosec // configuration for git, without secrets
		return err
	}
	there, err := os.ReadDir(c.Export)
	if err != nil {
		return err
	}
	for _, entry := range there {
		if ext := filepath.Ext(entry.Name()); ext == ".yaml" || ext == ".yml" {
			return fmt.Errorf("%s has %s already: export to an empty folder, and compare the two with `diff -r`", c.Export,
				entry.Name())
		}
	}
	for _, name := range state.Untold() {
		visible.Fprintf(a.stderr, "price book %s is not written: it was imported by an older version, which kept no text. "+
			"Add its file to the folder\n", name)
	}
	if len(files) == 0 {
		_, err := fmt.Fprintln(a.stdout, "nothing is stored yet, so there is nothing to export")
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		path := filepath.Join(c.Export, name)
		err := writeFile(path, func(w io.Writer) error {
			_, err := io.WriteString(w, files[name])
			return err
		})
		if err != nil {
			return err
		}
		visible.Fprintf(a.stdout, "%s\n", path)
	}
	return nil
}
