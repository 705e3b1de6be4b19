package outgoing

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"

	"gpuledger/internal/blob"
	"gpuledger/internal/export"
	"gpuledger/metrics"
)

// Partition is the key of the folders of a large export: the UTC day of service.
const Partition = "service_date"

// noDay is the day of rows without one, as Hive writes it.
const noDay = "__HIVE_DEFAULT_PARTITION__"

// write answers the question, writes the files that are not there yet, and returns their manifest.
func (e *Exporter) write(
	ctx context.Context, q Question, query metrics.Query, day int, to blob.Folder, there map[string]int64,
	before *Manifest, floor []export.Type,
) (_ *Outcome, err error) {
	rows, err := e.From.Query(ctx, query)
	if err != nil {
		return nil, err
	}
	held, err := export.Hold(rows)
	rows.Close()
	if err != nil {
		return nil, fmt.Errorf("export %s: %w", q.Dataset, err)
	}
	defer func() { err = errors.Join(err, held.Close()) }()
	m := &Manifest{Dataset: q.Dataset, BillingPeriod: q.Month, Format: q.Format, Files: []File{},
		ChosenBy: ChosenBy(query.Dataset), Options: OptionsText(q.Options), ForExcel: q.ForExcel, Partitions: []string{},
		Snapshot: 1, Version: manifestVersion}
	if before != nil {
		m.Snapshot = max(before.Snapshot, 1)
		floor = append(append([]export.Type{}, floor...), before.Columns...)
	}
	m.Columns = held.Types(floor)
	if before != nil && !sameTypes(before.Columns, m.Columns) {
		m.Snapshot++
	}
	p := &parts{rows: held.Rows(), day: -1, most: cmp.Or(e.most, fileRows)}
	if day >= 0 && held.Len() > cmp.Or(e.large, largeRows) {
		p.day, m.Partitions = day, []string{Partition}
	}
	out := &Outcome{Manifest: m}
	for p.more() || len(m.Files) == 0 && p.Err() == nil { // an answer without rows is a file with a header
		f, written, err := e.file(ctx, q, p, m.Columns, to, there)
		if err != nil {
			return nil, err
		}
		if written {
			out.Written++
		} else {
			out.Kept++
		}
		m.Files = append(m.Files, f)
	}
	if err := p.Err(); err != nil {
		return nil, err
	}
	out.Add(m.totals())
	m.Rows = out.Rows
	return out, nil
}

// file writes the next part of the rows, unless the folder has a file with this content.
func (e *Exporter) file(
	ctx context.Context, q Question, p *parts, types []export.Type, to blob.Folder, there map[string]int64,
) (f File, written bool, err error) {
	tmp, err := blob.NewSpool()
	if err != nil {
		return f, false, fmt.Errorf("an export needs room for a file (set TMPDIR to a folder that has it): %w", err)
	}
	defer func() { err = errors.Join(err, tmp.Close()) }()
	p.begin()
	sum := sha256.New()
	n, err := export.Write(io.MultiWriter(tmp, sum), q.Format, p,
		export.Options{Dataset: q.Dataset, ForExcel: q.ForExcel, Types: types})
	if err != nil {
		return f, false, err
	}
	f = File{Rows: int64(n), SHA256: hex.EncodeToString(sum.Sum(nil))}
	if f.Bytes, err = tmp.Seek(0, io.SeekCurrent); err != nil {
		return f, false, err
	}
	f.Path = fmt.Sprintf("%s-%s-%s.%s", q.Dataset, q.Month, f.SHA256[:16], q.Format)
	if p.day >= 0 {
		f.Path = Partition + "=" + p.of + "/" + f.Path
	}
	if size, ok := there[f.Path]; ok && size == f.Bytes {
		return f, false, nil
	}
	return f, true, to.Put(ctx, f.Path, tmp, f.Bytes)
}

// parts are consecutive rows, cut into files: by day, if there is a column for it, and by number.
type parts struct {
	rows *export.HeldRows
	day  int // column; -1: rows are not cut by day
	most int

	of    string // day of the part
	n     int    // rows of it so far
	ready bool   // the next row is read
}

// more reports whether rows are left for another part.
func (p *parts) more() bool {
	if !p.ready {
		p.ready = p.rows.Next()
	}
	return p.ready
}

// begin begins the next part.
func (p *parts) begin() {
	p.n = 0
	if p.more() {
		p.of = p.dayOf()
	}
}

func (p *parts) dayOf() string {
	if p.day < 0 {
		return ""
	}
	v := p.rows.Values()[p.day]
	if !v.Valid {
		return noDay
	}
	return v.Time.UTC().Format("2006-01-02")
}

// Columns implements metrics.Rows.
func (p *parts) Columns() []metrics.Column { return p.rows.Columns() }

// Next implements metrics.Rows: the rows of one part.
func (p *parts) Next() bool {
	if p.n == p.most || !p.more() || p.dayOf() != p.of {
		return false
	}
	p.n++
	p.ready = false
	return true
}

// Values implements metrics.Rows.
func (p *parts) Values() []metrics.Value { return p.rows.Values() }

// Err implements metrics.Rows.
func (p *parts) Err() error { return p.rows.Err() }

// Close implements metrics.Rows.
func (p *parts) Close() {}
