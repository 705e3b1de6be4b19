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

	"cloud.google.com/go/bigquery"
	"google.golang.org/api/iterator"

	"gpuledger/internal/blob"
)

// content is one day of a table as JSON lines. Its query runs once; every
// reading goes through the result of that job.
type content struct {
	client *bigquery.Client
	table  table
	day    day

	mu  sync.Mutex
	job *bigquery.Job
}

// statement selects the rows of the day and nothing beside them.
func (c *content) statement() *bigquery.Query {
	text := "select * from " + c.table.quoted() + " where export_time >= @day and export_time < timestamp_add(@day, interval 1 day)"
	parameters := []bigquery.QueryParameter{{Name: "day", Value: c.day.from}}
	var partitions []time.Time
	loose := false
	for _, p := range c.day.pieces {
		if p.partition.IsZero() {
			loose = true
			continue
		}
		partitions = append(partitions, p.partition)
	}
	switch { // without partitions, every day would be paid for by the whole table
	case loose && len(partitions) > 0: // rows on their way into a partition may arrive there before the query
		text += " and (_PARTITIONTIME is null or _PARTITIONTIME >= @first)"
		parameters = append(parameters, bigquery.QueryParameter{Name: "first", Value: slices.MinFunc(partitions, time.Time.Compare)})
	case len(partitions) > 0:
		text += " and _PARTITIONTIME in unnest(@partitions)"
		parameters = append(parameters, bigquery.QueryParameter{Name: "partitions", Value: partitions})
	}
	q := c.client.Query(text)
	q.Parameters = parameters
	return q
}

func (c *content) run(ctx context.Context) (*bigquery.Job, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.job == nil {
		job, err := c.statement().Run(ctx)
		if err != nil {
			return nil, err
		}
		c.job = job
	}
	return c.job, nil
}

// Range implements blob.Ranger; it is only asked for the whole.
func (c *content) Range(ctx context.Context, from, to int64) (io.ReadCloser, error) {
	if from != 0 || to != blob.UnknownSize {
		return nil, fmt.Errorf("%s: rows can only be read from the first", c.table)
	}
	job, err := c.run(ctx)
	if err != nil {
		return nil, c.table.explain(err, "")
	}
	ctx, cancel := context.WithCancel(ctx)
	rows, err := job.Read(ctx)
	if err != nil {
		cancel()
		return nil, c.table.explain(err, "")
	}
	out, in := io.Pipe()
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		in.CloseWithError(c.write(in, rows))
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
func (c *content) write(w io.Writer, rows *bigquery.RowIterator) error {
	out := bufio.NewWriterSize(w, 64<<10)
	var line []byte
	for {
		var row []bigquery.Value
		switch err := rows.Next(&row); {
		case errors.Is(err, iterator.Done):
			return out.Flush()
		case err != nil:
			return c.table.explain(err, "")
		}
		var err error
		if line, err = appendRecord(line[:0], row, rows.Schema); err != nil {
			return fmt.Errorf("%s: %w", c.table, err)
		}
		if _, err := out.Write(append(line, '\n')); err != nil {
			return err
		}
	}
}
