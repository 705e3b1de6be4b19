package fleet

import (
	"cmp"
	"strings"

	"gpuledger/internal/ledger"
)

// Facts about a machine in its provider id, apart from its identity.

// RenamedSchemes are schemes of provider ids whose provider has another name in bills and in the catalogue.
var RenamedSchemes = map[string]string{"gce": "gcp", "oci": "oracle"}

// BareIDs are the prefixes of provider ids without a scheme.
var BareIDs = map[string]string{
	"ocid1.": "oracle", "i-": "aws", "arn:aws": "aws", "/subscriptions/": "azure", "projects/": "gcp",
}

// Provider is the provider that a provider id names: its scheme (all before the first colon) under the name that bills
// use, or the provider of the prefix for ids without a scheme. An unknown scheme is the provider itself, of which the
// catalogue has no machines. The store builds its SQL from the same rule.
func Provider(providerID string) string {
	for begin, name := range BareIDs {
		if strings.HasPrefix(providerID, begin) {
			return name
		}
	}
	scheme, _, found := strings.Cut(providerID, ":")
	if !found {
		return ""
	}
	if name := RenamedSchemes[scheme]; name != "" {
		return name
	}
	return scheme
}

// zoneOf reads the zone of aws:///us-east-1a/i-0abc and of
// gce://project/us-central1-a/name; Azure's ids name none.
func zoneOf(providerID string) string {
	if rest, aws := strings.CutPrefix(providerID, "aws:///"); aws {
		if zone, _, more := strings.Cut(rest, "/"); more {
			return zone
		}
	}
	if rest, google := strings.CutPrefix(providerID, "gce://"); google {
		if parts := strings.Split(rest, "/"); len(parts) == 3 {
			return parts[1]
		}
	}
	return ""
}

// regionOf is us-east-1 of us-east-1a, us-central1 of us-central1-a.
func regionOf(providerID string) string {
	zone := zoneOf(providerID)
	if strings.HasPrefix(providerID, "gce://") {
		region, _ := cutLast(zone, '-')
		return region
	}
	return strings.TrimRight(zone, "abcdefghijklmnopqrstuvwxyz")
}

// accountOf is the project or the subscription in a provider id (rule 8.13). AWS ids contain no account.
func accountOf(providerID string) string {
	if rest, google := strings.CutPrefix(providerID, "gce://"); google {
		if project, _, more := strings.Cut(rest, "/"); more {
			return project
		}
	}
	if rest, azure := strings.CutPrefix(strings.TrimPrefix(strings.ToLower(providerID), "azure://"),
		"/subscriptions/"); azure {
		subscription, _, _ := strings.Cut(rest, "/")
		return subscription
	}
	return ""
}

func cutLast(s string, sep byte) (before, after string) {
	if i := strings.LastIndexByte(s, sep); i >= 0 {
		return s[:i], s[i+1:]
	}
	return s, ""
}

// bareNames are the keys of a machine by the name that its cluster gives it, for bills that use only this name (rule
// 2.1). A provider whose bills name machines by ids has none. A name that is the id of an EC2 instance, or of its host,
// is that id.
func bareNames(name, providerID string) []string {
	name = strings.ToLower(name)
	host := ledger.HostOf(name)
	switch Provider(providerID) {
	case "aws", "azure", "gcp", "oracle":
		return nil
	case "":
		if id := cmp.Or(host, name); ec2Instance(id) {
			return []string{id}
		}
	}
	if host != "" {
		return []string{name, host}
	}
	return []string{name}
}

// poolKeys are the keys of the pools that a machine is in, if its provider may bill pools; AWS, Azure, Google and
// Oracle bill machines.
func poolKeys(labels map[string]string, providerID string) []string {
	switch Provider(providerID) {
	case "aws", "azure", "gcp", "oracle":
		return nil
	}
	return ledger.NodePoolKeys(labels)
}

func ec2Instance(id string) bool {
	digits, ok := strings.CutPrefix(id, "i-")
	return ok && (len(digits) == 8 || len(digits) == 17) && strings.Trim(digits, "0123456789abcdef") == ""
}
