package spotevents

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gpuledger/internal/ledger"
	"gpuledger/test/billtest"
)

func event(kind, instance, more string) string {
	return fmt.Sprintf(`{"version":"0","id":"e-%s","detail-type":%q,"source":"aws.ec2","account":"123456789012","time":"2026-11-02T03:04:05Z","region":"us-east-1","resources":["arn:aws:ec2:us-east-1b:instance/i-wrong"],"detail":{"instance-id":%q%s}}`, instance, kind, instance, more)
}

func parse(t testing.TB, text string) (*Reader, error) {
	t.Helper()
	r := &Reader{}
	err := r.Parse(t.Context(), strings.NewReader(text), "events.json")
	return r, err
}

func TestFormsAndEnvelopes(t *testing.T) {
	warn := event(detailInterruption, "i-1", `,"instance-action":"terminate"`)
	state := event(detailState, "i-2", `,"state":"terminated"`)
	balance := event(detailRebalance, "i-3", "")
	sns := func(s string) string { return fmt.Sprintf(`{"Type":"Notification","Message":%q}`, s) }
	sqs := func(s string) string { return fmt.Sprintf(`{"Messages":[{"MessageId":"1","Body":%q}]}`, s) }
	pretty := strings.ReplaceAll(warn, ",", ",\n  ")
	for name, text := range map[string]string{
		"array":        "[" + warn + ",\n" + state + "," + balance + "]",
		"ndjson":       warn + "\n" + state + "\n" + balance + "\n",
		"concatenated": pretty + state + balance,
		"arrays":       "[" + warn + "]\n[" + state + "," + balance + "]\n[]",
		"sns":          sns(warn) + sns(state) + sns(balance),
		"sqs of sns":   sqs(sns(warn)) + "\n" + sqs(state) + "\n" + sqs(balance),
		"lambda":       fmt.Sprintf(`{"Records":[{"body":%q},{"body":%q},{"body":%q}]}`, warn, sns(state), balance),
		"repeated":     warn + state + balance + warn,
	} {
		r, err := parse(t, text)
		if err != nil || len(r.Tally.First) > 0 {
			t.Errorf("%s: %v %+v", name, err, r.Tally.First)
			continue
		}
		got := map[string]ledger.InstanceEvent{}
		for _, e := range r.Events {
			got[e.InstanceID] = e
		}
		if len(r.Events) != 3 || got["i-1"].Detail != "terminate" || got["i-1"].Kind != ledger.EventInterruption ||
			got["i-2"].Detail != "terminated" || got["i-3"].Kind != ledger.EventRebalance ||
			got["i-2"].At.String() != "2026-11-02T03:04:05Z" {
			t.Errorf("%s: %+v", name, r.Events)
		}
	}
}

func TestRejectionsNameTheLine(t *testing.T) {
	good := event(detailState, "i-2", `,"state":"terminated"`)
	text := good + "\n" + event(detailState, "", `,"state":"x"`) + "\n" +
		strings.Replace(good, "2026-11-02T03", "yesterday", 1) + "\n{\"a\":1}\n" +
		event(detailState, "i-9", "") + "\n" + event("EC2 Fleet Event", "i-5", "") + "\n7\n"
	r, err := parse(t, text)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, x := range r.Tally.First {
		got = append(got, fmt.Sprintf("%d %s %s", x.Line, x.Column, x.Reason))
	}
	want := "2 detail.instance-id missing value|3 time not a date|4 detail-type not an event|5 detail.state missing " +
		"value|7  not an event"
	if strings.Join(got, "|") != want {
		t.Errorf("got  %s\nwant %s", strings.Join(got, "|"), want)
	}
	if len(r.Events) != 1 || r.Tally.IgnoredRows() != 1 || r.Read != 7 {
		t.Errorf("%d events, ignored %v, read %d", len(r.Events), r.Tally.Ignored, r.Read)
	}
}

func TestBrokenFilesAreErrorsWithALine(t *testing.T) {
	good := event(detailState, "i-2", `,"state":"terminated"`)
	for name, c := range map[string]struct{ text, want string }{
		"cut off": {good + "\n" + good[:40], "line 2"},
		"garbage": {good + "\n\n}{", "line 3"},
		"array":   {"[" + good + ",\n", "line 2"},
	} {
		if _, err := parse(t, c.text); err == nil || !strings.Contains(err.Error(), "events.json "+c.want) {
			t.Errorf("%s: %v, want %s", name, err, c.want)
		}
	}
	for name, text := range map[string]string{
		"value": "[" + good + ",\"" + strings.Repeat("x", 20<<20), "blanks": strings.Repeat(" ", 20<<20) + good,
	} {
		if _, err := parse(t, text); err == nil || !strings.Contains(err.Error(), "larger than 16 MiB") {
			t.Errorf("endless %s: %.200v", name, err)
		}
	}
	if r, err := parse(t, " \n"); err != nil || r.Read != 0 {
		t.Errorf("an empty file holds no event: %v", err)
	}
}

func TestPublicSamples(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(billtest.Samples(t, "telemetry/events"), "*.json"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	r := &Reader{}
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		if !LooksLikeEvents(text) {
			t.Errorf("%s is not recognised", f)
		}
		if err := r.Parse(t.Context(), strings.NewReader(string(text)), filepath.Base(f)); err != nil {
			t.Error(err)
		}
	}
	got := map[string]string{}
	for _, e := range r.Events {
		got[e.InstanceID] = fmt.Sprint(e.Provider, " ", e.Kind, " ", e.Detail, " ", e.At)
	}
	want := map[string]string{
		"i-abcd1111":                                "aws state_change pending 2015-11-11T21:29:54Z",
		"i-0b662ef9931388ba0":                       "aws interruption_warning terminate 1970-01-01T00:00:00Z",
		"azure-vm/frontend_in_0":                    "azure state_change scheduled:reboot 2016-09-19T18:29:47Z",
		"azure-vm/aks-spotcpu2d2as-24469130-vmss_1": "azure state_change scheduled:reboot 2016-09-19T18:29:47Z",
	}
	if !maps.Equal(got, want) || r.Tally.RejectedRows() > 0 {
		t.Errorf("%v %+v", got, r.Tally)
	}
}

func FuzzParse(f *testing.F) {
	f.Add(event(detailInterruption, "i-1", `,"instance-action":"terminate"`))
	f.Add("[" + event(detailState, "i-2", `,"state":"stopped"`) + "]")
	f.Add(preempted)
	f.Add(`{"DocumentIncarnation":1,"Events":[{"EventId":"e","EventType":"Preempt","Resources":["a","b"],"NotBefore":"Mon, 19 Sep 2016 18:29:47 GMT"}]}`)
	f.Add(`{"Type":"Notification","Message":"{}"}` + "\n[1,{},[]]")
	f.Fuzz(func(t *testing.T, text string) {
		r, err := parse(t, text)
		if err == nil && r.Read != int64(len(r.Events))+r.Tally.RejectedRows()+r.Tally.IgnoredRows() {
			t.Fatalf("%d read, %d events, %v rejected, %v ignored", r.Read, len(r.Events), r.Tally.Rejected, r.Tally.Ignored)
		}
	})
}
