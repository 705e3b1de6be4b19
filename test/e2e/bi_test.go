package e2e

import (
	"strings"
	"testing"
)

// TestBindingALogin by the command: the printed address has no password, which gpuledger does not know, and a login
// with too many rights is refused with a reason.
func TestBindingALogin(t *testing.T) {
	db := freshDatabase(t)
	conn := connect(t, db)
	execute(t, conn, "create role gl_cmd_bound login")
	defer execute(t, conn, "drop role if exists gl_cmd_bound")
	execute(t, conn, "grant pg_monitor to gl_cmd_bound")
	code, _, errs := gpuledger(t, db, "bi", "bind", "gl_cmd_bound", "--scope=team = 'x'")
	if code != exitFailed || !strings.Contains(errs, `revoke \"pg_monitor\" from \"gl_cmd_bound\"`) &&
		!strings.Contains(errs, `revoke "pg_monitor" from "gl_cmd_bound"`) {
		t.Errorf("one with too much: status %d: %s", code, errs)
	}
	execute(t, conn, "revoke pg_monitor from gl_cmd_bound")
	if out := must(t, db, "bi", "bind", "gl_cmd_bound",
		"--scope=team = 'x'"); !strings.Contains(out,
		"postgres://gl_cmd_bound@") || !strings.Contains(out, "statement_timeout") {
		t.Errorf("it says %s", out)
	}
	if out := must(t, db, "bi", "list"); !strings.Contains(out, "administrator") || !strings.Contains(out, "team = 'x'") {
		t.Errorf("the list says %s", out)
	}
	must(t, db, "bi", "drop", "gl_cmd_bound")
	if out := must(t, db, "bi", "list"); strings.Contains(out, "gl_cmd_bound") {
		t.Errorf("the list still says %s", out)
	}
}
