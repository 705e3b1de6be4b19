package config

import (
	"strings"
	"testing"
)

func TestEventQueues(t *testing.T) {
	c, err := Parse([]byte("spot_events:\n  - {queue_url: https://sqs.us-east-1.amazonaws.com/1/q, role_arn: a, "+
		"external_id: b}\n"), Known{})
	if err != nil || len(c.SpotEvents) != 1 || c.SpotEvents[0].RoleARN != "a" {
		t.Errorf("%v %+v", err, c)
	}
	_, err = Parse([]byte("spot_events:\n  - {region: x}\n  - {queue_url: arn:aws:sqs:x:1:q}\n  - {queue_url: "+
		"https://a.b/1/q, external_id: x}\n  - {queue_url: https://a.b/1/q}\n"), Known{})
	for _, want := range []string{
		"queue_url is missing", "not the address of a queue", "without role_arn", "listed twice",
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q is missing in %v", want, err)
		}
	}
}
