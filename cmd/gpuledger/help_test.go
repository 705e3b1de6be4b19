package main

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/kong"

	"gpuledger/metrics"
	"gpuledger/test/tier"
)

func parserOf(t *testing.T) *kong.Kong {
	t.Helper()
	p, err := newParser(&cli{}, io.Discard, io.Discard, func(int) {})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// exampleWords splits an example into words, some of them in single quotes.
var exampleWords = regexp.MustCompile(`'[^']*'|\S+`)

// Each help text ends with an example that parses.
func TestEachHelpEndsWithAnExample(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, name := range []string{"policy.yaml", "gpuledger.yaml"} {
		if err := os.WriteFile(name, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	seen := map[string]bool{}
	err := kong.Visit(parserOf(t).Model, func(n kong.Visitable, next kong.Next) error {
		var node *kong.Node
		switch v := n.(type) {
		case *kong.Application:
			node = v.Node
		case *kong.Node:
			node = v
		default:
			return next(nil)
		}
		path := pathOf(node)
		seen[path] = true
		example, there := examples[path]
		line, _, _ := strings.Cut(example, " > ")
		first, _, _ := strings.Cut(path, " ")
		if !there || !strings.HasPrefix(line, first) {
			t.Errorf("%q has the example %q", path, example)
			return next(nil)
		}
		args := exampleWords.FindAllString(line, -1)
		for i := range args {
			args[i] = strings.Trim(args[i], "'")
		}
		if args[0] != "help" {
			if _, err := parserOf(t).Parse(joinDescending(args)); err != nil {
				t.Errorf("the example of %q: %v", path, err)
			}
		}
		code, help, _ := gpuledger(t, append(strings.Fields(path), "--help")...)
		if want := "Example:\n  gpuledger " + example + "\n"; code != exitOK || !strings.HasSuffix(help, want) {
			t.Errorf("%s --help: status %d, ends with %q", path, code, help[max(0, len(help)-len(want)):])
		}
		if _, same, _ := gpuledger(t, append([]string{"help"}, strings.Fields(path)...)...); same != help {
			t.Errorf("help %s is another text than %s --help", path, path)
		}
		return next(nil)
	})
	if err != nil {
		t.Fatal(err)
	}
	for path := range examples {
		if !seen[path] {
			t.Errorf("an example of %q, which is no command", path)
		}
	}
	if code, _, errs := gpuledger(t, "help", "frobnicate"); code != exitUsage || !strings.Contains(errs, "frobnicate") {
		t.Errorf("help of nothing: status %d, %s", code, errs)
	}
}

func TestVersionIsACommandAndAnOption(t *testing.T) {
	_, command, _ := gpuledger(t, "version")
	for _, args := range [][]string{{"--version"}, {"report", "--version"}} {
		if code, option, errs := gpuledger(t, args...); code != exitOK || option != command ||
			!strings.HasPrefix(option, "gpuledger ") {
			t.Errorf("%q: status %d: %q %q", args, code, option, errs)
		}
	}
}

func TestCompletions(t *testing.T) {
	model := parserOf(t).Model
	for line, want := range map[string]string{
		"rep":                      "report",
		"re":                       "recommendation reopen report",
		"policy a":                 "apply",
		"--log-level info pol":     "policy",
		"report cost":              "costs",
		"report costs --format p":  "parquet",
		"report costs --format=p":  "--format=parquet",
		"report costs --group-by ": "*", // keys
		"report runs --columns effective_cost,bud": "effective_cost,budget effective_cost,budget_ratio effective_cost,budget_runs_out_at",
		"report costs --group-by team,te":          "team,tenant",
		"report costs --group-by cluster,te":       "cluster,team cluster,tenant",
		"report costs --group-by=cluster,te":       "--group-by=cluster,team --group-by=cluster,tenant",
		"report costs --group-by = tea":            "team",
		"report periods --order closed_":           "closed_at closed_by",
		"report runs --group-by ca":                "",
		"report costs --granularity w":             "week",
		"report --wi":                              "--wide",
		"import aws":                               "aws-cur",
		"import aws-cur ":                          "", // names of files
		"import aws-cur f --del":                   "--delivered-at",
		"completion z":                             "zsh",
		"--data":                                   "--data-dir --database-url",
		"frobnicate x":                             "",
	} {
		got := complete(model, strings.Split(line, " "))
		if want == "*" {
			if !slices.Contains(got, "team") {
				t.Errorf("%q: %q", line, got)
			}
			continue
		}
		if line == "--data" {
			got = complete(model, []string{"--dat"})
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%q: %q, want %q", line, got, want)
		}
	}
}

// Bash runs the script and completes the program's words.
func TestBashCompletes(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		tier.Absent(t, err)
	}
	_, script, _ := gpuledger(t, "completion", "bash")
	file := filepath.Join(t.TempDir(), "completion")
	if err := os.WriteFile(file, []byte(script), 0o600); err != nil {
		t.Fatal(err)
	}
	const program = `gpuledger() { test "$1/$2/$3/$#" = __complete/report/co/3 && printf 'costs\ncoverage\n'; }; source "$0"
		COMP_WORDS=(gpuledger report co) COMP_CWORD=2; _gpuledger; echo "${COMPREPLY[@]}"; complete -p gpuledger`
	out, err := exec.CommandContext(t.Context(), bash, "-c", program, file).CombinedOutput()
	if err != nil || string(out) != "costs coverage\ncomplete -o default -F _gpuledger gpuledger\n" {
		t.Errorf("%v: %s", err, out)
	}
	for _, shell := range []string{"zsh", "fish"} {
		if _, script, _ := gpuledger(t, "completion", shell); !strings.Contains(script, "gpuledger "+completeWords) {
			t.Errorf("%s: %s", shell, script)
		}
	}
}

func TestReportAloneListsDatasets(t *testing.T) {
	code, out, _ := gpuledger(t, "report")
	lines := strings.Split(strings.TrimSpace(out), "\n")
	if code != exitOK || len(lines) != len(metrics.Datasets) {
		t.Fatalf("status %d, %d lines", code, len(lines))
	}
	for i, d := range metrics.Datasets {
		if name, holds, _ := strings.Cut(lines[i], " "); name != d.Name || strings.TrimSpace(holds) != d.Doc {
			t.Errorf("line %d: %s", i+1, lines[i])
		}
	}
}

func TestFormatFollowsFileEnding(t *testing.T) {
	dir := t.TempDir()
	for _, c := range []struct{ given, name, want string }{
		{"", "", "table"}, {"csv", "", "csv"}, {"", "a.csv", "csv"},
		{"", "A.CSV", "csv"}, {"", "a.b.parquet", "parquet"}, {"", "a.arrow", "arrow"},
		{"", "a.json", "json"}, {"", "a.txt", "table"}, {"csv", "a.csv", "csv"},
		{"csv", "a.dat", "csv"}, {"json", "a", "json"}, {"", "/dev/null", "table"},
		{"", "a.xlsx", "xlsx"}, {"", "a", ""}, {"", "a.docx", ""}, {"json", "a.csv", ""},
		{"table", "a.parquet", ""}, {"csv", "a.csv.gz", ""}, {"", "a.csv.gz", ""},
	} {
		file := c.name
		if file != "" && !filepath.IsAbs(file) {
			file = filepath.Join(dir, file)
		}
		got, err := formatOf(c.given, file)
		if string(got) != c.want || (err == nil) != (c.want != "") {
			t.Errorf("--format %q --out %q: %q, %v", c.given, c.name, got, err)
		}
		if err != nil && (!strings.HasPrefix(err.Error(), "out ") || !strings.Contains(err.Error(), "give") &&
			!strings.Contains(err.Error(), "change")) {
			t.Errorf("--format %q --out %q: %v", c.given, c.name, err)
		}
	}
}

func TestColumnsSelectAndOrder(t *testing.T) {
	for columns, says := range map[string]string{"efective_cost": "effective_cost", "team,team": "twice"} {
		args := []string{"report", "costs", "--group-by=team", "--columns=" + columns}
		if code, _, errs := gpuledger(t, args...); code != exitUsage || !strings.Contains(errs, says) {
			t.Errorf("%q: status %d: %s", args, code, errs)
		}
	}
	q, err := metrics.Parse("costs", metrics.Options{GroupBy: "team"})
	if err != nil {
		t.Fatal(err)
	}
	rows := picked(&oneRow{cols: q.Columns()}, []string{"effective_cost", "team"})
	if cols := rows.Columns(); len(cols) != 2 || cols[0].Name != "effective_cost" || cols[1].Name != "team" {
		t.Errorf("columns %v", cols)
	}
	if v := rows.Values(); len(v) != 2 || v[0].Text != "effective_cost" || v[1].Text != "team" {
		t.Errorf("values %v", v)
	}
}

// oneRow has one row, whose values are the names of its columns.
type oneRow struct {
	metrics.Rows
	cols []metrics.Column
}

func (r *oneRow) Columns() []metrics.Column { return r.cols }

func (r *oneRow) Values() []metrics.Value {
	out := make([]metrics.Value, len(r.cols))
	for i, c := range r.cols {
		out[i] = metrics.Value{Text: c.Name, Valid: true}
	}
	return out
}
