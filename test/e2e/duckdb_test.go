package e2e

import (
	"bufio"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"gpuledger/test/tier"
)

// duckDB answers SQL in a separate DuckDB, from npm's package (.ci/ensure-duckdb).
type duckDB struct {
	in  io.WriteCloser
	out *bufio.Reader
}

func startDuckDB(t testing.TB) *duckDB {
	t.Helper()
	folder := os.Getenv("GPULEDGER_DUCKDB")
	if folder == "" {
		cache, err := os.UserCacheDir()
		if err != nil {
			tier.Absent(t, err)
		}
		folder = filepath.Join(cache, "gpuledger-duckdb")
	}
	if _, err := os.Stat(filepath.Join(folder, "node_modules", "@duckdb", "node-api")); err != nil {
		tier.Absent(t, "no DuckDB in ", folder, " (.ci/ensure-duckdb installs it)")
	}
	cmd := exec.CommandContext(t.Context(), "node", filepath.Join("..", "..", "bench", "allocate", "duckdb.mjs"))
	cmd.Env = append(os.Environ(), "GPULEDGER_DUCKDB="+folder)
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		tier.Absent(t, "DuckDB needs node: ", err)
	}
	t.Cleanup(func() {
		if err := in.Close(); err != nil {
			t.Error(err)
		}
		if err := cmd.Wait(); err != nil && t.Context().Err() == nil {
			t.Error(err)
		}
	})
	return &duckDB{in, bufio.NewReader(out)}
}

// ask returns the rows of a statement, as text.
func (d *duckDB) ask(t testing.TB, sql string) [][]string {
	t.Helper()
	line, err := json.Marshal(map[string]any{"sql": sql, "rows": true})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := d.in.Write(append(line, '\n')); err != nil {
		t.Fatal(err)
	}
	text, err := d.out.ReadBytes('\n')
	if err != nil {
		t.Fatal(err)
	}
	var answer struct {
		Rows  [][]string
		Error string
	}
	if err := json.Unmarshal(text, &answer); err != nil {
		t.Fatalf("%v: %s", err, clip(string(text)))
	}
	if answer.Error != "" {
		t.Fatalf("%s\n%s", answer.Error, sql)
	}
	return answer.Rows
}
