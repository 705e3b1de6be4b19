package book

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"

	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
	"gpuledger/internal/store/pg"
)

// ChunkKey identifies a chunk.
type ChunkKey struct {
	Node ledger.ID
	Day  period.Second
}

// ChunkDigests reads all rows of all chunks except final ones.
func ChunkDigests(ctx context.Context, tx pgx.Tx, hours period.Interval) (map[ChunkKey]*pg.Digest, error) {
	got := map[ChunkKey]*pg.Digest{}
	for _, t := range tablesOfChunk {
		node, hour := slices.Index(t.Columns, "node_id"), slices.IndexFunc(t.Columns, tellsDay)
		err := readTuples(ctx, tx, t.read, hours, nil, func(fields []byte) error {
			k, err := chunkOf(fields, node, hour)
			if err == nil {
				pg.AddTo(got, k, fields)
			}
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return got, nil
}

// tellsDay reports whether a column decides the day of a row.
func tellsDay(column string) bool { return column == "hour" || column == "day" }

// readTuples reads the rows of a COPY statement in an interval of hours. more are further placeholders, each followed
// by its text.
func readTuples(ctx context.Context, tx pgx.Tx, name string, hours period.Interval, more []string,
	tuple func(fields []byte) error,
) error {
	named := []string{":tenant", strconv.Itoa(pg.Tenant), ":from", literal(hours.From), ":to", literal(hours.To)}
	sql := strings.NewReplacer(append(named, more...)...).Replace(pg.Statement(name))
	r := &tupleReader{tuple: tuple}
	_, err := tx.Conn().PgConn().CopyTo(ctx, r, sql)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	if !r.ended {
		return fmt.Errorf("%s: the stream ended early", name)
	}
	return nil
}

// literal is an instant as SQL text: COPY takes no parameters.
func literal(s period.Second) string {
	if s >= pg.EndOfTime {
		return "timestamptz 'infinity'"
	}
	return "timestamptz '" + s.String() + "'"
}

var errTuple = errors.New("a tuple of binary COPY is cut short")

// chunkOf reads node and hour from the fields of a tuple.
func chunkOf(fields []byte, node, hour int) (k ChunkKey, err error) {
	for i := 0; i <= max(node, hour); i++ {
		if len(fields) < 4 {
			return k, errTuple
		}
		size := int(int32(binary.BigEndian.Uint32(fields)))
		fields = fields[4:]
		if size < 0 {
			continue // NULL
		}
		if len(fields) < size {
			return k, errTuple
		}
		switch i {
		case node:
			copy(k.Node[:], fields[:size])
		case hour:
			at, err := pg.ParseSecond(fields[:size])
			if err != nil {
				return k, err
			}
			k.Day = at.Floor(period.Day)
		}
		fields = fields[size:]
	}
	return k, nil
}

// tupleReader splits a binary COPY stream into tuples, whatever the sizes of its writes.
type tupleReader struct {
	tuple  func(fields []byte) error
	rest   []byte
	begun  bool
	ended  bool
	failed error
}

// Write takes the next bytes of the stream.
func (r *tupleReader) Write(p []byte) (int, error) {
	if r.failed != nil {
		return 0, r.failed
	}
	data := p
	if len(r.rest) > 0 {
		r.rest = append(r.rest, p...)
		data = r.rest
	}
	left, err := r.consume(data)
	if err != nil {
		r.failed = err
		return 0, err
	}
	r.rest = append(r.rest[:0], left...)
	return len(p), nil
}

func (r *tupleReader) consume(data []byte) ([]byte, error) {
	if !r.begun {
		if len(data) < len(pg.CopyHeader) {
			return data, nil
		}
		if string(data[:len(pg.CopyHeader)]) != pg.CopyHeader {
			return nil, errors.New("not a binary COPY stream")
		}
		data, r.begun = data[len(pg.CopyHeader):], true
	}
	for len(data) >= 2 && !r.ended {
		n := int(int16(binary.BigEndian.Uint16(data)))
		if n < 0 {
			r.ended = true
			return nil, nil
		}
		at := 2
		for range n {
			if len(data) < at+4 {
				return data, nil
			}
			size := int(int32(binary.BigEndian.Uint32(data[at:])))
			at += 4 + max(size, 0)
		}
		if len(data) < at {
			return data, nil
		}
		if err := r.tuple(data[2:at]); err != nil {
			return nil, err
		}
		data = data[at:]
	}
	return data, nil
}
