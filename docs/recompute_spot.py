#!/usr/bin/env python3
"""Recomputes what spot saved from its explanation alone, to the last digit (docs/figures.md, 15.4 and 20.2):
   gpuledger explain spot --list all --format json | python3 docs/recompute_spot.py
Also of spot/instance_type=NAME and run/ID: gross = Σ (on demand − cost) of what is known, net = gross − destroyed."""
import json, sys
from fractions import Fraction

explanation, wrong = json.load(sys.stdin), 0
spot = explanation["spot"]
if spot["postings"] != len(spot["listed"]):
    sys.exit(f"{len(spot['listed'])} of {spot['postings']} postings are listed: explain with --list all")
for said in spot["sums"]:
    gross = lost = Fraction(0)
    for p in (p for p in spot["listed"] if p["currency"] == said["currency"]):
        lost += Fraction(p["lost_cost"] or 0)
        if p["on_demand_equivalent"] is None:
            continue
        equivalent = Fraction(p["on_demand_equivalent"])
        gross += equivalent - Fraction(p["effective_cost"])
        if p["on_demand_source"] != "bill":     # there it is the list cost of the posting
            exact = Fraction(p["on_demand_rate"]) * Fraction(p["gpu_hours"] or 0) / Fraction(p["machine_gpus"])
            wrong += (exact * 10**12 + Fraction(1, 2)) // 1 != equivalent * 10**12
    figures = {o["name"]: o["value"] for f in explanation["figures"] if f["currency"] == said["currency"] for o in f.get("others", [])}
    for names, found in ((("gross_savings", "spot_savings"), gross), (("net_savings", "net_spot_savings"), gross - lost)):
        same = Fraction(said[names[0]]) == found and (not said["known_postings"] or found in [Fraction(figures[n]) for n in names if n in figures])
        print(names[0], said["currency"], said[names[0]], "agrees" if same else f"DIFFERS: {found}")
        wrong += not same
sys.exit(wrong > 0)
