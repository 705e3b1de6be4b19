package facts_test

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"gpuledger/internal/sketch"
	"gpuledger/internal/store/facts"
	"gpuledger/test/storetest"
)

// TestFiguresAreReadAsWritten packs figures here and reads them in the database.
func TestFiguresAreReadAsWritten(t *testing.T) {
	s := storetest.New(t)
	read := func(packed []byte) (out []facts.Figures) {
		rows, err := s.Pool.Query(t.Context(), "select signal, minutes, total, low, high, p50, p95 from sample_figures($1)",
			packed)
		if err != nil {
			t.Fatal(err)
		}
		defer rows.Close()
		for rows.Next() {
			var f facts.Figures
			if err := rows.Scan(&f.Code, &f.Minutes, &f.Total, &f.Low, &f.High, &f.P50, &f.P95); err != nil {
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
		rapid.Int64Range(facts.FigureEdge-2, facts.FigureEdge+2), rapid.Int64Range(-facts.FigureEdge-2, -facts.FigureEdge+2),
		rapid.SampledFrom([]int64{math.MinInt64, math.MaxInt64, 0}))
	rapid.Check(t, func(r *rapid.T) {
		w := facts.NewFigureWriter(nil)
		var want []facts.Figures
		for range rapid.IntRange(0, 5).Draw(r, "signals") {
			kind := rapid.SliceOfN(values, 1, 60).Draw(r, "values")
			if rapid.Bool().Draw(r, "alike") {
				for i := range kind {
					kind[i] = kind[0]
				}
			}
			slices.Sort(kind)
			f := facts.Figures{
				Code: rapid.IntRange(1, 127).Draw(r, "code"), Minutes: len(kind), Low: kind[0],
				High: kind[len(kind)-1], P50: sketch.Rank(kind, 50), P95: sketch.Rank(kind, 95),
			}
			for _, v := range kind {
				f.Total += v
			}
			w.Add(&f)
			want = append(want, f)
		}
		if got := read(w.Done()); !slices.Equal(got, want) {
			r.Fatalf("%+v, want %+v", got, want)
		}
	})
}

// TestFiguresAreReadHereAsInTheDatabase packs figures and reads them here.
func TestFiguresAreReadHereAsInTheDatabase(t *testing.T) {
	values := rapid.OneOf(rapid.Int64Range(0, 1_000_000), rapid.Just(int64(7)), rapid.Int64(), rapid.Int64Range(-300, 300),
		rapid.Map(rapid.Int64Range(0, 4000), func(v int64) int64 { return v * 100 }),
		rapid.Int64Range(facts.FigureEdge-2, facts.FigureEdge+2))
	rapid.Check(t, func(r *rapid.T) {
		w := facts.NewFigureWriter(nil)
		var want, got []facts.Figures
		for range rapid.IntRange(0, 5).Draw(r, "signals") {
			list := rapid.SliceOfN(values, 1, 60).Draw(r, "values")
			slices.Sort(list)
			f := facts.Figures{
				Code: rapid.IntRange(1, 127).Draw(r, "code"), Minutes: len(list), Low: list[0],
				High: list[len(list)-1], P50: sketch.Rank(list, 50), P95: sketch.Rank(list, 95),
			}
			for _, v := range list {
				f.Total += v
			}
			w.Add(&f)
			want = append(want, f)
		}
		facts.ReadFigures(w.Done(), func(f *facts.Figures) { got = append(got, *f) })
		if !slices.Equal(got, want) {
			r.Fatalf("%+v, want %+v", got, want)
		}
	})
}
