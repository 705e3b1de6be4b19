package main

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"gpuledger/test/pgtest"
	"gpuledger/test/storetest"
)

// A budget is set in versions with who and why; a wrong field is named, and stores nothing.
func TestBudgetsAreSetInVersions(t *testing.T) {
	db := "--database-url=" + pgtest.New(t, storetest.Migrate)
	command := func(args ...string) (code int, out, errs string) {
		var stdout, stderr bytes.Buffer
		code = run(context.Background(), append([]string{db, "budget"}, args...), &stdout, &stderr)
		return code, stdout.String(), stderr.String()
	}
	speech := func(more ...string) []string {
		return append([]string{"set", "Speech's", "--key=team", "--value=speech", "--period=month", "--start=2026-11-01",
			"--unit=money", "--currency=USD", "--by=ada"}, more...)
	}
	for _, c := range []struct {
		args []string
		code int
		says string
	}{
		{[]string{"history", "Speech's"}, exitFailed, `there is no budget "Speech's"`},
		{speech("--amount=60000"), exitUsage, "--reason"},
		{speech("--amount=6e4", "--reason=x"), exitUsage, "amount: not an amount"},
		{speech("--amount=60000", "--parent=nobody", "--reason=x"), exitUsage, "parent: unknown parent"},
		{speech("--amount=60000", "--reason="), exitUsage, "reason"},
		{speech("--amount=60000", "--reason=plan of 2026"), exitOK, "budget Speech's is stored\n"},
		{speech("--amount=60000.00", "--reason=again"), exitOK, "budget Speech's says so already; nothing changed\n"},
		{speech("--amount=75000", "--reason=two more models, 12 % up"), exitOK, "budget Speech's is stored\n"},
	} {
		code, out, errs := command(c.args...)
		if code != c.code || !strings.Contains(out+errs, c.says) {
			t.Errorf("%v: status %d, want %d and %q\n%s%s", c.args, code, c.code, c.says, out, errs)
		}
	}
	_, out, errs := command("history", "Speech's", "--format=csv")
	lines := strings.Split(strings.TrimSpace(out), "\r\n")
	if len(lines) != 3 || !strings.HasSuffix(lines[1], `,ada,"two more models, 12 % up",`) ||
		!strings.HasSuffix(lines[2], ",ada,plan of 2026,") {
		t.Errorf("history:\n%s%s", out, errs)
	}
	for _, list := range []string{"list", "history"} {
		args := []string{list}
		if list == "history" {
			args = append(args, "Speech's")
		}
		if code, out, errs := command(args...); code != exitOK || !strings.Contains(out, "75000") {
			t.Errorf("%s: status %d\n%s%s", list, code, out, errs)
		}
	}
}
