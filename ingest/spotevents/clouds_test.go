package spotevents

import (
	"encoding/base64"
	"fmt"
	"slices"
	"strings"
	"testing"

	"gpuledger/internal/ledger"
)

func shown(r *Reader) []string {
	var out []string
	for _, e := range r.Events {
		out = append(out, fmt.Sprintf("%s %s %s %s %s %s %s", e.Provider, e.Account, e.Region, e.InstanceID, e.Kind, e.Detail,
			e.At))
	}
	return out
}

// Google publishes no payload: this one is made by hand after its
// documentation.
const preempted = `{"insertId":"x1","logName":"projects/p-1/logs/cloudaudit.googleapis.com%2Fsystem_event","protoPayload":{"@type":"type.googleapis.com/google.cloud.audit.AuditLog",
 "methodName":"compute.instances.preempted","authenticationInfo":{"principalEmail":"system@google.com"},"resourceName":"projects/p-1/zones/us-central1-a/instances/gke-n-1"},
 "resource":{"type":"gce_instance","labels":{"instance_id":"4242","zone":"us-central1-a","project_id":"p-1"}},"timestamp":"2026-11-02T03:04:06.5Z","operation":{"id":"op-1","first":true}}`

func TestEventsOfAllClouds(t *testing.T) {
	second := strings.NewReplacer(`"x1"`, `"x2"`, "03:04:06.5Z", "03:04:36Z", `"first"`, `"last"`).Replace(preempted)
	const google = "gcp p-1 us-central1 gce/4242 interruption_warning preempted 2026-11-02T03:04:06Z"
	azure := func(kind, id, notBefore string, names ...string) string {
		return fmt.Sprintf(`{"EventId":%q,"EventType":%q,"ResourceType":"VirtualMachine","Resources":["%s"],"EventStatus":"Scheduled","NotBefore":%q}`, id, kind, strings.Join(names, `","`), notBefore)
	}
	document := func(events ...string) string {
		return `{"DocumentIncarnation":3,"Events":[` + strings.Join(events, ",") + `]}`
	}
	// The day of the week is wrong, as in published examples.
	const notBefore = "Sun, 02 Nov 2026 03:04:05 GMT"
	evicted := `{"eventVersion":"1.05","eventID":"t1","eventName":"BidEvictedEvent","eventTime":"2026-11-02T03:04:05Z","awsRegion":"us-east-2","recipientAccountId":"1","serviceEventDetails":{"instanceIdSet":["i-1","i-2"]}}`
	trail := []string{
		"aws 1 us-east-2 i-1 interruption_warning evicted 2026-11-02T03:04:05Z",
		"aws 1 us-east-2 i-2 interruption_warning evicted 2026-11-02T03:04:05Z",
	}
	const aws = "aws 123456789012 us-east-1 "
	for name, c := range map[string]struct {
		text    string
		want    []string
		ignored int64
	}{
		"google twice":      {preempted + "\n" + second, []string{google}, 1},
		"google last first": {"[" + second + "," + preempted + "]", []string{google}, 1},
		"google by pub/sub": {
			`{"message":{"data":"` + base64.StdEncoding.EncodeToString([]byte(preempted)) +
				`","messageId":"7"},"subscription":"s"}`, []string{google}, 0,
		},
		"google by pull": {
			`[{"ackId":"a","message":{"data":"` + base64.StdEncoding.EncodeToString([]byte(preempted)) + `"}}]`,
			[]string{google}, 0,
		},
		"google by name": {
			strings.Replace(preempted, `"instance_id":"4242",`, "", 1),
			[]string{"gcp p-1 us-central1 gce/p-1/us-central1-a/gke-n-1 interruption_warning preempted 2026-11-02T03:04:06Z"}, 0,
		},
		"google other": {strings.Replace(preempted, "instances.preempted", "instances.hostError", 1), nil, 1},
		"azure": {
			document(azure("Preempt", "e1", notBefore, "aks-gpu-1-vmss_36", "VM_0"), azure("Reboot", "e2", notBefore, "vm1")),
			[]string{
				"azure   azure-vm/aks-gpu-1-vmss_36 interruption_warning preempt 2026-11-02T03:04:05Z",
				"azure   azure-vm/vm_0 interruption_warning preempt 2026-11-02T03:04:05Z",
				"azure   azure-vm/vm1 state_change scheduled:reboot 2026-11-02T03:04:05Z",
			}, 0,
		},
		"azure seen by all": {
			document(azure("Preempt", "e1", notBefore, "a_1")) + document(azure("Preempt", "e1", notBefore, "a_1")) +
				document(azure("Preempt", "e1", "", "a_1")) + document(),
			[]string{"azure   azure-vm/a_1 interruption_warning preempt 2026-11-02T03:04:05Z"}, 3,
		},
		"azure with a time": {
			`{"time":"2026-11-02T03:04:05Z",` + document(azure("Terminate", "e1", "", "a_1"))[1:],
			[]string{"azure   azure-vm/a_1 state_change scheduled:terminate 2026-11-02T03:04:05Z"}, 0,
		},
		"cloudtrail file": {
			`{"Records":[` + strings.Replace(evicted, "BidEvictedEvent", "RunInstances", 1) + "," + evicted + `]}`, trail, 1,
		},
		"cloudtrail event": {strings.Replace(event(detailTrail, "x", ""), `{"instance-id":"x"}`, evicted, 1), trail, 0},
		"capacity reservation": {
			event(detailReservation, "i-1", `,"instance-action":"terminate"`),
			[]string{aws + "i-1 interruption_warning terminate 2026-11-02T03:04:05Z"}, 0,
		},
		"health": {strings.Replace(event(detailHealth, "x", ""), `{"instance-id":"x"}`,
			`{"service":"EC2","eventTypeCode":"AWS_EC2_INSTANCE_RETIREMENT_SCHEDULED","startTime":"Sat, 05 Jun 2016 15:10:09 GMT","affectedEntities":[{"entityValue":"i-1"},{"entityValue":"vol-1"}]}`, 1),
			[]string{aws + "i-1 state_change health:AWS_EC2_INSTANCE_RETIREMENT_SCHEDULED 2026-11-02T03:04:05Z"}, 0},
		"health without a time": {strings.NewReplacer(`{"instance-id":"x"}`,
			`{"eventTypeCode":"C","startTime":"Sat, 05 Jun 2016 15:10:09 GMT","affectedEntities":[{"entityValue":"i-1"}]}`,
			"2026-11-02T03:04:05Z", "").Replace(event(detailHealth, "x", "")),
			[]string{aws + "i-1 state_change health:C 2016-06-05T15:10:09Z"}, 0},
		"health of no instance": {
			strings.Replace(event(detailHealth, "x", ""), `{"instance-id":"x"}`,
				`{"eventTypeCode":"C","affectedEntities":[{"entityValue":"vol-1"}]}`, 1), nil, 1,
		},
		"rebalance alone": {
			event(detailRebalance, "i-1", ""), []string{aws + "i-1 rebalance_recommendation  2026-11-02T03:04:05Z"}, 0,
		},
		"sns confirmation": {`{"Type":"SubscriptionConfirmation","Message":"x"}`, nil, 1},
	} {
		r, err := parse(t, c.text)
		if err != nil || len(r.Tally.First) > 0 || !slices.Equal(shown(r), c.want) || r.Tally.IgnoredRows() != c.ignored {
			t.Errorf("%s: %v %v ignored %v\ngot  %q\nwant %q", name, err, r.Tally.First, r.Tally.Ignored, shown(r), c.want)
		}
		if name != "sns confirmation" && !LooksLikeEvents([]byte(c.text)) {
			t.Errorf("%s is not recognised", name)
		}
		if r.Read != int64(len(r.Events))+r.Tally.RejectedRows()+r.Tally.IgnoredRows() {
			t.Errorf("%s: %d read, %d events, %v", name, r.Read, len(r.Events), r.Tally)
		}
	}
}

func TestEventsOfCloudsThatLackSomething(t *testing.T) {
	text := strings.NewReplacer("resourceName", "other", "instance_id", "id").Replace(preempted) + "\n" +
		strings.Replace(preempted, "2026-11-02T03:04:06.5Z", "", 1) + "\n" +
		`{"DocumentIncarnation":1,"Events":[{"EventId":"e","EventType":"Preempt","Resources":[]},{"EventId":"e","EventType":"Preempt","Resources":["a"],"NotBefore":"soon"}]}` + "\n" +
		`{"eventName":"BidEvictedEvent","eventTime":"2026-11-02T03:04:05Z","serviceEventDetails":{"instanceIdSet":[]}}`
	r, err := parse(t, text)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, x := range r.Tally.First {
		got = append(got, x.Column+" "+x.Reason)
	}
	want := []string{
		"resource.labels.instance_id missing value", "timestamp not a date", "Events.Resources missing value",
		"Events.NotBefore not a date", "serviceEventDetails.instanceIdSet missing value",
	}
	if !slices.Equal(got, want) || len(r.Events) != 0 {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

// A mistyped year is refused: otherwise machines would end then.
func TestEventsOfNoPossibleTime(t *testing.T) {
	for _, year := range []string{"0001", "1970", "2100", "9999"} {
		text := strings.ReplaceAll(preempted, "2026-", year+"-") + "\n" + event(detailState, "i-2", `,"state":"terminated"`) +
			"\n" +
			strings.Replace(event(detailState, "i-2", `,"state":"terminated"`), "2026-", year+"-", 1) + "\n" +
			`{"DocumentIncarnation":1,"Events":[{"EventId":"e","EventType":"Preempt","Resources":["a"],"NotBefore":"Mon, 02 Nov ` + year + ` 03:04:05 GMT"}]}` + "\n" +
			`{"id":"1","source":"aws.health","detail-type":"AWS Health Event","time":"` + year +
			`-06-05T06:27:57Z","detail":{"eventTypeCode":"X","service":"EC2","affectedEntities":[{"entityValue":"i-3"}]}}`
		r, err := parse(t, text)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, x := range r.Tally.First {
			got = append(got, fmt.Sprint(x.Line, " ", x.Column, " ", x.Reason))
		}
		want := []string{
			"1 timestamp impossible time", "5 time impossible time",
			"6 Events.NotBefore impossible time", "7 time impossible time",
		}
		if !slices.Equal(got, want) || len(r.Events) != 1 {
			t.Errorf("year %s: %d events\ngot  %q\nwant %q", year, len(r.Events), got, want)
		}
	}
}

// The machines of a scale set are identified by the name in scheduled events.
func TestAzureNamesAreInstanceKeys(t *testing.T) {
	keys := ledger.InstanceKeys("c", "aks-gpu-1-vmss000010",
		"azure:///subscriptions/s/resourceGroups/g/providers/Microsoft.Compute/virtualMachineScaleSets/aks-gpu-1-vmss/virtualMachines/36", "")
	if !slices.Contains(keys, ledger.AzureVMKey("aks-gpu-1-vmss_36")) {
		t.Errorf("%q", keys)
	}
}
