package remotewrite

import (
	"bytes"
	"testing"

	"gpuledger/ingest/series"
)

// fuzz reads messages of one version: no panic, and both ways to read labels give the same.
func fuzz(f *testing.F, v Version) {
	e := NewEncoder(v)
	e.Series("DCGM_FI_DEV_GPU_UTIL", series.Labels{{Name: "UUID", Value: "GPU-1"}, {Name: "gpu", Value: "0"}},
		Sample{1_700_000_000_000, 97}, Sample{1_700_000_015_000, 0.5})
	e.Series("up", nil)
	f.Add(bytes.Clone(e.Message()))
	f.Add([]byte{})
	f.Add(text(text(text(nil, 4, ""), 4, "a"), 4, "b"))
	f.Add(inner(nil, 5, inner(inner(nil, 1, []byte{0, 0, 1}), 3, nil)))
	f.Add(inner(nil, 1, inner(inner(inner(nil, 1, label("__name__", "m")), 2, nil), 1, label("", "x"))))
	f.Fuzz(func(t *testing.T, msg []byte) {
		var d Decoder
		samples := 0
		totals, err := d.Walk(v, msg, func(s *Series) error {
			s.Print(1)
			name, f := s.Check()
			full, ls, g := s.Labels(nil)
			if (f == nil) != (g == nil) || f == nil && string(name) != full {
				t.Fatalf("checked %q %v, read %q %v", name, f, full, g)
			}
			for i := range ls {
				if ls[i].Value == "" || ls[i].Name == "" || i > 0 && ls[i].Name <= ls[i-1].Name {
					t.Fatal(ls)
				}
			}
			samples += len(s.Samples)
			return nil
		})
		if err == nil && totals.Samples != samples {
			t.Fatal(totals, samples)
		}
	})
}

func FuzzWalk1(f *testing.F) { fuzz(f, V1) }
func FuzzWalk2(f *testing.F) { fuzz(f, V2) }

func FuzzUnpack(f *testing.F) {
	e := NewEncoder(V1)
	e.Series("up", nil, Sample{1, 1})
	f.Add(bytes.Clone(e.Body()))
	f.Add([]byte{0xff, 0xff, 0xff, 0xff, 0x0f, 1})
	f.Fuzz(func(t *testing.T, packed []byte) {
		out, err := Unpack(nil, packed, 1<<20)
		if err == nil && len(out) > 1<<20 {
			t.Fatal(len(out))
		}
	})
}
