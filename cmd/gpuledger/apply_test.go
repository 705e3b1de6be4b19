package main

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"gpuledger/test/pgtest"
	"gpuledger/test/storetest"
)

// guide is the page about files. Its example for CI runs here.
const guide = "../../docs/operate/files.md"

var (
	ciBlock      = regexp.MustCompile("(?s)```sh\n(.*?)```")
	mappingBlock = regexp.MustCompile("(?s)```yaml\n(kind: mapping.*?)```")
	ciWords      = regexp.MustCompile(`"[^"]*"|\S+`)
)

// The example for CI in the guide: a dry run shows, the main branch applies once, and drift has its own status.
func TestTheGuideForCIRuns(t *testing.T) {
	text, err := os.ReadFile(guide)
	if err != nil {
		t.Fatal(err)
	}
	block, mapping := ciBlock.FindSubmatch(text), mappingBlock.FindSubmatch(text)
	if block == nil || mapping == nil {
		t.Fatal("the guide has no example")
	}
	var commands [][]string
	for _, line := range strings.Split(strings.TrimSpace(string(block[1])), "\n") {
		line, _, _ = strings.Cut(line, " #")
		line = os.Expand(line, func(name string) string { return "value of " + name })
		words := ciWords.FindAllString(line, -1)
		for i := range words {
			words[i] = strings.Trim(words[i], `"`)
		}
		if len(words) < 2 || words[0] != "gpuledger" {
			t.Fatalf("%q is not a command", line)
		}
		commands = append(commands, words[1:])
	}
	if len(commands) != 3 {
		t.Fatalf("%d commands", len(commands))
	}
	db := "--database-url=" + pgtest.New(t, storetest.Migrate)
	t.Chdir(t.TempDir())
	write(t, "books/mapping.yaml", string(mapping[1]))
	write(t, "books/budgets.yaml", "kind: budgets\nbudgets:\n  - {name: All, key: all, period: month, start: 2026-11-01, "+
		"amount: 400000, unit: money, currency: USD}\n")
	write(t, "books/hall.yaml", "kind: price_book\nname: hall\nowned:\n  - {name: dgx, count: 1, gpus: 8, "+
		"in_service: 2026-10-01, through: 2026-10-01, currency: EUR, purchase_price: 744, depreciation: straight_line, "+
		"life_months: 1}\n")
	write(t, "books/schedule.yaml", "kind: schedule\nname: finance\ndataset: costs\nto: s3://bucket/costs\nkeep: 24\n")
	command := func(args []string) (code int, out string) {
		var stdout, stderr bytes.Buffer
		code = run(context.Background(), append([]string{db}, args...), &stdout, &stderr)
		return code, stdout.String() + stderr.String()
	}
	expect := func(what string, args []string, code int, says ...string) {
		t.Helper()
		got, out := command(args)
		for _, text := range says {
			if !strings.Contains(out, text) {
				t.Errorf("%s: %q is missing", what, text)
			}
		}
		if got != code || t.Failed() {
			t.Fatalf("%s: status %d, want %d\n%s", what, got, code, out)
		}
	}
	show, apply, drift := commands[0], commands[1], commands[2]
	expect("before", drift, exitDiffers, "+ mapping renamed-2027 from 2027-01-01 (create)")
	expect("show", show, exitOK, "+ budgets All (create)", "amount: none -> 400000", "+ schedule finance (create)",
		"to: none -> s3://bucket/costs", "owned.dgx.purchase_price: none -> 744", "team=unowned", "24.00", "dry run: nothing is stored")
	expect("apply", apply, exitOK, "stored")
	expect("apply again", apply, exitOK, "4 unchanged", "nothing differs")
	expect("no drift", drift, exitOK, "nothing differs")
	expect("who and why", []string{"report", "mappings", "--format=csv"}, exitOK, "value of CI_COMMIT_AUTHOR",
		"value of CI_COMMIT_TITLE")
	expect("someone else", []string{
		"budget", "set", "All", "--key=all", "--period=month", "--start=2026-11-01", "--amount=1", "--unit=money",
		"--currency=USD", "--reason=by hand",
	}, exitOK)
	expect("drift", drift, exitDiffers, "~ budgets All (update)", "amount: 1 -> 400000")
	expect("the schedule", []string{"export", "schedules"}, exitOK, "finance", "s3://bucket/costs", "none yet")
	expect("machines", []string{"report", "charges", "--format=csv"}, exitOK, "owned,hall", "hall.yaml")
	expect("export", []string{"apply", "--export", "stored"}, exitOK, filepath.Join("stored", "budgets.yaml"),
		filepath.Join("stored", "price_book-hall.yaml"),
		filepath.Join("stored", "schedules.yaml"))
	expect("export is no difference", []string{"apply", "-f", "stored", "--dry-run", "--exit-code"}, exitOK)
	expect("export to files", []string{"apply", "--export", "stored"}, exitFailed, "export to an empty folder")
}

// Faults of all files are printed as FILE:LINE, and nothing is stored; the answer is one line of JSON.
func TestApplyRefusesAWrongFolder(t *testing.T) {
	db := "--database-url=" + pgtest.New(t, storetest.Migrate)
	t.Chdir(t.TempDir())
	command := func(args ...string) (code int, out, errs string) {
		var stdout, stderr bytes.Buffer
		code = run(context.Background(), append([]string{db, "apply"}, args...), &stdout, &stderr)
		return code, stdout.String(), stderr.String()
	}
	write(t, "a/good.yaml", "kind: view\nname: Start\nurl: /\n")
	write(t, "a/bad.yaml", "kind: vew\n")
	write(t, "a/worse.yaml", "kind: view\nname: x\nurl: /nowhere\n")
	write(t, "a/ftp.yaml", "kind: schedule\nname: x\ndataset: costs\nto: ftp://host/costs\n")
	code, out, errs := command("-f", "a", "--output=json")
	for _, want := range []string{
		filepath.Join("a", "bad.yaml") + `:1: kind "vew" is unknown (did you mean view?)`,
		filepath.Join("a", "worse.yaml") + ":3: url",
		filepath.Join("a", "ftp.yaml") + ":4: to: nothing can be written to ftp://host/costs: known are local paths",
		"3 faults, so nothing is applied",
	} {
		if code != exitFailed || out != "" || !strings.Contains(errs, want) {
			t.Errorf("status %d: %s%s\nwant %s", code, out, errs, want)
		}
	}
	for _, name := range []string{"a/bad.yaml", "a/worse.yaml", "a/ftp.yaml"} {
		if err := os.Remove(name); err != nil {
			t.Fatal(err)
		}
	}
	var answer struct {
		Changes []struct {
			Kind, Name, Action string
			Fields             []struct{ Name, From, To string }
		}
		Money   []any
		Applied bool
	}
	for _, want := range []string{"create", "none"} {
		code, out, errs := command("-f", "a", "--output=json")
		if err := json.Unmarshal([]byte(out), &answer); code != exitOK || err != nil || strings.Count(out, "\n") != 1 ||
			!answer.Applied || len(answer.Changes) != 1 || answer.Changes[0].Action != want || answer.Money == nil {
			t.Errorf("status %d, %v: %s%s\nwant %s", code, err, out, errs, want)
		}
	}
	for _, args := range [][]string{{}, {"-f", "a", "--export", "b"}, {"-f", "a", "--exit-code"}} {
		if code, _, errs := command(args...); code != exitUsage {
			t.Errorf("%q: status %d: %s", args, code, errs)
		}
	}
	for name, want := range map[string]string{
		"missing": "folder missing: no such file or directory", "a/good.yaml": "a/good.yaml is a file: name the folder",
	} {
		if code, _, errs := command("-f", name); code != exitFailed || !strings.Contains(errs, want) {
			t.Errorf("no folder: status %d: %s, want %s", code, errs, want)
		}
	}
}

// write writes a file in a folder.
func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o750); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}
