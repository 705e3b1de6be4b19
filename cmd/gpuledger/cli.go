package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"gpuledger/ingest"
	"gpuledger/internal/confirm"
	"gpuledger/internal/store"
	"gpuledger/internal/visible"
	"gpuledger/internal/workers"
	"gpuledger/metrics"
)

// Exit statuses.
const (
	exitOK          = 0
	exitFailed      = 1
	exitUsage       = 2
	exitDiffers     = 3 // apply --dry-run --exit-code: the ledger differs from the folder
	exitPending     = 4 // verify: no check failed, but allocate has work to do
	exitWaits       = 5 // not changed yet: another person has to confirm the change
	exitInterrupted = 130
)

// cli is the command line.
type cli struct {
	globals
	Demo           demoCmd           `cmd:"" help:"Simulate a fleet, import it, allocate, verify and serve."`
	Serve          serveCmd          `cmd:"" help:"Serve pages and API."`
	Import         importCmd         `cmd:"" help:"Read bills, telemetry, events and prices."`
	Allocate       allocateCmd       `cmd:"" help:"Post imported bills and usage to the ledger."`
	Verify         verifyCmd         `cmd:"" help:"Prove the invariants of the ledger."`
	Close          closeCmd          `cmd:"" help:"Close a billing period: its figures stay, and later corrections become adjustments."`
	Reopen         reopenCmd         `cmd:"" help:"Open a closed billing period again. Its statements are kept."`
	Report         reportCmd         `cmd:"" help:"Answer a dataset as table, JSON, CSV, Parquet or Arrow."`
	Export         exportCmd         `cmd:"" help:"Write a dataset as files with a manifest, to a folder or a bucket, once or on a schedule."`
	Statement      statementCmd      `cmd:"" help:"Write the statement of one owner, or of all: what they are charged for a billing month."`
	Explain        explainCmd        `cmd:"" help:"Show how a figure follows from bill lines and usage."`
	Agent          agentCmd          `cmd:"" help:"Watch the GPUs of this machine and send what they do to a server."`
	Apply          applyCmd          `cmd:"" help:"Store policies, mappings, budgets, prices and views from a folder of files, or write them as files."`
	Budget         budgetCmd         `cmd:"" help:"Manage budgets: set, list, history."`
	Policy         policyCmd         `cmd:"" help:"Manage versions of the policy: list, check, try, apply, withdraw."`
	Recommendation recommendationCmd `cmd:"" help:"Decide on recommendations: accepted, dismissed, done."`
	User           userCmd           `cmd:"" help:"Manage users: add, list, set, sign-out, link, disable."`
	Token          tokenCmd          `cmd:"" help:"Manage API tokens: create, list, revoke."`
	BI             biCmd             `cmd:"" name:"bi" help:"Manage database logins for BI tools: login, bind, list, drop."`
	Config         configCmd         `cmd:"" name:"config" help:"Check or print the configuration."`
	Migrate        migrateCmd        `cmd:"" help:"Update the database schema to this version."`
	Upgrade        upgradeCmd        `cmd:"" help:"Check an upgrade before it happens."`
	Doctor         doctorCmd         `cmd:"" help:"Check the database, the allocation backlog, imports and sources."`
	Version        versionCmd        `cmd:"" help:"Print the version."`
	Completion     completionCmd     `cmd:"" help:"Print a shell completion script: bash, zsh, fish."`
	Help           helpCmd           `cmd:"" help:"Show help for a command: help report."`
}

type globals struct {
	DatabaseURL string      `name:"database-url" env:"DATABASE_URL" placeholder:"URL" help:"PostgreSQL to use. Without one, gpuledger runs its own under the data directory."`
	DataDir     string      `name:"data-dir" env:"GPULEDGER_DATA_DIR" type:"path" placeholder:"DIR" help:"Where gpuledger keeps its own database and the demo's files."`
	Config      string      `name:"config" env:"GPULEDGER_CONFIG" type:"path" placeholder:"FILE" help:"Configuration file (YAML): sources, their schedules, preferred exports."`
	ShowVersion showVersion `name:"version" help:"Print the version."`
	NoPager     bool        `name:"no-pager" help:"Do not page long answers through $$PAGER (less by default)."`
	LogLevel    string      `name:"log-level" enum:"debug,info,warn,error" default:"info" help:"Minimum log level: ${enum}."`
}

// app is the context that commands share.
type app struct {
	ctx    context.Context
	flags  *globals
	stdout io.Writer
	stderr io.Writer
	log    *slog.Logger
	crew   *workers.Crew // of commands that allocate; nil: this process allocates alone
	cast   *cast         // of a demo that is served with access control; nil: no sign-in by links

	computing *computing // of a demo that is served before everything is computed; nil: nothing is

	shareFrom int // node-days, from the configuration
}

// joinDescending makes "--order -effective_cost" work: kong would otherwise read
// a value that begins with a minus sign as a flag.
func joinDescending(args []string) []string {
	out := make([]string, 0, len(args))
	for i := 0; i < len(args); i++ {
		if args[i] == "--order" && i+1 < len(args) && strings.HasPrefix(args[i+1], "-") &&
			!strings.HasPrefix(args[i+1], "--") {
			out = append(out, args[i]+"="+args[i+1])
			i++
			continue
		}
		out = append(out, args[i])
	}
	return out
}

// newParser reads command lines into c.
func newParser(c *cli, stdout, stderr io.Writer, exit func(code int)) (*kong.Kong, error) {
	return kong.New(c, kong.Name("gpuledger"), kong.Description("Keeps the books on GPU money."),
		kong.Writers(stdout, stderr), kong.Exit(exit), optionVars(),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true}), kong.Help(helpWithExample), kong.UsageOnError())
}

// run parses args, runs the command and returns the exit status.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	stdout, stderr = visible.To(stdout), visible.To(stderr)
	var c cli
	exited := -1
	parser, err := newParser(&c, stdout, stderr, func(code int) { exited = code })
	if err != nil {
		fmt.Fprintf(stderr, "gpuledger: %v\n", err)
		return exitFailed
	}
	switch {
	case len(args) == 0:
		args = []string{"--help"}
	case args[0] == "help" && (len(args) == 1 || !strings.HasPrefix(args[1], "-")):
		args = append(slices.Clone(args[1:]), "--help")
	case args[0] == completeWords:
		for _, word := range complete(parser.Model, args[1:]) {
			fmt.Fprintln(stdout, word)
		}
		return exitOK
	}
	command, err := parser.Parse(joinDescending(args))
	if exited >= 0 { // --help, --version
		return exited
	}
	if err != nil {
		fmt.Fprintf(stderr, "gpuledger: %v\n", err)
		return exitUsage
	}
	a := &app{ctx: ctx, flags: &c.globals, stdout: stdout, stderr: stderr, log: newLogger(stderr, c.LogLevel)}
	err = command.Run(a)
	return a.exit(err)
}

// exit prints an error and returns its exit status.
func (a *app) exit(err error) int {
	var option *metrics.OptionError
	var dataset *metrics.UnknownDatasetError
	switch {
	case err == nil:
		return exitOK
	case errors.Is(err, errDiffers): // the answer itself says it
		return exitDiffers
	case errors.Is(a.ctx.Err(), context.Canceled):
		fmt.Fprintf(a.stderr, "gpuledger: interrupted\n")
		return exitInterrupted
	case errors.As(err, &option) || errors.As(err, &dataset):
		fmt.Fprintf(a.stderr, "gpuledger: %v\n", err)
		return exitUsage
	}
	fmt.Fprintf(a.stderr, "gpuledger: %v\n", err)
	if errors.Is(err, errPending) {
		return exitPending
	}
	if _, guarded := errors.AsType[*store.GuardedError](err); guarded {
		return exitWaits
	}
	if _, waits := errors.AsType[*confirm.WaitsError](err); waits {
		return exitWaits
	}
	return exitFailed
}

// optionVars fills the help of flags from the definitions of the options.
func optionVars() kong.Option {
	vars := kong.Vars{
		"datasets": strings.Join(metrics.DatasetNames(), ", "), "sources": strings.Join(ingest.Sources, ", "),
	}
	for _, o := range metrics.OptionList {
		vars["help_"+strings.ReplaceAll(o.Name, "-", "_")] = o.Doc
	}
	return vars
}

// newLogger logs plain lines to a terminal and JSON to anything else.
func newLogger(w io.Writer, level string) *slog.Logger {
	var l slog.Level
	if err := l.UnmarshalText([]byte(level)); err != nil { // the flag's enum allows only names of levels
		l = slog.LevelInfo
	}
	if isTerminal(w) {
		return slog.New(plainLog{w: w, level: l})
	}
	return slog.New(slog.NewJSONHandler(w, &slog.HandlerOptions{Level: l}))
}
