#!/usr/bin/env python3
"""Recomputes a run from its explanation alone, to the last digit:
   gpuledger explain run/ID --format json | python3 docs/recompute-run.py"""
import json, sys
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
whole = {"parts": explanation["whole_parts"], "rows": [{"weight": 1, "mine": True}]}
for metric in ("effective_cost", "billed_cost", "list_cost", "contracted_cost"):
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
