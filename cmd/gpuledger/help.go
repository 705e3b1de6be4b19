package main

import (
	"fmt"
	"strings"

	"github.com/alecthomas/kong"
)

// helpCmd only lists the command: run turns "help X" into "X --help".
type helpCmd struct {
	Command []string `arg:"" optional:"" help:"Command."`
}

// examples has a command line per command path; a group shows the example of one of its commands.
var examples = map[string]string{
	"":                       "demo",
	"demo":                   "demo --size medium",
	"serve":                  "serve --addr 127.0.0.1:8080",
	"import":                 "import aws-cur s3://billing/exports/gpu --cluster prod",
	"allocate":               "allocate --from 2026-11-01",
	"verify":                 "verify --period 2026-10",
	"close":                  "close 2026-10",
	"reopen":                 "reopen 2026-10 --reason 'the bill was restated'",
	"report":                 "report costs --group-by team,cause --from 2026-11-01 --out costs.csv",
	"export":                 "export chargeback --billing-period 2026-10 --format parquet --to chargeback-2026-10",
	"export files":           "export journal --billing-period 2026-10 --format xlsx --to journal-2026-10",
	"export schedules":       "export schedules",
	"export schedule":        "export schedule add finance costs --group-by team,cost_center --every daily --to s3://finance/gpuledger",
	"export schedule add":    "export schedule add finance costs --group-by team,cost_center --every daily --to s3://finance/gpuledger",
	"export schedule list":   "export schedule list",
	"export schedule run":    "export schedule run finance",
	"export schedule remove": "export schedule remove finance",
	"statement":              "statement --owner team=speech --billing-period 2026-10 --format pdf --out speech.pdf",
	"explain":                "explain 'costs?from=2026-11-01&group-by=team&filter=cause=lost'",
	"agent":                  "agent --server https://gpuledger.example --cluster prod",
	"apply":                  "apply -f books --dry-run",
	"budget":                 "budget list",
	"budget set":             "budget set Speech --key team --value speech --period month --start 2026-11-01 --amount 60000 --unit money --currency USD --reason 'plan of 2026'",
	"budget list":            "budget list",
	"budget history":         "budget history Atlas",
	"policy":                 "policy list",
	"policy list":            "policy list",
	"policy show":            "policy show 2026-q4",
	"policy settings":        "policy settings",
	"policy check":           "policy check policy.yaml",
	"policy try":             "policy try policy.yaml --from 2026-11-01",
	"policy apply":           "policy apply policy.yaml",
	"policy withdraw":        "policy withdraw 2026-q4",
	"recommendation":         "recommendation decide 5f0c2e9a7b1d4c3e8f6a9b0c1d2e3f40 accepted",
	"recommendation decide":  "recommendation decide 5f0c2e9a7b1d4c3e8f6a9b0c1d2e3f40 accepted",
	"user":                   "user list",
	"user add":               "user add ada --role team_lead --scope 'team = speech'",
	"user list":              "user list",
	"user set":               "user set ada --role analyst",
	"user sign-out":          "user sign-out ada",
	"user link":              "user link ada",
	"user disable":           "user disable ada",
	"token":                  "token list",
	"token create":           "token create --name grafana --role viewer --scope 'cluster = prod'",
	"token list":             "token list",
	"token revoke":           "token revoke 5f0c2e9a7b1d4c3e8f6a9b0c1d2e3f40",
	"bi":                     "bi list",
	"bi login":               "bi login tableau --scope 'team = speech'",
	"bi bind":                "bi bind tableau --scope 'team = speech'",
	"bi list":                "bi list",
	"bi drop":                "bi drop tableau",
	"config":                 "config check --config gpuledger.yaml",
	"config check":           "config check --config gpuledger.yaml",
	"config print":           "config print --config gpuledger.yaml",
	"migrate":                "migrate",
	"upgrade":                "upgrade check",
	"upgrade check":          "upgrade check --output json",
	"doctor":                 "doctor --config gpuledger.yaml",
	"version":                "version",
	"completion":             "completion bash > /etc/bash_completion.d/gpuledger",
	"help":                   "help report",
}

// pathOf is the path of a command, as the keys of examples.
func pathOf(n *kong.Node) string {
	if n == nil || n.Type == kong.ApplicationNode {
		return ""
	}
	return strings.TrimSpace(pathOf(n.Parent) + " " + n.Name)
}

// helpWithExample ends each help with a line that works.
func helpWithExample(options kong.HelpOptions, ctx *kong.Context) error {
	if err := kong.DefaultHelpPrinter(options, ctx); err != nil {
		return err
	}
	_, err := fmt.Fprintf(ctx.Stdout, "\nExample:\n  gpuledger %s\n", examples[pathOf(ctx.Selected())])
	return err
}
