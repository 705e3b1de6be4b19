package series

// taintPrefix begins the attributes of NodeTaints: the taint's key is appended, the value is
// its effect.
const taintPrefix = "taint/"

// bindTaint resolves kube_node_spec_taint, which keeps pods without a toleration off a machine.
// A machine without taints has no such series.
func bindTaint(c *Collector, _ string, ls Labels) sink {
	key, effect := ls.Get("key"), ls.Get("effect")
	s := &objectSink{
		key:  objectKey{c.cluster(ls), "NodeTaints", "", ls.own("node")},
		m:    objectMetric{kind: "NodeTaints", field: objectText, attr: taintPrefix + key},
		text: effect,
	}
	switch {
	case s.key.name == "":
		return refuse{faultNoName}
	case key == "" || effect == "":
		return refuse{Unmapped}
	}
	return s
}
