package config

import (
	"net/url"
	"strings"
)

// EventQueue is an SQS queue of spot events that serve reads. It must be for
// gpuledger only: messages are deleted after they are read.
type EventQueue struct {
	QueueURL   string `yaml:"queue_url"`
	Region     string `yaml:"region,omitempty"`      // empty: that of the URL
	RoleARN    string `yaml:"role_arn,omitempty"`    // AWS role to assume
	ExternalID string `yaml:"external_id,omitempty"` // of the role's trust policy
	Endpoint   string `yaml:"endpoint,omitempty"`    // of a server other than Amazon's

	line int
}

// checkEventQueues checks the queues of spot events.
func (c *Config) checkEventQueues(fault func(q *EventQueue, format string, args ...any)) {
	seen := map[string]bool{}
	for i := range c.SpotEvents {
		q := &c.SpotEvents[i]
		u, err := url.Parse(q.QueueURL)
		switch {
		case q.QueueURL == "":
			fault(q, "queue_url is missing: https://sqs.REGION.amazonaws.com/ACCOUNT/NAME")
		case err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" || strings.Trim(u.Path, "/") == "":
			fault(q, "queue_url is not the address of a queue: write https://sqs.REGION.amazonaws.com/ACCOUNT/NAME")
		case seen[q.QueueURL]:
			fault(q, "the queue is listed twice")
		}
		seen[q.QueueURL] = true
		if q.ExternalID != "" && q.RoleARN == "" {
			fault(q, "external_id has no meaning without role_arn")
		}
	}
}
