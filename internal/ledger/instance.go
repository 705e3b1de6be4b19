package ledger

import (
	"math/big"
	"strings"

	"gpuledger/internal/money"
	"gpuledger/internal/period"
)

// Instance keys link the names of machines on bills with those in clusters (docs/rules.md 2.1). They are compared as
// they are; the functions below write them, with providers' ids and host names in lower case.

// InstanceKeys returns the keys of a node from its spec.providerID and, for Google, the numeric id of the annotation
// container.googleapis.com/instance_id (empty when unknown or part of providerID, see GoogleProviderID), most
// specific first. The last is always that of NodeKey, the only key that does not come from a provider.
func InstanceKeys(cluster, name, providerID, numericID string) []string {
	return append(providerKeys(providerID, numericID), NodeKey(cluster, name))
}

func providerKeys(providerID, numericID string) []string {
	scheme, rest, found := strings.Cut(providerID, "://")
	parts := strings.Split(strings.Trim(rest, "/"), "/")
	switch {
	case !found || rest == "":
		return bareKeys(providerID)
	case scheme == "gce" && (len(parts) == 3 || len(parts) == 4):
		if len(parts) == 4 {
			numericID = parts[3]
		}
		var keys []string
		if numericID != "" {
			keys = append(keys, GoogleInstanceKey(numericID))
		}
		return append(keys, GoogleNameKey(parts[0], parts[1], parts[2]))
	case scheme == "azure":
		key := AzureResourceKey(rest)
		if set, _, member := strings.Cut(key, "/virtualmachines/"); member &&
			strings.Contains(set, "/virtualmachinescalesets/") {
			// bills name the set, scheduled events its member
			return []string{
				key, set, AzureVMKey(set[strings.LastIndexByte(set, '/')+1:] + "_" + key[strings.LastIndexByte(key, '/')+1:]),
			}
		}
		return []string{key, AzureVMKey(key[strings.LastIndexByte(key, '/')+1:])}
	}
	last := strings.ToLower(parts[len(parts)-1])
	if _, instance, ok := hyperPod(last); ok {
		return []string{last, instance}
	}
	return []string{last}
}

// bareKeys are the keys of an id without a scheme: an OCID, the id of an EC2
// instance, an ARN, a path of Azure or Google.
func bareKeys(id string) []string {
	switch {
	case id == "":
		return nil
	case !strings.Contains(id, "/"):
		return []string{strings.ToLower(id)}
	case strings.Contains(strings.ToLower(id), "/providers/microsoft.compute/"):
		return providerKeys("azure://"+id, "")
	}
	if project, zone, name, ok := GoogleResource(id); ok {
		return providerKeys("gce://"+project+"/"+zone+"/"+name, "")
	}
	if key := AWSInstanceKey(id); key != "" && strings.HasPrefix(id, "arn:") {
		return []string{key}
	}
	return nil
}

// AzureVMKey is the key of a machine by its name in Azure's scheduled events: a virtual machine, or <scale
// set>_<decimal instance id>.
func AzureVMKey(name string) string { return "azure-vm/" + strings.ToLower(name) }

// NodeKey is the key of a machine by its name in the cluster.
func NodeKey(cluster, name string) string { return "node/" + cluster + "/" + name }

// GoogleProviderID appends the numeric id to gce://project/zone/name, so that the last part distinguishes successive
// machines with one name. Other provider ids stay as they are.
func GoogleProviderID(providerID, numericID string) string {
	rest, google := strings.CutPrefix(providerID, "gce://")
	if !google || numericID == "" || strings.Count(strings.Trim(rest, "/"), "/") != 2 {
		return providerID
	}
	return strings.TrimRight(providerID, "/") + "/" + numericID
}

// GoogleNumeric returns the numeric id of a provider id that GoogleProviderID completed, and the rest without it; id
// is empty if there is none.
func GoogleNumeric(providerID string) (without, id string) {
	rest, google := strings.CutPrefix(providerID, "gce://")
	if !google || strings.Count(rest, "/") != 3 {
		return providerID, ""
	}
	at := strings.LastIndexByte(providerID, '/')
	return providerID[:at], providerID[at+1:]
}

// GoogleInstanceKey is the key of a Compute Engine instance by numeric id.
func GoogleInstanceKey(id string) string { return "gce/" + id }

// GoogleNameKey is the key of a Compute Engine instance by name. Names are reused after an instance is gone; only the
// numeric id distinguishes lives.
func GoogleNameKey(project, zone, name string) string {
	return "gce/" + project + "/" + zone + "/" + name
}

// GoogleRegionKey is the key of a Compute Engine instance by name, for bills with a region but no zone.
func GoogleRegionKey(project, region, name string) string {
	return googleRegion + project + "/" + region + "/" + name
}

const googleRegion = "gce-region/"

// GoogleRegionKeys are the keys by region of a machine that has keys by zone.
func GoogleRegionKeys(keys []string) (out []string) {
	for _, key := range keys {
		parts := strings.Split(key, "/")
		if len(parts) != 4 || parts[0] != "gce" {
			continue
		}
		if at := strings.LastIndexByte(parts[2], '-'); at > 0 {
			out = append(out, GoogleRegionKey(parts[1], parts[2][:at], parts[3]))
		}
	}
	return out
}

// GoogleResource splits the name of a Compute Engine instance:
// //compute.googleapis.com/projects/PROJECT/zones/ZONE/instances/NAME, where NAME is the numeric id in bills; the
// part before projects may be missing. ok is false for other resources.
func GoogleResource(name string) (project, zone, instance string, ok bool) {
	_, path, found := strings.Cut(name, "compute.googleapis.com/")
	if !found {
		path, found = name, strings.HasPrefix(name, "projects/")
	}
	parts := strings.Split(path, "/")
	if !found || len(parts) != 6 || parts[0] != "projects" || parts[2] != "zones" || parts[4] != "instances" {
		return "", "", "", false
	}
	return parts[1], parts[3], parts[5], parts[1] != "" && parts[3] != "" && parts[5] != ""
}

// AzureResourceKey is the key of an Azure resource id: ids are case-insensitive.
func AzureResourceKey(id string) string { return "/" + strings.ToLower(strings.Trim(id, "/")) }

// AWSInstanceKey is the key of an EC2 instance from a resource id or ARN; empty for other resources.
func AWSInstanceKey(resource string) string {
	id := strings.ToLower(resource[strings.LastIndexByte(resource, '/')+1:])
	if strings.HasPrefix(id, "i-") || strings.HasPrefix(id, "mi-") {
		return id
	}
	return ""
}

// HostOf is the host of a qualified name, gpu-1 of gpu-1.eu.example.com. It is empty for other texts: a name without
// a domain, an address, a path, an OCID.
func HostOf(name string) string {
	host, domain, qualified := strings.Cut(name, ".")
	if !qualified || domain == "" || host == "ocid1" || strings.ContainsAny(name, "/: ") ||
		strings.Trim(host, "0123456789") == "" {
		return ""
	}
	return host
}

// MaxInstanceSeconds bounds the instance time of one line, some 300 million
// hours: more is a fault of the bill, and sums of such lines would not fit.
const MaxInstanceSeconds = 1 << 40

// InstanceSeconds returns the seconds of so many instance-hours, rounded half up (rule 8.1). Those of a reversal are
// the negative of the reversed seconds. ok is false above MaxInstanceSeconds.
func InstanceSeconds(hours money.Amount) (seconds int64, ok bool) {
	if hours.Sign() < 0 {
		seconds, ok = InstanceSeconds(hours.Neg())
		return -seconds, ok
	}
	if units, short := hours.Units(); short {
		const nine = 9 * money.UnitsPerOne / period.Hour // units of nine seconds, a whole number
		q, r := units/nine, units%nine
		seconds = 9*q + (18*r+nine)/(2*nine)
		return seconds, seconds <= MaxInstanceSeconds
	}
	total := hours.Rat()
	total.Mul(total, big.NewRat(period.Hour, 1))
	whole := new(big.Int).Lsh(total.Num(), 1)
	whole.Add(whole, total.Denom()).Quo(whole, new(big.Int).Lsh(total.Denom(), 1))
	if !whole.IsInt64() || whole.Int64() > MaxInstanceSeconds {
		return 0, false
	}
	return whole.Int64(), true
}
