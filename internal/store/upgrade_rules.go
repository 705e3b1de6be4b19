package store

import (
	"cmp"
	"fmt"
)

// oldestServer is the oldest major version of PostgreSQL that gpuledger supports.
const oldestServer = 15

// judge finds what prevents an upgrade, and what an operator should know.
func (u *Upgrade) judge(st upgradeState) {
	u.Findings = []Finding{}
	say := func(level, name, format string, args ...any) {
		u.Findings = append(u.Findings, Finding{level, name, fmt.Sprintf(format, args...)})
	}
	changes := st.refusal == nil && (len(u.Pending) > 0 || len(u.Rebuilds) > 0)
	if st.server.Major < oldestServer {
		say(Blocker, "server", "PostgreSQL %s is too old: gpuledger needs %d or newer", st.server.Version, oldestServer)
	}
	if st.refusal != nil {
		say(Blocker, "database", "%v", st.refusal)
	}
	if st.server.Standby {
		say(Blocker, "read-only", "the server is a standby: give the address of the primary")
	} else if st.server.ReadOnly {
		say(Blocker, "read-only", "default_transaction_read_only is on for login %s: migrations need to write", st.server.Login)
	}
	if st.migrating {
		say(Blocker, "migration", "another gpuledger is migrating this database: wait until it has ended")
	}
	if changes {
		u.judgeChange(st, say)
	}
	if st.imports > 0 {
		say(Note, "imports", "%d imports have not ended: running, or killed. Imports that an upgrade cuts off publish nothing; "+
			"run them again", st.imports)
	}
	u.Ready = true
	for _, f := range u.Findings {
		u.Ready = u.Ready && f.Level != Blocker
	}
}

// judgeChange has the rules for an upgrade that changes the database.
func (u *Upgrade) judgeChange(st upgradeState, say func(level, name, format string, args ...any)) {
	if !st.server.Creates {
		say(Blocker, "rights", "login %[1]s may not create tables and schemas: grant create on the database and on schema "+
			"public to %[1]s", st.server.Login)
	}
	if st.server.OwnedByOthers > 0 {
		say(Blocker, "rights", "%d tables belong to other roles, and login %s may not alter them: use the login that made them, "+
			"or grant its role to this one", st.server.OwnedByOthers, st.server.Login)
	}
	if st.work.Calculations > 0 {
		say(Blocker, "allocation", "an allocation is under way with the version that runs now, on %d processes with workers: "+
			"wait until it has ended, or stop `gpuledger serve` and `gpuledger allocate`", st.work.Workers)
	} else if st.work.Workers > 0 {
		say(Note, "workers", "%d processes with workers go on with the version that runs now until they are restarted",
			st.work.Workers)
	}
	for _, s := range st.sessions {
		level := Note
		if len(u.Pending) > 0 {
			level = Blocker
		}
		say(level, "session", "session %d of login %s (%s, %s) has held a lock on a table for %d s, and a migration that needs "+
			"the table gives up after 5 s: end it, or wait", s.Pid, s.Login, cmp.Or(s.Program, "no name"), s.State, s.Seconds)
	}
	switch {
	case u.Free == nil:
		say(Note, "disk", "the free space of the server is unknown from here: the migrations need at most %s", size(u.Needs))
	case *u.Free < u.Needs:
		say(Blocker, "disk", "%s are free, and the migrations may need %s", size(*u.Free), size(u.Needs))
	}
	if len(u.Rebuilds) > 0 {
		say(Note, "roll-ups", "%d roll-ups are built again: until the next allocation has filled them, reports read the ledger, "+
			"which is slower", len(u.Rebuilds))
	}
}

// size shows bytes in the largest unit that leaves a whole number above 9.
func size(bytes int64) string {
	units := []string{"B", "KiB", "MiB", "GiB", "TiB"}
	unit := 0
	for bytes >= 10<<10 && unit < len(units)-1 {
		bytes, unit = bytes>>10, unit+1
	}
	return fmt.Sprintf("%d %s", bytes, units[unit])
}
