package dashtest

import (
	"fmt"
	"maps"

	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
)

// ImportID is the import that rejected rows.
var ImportID = ledger.NewID("import", "openmetrics").String()

// DeliveryID is a delivery that replaced another.
var DeliveryID = delivery("1")

func delivery(n string) string { return ledger.NewID("delivery", n).String() }

// journal is the imported data: deliveries, restatements, rejections, lines.
func (r *Reader) journal() {
	r.Tables["imports"] = []Row{
		{"import_id": ledger.NewID("import", "aws").String(), "source": "aws-cur", "state": "published",
			"uri": "s3://bills/cur2", "started_at": Last - 90, "finished_at": Last - 60,
			"files": int64(12), "bytes": int64(412e6), "rows_read": int64(412880),
			"accepted": int64(412880), "rejected": int64(0), "ignored": int64(0),
			"restated_added": int64(254), "restated_removed": int64(1), "restated_changed": int64(5)},
		{"import_id": ImportID, "source": "openmetrics", "state": "published", "uri": "metrics", "started_at": Last - 50,
			"finished_at": Last, "files": int64(3), "bytes": int64(17e6),
			"rows_read": int64(98112345), "accepted": int64(98112331), "rejected": int64(14), "ignored": int64(0)},
	}
	r.Tables["export_schedules"] = []Row{
		{"name": "finance", "dataset": "costs", "target": "s3://finance/gpuledger/costs", "every": "daily",
			"last_run": Last - 14*period.Hour, "last_state": "failed", "last_error": "access denied",
			"last_ended_at": Last - 30, "last_tries": int64(3)},
		{"name": "new", "dataset": "journal", "target": "/exports/journal", "every": "monthly"},
		{"name": "warehouse", "dataset": "runs", "target": "gs://warehouse/runs", "every": "hourly", "last_run": Last,
			"last_state": "done", "last_ended_at": Last + 1, "last_tries": int64(1), "last_done": Last},
	}
	r.Tables["import_counts"] = []Row{
		{"import_id": ImportID, "source": "openmetrics", "kind": "rejected", "reason": "not a number", "rows": int64(14)},
	}
	r.Tables["rejections"] = []Row{
		{"import_id": ImportID, "source": "openmetrics", "ordinal": int64(1), "file": "metrics/node-7.txt.gz",
			"line": int64(18022), "column": "value", "reason": "not a number",
			"detail": `found "abc": a value is a decimal number`},
	}
	for i, d := range []Row{
		{
			"source": "aws-cur", "export": "acme-cur2", "dataset": "CUR 2.0",
			"partition": "2026-10", "state": "current", "role": "book",
		},
		{
			"source": "aws-cur", "export": "acme-cur2", "dataset": "CUR 2.0",
			"partition": "2026-11", "state": "current", "role": "book", "delivered_at": Last - 3600,
		},
		{
			"source": "aws-cur", "export": "acme-cur2", "dataset": "CUR 2.0", "partition": "2026-11",
			"state": "superseded", "role": "book", "delivered_at": Last - 7200,
		},
		{"source": "price-book", "export": "racks", "partition": "2026-11", "state": "current", "role": "book"},
		{
			"source": "focus", "export": "acme-focus", "dataset": "FOCUS 1.2",
			"partition": "2026-11", "state": "current", "role": "evidence",
		},
	} {
		d["delivery_id"], d["import_id"], d["published_at"], d["files"], d["rows"] = delivery(fmt.Sprint(i)),
			ledger.NewID("import", "aws").String(), Last-period.Second(60*i), int64(2), int64(412880)
		r.Tables["deliveries"] = append(r.Tables["deliveries"], d)
	}
	for i, m := range []struct {
		service       string
		added, change int64
		billed        string
	}{{"Amazon Elastic Compute Cloud", 206, 4, "385.78"}, {"AmazonS3", 48, 1, "-3.21"}} {
		r.Tables["restatements"] = append(r.Tables["restatements"], Row{
			"delivery_id": DeliveryID, "replaced": delivery("2"), "source": "aws-cur",
			"export": "acme-cur2", "partition": "2026-11", "restated_at": Last - 60,
			"account": "111122223333", "service_name": m.service, "billing_period": "2026-11",
			"currency": "USD", "added": m.added, "removed": int64(1 - i), "changed": m.change,
			"billed_cost": money.MustParse(m.billed), "effective_cost": money.MustParse(m.billed),
			"list_cost": money.Amount{}, "contracted_cost": money.Amount{},
			"state": "open", "delivery_state": "current",
		})
	}
	r.Tables["policies"] = []Row{
		{"version": "default-1", "status": "holds", "valid_to": First, "note": "The standard."},
		{
			"version": "strict<b>", "status": "holds", "valid_from": First,
			"note": "idle for two hours", "created_at": First - period.Day, "created_by": "ada",
		},
		{
			"version": "tried", "status": "withdrawn", "valid_from": First - period.Day, "note": "too strict",
			"created_at": First - 2*period.Day, "created_by": "bob", "withdrawn_at": First,
		},
	}
	r.charges()
	r.closing()
	r.advice()
}

// charges are a few bill lines, one of them an aggregate.
func (r *Reader) charges() {
	line := func(file string, line int64, service, resource, kind, billed string, more Row) {
		at := First + period.Second(line)*period.Hour
		row := Row{
			"charge_id":   ledger.NewID("charge", fmt.Sprint(file, line)).String(),
			"delivery_id": DeliveryID, "source_file": file, "line": line, "provider": "aws",
			"billing_account": "111122223333", "account": "111122223333",
			"resource_id": resource, "service_name": service, "charge_category": "Usage",
			"charge_period_start": at, "charge_period_end": at + period.Hour, "billing_period": "2026-11",
			"currency": "USD", "role": "book", "state": "open", "kind": kind,
			"usage_type": "BoxUsage:p5.48xlarge", "lines": int64(1),
			"billed_cost": money.MustParse(billed), "effective_cost": money.MustParse(billed),
		}
		maps.Copy(row, more)
		r.Tables["charges"] = append(r.Tables["charges"], row)
	}
	line("data/cur2-2026-11-00003.parquet", 18204, "Amazon Elastic Compute Cloud", "i-0a31c9f2007e41b0", "usage", "98.32",
		nil)
	line("data/cur2-2026-11-00003.parquet", 18205, "Amazon Elastic Compute Cloud", "i-0a31c9f2007e41b0", "discount",
		"-11.80", nil)
	line("data/cur2-2026-11-00001.parquet", 15, "AmazonS3", "", "usage", "55.42", Row{
		"lines": int64(76), "line_ranges": "15-17 19 35-37 54-56 73-75 90-92", "usage_type": nil,
	})
	for i := range 120 {
		line("data/cur2-2026-11-00002.parquet", int64(i+1), "Amazon Elastic Compute Cloud", fmt.Sprintf("i-%017x", i),
			"usage", "32.77", nil)
	}
	r.Tables["costs"] = append(r.Tables["costs"],
		Row{"period_start": First, "provider": "aws", "account": "111122223333", "service_name": "AmazonS3",
			"billing_period": "2026-11", "cause": string(ledger.NonGPU), "team": "unowned",
			"currency": "USD", "effective_cost": money.MustParse("55.42"),
			"billed_cost": money.MustParse("55.42"), "state": "open"},
		Row{"period_start": First, "provider": "aws", "account": "111122223333", "service_name": "AmazonQuickSight",
			"billing_period": "2026-11", "cause": string(ledger.NonGPU), "team": "unowned",
			"currency": "USD", "effective_cost": money.MustParse("1.20"),
			"billed_cost": money.MustParse("1.20"), "state": "open"})
}

// Running makes an import run, half of its bytes read at at.
func (r *Reader) Running(at period.Second) *Reader {
	r.Tables["imports"] = append(r.Tables["imports"], Row{
		"import_id": ledger.NewID("import", "running").String(), "source": "gcp-billing",
		"state": "running", "uri": "bq://finops.billing.export", "started_at": at - 40, "progress_at": at,
		"phase": "read", "files": int64(4), "files_done": int64(1), "bytes": int64(80e6),
		"bytes_done": int64(40e6), "rows_done": int64(120000), "eta_seconds": int64(38),
	})
	return r
}

// WithEuros adds costs in euros: purchases, a run, a run in both currencies, and a bill with evidence next to its book.
func (r *Reader) WithEuros() *Reader {
	for day := range 19 {
		for i, cause := range []ledger.Cause{ledger.Used, ledger.HeldIdle, ledger.Metered, ledger.CommitmentUnused} {
			v := 900 / float64(i+1) * wave(day, i)
			row := Row{"period_start": First + period.Second(day)*period.Day, "provider": "azure", "pricing": "reserved",
				"team": "speech", "cause": string(cause), "currency": "EUR",
				"effective_cost": cents(v), "billed_cost": cents(v),
				"list_cost": cents(v), "contracted_cost": cents(v), "state": "open"}
			if i < 2 {
				row["gpu_hours"], row["capacity_gpu_hours"] = cents(v/2), cents(v/2)
			}
			r.Tables["costs"] = append(r.Tables["costs"], row)
		}
	}
	r.run("aks/speech/Job/tts-eu/1793700000", "tts-eu", "speech", "speech", "succeeded", First+period.Day,
		First+2*period.Day, 2, 310, map[string]float64{"used_cost": 1204.1, "lost_cost": 60}, 20)
	eur := r.Tables["runs"][len(r.Tables["runs"])-1]
	eur["currency"] = "EUR"
	both := maps.Clone(r.Tables["runs"][0])
	for _, c := range []string{
		"effective_cost", "billed_cost", "list_cost", "contracted_cost", "used_cost", "window_effective_cost",
	} {
		both[c] = money.MustParse("77.5")
	}
	for _, c := range []string{
		"overhead_cost", "held_idle_cost", "lost_cost", "lost_cost_min", "unobserved_cost", "provider_split_cost",
	} {
		both[c] = money.Amount{}
	}
	both["currency"], both["spot_savings"], both["net_spot_savings"], both["budget"],
		both["budget_ratio"] = "EUR", money.Amount{}, money.Amount{}, nil, nil
	r.Tables["runs"] = append(r.Tables["runs"], both)
	r.Tables["charges"] = append(r.Tables["charges"],
		Row{"charge_id": ledger.NewID("charge", "eur").String(), "delivery_id": delivery("8"),
			"source_file": "part_0_0001.csv", "line": int64(17),
			"provider": "azure", "billing_account": "74302915", "account": "7d0b7c1e",
			"service_name": "Virtual Machines", "charge_category": "Usage", "charge_period_start": First,
			"charge_period_end": First + period.Day, "billing_period": "2026-11", "currency": "EUR",
			"role": "book", "state": "open", "kind": "usage", "billed_cost": money.MustParse("120.5")})
	for i, role := range []string{"book", "evidence"} {
		total := money.MustParse("35113.48").Add(money.FromUnits(int64(i) * 7 * (money.UnitsPerOne / 100)))
		row := Row{"source": []string{"azure-cost", "focus"}[i], "delivery_id": delivery(fmt.Sprint(8 + i)), "role": role,
			"provider": "azure", "billing_account": "74302915",
			"account": "7d0b7c1e", "billing_period": "2026-11", "currency": "EUR",
			"metric": "billed_cost", "source_total": total, "charges": int64(17), "state": "open"}
		if i == 0 {
			row["posted_total"], row["difference"], row["unposted_charges"] = total, money.Amount{}, int64(0)
		} else {
			row["evidence_gap"] = money.MustParse("0.07")
		}
		r.Tables["reconciliation"] = append(r.Tables["reconciliation"], row)
	}
	return r
}
