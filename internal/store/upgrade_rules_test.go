package store

import (
	"errors"
	"strings"
	"testing"

	"gpuledger/internal/store/book"
	"gpuledger/migrations"
)

// Each blocker says what to do about it; without one the upgrade is ready.
func TestWhatBlocksAnUpgrade(t *testing.T) {
	good := upgradeServer{Version: "17.2", Major: 17, Login: "ledger", Creates: true}
	with := func(change func(*upgradeServer)) upgradeState {
		st := upgradeState{server: good}
		change(&st.server)
		return st
	}
	session := upgradeSession{Pid: 7, Login: "bi", State: "idle in transaction", Seconds: 90}
	for what, c := range map[string]struct {
		state upgradeState
		says  string // of a blocker; empty: there is none
	}{
		"nothing":           {upgradeState{server: good}, ""},
		"an old server":     {with(func(s *upgradeServer) { s.Version, s.Major = "14.9", 14 }), "PostgreSQL 14.9 is too old"},
		"a standby":         {with(func(s *upgradeServer) { s.Standby = true }), "give the address of the primary"},
		"a read-only login": {with(func(s *upgradeServer) { s.ReadOnly = true }), "default_transaction_read_only is on for login ledger"},
		"no rights":         {with(func(s *upgradeServer) { s.Creates = false }), "grant create on the database"},
		"others' tables":    {with(func(s *upgradeServer) { s.OwnedByOthers = 3 }), "3 tables belong to other roles"},
		"a refusal":         {upgradeState{server: good, refusal: errors.New("made by an unreleased build")}, "unreleased"},
		"a migration":       {upgradeState{server: good, migrating: true}, "wait until it has ended"},
		"a session":         {upgradeState{server: good, sessions: []upgradeSession{session}}, "session 7 of login bi (no name, idle in transaction)"},
		"an allocation":     {upgradeState{server: good, work: book.UnderWay{Workers: 2, Calculations: 1}}, "on 2 processes"},
		"workers and an import": {
			upgradeState{server: good, work: book.UnderWay{Workers: 2}, imports: 1}, "",
		},
	} {
		u := &Upgrade{Pending: []migrations.Migration{{Number: 41, Name: "next"}}}
		u.judge(c.state)
		blocked := ""
		for _, f := range u.Findings {
			if f.Level == Blocker {
				blocked += f.Text + "\n"
			}
		}
		if u.Ready != (c.says == "") || !strings.Contains(blocked, c.says) || strings.Count(blocked, "\n") > 1 {
			t.Errorf("%s: ready %t, blocked by %q, want %q", what, u.Ready, blocked, c.says)
		}
	}
	current := &Upgrade{}
	current.judge(upgradeState{server: good, sessions: []upgradeSession{session}, work: book.UnderWay{Calculations: 1}})
	if !current.Ready || len(current.Findings) > 0 {
		t.Errorf("without anything to migrate: %+v", current.Findings)
	}
}

func TestSizesAreRounded(t *testing.T) {
	for bytes, want := range map[int64]string{0: "0 B", 10239: "10239 B", 10240: "10 KiB", 3 << 30: "3072 MiB", 12 << 40: "12 TiB"} {
		if got := size(bytes); got != want {
			t.Errorf("%d bytes are %s, want %s", bytes, got, want)
		}
	}
}
