package blob

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

func gz(t *testing.T, b []byte) []byte {
	t.Helper()
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	if _, err := w.Write(b); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func zst(t *testing.T, b []byte) []byte {
	t.Helper()
	w, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	return w.EncodeAll(b, nil)
}

func put(t *testing.T, name string, b []byte) File {
	t.Helper()
	p := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(p, b, 0o600); err != nil {
		t.Fatal(err)
	}
	return File{Name: name, Path: p, Size: int64(len(b))}
}

func TestOpenUnpacksByContent(t *testing.T) {
	text := []byte(strings.Repeat("line of text\n", 5000))
	for name, stored := range map[string][]byte{
		"plain.csv": text, "packed.csv": gz(t, text),
		"two-members.gz": append(gz(t, text[:100]), gz(t, text[100:])...), "z.csv": zst(t, text),
	} {
		r, err := put(t, name, stored).Open(Limits{})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		got, err := io.ReadAll(r)
		if err != nil || !bytes.Equal(got, text) {
			t.Errorf("%s: %d bytes, %v", name, len(got), err)
		}
		sum, n, err := r.Sum()
		if err != nil || n != int64(len(stored)) || sum != sha256.Sum256(stored) {
			t.Errorf("%s: digest of the stored bytes is wrong: %d %v", name, n, err)
		}
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	}
}

func TestTruncatedAndDamagedArchivesAreErrors(t *testing.T) {
	text := []byte(strings.Repeat("some text that packs, 12345\n", 5000))
	flipped := gz(t, text)
	flipped[len(flipped)-6] ^= 0xff // checksum
	for name, c := range map[string]struct {
		stored []byte
		want   error
	}{
		"half.gz":   {gz(t, text)[:200], ErrTruncated},
		"tail.gz":   {gz(t, text)[:len(gz(t, text))-4], ErrTruncated},
		"header.gz": {gz(t, text)[:5], ErrTruncated},
		"half.zst":  {zst(t, text)[:40], ErrTruncated},
		"flip.gz":   {flipped, ErrDamaged},
	} {
		r, err := put(t, name, c.stored).Open(Limits{})
		if err == nil {
			_, err = io.ReadAll(r)
			_ = r.Close()
		}
		if !errors.Is(err, c.want) || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v, want %v with the file name", name, err, c.want)
		}
	}
}

func TestArchiveBombIsRefused(t *testing.T) {
	r, err := put(t, "bomb.gz", bomb(t, 80)).Open(Limits{MaxRatio: 100})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if n, err := io.Copy(io.Discard, r); !errors.Is(err, ErrTooLarge) || n > 65<<20 {
		t.Errorf("%d bytes, %v", n, err)
	}
}

func TestListIsSortedAndSkipsHidden(t *testing.T) {
	root := t.TempDir()
	for _, name := range []string{"b/2.csv", "a/1.csv", ".hidden/x", "b/.y", "c.csv"} {
		p := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(p), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(p, []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	files, err := Stores(nil).List(t.Context(), "file://"+root)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, f := range files {
		names = append(names, f.Name)
	}
	if got := strings.Join(names, " "); got != "a/1.csv b/2.csv c.csv" {
		t.Errorf("listed %s", got)
	}
	if _, err := Stores(nil).List(t.Context(), "s3://bucket/x"); err == nil || !strings.Contains(err.Error(), "scheme") {
		t.Errorf("s3 must be refused with words: %v", err)
	}
	if _, err := Stores(nil).List(t.Context(), filepath.Join(root, "none")); err == nil {
		t.Error("a missing path must be an error")
	}
}

func TestHead(t *testing.T) {
	h, err := put(t, "x.gz", gz(t, []byte("hello world"))).Head(5)
	if err != nil || string(h) != "hello" {
		t.Errorf("%q %v", h, err)
	}
	if h, err = put(t, "empty", nil).Head(5); err != nil || len(h) != 0 {
		t.Errorf("%q %v", h, err)
	}
}
