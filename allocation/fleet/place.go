package fleet

import "strings"

// What a provider id says of a machine beside its identity.

// Provider is the catalogue's name of the provider of a provider id, empty when
// not known.
func Provider(providerID string) string {
	switch scheme, _, _ := strings.Cut(providerID, "://"); scheme {
	case "aws", "azure":
		return scheme
	case "gce":
		return "gcp"
	}
	return ""
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

// accountOf is the project or the subscription that a provider id names (rule
// 8.13). AWS names no account.
func accountOf(providerID string) string {
	if rest, google := strings.CutPrefix(providerID, "gce://"); google {
		if project, _, more := strings.Cut(rest, "/"); more {
			return project
		}
	}
	if rest, azure := strings.CutPrefix(strings.ToLower(providerID), "azure:///subscriptions/"); azure {
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
