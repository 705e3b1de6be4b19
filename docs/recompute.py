#!/usr/bin/env python3
"""Recomputes a figure from its explanation alone, to the last digit:
   gpuledger explain posting/ID --format json | python3 docs/recompute.py
Subjects that are split over usage rows (posting, usage, run, attempt, node, device) are computed
from parts and weights; figures of reports (costs?…, explained with --list all) from their postings. What spot saved: recompute_spot.py."""
import hashlib, json, sys
from fractions import Fraction

def split(amount, weights):                     # docs/rules.md 8.3: largest remainder in units of 1e-12
    sign, total = (-1 if amount < 0 else 1), sum(weights)
    units, dust = divmod(abs(amount) * 10**12, 1)
    quotas = [divmod(int(units) * w, total) for w in weights]
    shares = [q for q, _ in quotas]
    order = sorted(range(len(weights)), key=lambda i: (-quotas[i][1], i))
    for i in order[:int(units) - sum(shares)]:
        shares[i] += 1
    largest = max(range(len(weights)), key=lambda i: (shares[i], weights[i] > 0, -i))
    shares[largest] += dust                     # digits below 1e-12 go whole to the largest share
    return [sign * Fraction(s) / 10**12 for s in shares]

explanation, wrong = json.load(sys.stdin), 0
metrics = ("effective_cost", "billed_cost", "list_cost", "contracted_cost")
behind = explanation.get("behind") or {"listed": [], "postings": 0}
if behind["postings"] != len(behind["listed"]):
    sys.exit(f"{len(behind['listed'])} of {behind['postings']} postings are listed: explain with --list all")
if behind["listed"]:
    lines = [",".join([p["posting_id"], p["amount"]["currency"], *(p["amount"][m] or "" for m in metrics)]) for p in behind["listed"]]
    digest = sum(int(hashlib.sha256(line.encode()).hexdigest(), 16) for line in lines) % 2**256
    wrong += f"{digest:064x}" != behind["digest"]
whole = {"parts": explanation["whole_parts"] + behind["listed"], "rows": [{"weight": 1, "mine": True}]}
for metric in metrics:
    sums = {}
    for hour in explanation["node_hours"] + [whole]:
        weights = [int(row["weight"]) for row in hour["rows"]]
        for part in hour["parts"]:
            currency, amount = part["amount"]["currency"], part["amount"][metric]
            if amount is not None:
                shares = zip(split(Fraction(amount), weights), hour["rows"])
                sums[currency] = sums.get(currency, 0) + sum(share for share, row in shares if row["mine"])
    for figure in explanation["figures"]:
        said, found = figure[metric], sums.get(figure["currency"])
        same = said is None and found is None or said is not None and Fraction(said) == (found or 0)
        print(metric, figure["currency"], said, "agrees" if same else f"DIFFERS: {found}")
        wrong += not same
sys.exit(wrong > 0)
