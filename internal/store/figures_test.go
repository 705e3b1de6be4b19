package store

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"gpuledger/internal/sketch"
)

// TestFiguresAreReadAsWritten packs figures here and reads them in the database.
func TestFiguresAreReadAsWritten(t *testing.T) {
	s := newStore(t)
	read := func(packed []byte) (out []figures) {
		rows, err := s.pool.Query(t.Context(), "select signal, minutes, total, low, high, p50, p95 from sample_figures($1)", packed)
		if err != nil {
			t.Fatal(err)
		}
		defer rows.Close()
		for rows.Next() {
			var f figures
			if err := rows.Scan(&f.code, &f.minutes, &f.total, &f.low, &f.high, &f.p50, &f.p95); err != nil {
				t.Fatal(err)
			}
			out = append(out, f)
		}
		if err := rows.Err(); err != nil {
			t.Fatal(err)
		}
		return out
	}
	values := rapid.OneOf(
		rapid.Int64Range(0, 1_000_000), rapid.Just(int64(7)), rapid.Int64(), rapid.Int64Range(-300, 300),
		rapid.Map(rapid.Int64Range(-90, 90), func(v int64) int64 { return v << 20 }),
		rapid.Map(rapid.Int64Range(0, 4000), func(v int64) int64 { return v * 100 }),
		rapid.Int64Range(figureEdge-2, figureEdge+2), rapid.Int64Range(-figureEdge-2, -figureEdge+2),
		rapid.SampledFrom([]int64{math.MinInt64, math.MaxInt64, 0}))
	rapid.Check(t, func(r *rapid.T) {
		w := newFigureWriter(nil)
		var want []figures
		for range rapid.IntRange(0, 5).Draw(r, "signals") {
			kind := rapid.SliceOfN(values, 1, 60).Draw(r, "values")
			if rapid.Bool().Draw(r, "alike") {
				for i := range kind {
					kind[i] = kind[0]
				}
			}
			slices.Sort(kind)
			f := figures{code: rapid.IntRange(1, 127).Draw(r, "code"), minutes: len(kind), low: kind[0], high: kind[len(kind)-1], p50: sketch.Rank(kind, 50), p95: sketch.Rank(kind, 95)}
			for _, v := range kind {
				f.total += v
			}
			w.add(&f)
			want = append(want, f)
		}
		if got := read(w.done()); !slices.Equal(got, want) {
			r.Fatalf("%+v, want %+v", got, want)
		}
	})
}

// TestFiguresAreReadHereAsInTheDatabase packs figures and reads them here.
func TestFiguresAreReadHereAsInTheDatabase(t *testing.T) {
	values := rapid.OneOf(rapid.Int64Range(0, 1_000_000), rapid.Just(int64(7)), rapid.Int64(), rapid.Int64Range(-300, 300),
		rapid.Map(rapid.Int64Range(0, 4000), func(v int64) int64 { return v * 100 }), rapid.Int64Range(figureEdge-2, figureEdge+2))
	rapid.Check(t, func(r *rapid.T) {
		w := newFigureWriter(nil)
		var want, got []figures
		for range rapid.IntRange(0, 5).Draw(r, "signals") {
			list := rapid.SliceOfN(values, 1, 60).Draw(r, "values")
			slices.Sort(list)
			f := figures{code: rapid.IntRange(1, 127).Draw(r, "code"), minutes: len(list), low: list[0], high: list[len(list)-1], p50: sketch.Rank(list, 50), p95: sketch.Rank(list, 95)}
			for _, v := range list {
				f.total += v
			}
			w.add(&f)
			want = append(want, f)
		}
		readFigures(w.done(), func(f *figures) { got = append(got, *f) })
		if !slices.Equal(got, want) {
			r.Fatalf("%+v, want %+v", got, want)
		}
	})
}
