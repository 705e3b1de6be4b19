package annotations

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"gpuledger/internal/ledger"
)

const header = "at,until,kind,key,value,text,source,link\n"

func parse(t testing.TB, text string) ([]ledger.Annotation, ledger.Reading, error) {
	t.Helper()
	return Parse(t.Context(), strings.NewReader(text), "events.csv")
}

func TestAnnotationsInAllForms(t *testing.T) {
	const want = "2026-11-03T08:00:00Z 2026-11-03T09:30:00Z deploy team speech new sampler, v2 ci https://ci.example/1"
	for name, text := range map[string]string{
		"csv": header + "2026-11-03T08:00:00Z,2026-11-03T09:30:00Z,deploy,team,speech,\"new sampler, v2\",ci," +
			"https://ci.example/1\n",
		"another order": "\ufeffLink,Source,Text,Value,Key,Kind,Until,At\r\nhttps://ci.example/1,ci,\"new sampler, v2\"," +
			"speech,team,Deploy,2026-11-03T10:30:00+01:00,2026-11-03 08:00:00\r\n",
		"a list": `[{"at":"2026-11-03T08:00:00Z","until":"2026-11-03T09:30:00Z","kind":"deploy","key":"team",` +
			`"value":"speech","text":"new sampler, v2","source":"ci","link":"https://ci.example/1"}]`,
		"one": `{"at":1793692800,"until":"2026-11-03T09:30:00Z","kind":"deploy","key":"team",` +
			`"value":"speech","text":"new sampler, v2","source":"ci","link":"https://ci.example/1"}`,
	} {
		got, read, err := parse(t, text)
		if err != nil || len(got) != 1 || read.Accepted != 1 {
			t.Errorf("%s: %v %v %v", name, got, err, read.First)
			continue
		}
		a := got[0]
		if text := fmt.Sprintln(a.At, a.Until, a.Kind, a.Key, a.Value, a.Text, a.Source, a.Link); text != want+"\n" {
			t.Errorf("%s: %s", name, text)
		}
	}
	got, _, err := parse(t, "at,kind,text\n2026-11-03T08:00:00Z,note,all is well\n")
	if err != nil || len(got) != 1 || got[0].Until != 0 || got[0].Key != "" {
		t.Errorf("%v %v", got, err)
	}
}

func TestInvalidRowsAreNamedWithLineAndColumn(t *testing.T) {
	rows := []string{
		",,note,,,x,,", "3 Nov,,note,,,x,,", "1999-01-01T00:00:00Z,,note,,,x,,",
		"2026-11-03T08:00:00Z,later,note,,,x,,", "2026-11-03T08:00:00Z,2026-11-03T07:59:59Z,note,,,x,,",
		"2026-11-03T08:00:00Z,,party,,,x,,", "2026-11-03T08:00:00Z,,,,,x,,",
		"2026-11-03T08:00:00Z,,note,colour,red,x,,", "2026-11-03T08:00:00Z,,note,team,,x,,",
		"2026-11-03T08:00:00Z,,note,all,red,x,,", "2026-11-03T08:00:00Z,,note,,red,x,,",
		"2026-11-03T08:00:00Z,,note,,,,,", "2026-11-03T08:00:00Z,,note,,,x,Ledger,",
		"2026-11-03T08:00:00Z,,note,,,x,,javascript:alert(1)", "2026-11-03T08:00:00Z,,note,,,x,,ftp://a/b",
		"2026-11-03T08:00:00Z,,note,,,x,,/runs", "2026-11-03T08:00:00Z,,note,,,x,,https:///path",
		"2026-11-03T08:00:00Z,,note,,," + strings.Repeat("x", longest+1) + ",,", "2026-11-03T08:00:00Z,,note",
		"2026-11-03T08:00:00Z,2026-11-03T08:00:00Z,note,label:app,x,x,,HTTPS://a",
	}
	_, read, err := parse(t, header+strings.Join(rows, "\n")+"\n")
	var got []string
	for _, r := range read.First {
		got = append(got, fmt.Sprint(r.Line, " ", r.Column))
	}
	want := []string{
		"2 at", "3 at", "4 at", "5 until", "6 until", "7 kind", "8 kind", "9 key", "10 value", "11 value", "12 value",
		"13 text", "14 source", "15 link", "16 link", "17 link", "18 link", "19 text", "20 ",
	}
	if err != nil || read.Accepted != 1 || read.RejectedRows() != int64(len(want)) || !slices.Equal(got, want[:len(got)]) {
		t.Errorf("%v: %d accepted, %d rejected\ngot  %q\nwant %q", err, read.Accepted, read.RejectedRows(), got, want)
	}
	_, read, err = parse(t, `[{"at":"2026-11-03T08:00:00Z","kind":"note","text":"x","colour":"red"}]`)
	if err != nil || read.RejectedRows() != 1 || read.First[0].Column != "colour" {
		t.Errorf("an unknown member: %v %v", read.First, err)
	}
}

// The example in docs/connect/annotations.md is a file that can be imported.
func TestTheDocumentedFileIsRead(t *testing.T) {
	page, err := os.ReadFile("../../docs/connect/annotations.md")
	if err != nil {
		t.Fatal(err)
	}
	_, file, _ := strings.Cut(string(page), "```\n")
	file, _, _ = strings.Cut(file, "```")
	found, read, err := parse(t, file)
	if err != nil || read.RejectedRows() != 0 || len(found) != 4 || found[3].At.String() != "2026-11-12T08:00:00Z" {
		t.Errorf("%+v %v %v", found, read.First, err)
	}
}

func TestOtherColumnsRefuseTheFile(t *testing.T) {
	for text, says := range map[string]string{
		"at,kind,source\n":      "column text is missing",
		"at,kind,text,colour\n": `"colour" is not a column`,
	} {
		_, _, err := parse(t, text+"x\n")
		if _, ok := errors.AsType[*ledger.FileError](err); !ok || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: %v, want %q", text, err, says)
		}
		if Detect([]byte(text)) {
			t.Errorf("%q is taken for annotations", text)
		}
	}
	if !Detect([]byte("\ufeff" + header)) {
		t.Error("a list of annotations is not recognised")
	}
}

func TestFilesAreBounded(t *testing.T) {
	text := header + strings.Repeat("2026-11-03T08:00:00Z,,note,,,x,,\n", most+1)
	found, read, err := parse(t, text)
	if err != nil || len(found) != most || read.RejectedRows() != 1 || read.First[0].Line != most+2 {
		t.Errorf("%d annotations, %v %v", len(found), read.First, err)
	}
}

func FuzzParse(f *testing.F) {
	f.Add(header + "2026-11-03T08:00:00Z,2026-11-03T09:30:00Z,deploy,team,speech,\"new sampler, v2\",ci,https://a/1\n")
	f.Add(`{"annotations":[{"at":1793692800,"kind":"note","text":"x"}]}`)
	f.Fuzz(func(t *testing.T, text string) {
		found, read, err := parse(t, text)
		if err != nil {
			if _, ok := errors.AsType[*ledger.FileError](err); !ok {
				t.Fatal(err)
			}
			return
		}
		if read.Rows != read.Accepted+read.RejectedRows() || int64(len(found)) != read.Accepted {
			t.Fatalf("%d annotations, %+v", len(found), read)
		}
		for _, a := range found {
			if a.At <= 0 || a.Until != 0 && a.Until < a.At || a.Text == "" ||
				a.Link != "" && !strings.HasPrefix(strings.ToLower(a.Link), "http") {
				t.Fatalf("%+v", a)
			}
		}
	})
}
