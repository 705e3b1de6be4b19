package metrics

var policies = Dataset{
	Name: "policies",
	Lead: []string{"version", "status", "valid_from", "valid_to", "note", "created_by", "created_at"},
	Doc: "One version of the policy: the settings of the rules, owner rules, and who pays for unheld time. The standard " +
		"policy applies before the first version.",
	Columns: sourced("policy_versions", []Column{
		attr("version", Text, "Name; postings carry it as policy_version."),
		attr("status", Text, "In force (holds) or withdrawn.").values("holds", "withdrawn"),
		attr("valid_from", Time, "Start of the UTC day from which it applies; NULL: always."),
		attr("valid_to", Time, "When the next version takes over; NULL: there is no later version."),
		attr("note", Text, "Why it was written."),
		attr("created_at", Time, "When it was stored; NULL for the standard."),
		attr("created_by", Text, "Who stored it."),
		attr("withdrawn_at", Time, "When it was withdrawn."),
		attr("document", Text, "As written; NULL for the standard."),
	}...),
	RowKey: []string{"version"},
	Order:  []Order{{Column: "status"}, {Column: "valid_from"}},
}

var mappings = Dataset{
	Name: "mappings",
	Lead: []string{"name", "version", "status", "valid_from", "changed_by", "changed_at", "reason"},
	Doc: "One version of a mapping: owner rules, allowed values and mapped values with their own name, outside the " +
		"versions of the policy.",
	Columns: sourced("mappings", []Column{
		attr("name", Text, "Name of the mapping."),
		attr("version", Count, "Version of the name and day, from 1."),
		attr("status", Text, "In force (holds), or replaced by a later version of the same day.").values("holds", "replaced"),
		attr("valid_from", Time, "Start of the UTC day from which it applies, until the next day of the name; NULL: always."),
		attr("note", Text, "Note in the document."),
		attr("reason", Text, "Why the version was stored."),
		attr("changed_at", Time, "When it was stored."),
		attr("changed_by", Text, "Who stored it."),
		attr("document", Text, "As written."),
	}...),
	RowKey: []string{"name", "valid_from", "version"},
	Order:  []Order{{Column: "name"}, {Column: "valid_from"}, {Column: "version"}},
}
