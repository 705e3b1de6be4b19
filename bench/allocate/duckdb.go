package main

import (
	"bufio"
	"context"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"time"
)

//go:embed sql
var queries embed.FS

// duckDB is the peer's process; it sleeps while others have their turn.
type duckDB struct {
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader
}

type duckAnswer struct {
	Wall  int64   `json:"wall_ns"`
	CPU   int64   `json:"cpu_ns"`
	Rows  [][]any `json:"rows"`
	Error string  `json:"error"`
}

// startDuckDB starts it with the package that npm installed into folder.
func startDuckDB(ctx context.Context, folder string) (*duckDB, error) {
	cmd := exec.CommandContext(ctx, "node", "bench/allocate/duckdb.mjs")
	cmd.Env = append(os.Environ(), "GPULEDGER_DUCKDB="+folder)
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("start DuckDB: %w", err)
	}
	return &duckDB{cmd: cmd, in: in, out: bufio.NewReader(out)}, nil
}

func (d *duckDB) close() error { return errors.Join(d.in.Close(), d.cmd.Wait()) }

// exec runs SQL, with rows when they are wanted.
func (d *duckDB) exec(sql string, rows bool) (answer duckAnswer, err error) {
	request, err := json.Marshal(map[string]any{"sql": sql, "rows": rows})
	if err != nil {
		return answer, err
	}
	if _, err := d.in.Write(append(request, '\n')); err != nil {
		return answer, fmt.Errorf("ask DuckDB: %w", err)
	}
	line, err := d.out.ReadBytes('\n')
	if err != nil {
		return answer, fmt.Errorf("answer of DuckDB: %w", err)
	}
	if err := json.Unmarshal(line, &answer); err != nil {
		return answer, fmt.Errorf("answer of DuckDB: %w", err)
	}
	if answer.Error != "" {
		return answer, fmt.Errorf("DuckDB: %s", answer.Error)
	}
	return answer, nil
}

// query reads a query of sql/ and puts words in place of their names.
func query(name string, words map[string]string) (string, error) {
	text, err := queries.ReadFile("sql/" + name + ".sql")
	if err != nil {
		return "", err
	}
	sql := string(text)
	for from, to := range words {
		sql = strings.ReplaceAll(sql, "{"+from+"}", to)
	}
	return sql, nil
}

// turn runs a query that leaves its rows in a table.
func (d *duckDB) turn(sql, into string, work int64) (turn, error) {
	if _, err := d.exec("drop table if exists "+into, false); err != nil {
		return turn{}, err
	}
	a, err := d.exec(fmt.Sprintf("create table %s as %s", into, sql), false)
	if err != nil {
		return turn{}, err
	}
	count, err := d.exec("select cast(count(*) as integer) from "+into, true)
	if err != nil {
		return turn{}, err
	}
	rows, _ := count.Rows[0][0].(float64)
	return turn{work: work, wall: time.Duration(a.Wall), cpu: time.Duration(a.CPU), rows: int64(rows)}, nil
}
