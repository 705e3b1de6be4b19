package store_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"gpuledger/internal/store/pg"
)

// The read side composes names of its statements, and reads tables that all tenants share.
var readSide = regexp.MustCompile(`^(report|explain|view|page)`)

// Allowed in addition to the tenant's rows: a stage's temporary tables, and the server's catalogues.
var tenantOrServer = regexp.MustCompile(`tenant_id|next_|pg_class|pg_roles|pg_locks|pg_stat_activity`)

func TestEveryStatementHasACallerAndEveryCallerAStatement(t *testing.T) {
	var code strings.Builder
	err := filepath.WalkDir(".", func(path string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		code.Write(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	called := map[string]bool{}
	for _, m := range regexp.MustCompile(`"([a-z]+\.[a-z_]+)"`).FindAllStringSubmatch(code.String(), -1) {
		called[m[1]] = true
	}
	for _, scope := range []string{"node", "loose"} { // chunkWriter chooses by scope
		called["chunk."+scope+"_part_months"] = true
		called["chunk.history_of_"+scope] = true
	}
	for _, table := range pg.DescribedTables {
		for _, name := range []string{"merge", "stored", "read"} {
			called[table+"."+name] = true
		}
	}
	areas := map[string]bool{}
	for name, text := range pg.Statements {
		area, _, _ := strings.Cut(name, ".")
		areas[area] = true
		if readSide.MatchString(name) {
			continue
		}
		if !called[name] {
			t.Errorf("statement %s has no caller", name)
		}
		if strings.Contains(text, "where") && !tenantOrServer.MatchString(text) {
			t.Errorf("statement %s selects rows without a tenant", name)
		}
	}
	for name := range called {
		area, _, _ := strings.Cut(name, ".")
		if areas[area] && !readSide.MatchString(name) && !strings.HasSuffix(name, "_") && pg.Statements[name] == "" {
			t.Errorf("%q is called, and is no statement", name)
		}
	}
}
