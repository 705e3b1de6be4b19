package table

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf16"
	"unicode/utf8"
)

func wide(order binary.AppendByteOrder, s string) []byte {
	out := order.AppendUint16(nil, 0xfeff)
	for _, u := range utf16.Encode([]rune(s)) {
		out = order.AppendUint16(out, u)
	}
	return out
}

func TestUTF16(t *testing.T) {
	text := "Kosten (Cost),Maßeinheit\r\n1,\"小时 \U0001F600\"\n"
	for name, in := range map[string][]byte{
		"utf-8": []byte(text), "little endian": wide(binary.LittleEndian, text),
		"big endian": wide(binary.BigEndian, text), "long": wide(binary.LittleEndian, strings.Repeat(text, 9000)),
	} {
		want := text
		if name == "long" {
			want = strings.Repeat(text, 9000)
		}
		for how, r := range map[string]io.Reader{
			"whole": bytes.NewReader(in), "by byte": iotest.OneByteReader(bytes.NewReader(in)),
			"half": iotest.HalfReader(bytes.NewReader(in)),
		} {
			if how == "by byte" && name == "long" {
				continue
			}
			got, err := io.ReadAll(newUTF8Reader(r))
			if err != nil || string(got) != want {
				t.Errorf("%s %s: %.60q %v", name, how, got, err)
			}
		}
		if head := utf8Head(in[:min(len(in), 41)]); !strings.HasPrefix(want, string(head)) || len(head) < 15 {
			t.Errorf("%s: head %q", name, head)
		}
	}
	if names := headHeader(wide(binary.BigEndian, "title\na,b\n1,2\n"), Options{
		IsHeader: func(f []string) bool { return len(f) == 2 },
	}); len(names) != 2 {
		t.Errorf("header %q", names)
	}
	for _, s := range []string{"", "a", "\xff"} {
		if got, err := io.ReadAll(newUTF8Reader(strings.NewReader(s))); err != nil || string(got) != s {
			t.Errorf("%q: %q %v", s, got, err)
		}
	}
	broken := errors.New("broken")
	if _, err := io.ReadAll(newUTF8Reader(iotest.ErrReader(broken))); !errors.Is(err, broken) {
		t.Errorf("%v", err)
	}
}

func FuzzUTF16(f *testing.F) {
	f.Add(wide(binary.LittleEndian, "a,b\n"))
	f.Add([]byte("\xfe\xff\xd8\x00"))
	f.Add([]byte("\xff\xfe\x00\xdcA"))
	f.Fuzz(func(t *testing.T, in []byte) {
		got, err := io.ReadAll(newUTF8Reader(bytes.NewReader(in)))
		marked := bytes.HasPrefix(in, littleEndian) || bytes.HasPrefix(in, bigEndian)
		switch {
		case !marked && (err != nil || !bytes.Equal(got, in)):
			t.Fatal("text without a mark changed")
		case marked && !utf8.Valid(got):
			t.Fatalf("%q", got)
		}
		if head := utf8Head(in); marked && !bytes.HasPrefix(got, head) {
			t.Fatalf("head %q of %q", head, got)
		}
	})
}
