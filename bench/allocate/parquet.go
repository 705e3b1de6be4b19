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

// table is a Parquet file of whole numbers, written a row group per node: in the order of GPU and time, the narrowest
// types, no nulls, the best input for a reader.
type table struct {
	file  *os.File
	out   *pqarrow.FileWriter
	build *array.RecordBuilder
}

func newTable(path string, columns ...arrow.Field) (*table, error) {
	file, err := os.Create(path)
	if err != nil {
		return nil, err
	}
	schema := arrow.NewSchema(columns, nil)
	out, err := pqarrow.NewFileWriter(schema, file,
		parquet.NewWriterProperties(parquet.WithCompression(compress.Codecs.Snappy)), pqarrow.DefaultWriterProps())
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return &table{file: file, out: out, build: array.NewRecordBuilder(memory.DefaultAllocator, schema)}, nil
}

func int32s(name string) arrow.Field {
	return arrow.Field{Name: name, Type: arrow.PrimitiveTypes.Int32}
}

func int64s(name string) arrow.Field {
	return arrow.Field{Name: name, Type: arrow.PrimitiveTypes.Int64}
}

// vectors is a list of 60 numbers per row.
func vectors(name string) arrow.Field {
	return arrow.Field{Name: name, Type: arrow.FixedSizeListOf(60, arrow.PrimitiveTypes.Int32)}
}

// addVector appends a list to column i.
func (t *table) addVector(i int, list []int32) {
	b, ok := t.build.Field(i).(*array.FixedSizeListBuilder)
	if !ok {
		return
	}
	b.Append(true)
	values := b.ValueBuilder().(*array.Int32Builder)
	for _, v := range list {
		if v == unknown {
			values.AppendNull()
		} else {
			values.Append(v)
		}
	}
}

// add appends one row.
func (t *table) add(values ...int64) {
	for i, v := range values {
		switch b := t.build.Field(i).(type) {
		case *array.Int32Builder:
			b.Append(int32(v))
		case *array.Int64Builder:
			b.Append(v)
		}
	}
}

// flush ends the row group.
func (t *table) flush() error {
	rec := t.build.NewRecordBatch()
	defer rec.Release()
	return t.out.Write(rec)
}

func (t *table) close() error { return t.out.Close() } // closes the file, too
