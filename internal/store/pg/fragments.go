package pg

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"gpuledger/allocation/fleet"
	"gpuledger/internal/ledger"
)

// fragments are SQL expressions that several statements share. A statement writes @name(column), which expandFragments
// replaces; the compiler of reports replaces @name without an argument for each query.
var fragments = map[string]func(column string) string{
	"instance_family": familySQL,
	"least_settled":   LeastSettledSQL,
	"part_lines":      partLinesSQL,
	"part_share":      partShareSQL,
	"provider":        ProviderSQL,
}

var fragmentCall = regexp.MustCompile(`@([a-z_]+)\(([a-z_.]+)\)`)

// expandFragments replaces the fragments in a statement. It leaves unknown names, which PostgreSQL then refuses.
func expandFragments(text string) string {
	return fragmentCall.ReplaceAllStringFunc(text, func(call string) string {
		m := fragmentCall.FindStringSubmatch(call)
		if f := fragments[m[1]]; f != nil {
			return f(m[2])
		}
		return call
	})
}

// familySQL is the family of an instance type, the unit that commitments are bought for: p5 of p5.48xlarge,
// Standard_NDisr_H100_v5 of Standard_ND96isr_H100_v5, a3-highgpu of a3-highgpu-8g.
func familySQL(column string) string {
	return fmt.Sprintf(`case when %[1]s like '%%.%%' then regexp_replace(%[1]s, '\.[^.]*$', '')
    when %[1]s like 'Standard\_%%' then regexp_replace(%[1]s, '^(Standard_[A-Z]+)[0-9-]+', '\1')
    else regexp_replace(%[1]s, '-[0-9]+g?$', '') end`, column)
}

// ProviderSQL is fleet.Provider of a provider id; NULL if the id names none.
func ProviderSQL(column string) string {
	var renamed strings.Builder
	for _, scheme := range slices.Sorted(maps.Keys(fleet.RenamedSchemes)) {
		fmt.Fprintf(&renamed, " when '%s' then '%s'", scheme, fleet.RenamedSchemes[scheme])
	}
	var bare strings.Builder
	for _, begin := range slices.Sorted(maps.Keys(fleet.BareIDs)) {
		fmt.Fprintf(&bare, " when starts_with(%s, '%s') then '%s'", column, begin, fleet.BareIDs[begin])
	}
	return fmt.Sprintf("case%[3]s when strpos(%[1]s, ':') = 0 then null else case split_part(%[1]s, ':', 1)%[2]s else "+
		"nullif(split_part(%[1]s, ':', 1), '') end end",
		column, renamed.String(), bare.String())
}

// LeastSettledSQL is the state of a group of rows with money: final < open < provisional, also in alphabetical order. An
// open row without cost is time that a bill leaves out (docs/rules.md 8.13, 8.14): no money will change there, so it
// counts only where no row of the group has a cost. A provisional row without cost still waits for its bill.
func LeastSettledSQL(rows string) string {
	return fmt.Sprintf("coalesce(max(%[1]s.state) filter (where %[1]s.state <> '%[2]s' or "+
		"%[1]s.effective_cost is not null), max(%[1]s.state))", rows, ledger.Open)
}

// partShareSQL is the select list that explain uses for shares of a subject: sums of the selected postings by part,
// hour and currency.
func partShareSQL(postings string) string {
	return fmt.Sprintf("%[1]s.part_id, %[1]s.hour, %[1]s.currency, sum(%[1]s.effective_cost) as effective_cost, "+
		"sum(%[1]s.billed_cost) as billed_cost, sum(%[1]s.list_cost) as list_cost, sum(%[1]s.contracted_cost) as "+
		"contracted_cost, "+
		"%[3]s as state, %[2]s as quality, array_agg(distinct %[1]s.policy_version) as versions, count(*) as postings",
		postings, worstQualitySQL(postings+".quality"), LeastSettledSQL(postings))
}

// partLinesSQL reads parts with their bill lines and rates.
func partLinesSQL(parts string) string {
	return fmt.Sprintf(`select %[1]s.node_id as node, %[1]s.hour, %[1]s.part_id, %[1]s.number, %[1]s.kind, %[1]s.charge_id,
  c.source_file as file, c.line, %[1]s.rate_id, f.hourly as rate, f.source, %[1]s.method, %[1]s.quality, %[1]s.currency,
  %[1]s.effective_cost, %[1]s.billed_cost, %[1]s.list_cost, %[1]s.contracted_cost, %[1]s.posting_kind, %[1]s.reverses,
  %[1]s.replaces,
  c.export, %[1]s.delivery_id as delivery, c.state as line_state, c.kind as line_kind, c.usage_type as usage,
  c.resource_id as resource, c.charge_start as "from", c.charge_end as "to", c.billing_period as period,
  array[c.effective_cost, c.billed_cost, c.list_cost, c.contracted_cost] as whole
from %[1]s
left join lateral (
  select d.export, d.state, l.* from deliveries d
  cross join lateral (
    select * from charge_lines x where x.tenant_id = $1 and x.delivery = d.number
      and x.charge_id = %[1]s.charge_id offset 0
  ) l
  where d.tenant_id = $1 and d.delivery_id = %[1]s.delivery_id
) c on true
left join posted_rates f on f.tenant_id = $1 and f.rate_id = %[1]s.rate_id
order by %[1]s.hour, %[1]s.charge_id, %[1]s.number, %[1]s.part_id`, parts)
}

// worstQualitySQL is ledger.Quality.Worse over a group, whatever the rows cost. It is for the rows of one part; reports
// weigh by cost (metrics.OpWorstQuality).
func worstQualitySQL(column string) string {
	return fmt.Sprintf("case when bool_or(%[1]s = '%[2]s') then '%[2]s' when bool_or(%[1]s = '%[3]s') then '%[3]s' "+
		"else '%[4]s' end",
		column, ledger.Assumed, ledger.Estimated, ledger.Measured)
}
