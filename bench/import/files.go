package main

import (
	"bufio"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/klauspost/compress/gzip"
)

// parts is how many files a form of the report has; psql copies two.
const parts = 4

// sink takes the lines of one form of the report.
type sink interface {
	write(*line) error
	close() error
}

// generate writes the report in all forms into dir, unless it is there.
func generate(dir string, rows int) error {
	done := filepath.Join(dir, "complete")
	if _, err := os.Stat(done); err == nil {
		return nil
	}
	if err := os.RemoveAll(dir); err != nil {
		return err
	}
	m := newMonth()
	for part := range parts {
		sinks, err := openSinks(dir, part)
		if err != nil {
			return err
		}
		for range rows / parts {
			l := m.next()
			for _, s := range sinks {
				if err := s.write(&l); err != nil {
					return err
				}
			}
		}
		for _, s := range sinks {
			if err := s.close(); err != nil {
				return err
			}
		}
		fmt.Printf("generated %d of %d lines\n", (part+1)*(rows/parts), rows)
	}
	return os.WriteFile(done, nil, 0o644)
}

func openSinks(dir string, part int) (list []sink, err error) {
	for _, s := range []struct {
		path  string
		write func(*os.File) (sink, error)
	}{
		{fmt.Sprintf("parquet/month-%05d.snappy.parquet", part+1), newParquet},
		{fmt.Sprintf("csv/month-%05d.csv.gz", part+1), newCSV},
		{fmt.Sprintf("text/%d.tsv", part%2), newText},
	} {
		path := filepath.Join(dir, s.path)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return nil, err
		}
		f, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o644)
		if err != nil {
			return nil, err
		}
		one, err := s.write(f)
		if err != nil {
			return nil, err
		}
		list = append(list, one)
	}
	return list, nil
}

// csvSink writes gzip CSV with maps as JSON.
type csvSink struct {
	file *os.File
	zip  *gzip.Writer
	csv  *csv.Writer
	row  []string
}

func newCSV(f *os.File) (sink, error) {
	zip, err := gzip.NewWriterLevel(f, gzip.BestSpeed)
	if err != nil {
		return nil, err
	}
	s := &csvSink{file: f, zip: zip, csv: csv.NewWriter(zip), row: make([]string, len(columns))}
	for i := range columns {
		s.row[i] = columns[i].name
	}
	return s, s.csv.Write(s.row)
}

func (s *csvSink) write(l *line) error {
	for i := range columns {
		c := &columns[i]
		switch {
		case c.text != nil:
			s.row[i] = c.text(l)
		case c.number != nil:
			s.row[i] = string(c.number(l))
		case c.time != nil:
			s.row[i] = c.time(l).Format("2006-01-02T15:04:05.000Z")
		default:
			s.row[i] = object(c.pairs(l))
		}
	}
	return s.csv.Write(s.row)
}

func (s *csvSink) close() error {
	s.csv.Flush()
	return errors.Join(s.csv.Error(), s.zip.Close(), s.file.Close())
}

func object(pairs []string) string {
	m := make(map[string]string, len(pairs)/2)
	for i := 0; i+1 < len(pairs); i += 2 {
		m[pairs[i]] = pairs[i+1]
	}
	b, err := json.Marshal(m)
	if err != nil {
		panic(err) // of strings
	}
	return string(b)
}

// textSink writes the text format of COPY for the table of createText.
type textSink struct {
	file *os.File
	out  *bufio.Writer
}

// createText is the table that psql fills: the columns that a charge has.
const createText = `create table bill (provider text, billing_account text, account text, billing_period text,
	  line_item_type text, category text,
  service_name text, service_code text, resource_id text, description text, usage_type text, operation text,
  region text, zone text, instance_type text,
  price_class text, commitment_id text, charge_start timestamptz, charge_end timestamptz, usage_amount numeric,
  usage_unit text, currency text,
  billed_cost numeric, effective_cost numeric, list_cost numeric, tags jsonb)`

func newText(f *os.File) (sink, error) { return &textSink{f, bufio.NewWriterSize(f, 1<<20)}, nil }

func (s *textSink) write(l *line) error {
	effective := l.unblended
	if l.planCost != "" {
		effective = l.planCost
	}
	fields := []string{"aws", payer, l.account, "2026-10", l.lineType, "Usage", l.serviceName, l.productCode, l.resource,
		l.description, l.usageType, l.operation,
		l.region, l.zone, l.instanceType, l.term, l.plan, l.start.Format("2006-01-02 15:04:05Z07:00"),
		l.end.Format("2006-01-02 15:04:05Z07:00"), string(l.usage), l.unit, "USD",
		string(l.unblended), string(effective), string(l.onDemand), object(l.tags)}
	for i, f := range fields {
		if f == "" {
			fields[i] = `\N`
		}
	}
	_, err := s.out.WriteString(strings.Join(fields, "\t") + "\n")
	return err
}

func (s *textSink) close() error { return errors.Join(s.out.Flush(), s.file.Close()) }
