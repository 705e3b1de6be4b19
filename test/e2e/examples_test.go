package e2e

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// notRun are the examples that need something outside this machine, or that run until they are stopped, by command.
var notRun = map[string]string{
	"":                    "the demo's own command, as demo",
	"demo":                "TestDemo has just run it, at the small size",
	"serve":               "serves until it is stopped; TestDemo starts and stops it",
	"import":              "reads a bucket at S3; TestDemo imports the same kind of files from a folder",
	"agent":               "needs a server and GPUs, and runs until it is stopped",
	"export schedule run": "writes to a bucket at S3; TestRunner writes to a folder",
	"bi bind":             "needs a login that a database administrator made",
}

// firstExamples are those that others need, in their order. The others may run in any order, before lastExamples.
var (
	firstExamples = []string{"allocate", "budget set", "policy apply", "user add", "token create", "bi login", "export schedule add"}
	lastExamples  = []string{"policy withdraw", "user disable", "token revoke", "bi drop", "export schedule remove", "reopen", "close"}
)

// An id in an example stands for one of the reader's own ledger.
const exampleID = "5f0c2e9a7b1d4c3e8f6a9b0c1d2e3f40"

var (
	exampleWords = regexp.MustCompile(`'[^']*'|\S+`)
	helpCommand  = regexp.MustCompile(`(?m)^  ([a-z][a-z -]*?)(?: <| \[|  )`)
)

// examplesRun runs the example of every help on the ledger of a demo, as a new user would type it.
func examplesRun(t *testing.T, db, dir string) {
	examples := helpExamples(t, "")
	if len(examples) < 40 {
		t.Fatalf("%d examples: the help has more", len(examples))
	}
	work := t.TempDir()
	for name, text := range map[string]string{
		"policy.yaml":    "version: 2026-q4\nvalid_from: 2026-12-01\n",
		"gpuledger.yaml": "sources: []\n",
		"books/all.yaml": "kind: mapping\nname: renamed\nvalues: [{key: team, from: [asr], to: speech}]\n",
	} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(work, name)), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(work, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	done := map[string]bool{}
	for _, path := range ordered(examples) {
		line := examples[path]
		if notRun[path] != "" || done[line] {
			continue
		}
		done[line] = true
		line, _, _ = strings.Cut(line, " > ") // where a shell would put the output
		if dataset := map[string]string{"recommendation decide": "recommendations"}[path]; dataset != "" {
			line = strings.Replace(line, exampleID, firstID(t, db, "report", dataset, "--columns=recommendation_id",
				"--format=csv"), 1)
		}
		if path == "token revoke" {
			line = strings.Replace(line, exampleID, firstID(t, db, "token", "list"), 1)
		}
		if path == "close" {
			must(t, db, "allocate") // what the examples before it changed
		}
		args := exampleWords.FindAllString(strings.TrimPrefix(line, "gpuledger "), -1)
		for i := range args {
			args[i] = strings.Trim(args[i], "'")
		}
		cmd := exec.CommandContext(t.Context(), program(t), args...)
		cmd.Env = append(os.Environ(), "DATABASE_URL="+strings.TrimPrefix(db, "--database-url="), "GPULEDGER_DATA_DIR="+dir)
		var out, errs bytes.Buffer
		cmd.Dir, cmd.Stdout, cmd.Stderr = work, &out, &errs
		if err := cmd.Run(); err != nil {
			t.Errorf("the example of %q, %s: %v\n%s%s", path, line, err, clip(out.String()), clip(errs.String()))
		}
	}
	for path := range notRun {
		if _, there := examples[path]; !there {
			t.Errorf("%q is not run, and is no command", path)
		}
	}
}

// helpExamples are the examples of a command and those below it, by command.
func helpExamples(t *testing.T, path string) map[string]string {
	t.Helper()
	help := must(t, append(strings.Fields(path), "--help")...)
	_, example, found := strings.Cut(help, "\nExample:\n  ")
	if !found {
		t.Fatalf("%s --help has no example", path)
	}
	all := map[string]string{path: strings.TrimSpace(example)}
	_, list, _ := strings.Cut(help, "\nCommands:\n")
	list, _, _ = strings.Cut(list, "\n\n")
	for _, m := range helpCommand.FindAllStringSubmatch(list, -1) {
		name := strings.TrimSpace(m[1])
		if path != "" && !strings.HasPrefix(name, path+" ") {
			name = path + " " + name
		}
		for of, line := range helpExamples(t, name) {
			all[of] = line
		}
	}
	return all
}

// ordered are the commands in an order in which their examples can run.
func ordered(examples map[string]string) (order []string) {
	var between []string
	for path := range examples {
		if !slices.Contains(firstExamples, path) && !slices.Contains(lastExamples, path) {
			between = append(between, path)
		}
	}
	slices.Sort(between)
	return slices.Concat(firstExamples, between, lastExamples)
}

// firstID is the first cell of the first row of a list, as CSV or for people.
func firstID(t *testing.T, db string, args ...string) string {
	t.Helper()
	rows := strings.Split(must(t, append([]string{db}, args...)...), "\n")
	if len(rows) < 2 || strings.TrimSpace(rows[1]) == "" {
		t.Fatalf("gpuledger %q lists nothing: %q", args, rows)
	}
	return strings.FieldsFunc(rows[1], func(r rune) bool { return r == ',' || r == ' ' || r == '\r' })[0]
}
