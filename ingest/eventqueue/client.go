package eventqueue

import (
	"context"
	"fmt"
	"net/url"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/credentials/stscreds"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/aws/aws-sdk-go-v2/service/sts"
)

// Options configure access to a queue. Credentials come from the SDK's default chain:
// environment, shared files, web identity, instance role.
type Options struct {
	URL        string // https://sqs.us-east-1.amazonaws.com/123456789012/name
	Region     string // empty: from the URL, else from the chain
	RoleARN    string // role to assume; empty: none
	ExternalID string // for the role's trust policy
	Endpoint   string // of a service other than Amazon's
}

// Connect makes a client. It sends no request yet.
func Connect(ctx context.Context, o Options) (*sqs.Client, error) {
	region := o.Region
	if region == "" {
		region = regionOf(o.URL)
	}
	var load []func(*config.LoadOptions) error
	if region != "" {
		load = append(load, config.WithRegion(region))
	}
	cfg, err := config.LoadDefaultConfig(ctx, load...)
	if err != nil {
		return nil, fmt.Errorf("read the AWS configuration: %w", err)
	}
	if cfg.Region == "" {
		return nil, fmt.Errorf("queue %s: no region; set it in the configuration", o.URL)
	}
	if o.RoleARN != "" {
		role := stscreds.NewAssumeRoleProvider(sts.NewFromConfig(cfg), o.RoleARN, func(r *stscreds.AssumeRoleOptions) {
			r.RoleSessionName = "gpuledger"
			if o.ExternalID != "" {
				r.ExternalID = aws.String(o.ExternalID)
			}
		})
		cfg.Credentials = aws.NewCredentialsCache(role,
			func(c *aws.CredentialsCacheOptions) { c.ExpiryWindow = 5 * time.Minute })
	}
	return sqs.NewFromConfig(cfg, func(s *sqs.Options) {
		if o.Endpoint != "" {
			s.BaseEndpoint = aws.String(o.Endpoint)
		}
	}), nil
}

// regionOf is the region in a queue's URL, "" if it has none.
func regionOf(queue string) string {
	u, err := url.Parse(queue)
	if err != nil {
		return ""
	}
	parts := strings.Split(u.Hostname(), ".")
	switch {
	case len(parts) >= 4 && parts[0] == "sqs":
		return parts[1]
	case len(parts) >= 4 && parts[1] == "queue": // us-east-2.queue.amazonaws.com
		return parts[0]
	}
	return ""
}
