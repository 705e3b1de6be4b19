package dashtest

import "gpuledger/internal/money"

// Advice are the ids of three recommendations: an open one, one that was
// dismissed, and one without money.
var Advice = [3]string{
	"0a11ce00000000000000000000000001", "0a11ce00000000000000000000000002", "0a11ce00000000000000000000000003",
}

// advice is the recommendations.
func (r *Reader) advice() {
	r.Tables["recommendations"] = []Row{
		{"recommendation_id": Advice[0], "kind": "stop_idle", "subject": "aws-prod/research/Pod/notebook <b>",
			"team": "vision", "proposal": "Stop it when idle.", "status": "open", "holds": "true", "confidence": "high",
			"risk": "low", "effort": "low", "evidence": "findings: 2 × forgotten_notebook",
			"recommendations": int64(1), "saving_per_month": money.MustParse("265.42"),
			"open_saving_per_month": money.MustParse("265.42"), "currency": "USD"},
		{"recommendation_id": Advice[1], "kind": "commit", "subject": "g6.xlarge/training",
			"proposal": "Buy a flexible plan (savings plan) for 2 × g6.xlarge.", "status": "dismissed",
			"note": "not <now>", "decided_by": "bob", "decided_at": Last, "holds": "true",
			"confidence": "low", "risk": "high", "effort": "high", "recommendations": int64(1),
			"saving_per_month": money.MustParse("152.72"), "open_saving_per_month": money.MustParse("0"), "currency": "USD"},
		{"recommendation_id": Advice[2], "kind": "taint_nodes", "subject": "aws-prod/ip-10-20-237-183", "team": "vision",
			"proposal": "Taint the node.", "status": "open", "holds": "true",
			"confidence": "high", "risk": "low", "effort": "low",
			"recommendations": int64(1)},
	}
}
