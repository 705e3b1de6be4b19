package bqtable

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"
	"time"

	"gpuledger/internal/blob"
)

// content is one day of a table as JSON lines. Its query runs once; every pass reads the result of that job.
type content struct {
	querier
	table table
	day   day

	mu  sync.Mutex
	job *job
}

// statement selects the rows of the day and no others.
func (c *content) statement() (string, []parameter) {
	text := "select * from " + c.table.quoted() +
		" where export_time >= @day and export_time < timestamp_add(@day, interval 1 day)"
	parameters := []parameter{{name: "day", times: []time.Time{c.day.from}}}
	var partitions []time.Time
	loose := false
	for _, p := range c.day.pieces {
		if p.partition.IsZero() {
			loose = true
			continue
		}
		partitions = append(partitions, p.partition)
	}
	switch { // without partitions, every day would be billed for the whole table
	case loose && len(partitions) > 0: // streamed rows may arrive in a partition before the query
		text += " and (_PARTITIONTIME is null or _PARTITIONTIME >= @first)"
		parameters = append(parameters, parameter{
			name: "first", times: []time.Time{slices.MinFunc(partitions, time.Time.Compare)},
		})
	case len(partitions) > 0:
		text += " and _PARTITIONTIME in unnest(@partitions)"
		parameters = append(parameters, parameter{name: "partitions", times: partitions, array: true})
	}
	return text, parameters
}

func (c *content) run(ctx context.Context) (*job, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.job == nil {
		text, parameters := c.statement()
		j, err := c.begin(ctx, text, parameters...)
		if err != nil {
			return nil, err
		}
		c.job = j
	}
	return c.job, nil
}

// Range implements blob.Ranger; it supports only the whole file.
func (c *content) Range(ctx context.Context, from, to int64) (io.ReadCloser, error) {
	if from != 0 || to != blob.UnknownSize {
		return nil, fmt.Errorf("%s: rows can only be read from the first", c.table)
	}
	j, err := c.run(ctx)
	if err != nil {
		return nil, c.table.explain(err, "")
	}
	answer := j.rows()
	if err := answer.read(ctx); err != nil { // a refused query fails here
		return nil, c.table.explain(err, "")
	}
	ctx, cancel := context.WithCancel(ctx)
	out, in := io.Pipe()
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		in.CloseWithError(c.write(ctx, in, answer))
	}()
	return &lines{PipeReader: out, cancel: cancel, ended: ended}, nil
}

// lines is the reading end; closing it ends the writer.
type lines struct {
	*io.PipeReader
	cancel context.CancelFunc
	ended  chan struct{}
}

// Close implements io.Closer.
func (l *lines) Close() error {
	err := l.PipeReader.Close()
	l.cancel()
	<-l.ended
	return err
}

// write writes all rows; nil becomes the end of the file.
func (c *content) write(ctx context.Context, w io.Writer, answer *rows) error {
	out := bufio.NewWriterSize(w, 64<<10)
	var line []byte
	for {
		row, fields, err := answer.next(ctx)
		switch {
		case errors.Is(err, io.EOF):
			return out.Flush()
		case err != nil:
			return c.table.explain(err, "")
		}
		if line, err = appendRecord(line[:0], row, fields); err != nil {
			return fmt.Errorf("%s: %w", c.table, err)
		}
		if _, err := out.Write(append(line, '\n')); err != nil {
			return err
		}
	}
}
