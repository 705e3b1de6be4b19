package blob

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/gzip"

	"gpuledger/test/tier"
)

func mustList(t *testing.T, uri string) []File {
	t.Helper()
	files, err := Stores(nil).List(t.Context(), uri)
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func readFile(f File) ([]byte, error) {
	in, err := f.Open(Limits{})
	if err != nil {
		return nil, err
	}
	all, err := io.ReadAll(in)
	return all, errors.Join(err, in.Close())
}

func write(t *testing.T, path string, b []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, b, 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestTruncatedAnywhere(t *testing.T) { // F02
	text := []byte(strings.Repeat("some text that packs, 12345\n", 40000))
	packed := gz(t, text)
	r := rand.New(rand.NewPCG(4, 4))
	for range 20 {
		cut := 1 + r.IntN(len(packed)-1)
		f := put(t, "cut.gz", packed[:cut])
		got, err := readFile(f)
		if cut < 2 { // too short to look packed: it is one byte of text
			continue
		}
		if !errors.Is(err, ErrTruncated) || !strings.Contains(err.Error(), "cut.gz") ||
			!strings.Contains(err.Error(), "stored byte") {
			t.Errorf("cut at %d: %d bytes, %v", cut, len(got), err)
		}
	}
}

func TestGarbageAfterAnArchive(t *testing.T) { // F03
	text := []byte(strings.Repeat("abc\n", 1000))
	for _, tail := range []string{"garbage that is long enough to be a header", "x", "\x00\x00\x00\x00"} {
		if _, err := readFile(put(t, "tail.gz", append(gz(t, text), tail...))); !errors.Is(err, ErrDamaged) &&
			!errors.Is(err, ErrTruncated) {
			t.Errorf("tail %q: %v", tail, err)
		}
	}
	all := append(append(gz(t, text), gz(t, nil)...), gz(t, text)...)
	if got, err := readFile(put(t, "members.gz", all)); err != nil || len(got) != 2*len(text) {
		t.Errorf("three members: %d bytes, %v", len(got), err)
	}
}

// bomb packs so many MiB of zeros. Members repeat, so that the test need not pack them all.
func bomb(t *testing.T, mib int) []byte {
	t.Helper()
	var member bytes.Buffer
	w, err := gzip.NewWriterLevel(&member, gzip.BestCompression)
	if err == nil {
		_, err = w.Write(make([]byte, 1<<20))
	}
	if err := errors.Join(err, w.Close()); err != nil {
		t.Fatal(err)
	}
	return bytes.Repeat(member.Bytes(), mib)
}

func TestBombIsStoppedWhileItStreams(t *testing.T) { // F04: 10 GiB
	in, err := put(t, "bomb.gz", bomb(t, 10<<10)).Open(Limits{})
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	if n, err := io.Copy(io.Discard, in); !errors.Is(err, ErrTooLarge) || n > 200<<20 {
		t.Errorf("%d MiB, %v", n>>20, err)
	}
}

func TestALocalFileThatChangesIsRefused(t *testing.T) { // F07
	big := bytes.Repeat([]byte("0123456789\n"), 100_000)
	later := time.Now().Add(time.Minute)
	for name, change := range map[string]func(path string){
		"rewritten": func(p string) { write(t, p, bytes.ToUpper(big)); _ = os.Chtimes(p, later, later) },
		"shorter":   func(p string) { _ = os.Truncate(p, 400_000) },
		"replaced":  func(p string) { write(t, p+".new", big); _ = os.Rename(p+".new", p) },
		"removed":   func(p string) { _ = os.Remove(p) },
	} {
		path := filepath.Join(t.TempDir(), "x.csv")
		write(t, path, big)
		f := mustList(t, filepath.Dir(path))[0]
		in, err := f.Open(Limits{})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.ReadFull(in, make([]byte, 1000)); err != nil {
			t.Fatal(err)
		}
		at, err := f.At()
		if err != nil {
			t.Fatal(err)
		}
		change(path)
		if name == "rewritten" || name == "shorter" { // an open handle keeps a replaced or removed file
			if _, err := io.Copy(io.Discard, in); !errors.Is(err, ErrChanged) {
				t.Errorf("%s, while it streams: %v", name, err)
			}
			if _, err := at.ReadAt(make([]byte, 10), 10); !errors.Is(err, ErrChanged) {
				t.Errorf("%s, at random: %v", name, err)
			}
		}
		if _, err := readFile(f); !errors.Is(err, ErrChanged) || !strings.Contains(err.Error(), "x.csv") {
			t.Errorf("%s, opened again: %v", name, err)
		}
		if err := errors.Join(in.Close(), at.Close()); err != nil {
			t.Error(err)
		}
	}
}

func TestNothingOutsideTheRootIsOpened(t *testing.T) { // F14
	outside := filepath.Join(t.TempDir(), "secret.csv")
	write(t, outside, []byte("secret"))
	root := t.TempDir()
	write(t, filepath.Join(root, "in", "a.csv"), []byte("a"))
	link := func(target, name string) {
		t.Helper()
		if err := os.Symlink(target, filepath.Join(root, name)); err != nil {
			tier.Absent(t, "no symbolic links here: ", err)
		}
	}
	link("in/a.csv", "same.csv") // a file in the listing is listed only once
	link("in", "folder")
	if files := mustList(t, root); len(files) != 1 || files[0].Name != "in/a.csv" {
		t.Errorf("%+v", files)
	}
	for _, target := range []string{
		outside, filepath.Join("..", filepath.Base(filepath.Dir(outside)), "secret.csv"), "nowhere",
	} {
		link(target, "out.csv")
		if _, err := Stores(nil).List(t.Context(), root); err == nil ||
			!strings.Contains(err.Error(), "out.csv is a symbolic link that leads out") {
			t.Errorf("link to %s: %v", target, err)
		}
		if err := os.Remove(filepath.Join(root, "out.csv")); err != nil {
			t.Fatal(err)
		}
	}
	// A folder that becomes a link after the listing.
	files := mustList(t, root)
	if err := os.RemoveAll(filepath.Join(root, "in")); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(outside, filepath.Join(filepath.Dir(outside), "a.csv")); err != nil {
		t.Fatal(err)
	}
	link(filepath.Dir(outside), "in")
	if got, err := readFile(files[0]); err == nil {
		t.Errorf("read %q from outside the root", got)
	}
	// A link that the user names means its target.
	link(filepath.Join(filepath.Dir(outside), "a.csv"), "named.csv")
	named := mustList(t, filepath.Join(root, "named.csv"))
	if got, err := readFile(named[0]); err != nil || string(got) != "secret" || named[0].Name != "named.csv" {
		t.Errorf("%q %v", got, err)
	}
}

type entry struct {
	name   string
	body   []byte
	method uint16
}

func zipped(t *testing.T, entries ...entry) []byte {
	t.Helper()
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for _, e := range entries {
		part, err := w.CreateHeader(&zip.FileHeader{Name: e.name, Method: e.method})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := part.Write(e.body); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func TestZipEntriesAreFiles(t *testing.T) {
	text := []byte(strings.Repeat("a,b,c\n", 50_000))
	root := t.TempDir()
	write(t, filepath.Join(root, "one.csv.zip"), zipped(t, entry{"report.csv", text, zip.Deflate}))
	write(t, filepath.Join(root, "two.zip"), zipped(t, entry{"d/", nil, zip.Store}, entry{"d/a.csv", text, zip.Store},
		entry{"d/b.csv.gz", gz(t, text), zip.Deflate}, entry{"__MACOSX/x", []byte("x"), zip.Store},
		entry{"d/.DS_Store", []byte("x"), zip.Store}))
	write(t, filepath.Join(root, "not.zip"), text)
	files := mustList(t, root)
	names := []string{}
	for _, f := range files {
		names = append(names, f.Name)
		got, err := readFile(f)
		if err != nil || !bytes.Equal(got, text) {
			t.Errorf("%s: %d bytes, %v", f.Name, len(got), err)
		}
		in, err := f.Open(Limits{})
		if err != nil {
			t.Fatal(err)
		}
		streamed, n, err := in.Sum()
		if whole, size, err2 := f.Sum(); err != nil || err2 != nil || whole != streamed || n != size || n != f.Size {
			t.Errorf("%s: %d and %d bytes, %v %v", f.Name, n, size, err, err2)
		}
		if err := in.Close(); err != nil {
			t.Error(err)
		}
	}
	if got := strings.Join(names, " "); got != "not.zip one.csv.zip two.zip/d/a.csv two.zip/d/b.csv.gz" {
		t.Errorf("listed %s", got)
	}
	for _, i := range []int{1, 2} { // packed and stored
		at, err := files[i].At()
		if err != nil {
			t.Fatal(err)
		}
		p := make([]byte, 6)
		if _, err := at.ReadAt(p, 600); err != nil || string(p) != "a,b,c\n" {
			t.Errorf("%s: %q %v", files[i].Name, p, err)
		}
		if err := at.Close(); err != nil {
			t.Error(err)
		}
	}
}

func TestHostileZips(t *testing.T) {
	text := []byte(strings.Repeat("0123456789abcdef\n", 20_000))
	good := zipped(t, entry{"a.csv", text, zip.Deflate})
	patched := func(change func(b []byte)) []byte {
		b := bytes.Clone(good)
		change(b)
		return b
	}
	directory := bytes.Index(good, []byte("PK\x01\x02"))
	for name, c := range map[string]struct {
		stored []byte
		want   error
		words  string
	}{
		"parent":    {zipped(t, entry{"../x.csv", text, zip.Deflate}), nil, "leads out"},
		"absolute":  {zipped(t, entry{"/etc/x.csv", text, zip.Deflate}), nil, "leads out"},
		"inside":    {zipped(t, entry{"a/../../x.csv", text, zip.Deflate}), nil, "leads out"},
		"backslash": {zipped(t, entry{`..\x.csv`, text, zip.Deflate}), nil, "leads out"},
		"drive":     {zipped(t, entry{`C:x.csv`, text, zip.Deflate}), nil, "leads out"},
		"twice":     {zipped(t, entry{"a", text, zip.Store}, entry{"a", text, zip.Store}), nil, "two entries"},
		"no table":  {good[:len(good)/2], ErrTruncated, ""},
		"bad sum":   {patched(func(b []byte) { b[directory+16] ^= 1 }), ErrDamaged, ""},
		"bad data":  {patched(func(b []byte) { b[200] ^= 0xff }), ErrDamaged, ""},
		"longer": {
			patched(func(b []byte) { binary.LittleEndian.PutUint32(b[directory+24:], 100) }), ErrDamaged, "longer",
		},
		"shorter": {
			patched(func(b []byte) { binary.LittleEndian.PutUint32(b[directory+24:], uint32(len(text)+5)) }), ErrDamaged, "",
		},
		"oversized": {
			patched(func(b []byte) { binary.LittleEndian.PutUint32(b[directory+20:], 1<<30) }), ErrDamaged, "larger",
		},
		"encrypted":  {patched(func(b []byte) { b[directory+8] |= 1 }), nil, "encrypted"},
		"method":     {patched(func(b []byte) { b[directory+10] = 12 }), nil, "method 12"},
		"bomb":       {patched(func(b []byte) { binary.LittleEndian.PutUint32(b[directory+24:], 80<<20) }), ErrTooLarge, ""},
		"bomb in gz": {zipped(t, entry{"zeros.gz", bomb(t, 80), zip.Deflate}), ErrTooLarge, ""},
	} {
		path := filepath.Join(t.TempDir(), "x.csv.zip")
		write(t, path, c.stored)
		files, err := Stores(nil).List(t.Context(), path)
		if err != nil {
			t.Errorf("%s: the listing must go on: %v", name, err)
			continue
		}
		for _, f := range files {
			if _, err = readFile(f); err != nil {
				break
			}
		}
		if err == nil || !strings.Contains(err.Error(), "x.csv.zip") || !strings.Contains(err.Error(), c.words) ||
			c.want != nil && !errors.Is(err, c.want) {
			t.Errorf("%s: %v", name, err)
		}
		if errors.Is(c.want, ErrDamaged) && name != "oversized" {
			if at, err := files[0].At(); !errors.Is(err, ErrDamaged) {
				t.Errorf("%s, at random: %v %v", name, at, err)
			}
		}
	}
}

func FuzzZip(f *testing.F) {
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	part, err := w.Create("a.csv")
	if err == nil {
		_, err = part.Write([]byte("a,b\n1,2\n"))
	}
	if err := errors.Join(err, w.Close()); err != nil {
		f.Fatal(err)
	}
	f.Add(out.Bytes())
	f.Add([]byte("PK\x05\x06"))
	f.Fuzz(func(t *testing.T, b []byte) {
		path := filepath.Join(t.TempDir(), "x.zip")
		write(t, path, b)
		files, err := Stores(nil).List(t.Context(), path)
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			if in, err := file.Open(Limits{MaxBytes: 1 << 20}); err == nil {
				_, _ = io.Copy(io.Discard, in) // an error is fine
				_ = in.Close()
			}
		}
	})
}
