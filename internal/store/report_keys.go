package store

import (
	"fmt"
	"strings"

	"gpuledger/metrics"
)

// keyColumn says where a group key of costs is in SQL: an expression over the
// fact row p and what the joins bring.
type keyColumn struct {
	expr  string
	joins []join
}

// join brings one table to the fact row. A join comes after those it needs.
type join int

// Joins in the order in which they must stand.
const (
	joinTenant join = iota
	joinOwner
	joinNode
	joinWorkload
	joinRun
	joinAttempt
	joinPart
	joinCharge
	joinRate
	joinTags
	joinCount
)

var joinSQL = [joinCount]string{
	joinTenant:   "join tenants t on t.tenant_id = @tenant",
	joinOwner:    "left join owners o on o.tenant_id = @tenant and o.owner_id = p.owner_id",
	joinNode:     "left join nodes n on n.tenant_id = @tenant and n.node_id = p.node_id",
	joinWorkload: "left join workloads w on w.tenant_id = @tenant and w.workload_id = p.workload_id",
	joinRun:      "left join runs r on r.tenant_id = @tenant and r.run_id = p.run_id",
	joinAttempt:  "left join attempts a on a.tenant_id = @tenant and a.attempt_id = p.attempt_id",
	joinPart:     "left join parts b on b.tenant_id = @tenant and b.hour = p.hour and b.part_id = p.part_id",
	joinCharge:   "left join charges c on c.tenant_id = @tenant and c.delivery_id = b.delivery_id and c.charge_id = b.charge_id",
	joinRate:     "left join rates f on f.tenant_id = @tenant and f.rate_id = p.rate_id",
	joinTags:     "left join tag_sets g on g.tenant_id = @tenant and g.tag_set_id = c.tag_set_id",
}

var (
	charge = []join{joinPart, joinCharge}
	node   = []join{joinNode}
)

// keyColumns holds every standard key; a test compares it with metrics.Keys.
var keyColumns = func() map[string]keyColumn {
	m := map[string]keyColumn{
		"tenant":          {"t.name", []join{joinTenant}},
		"provider":        {"coalesce(nullif(c.provider, ''), nullif(split_part(n.provider_id, ':', 1), ''))", append(node, charge...)},
		"billing_account": {"nullif(c.billing_account, '')", charge},
		"account":         {"coalesce(nullif(c.account, ''), nullif(n.account, ''))", append(node, charge...)},
		"billing_period":  {"nullif(p.billing_period, '')", nil},
		"region":          {"coalesce(nullif(n.region, ''), nullif(c.region, ''))", append(node, charge...)},
		"zone":            {"coalesce(nullif(n.zone, ''), nullif(c.zone, ''))", append(node, charge...)},
		"cluster":         {"nullif(n.cluster, '')", node},
		"node":            {"nullif(n.name, '')", node},
		"instance_type":   {"coalesce(nullif(n.instance_type, ''), nullif(c.instance_type, ''))", append(node, charge...)},
		"gpu_model":       {"nullif(n.gpu_model, '')", node},
		"device":          {"nullif(p.device, '')", nil},
		"slice":           {"case when p.slice_id is not null then p.device || '/' || p.slice_id end", nil},
		"mig_profile":     {"nullif(p.mig_profile, '')", nil},
		"pricing":         {"coalesce(nullif(c.price_class, ''), nullif(f.price_class, ''), nullif(n.price_class, ''))", []join{joinNode, joinPart, joinCharge, joinRate}},
		"commitment":      {"nullif(c.commitment_id, '')", charge},
		"service_name":    {"nullif(c.service_name, '')", charge},
		"namespace":       {"nullif(w.namespace, '')", []join{joinWorkload}},
		"workload_kind":   {"nullif(w.kind, '')", []join{joinWorkload}},
		"workload_class":  {"nullif(w.class, '')", []join{joinWorkload}},
		"workload":        {"nullif(w.owner_name, '')", []join{joinWorkload}},
		"pod":             {"nullif(w.name, '')", []join{joinWorkload}},
		"service":         {"nullif(w.service, '')", []join{joinWorkload}},
		"run":             {"nullif(p.run_id, '')", nil},
		"attempt":         {"a.attempt::text", []join{joinAttempt}},
		"group":           {"nullif(r.group_id, '')", []join{joinRun}},
		"cause":           {"p.cause", nil},
		"charge_category": {"nullif(c.category, '')", charge},
		"quality":         {"p.quality", nil},
		"state":           {"p.state", nil},
	}
	for _, name := range metrics.OwnerKeys {
		m[name] = keyColumn{fmt.Sprintf(`nullif(o.%s, '')`, ident(name)), []join{joinOwner}}
	}
	return m
}()

// keySQL compiles a group key. KEY of tag:KEY and label:KEY is a value; both
// are also found under the spelling that exporters and providers prefix.
func (c *compiler) keySQL(k metrics.Key) keyColumn {
	switch k.On {
	case metrics.OnTag:
		return keyColumn{fmt.Sprintf("coalesce(g.tags ->> %s, g.tags ->> %s)", c.value(k.Arg, "text"), c.value("user_"+k.Arg, "text")),
			[]join{joinPart, joinCharge, joinTags}}
	case metrics.OnLabel:
		return keyColumn{fmt.Sprintf("coalesce(o.labels ->> %s, o.labels ->> %s)", c.value(k.Arg, "text"), c.value("label_"+k.Arg, "text")),
			[]join{joinOwner}}
	}
	return keyColumns[k.Name]
}

// ident quotes an identifier.
func ident(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }

// ownerColumnsSQL is what @owner_columns stands for.
func ownerColumnsSQL() string {
	var cols []string
	for _, name := range metrics.OwnerKeys {
		cols = append(cols, fmt.Sprintf("%s as %s", keyColumns[name].expr, ident(name)))
	}
	return strings.Join(cols, ", ")
}
