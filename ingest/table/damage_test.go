package table

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/compress"

	"gpuledger/internal/blob"
	"gpuledger/internal/ledger"
	"gpuledger/test/tier"
)

// readDamaged reads all cells of a file as a delivery would. Any content must end in an error
// that names it, or in rows.
func readDamaged(tb testing.TB, path string) (rows int) {
	tb.Helper()
	f := blob.File{Name: "damaged.parquet", Path: path}
	ctx, cancel := context.WithTimeout(tb.Context(), 30*time.Second)
	defer cancel()
	t, err := Open(f, Options{})
	if err == nil {
		names := t.Names()
		if p, ok := t.(Preparer); ok {
			p.Prepare(preparedWants(len(names)))
		}
		err = t.Each(ctx, func(r Row) error {
			rows++
			for pos := range names {
				_, _ = r.Raw(pos), r.Line()
				_, _, nerr := r.Number(pos)
				_, _, terr := r.Instant(pos)
				_, perr := r.Pairs(pos)
				_ = errors.Join(nerr, terr, perr) // bad values are their column's matter
			}
			return nil
		})
		err = errors.Join(err, t.Close())
	}
	if text := fmt.Sprint(err); strings.Contains(text, "runtime error") ||
		strings.Count(text, "fetch the file again") > 1 {
		tb.Errorf("not a reason for people: %s", text)
	}
	if fe, ok := errors.AsType[*ledger.FileError](err); err != nil && (!ok || fe.Rejection.File != f.Name) {
		tb.Errorf("%v does not say which file is broken", err)
	}
	return rows
}

// goodParquet is a small file with every kind of column.
func goodParquet(tb testing.TB, o ...parquet.WriterProperty) []byte {
	tb.Helper()
	path := filepath.Join(tb.TempDir(), "good.parquet")
	writeParquet(tb, path, mixedRecord(rand.New(rand.NewPCG(5, 5)), 120), o...)
	data, err := os.ReadFile(path)
	if err != nil {
		tb.Fatal(err)
	}
	return data
}

func TestF05DamagedParquet(t *testing.T) {
	path := filepath.Join(t.TempDir(), "damaged.parquet")
	r := rand.New(rand.NewPCG(1, 1000))
	var slowest time.Duration
	var most uint64
	read, refused := 0, 0
	try := func(data []byte, want int) {
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		started := time.Now()
		if rows := readDamaged(t, path); rows == want {
			read++
		} else {
			refused++
		}
		slowest = max(slowest, time.Since(started))
		runtime.ReadMemStats(&after)
		most = max(most, after.TotalAlloc-before.TotalAlloc)
	}
	for _, o := range [][]parquet.WriterProperty{
		{parquet.WithCompression(compress.Codecs.Snappy)},
		{
			parquet.WithDataPageVersion(parquet.DataPageV2),
			parquet.WithDictionaryDefault(false), parquet.WithMaxRowGroupLength(50),
		},
	} {
		good := goodParquet(t, o...)
		footer := int(binary.LittleEndian.Uint32(good[len(good)-8:]))
		for i := range tier.Draws(500) {
			data := bytes.Clone(good)
			at := r.IntN(len(data))
			if i%2 == 0 { // the footer decides most and is small
				at = len(data) - 8 - footer + r.IntN(footer+8)
			}
			data[at] ^= byte(1 + r.IntN(255))
			try(data, 120)
		}
		try(append([]byte("PARX"), good[4:]...), 120)
		for _, length := range []uint32{0, 1, uint32(len(good)), 1 << 31, 1<<32 - 1} {
			data := bytes.Clone(good)
			binary.LittleEndian.PutUint32(data[len(data)-8:], length)
			try(data, 120)
		}
		for range 20 {
			try(good[:4+r.IntN(len(good)-4)], 120)
		}
	}
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		t.Fatal(err)
	}
	t.Logf("%d files read whole, %d refused or read in part; panics 0; slowest %v; most memory taken for one %d KiB; "+
		"max RSS of the test %d MiB",
		read, refused, slowest.Round(time.Millisecond), most>>10, u.Maxrss>>10)
	if slowest > 10*time.Second || most > 1<<30 {
		t.Errorf("a damaged file took %v and %d MiB", slowest, most>>20)
	}
}

func FuzzParquet(f *testing.F) {
	f.Add(goodParquet(f)[len(parquetMagic):])
	f.Add(goodParquet(f, parquet.WithDataPageVersion(parquet.DataPageV2),
		parquet.WithMaxRowGroupLength(50))[len(parquetMagic):])
	f.Fuzz(func(t *testing.T, data []byte) {
		path := filepath.Join(t.TempDir(), "f.parquet")
		if err := os.WriteFile(path, append([]byte(parquetMagic), data...), 0o600); err != nil {
			t.Fatal(err)
		}
		readDamaged(t, path)
	})
}
