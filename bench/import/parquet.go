package main

import (
	"errors"
	"os"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/compress"
	"github.com/apache/arrow-go/v18/parquet/pqarrow"
)

// batchRows is how many lines are written at once: a row group.
const batchRows = 100_000

// parquetSink writes the report as Data Exports does: strings, doubles,
// timestamps and maps, snappy.
type parquetSink struct {
	out   *pqarrow.FileWriter
	build *array.RecordBuilder
	rows  int
}

func newParquet(f *os.File) (sink, error) {
	fields := make([]arrow.Field, len(columns))
	for i := range columns {
		c := &columns[i]
		fields[i] = arrow.Field{Name: c.name, Nullable: true}
		switch {
		case c.text != nil:
			fields[i].Type = arrow.BinaryTypes.String
		case c.number != nil:
			fields[i].Type = arrow.PrimitiveTypes.Float64
		case c.time != nil:
			fields[i].Type = &arrow.TimestampType{Unit: arrow.Millisecond}
		case c.name == "discount":
			fields[i].Type = arrow.MapOf(arrow.BinaryTypes.String, arrow.PrimitiveTypes.Float64)
		default:
			fields[i].Type = arrow.MapOf(arrow.BinaryTypes.String, arrow.BinaryTypes.String)
		}
	}
	schema := arrow.NewSchema(fields, nil)
	out, err := pqarrow.NewFileWriter(schema, f,
		parquet.NewWriterProperties(parquet.WithCompression(compress.Codecs.Snappy),
			parquet.WithMaxRowGroupLength(batchRows)),
		pqarrow.DefaultWriterProps())
	if err != nil {
		return nil, err
	}
	return &parquetSink{out: out, build: array.NewRecordBuilder(memory.DefaultAllocator, schema)}, nil
}

func (s *parquetSink) write(l *line) error {
	for i := range columns {
		appendCell(s.build.Field(i), &columns[i], l)
	}
	if s.rows++; s.rows%batchRows == 0 {
		return s.flush()
	}
	return nil
}

func appendCell(to array.Builder, c *column, l *line) {
	switch b := to.(type) {
	case *array.StringBuilder:
		if v := c.text(l); v != "" {
			b.Append(v)
			return
		}
	case *array.Float64Builder:
		if v := c.number(l); v != "" {
			b.Append(v.double())
			return
		}
	case *array.TimestampBuilder:
		b.Append(arrow.Timestamp(c.time(l).UnixMilli()))
		return
	case *array.MapBuilder:
		b.Append(true)
		pairs := c.pairs(l)
		for i := 0; i+1 < len(pairs); i += 2 {
			b.KeyBuilder().(*array.StringBuilder).Append(pairs[i])
			b.ItemBuilder().(*array.StringBuilder).Append(pairs[i+1])
		}
		return
	}
	to.AppendNull()
}

func (s *parquetSink) flush() error {
	rec := s.build.NewRecordBatch()
	defer rec.Release()
	return s.out.WriteBuffered(rec)
}

func (s *parquetSink) close() error { return errors.Join(s.flush(), s.out.Close()) }
