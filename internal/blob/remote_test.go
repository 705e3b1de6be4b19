package blob

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
)

// fake is a store of one object that breaks connections and changes versions.
type fake struct {
	mu       sync.Mutex
	data     []byte
	version  int
	listed   int
	cut      int // bytes after which a connection breaks; 0 = never
	requests atomic.Int64
	asked    atomic.Int64 // bytes
	open     atomic.Int64
	err      error
}

func (f *fake) List(_ context.Context, uri string) ([]Object, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.listed = f.version
	size := int64(len(f.data))
	if strings.HasSuffix(uri, "?") {
		size = UnknownSize
	}
	return []Object{
		{Name: "o", Address: "fake://b/o", Size: size, Version: fmt.Sprint(f.version), Modified: 7, Content: f},
	}, nil
}

type fakeBody struct {
	io.Reader
	f *fake
}

func (b *fakeBody) Close() error { b.f.open.Add(-1); return nil }

type broken struct{}

func (broken) Read([]byte) (int, error) { return 0, errors.New("connection reset") }

func (f *fake) Range(_ context.Context, from, to int64) (io.ReadCloser, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.requests.Add(1)
	if f.err != nil {
		return nil, f.err
	}
	if f.version != f.listed {
		return nil, ErrChanged
	}
	if to == UnknownSize {
		to = int64(len(f.data))
	}
	f.open.Add(1)
	f.asked.Add(to - from)
	part := f.data[from:to]
	if f.cut > 0 && len(part) > f.cut {
		return &fakeBody{io.MultiReader(bytes.NewReader(part[:f.cut]), broken{}), f}, nil
	}
	return &fakeBody{bytes.NewReader(part), f}, nil
}

func noise(n int) []byte {
	out := make([]byte, n)
	r := rand.NewChaCha8([32]byte{1})
	_, _ = r.Read(out) // never fails
	return out
}

func remote(t *testing.T, f *fake, uri string) File {
	t.Helper()
	files, err := Stores{"fake": f}.List(t.Context(), uri)
	if err != nil || len(files) != 1 {
		t.Fatal(files, err)
	}
	return files[0]
}

func TestRemoteStreamsSurviveBrokenConnections(t *testing.T) {
	synctest.Test(t, checkRemoteStreamsSurviveBrokenConnections)
}

func checkRemoteStreamsSurviveBrokenConnections(t *testing.T) {
	f := &fake{data: noise(7 << 20), cut: 1<<20 + 17}
	var counted int64
	file := remote(t, f, "fake://b/o").Metered(&Meter{Add: func(n int64) { counted += n }})
	if file.Modified != 7 || file.Path != "fake://b/o" || file.Version != "0" {
		t.Errorf("%+v", file)
	}
	in, err := file.Open(Limits{})
	if err != nil {
		t.Fatal(err)
	}
	got, err := io.ReadAll(in)
	if err != nil || !bytes.Equal(got, f.data) {
		t.Fatalf("%d of %d bytes: %v", len(got), len(f.data), err)
	}
	if err := in.Close(); err != nil || f.open.Load() != 0 {
		t.Errorf("%d bodies left open, %v", f.open.Load(), err)
	}
	if counted != int64(len(f.data)) {
		t.Errorf("counted %d", counted)
	}
}

func TestRemoteGivesUpWithoutProgress(t *testing.T) {
	t.Parallel()
	f := &fake{data: noise(1 << 10)}
	file := remote(t, f, "fake://b/o")
	f.cut = -1
	ctx, cancel := context.WithCancel(t.Context())
	file.src.(*remoteFile).ctx = ctx
	file.src.(*remoteFile).object.Content = stuck{cancel}
	if _, _, err := file.Sum(); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled context must end the retries: %v", err)
	}
}

// stuck breaks each connection at once and cancels the context.
type stuck struct{ cancel func() }

func (s stuck) Range(context.Context, int64, int64) (io.ReadCloser, error) {
	s.cancel()
	return io.NopCloser(broken{}), nil
}

func TestRandomAccessEqualsTheObject(t *testing.T) {
	synctest.Test(t, checkRandomAccessEqualsTheObject)
}

func checkRandomAccessEqualsTheObject(t *testing.T) {
	f := &fake{data: noise(9<<20 + 123), cut: 700_000}
	at, err := remote(t, f, "fake://b/o").At()
	if err != nil {
		t.Fatal(err)
	}
	defer at.Close()
	r := rand.New(rand.NewPCG(1, 2))
	var group sync.WaitGroup
	for range 4 {
		seed := r.Uint64()
		group.Go(func() {
			r := rand.New(rand.NewPCG(seed, 3))
			for range 40 {
				off := r.Int64N(int64(len(f.data)))
				p := make([]byte, r.IntN(3<<20))
				n, err := at.ReadAt(p, off)
				want := f.data[off:min(off+int64(len(p)), int64(len(f.data)))]
				if n != len(want) || !bytes.Equal(p[:n], want) || (n < len(p)) != errors.Is(err, io.EOF) {
					t.Errorf("at %d: %d of %d, %v", off, n, len(want), err)
					return
				}
			}
		})
	}
	group.Wait()
	if f.open.Load() != 0 {
		t.Errorf("%d bodies left open", f.open.Load())
	}
	if _, err := at.Seek(-10, io.SeekEnd); err != nil {
		t.Fatal(err)
	}
	if tail, err := io.ReadAll(at); err != nil || !bytes.Equal(tail, f.data[len(f.data)-10:]) {
		t.Errorf("%d bytes, %v", len(tail), err)
	}
}

// TestColumnsSideBySide reads as a Parquet reader does: many places at once,
// each in order, in small pieces.
func TestColumnsSideBySide(t *testing.T) {
	const columns, each = 60, 1 << 20
	f := &fake{data: noise(columns * each)}
	at, err := remote(t, f, "fake://b/o").At()
	if err != nil {
		t.Fatal(err)
	}
	defer at.Close()
	p := make([]byte, 64<<10)
	for off := int64(0); off < each; off += int64(len(p)) {
		for c := range int64(columns) {
			if _, err := at.ReadAt(p, c*each+off); err != nil {
				t.Fatal(err)
			}
		}
	}
	if n := f.requests.Load(); n > columns*each/blockSize {
		t.Errorf("%d requests for %d blocks: read-ahead makes it worse", n, columns*each/blockSize)
	}
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	if held := int64(m.HeapAlloc) - int64(len(f.data)); held > (maxBlocks+maxAhead)*blockSize+(8<<20) {
		t.Errorf("%d MiB held", held>>20)
	}
}

func TestReadAheadSavesRequests(t *testing.T) {
	f := &fake{data: noise(16 << 20)}
	at, err := remote(t, f, "fake://b/o").At()
	if err != nil {
		t.Fatal(err)
	}
	p := make([]byte, 64<<10)
	for off := int64(0); off < int64(len(f.data)); off += int64(len(p)) {
		if _, err := at.ReadAt(p, off); err != nil {
			t.Fatal(err)
		}
	}
	if n := f.requests.Load(); n > 12 {
		t.Errorf("%d requests for 16 MiB in order", n)
	}
	if err := at.Close(); err != nil {
		t.Error(err)
	}
}

// F07.
func TestAnObjectThatChangesIsNeverAMix(t *testing.T) {
	synctest.Test(t, checkAnObjectThatChangesIsNeverAMix)
}

func checkAnObjectThatChangesIsNeverAMix(t *testing.T) {
	for name, read := range map[string]func(File, *fake) error{
		"stream": func(f File, s *fake) error {
			in, err := f.Open(Limits{})
			if err != nil {
				return err
			}
			defer in.Close()
			_, err = io.ReadFull(in, make([]byte, 1<<20))
			s.change()
			if err == nil {
				_, err = io.Copy(io.Discard, in)
			}
			return err
		},
		"random": func(f File, s *fake) error {
			at, err := f.At()
			if err != nil {
				return err
			}
			defer at.Close()
			_, err = at.ReadAt(make([]byte, 10), 0)
			s.change()
			if err == nil {
				_, err = at.ReadAt(make([]byte, 10), 3<<20)
			}
			return err
		},
	} {
		s := &fake{data: noise(4 << 20), cut: 1 << 20}
		if err := read(remote(t, s, "fake://b/o"), s); !errors.Is(err, ErrChanged) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func (f *fake) change() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.version++
	f.data = bytes.Repeat([]byte{9}, len(f.data))
}

func TestErrorsOfTheStoreAreNotCalledDamage(t *testing.T) {
	synctest.Test(t, checkErrorsOfTheStoreAreNotCalledDamage)
}

func checkErrorsOfTheStoreAreNotCalledDamage(t *testing.T) {
	packed := gz(t, noise(4<<20))
	s := &fake{data: packed, cut: 1 << 20}
	in, err := remote(t, s, "fake://b/o").Open(Limits{})
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	s.mu.Lock()
	s.err = &DeniedError{Address: "fake://b/o", Needs: "to be asked nicely", Err: errors.New("403")}
	s.mu.Unlock()
	_, err = io.Copy(io.Discard, in)
	if denied := (*DeniedError)(nil); !errors.As(err, &denied) || errors.Is(err, ErrDamaged) ||
		errors.Is(err, ErrTruncated) {
		t.Errorf("%v", err)
	}
}

func TestObjectsOfUnknownSize(t *testing.T) {
	s := &fake{data: noise(1 << 20)}
	f := remote(t, s, "fake://b/o?")
	sum, n, err := f.Sum()
	if err != nil || n != 1<<20 || sum == [32]byte{} {
		t.Error(n, err)
	}
	at, err := f.At()
	if err != nil {
		t.Fatal(err)
	}
	p := make([]byte, 100)
	if _, err := at.ReadAt(p, 1000); err != nil || !bytes.Equal(p, s.data[1000:1100]) {
		t.Error(err)
	}
	if err := at.Close(); err != nil || s.open.Load() != 0 {
		t.Error(err, s.open.Load())
	}
}

func TestHeadAsksForTheBeginningOnly(t *testing.T) {
	text := bytes.Repeat(noise(1<<10), 20<<10)
	for name, stored := range map[string][]byte{"plain": text, "gzip": gz(t, noise(8<<20)), "zstd": zst(t, noise(8<<20))} {
		s := &fake{data: stored}
		head, err := remote(t, s, "fake://b/o").Head(64 << 10)
		if err != nil || len(head) != 64<<10 || s.asked.Load() > 1<<20 {
			t.Errorf("%s: %d bytes of %d asked for, %v", name, len(head), s.asked.Load(), err)
		}
	}
}

func TestBelow(t *testing.T) {
	for _, c := range []struct {
		prefix, key, name string
		ok                bool
	}{
		{"", "a/b.csv", "a/b.csv", true},
		{"a", "a/b.csv", "b.csv", true},
		{"a/", "a/b.csv", "b.csv", true},
		{"a/b.csv", "a/b.csv", "b.csv", true},
		{"a/b", "a/b.csv", "", false},
		{"a", "ab/c", "", false},
		{"a", "a/", "", false},
		{"a", "a/.tmp/x", "", false},
		{"a", "a/x/.y", "", false},
	} {
		if name, ok := Below(c.prefix, c.key); name != c.name || ok != c.ok {
			t.Errorf("Below(%q, %q) = %q, %v", c.prefix, c.key, name, ok)
		}
	}
}
