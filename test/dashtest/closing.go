package dashtest

import (
	"crypto/sha256"
	"fmt"

	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
)

// Payer is the billing account whose September is closed and whose October was
// closed, reopened and closed again.
const Payer = "acme/payer 1"

// closing is the closed periods: three statements, their lines and the audit log.
func (r *Reader) closing() {
	digest := func(n int) string { return fmt.Sprintf("%x", sha256.Sum256([]byte{byte(n)})) }
	usd := func(text string) money.Amount { return money.MustParse(text) }
	closed := First + 5*period.Day
	for i, p := range []Row{
		{"billing_period": "2026-11", "state": "open", "effective_cost": usd("1840.5")},
		{"billing_period": "2026-10", "state": "closed", "version": int64(2), "digest": digest(3), "closed_at": closed +
			period.Day, "closed_by": "ada", "effective_cost": usd("990"),
			"adjustments_effective_cost": usd("-84.6"), "late_hours": int64(3)},
		{
			"billing_period": "2026-09", "state": "closed", "version": int64(1), "digest": digest(1),
			"closed_at": closed - 30*period.Day, "closed_by": "ada", "effective_cost": usd("500"),
		},
	} {
		p["billing_account"], p["currency"] = Payer, "USD"
		r.Tables["periods"] = append(r.Tables["periods"], p)
		if version, ok := p["version"].(int64); ok {
			s := Row{"billing_account": Payer, "billing_period": p["billing_period"], "version": version, "state": "final",
				"digest": p["digest"], "closed_at": p["closed_at"], "closed_by": "ada",
				"policy_versions": "default-1,strict", "open_period": "2026-11", "lines": int64(12),
				"bytes": int64(4096), "number": int64(5 - 2*i), "chain": digest(9)}
			r.Tables["statements"] = append(r.Tables["statements"], s)
		}
	}
	r.Tables["statements"] = append(r.Tables["statements"],
		Row{"billing_account": Payer, "billing_period": "2026-10", "version": int64(1), "state": "reopened",
			"digest": digest(2), "closed_at": closed,
			"closed_by": "ada", "reopened_at": closed + 3600, "reopened_by": "bob", "reopen_reason": "wrong owner <b>",
			"policy_versions": "default-1", "open_period": "2026-11", "lines": int64(12),
			"bytes": int64(4096), "number": int64(2), "chain": digest(9)})
	line := func(month string, version int64, day period.Second, team, project string, cause ledger.Cause,
		kind ledger.PostingKind, cost, hours string) {
		row := Row{"billing_account": Payer, "billing_period": month, "version": version,
			"line": int64(len(r.Tables["statement_lines"]) + 1), "day": day, "provider": "aws", "team": team, "project": project,
			"cause": string(cause), "kind": string(kind), "quality": string(ledger.Measured),
			"currency": "USD", "effective_cost": usd(cost), "billed_cost": usd(cost)}
		if kind == ledger.SharedIn || kind == ledger.SharedOut {
			delete(row, "quality")
		}
		if hours != "" {
			row["capacity_gpu_hours"], row["gpu_hours"] = usd(hours), usd(hours)
		}
		r.Tables["statement_lines"] = append(r.Tables["statement_lines"], row)
	}
	october := First - 20*period.Day
	for version, speech := range map[int64]string{1: "500", 2: "560"} {
		vision := map[int64]string{1: "260", 2: "200"}[version]
		line("2026-10", version, october, "speech", "asr", ledger.Used, ledger.Direct, speech, "200")
		line("2026-10", version, october, "speech", "", ledger.HeldIdle, ledger.Direct, "100", "40")
		line("2026-10", version, october, "vision", "", ledger.Used, ledger.Direct, vision, "100")
		line("2026-10", version, october, "unowned", "", ledger.Free, ledger.Direct, "150", "60")
		line("2026-10", version, october, "unowned", "", ledger.Free, ledger.SharedOut, "-150", "")
		line("2026-10", version, october, "speech", "asr", ledger.Free, ledger.SharedIn, "100", "")
		line("2026-10", version, october, "vision", "", ledger.Free, ledger.SharedIn, "50", "")
		line("2026-10", version, october, "unowned", "", ledger.Shared, ledger.Direct, "1.125", "")
		line("2026-10", version, october-30*period.Day, "speech", "asr", ledger.Used, ledger.Adjustment, "-21.125", "")
	}
	line("2026-09", 1, october-30*period.Day, "speech", "asr", ledger.Used, ledger.Direct, "500", "100")
	for i, e := range []Row{
		{
			"actor": "ada", "action": "close", "subject": Payer + "/2026-10",
			"detail": `{"version":2,"digest":"` + digest(3) + `","lines":12}`,
		},
		{
			"actor": "bob", "action": "reopen", "subject": Payer + "/2026-10",
			"detail": `{"version":1,"reason":"wrong owner <b>"}`,
		},
		{
			"actor": "bob", "action": "close refused", "subject": "2026-11",
			"detail": `{"reasons":["2026-11 has not ended yet"]}`,
		},
		{"actor": "eve", "action": "policy", "subject": "strict", "detail": "not JSON"},
	} {
		e["number"], e["at"], e["hash"] = int64(4-i), closed-period.Second(i*3600), digest(i)
		r.Tables["audit"] = append(r.Tables["audit"], e)
	}
}
