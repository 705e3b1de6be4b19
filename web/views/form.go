package views

// Form is a form that works without scripts. A refused field says why, and keeps its value.
type Form struct {
	Title, Note string
	Action      string
	Hidden      [][2]string
	Fields      []FormField
	Token       bool // it asks for an operator's token
	Said        string
	Refused     []string // of the whole form
	Button      string
	Cancel      Link
}

// FormField is one field: a text, a date, or a choice if it has options.
type FormField struct {
	Name, Label, Value string
	Type               string // of the input; empty: text
	Hint               string
	Options            []Option
	List               []string // suggestions
	Required, Locked   bool     // Locked fields show a value that cannot change
	Numeric            bool
	Fault              string // why it is refused
}

// Option is a choice of a field.
type Option struct{ Value, Text string }

// inputType is the type of the input.
func (f FormField) inputType() string {
	if f.Type != "" {
		return f.Type
	}
	return "text"
}

// described names the element that describes the field: why it is refused, else the hint.
func (f FormField) described() string {
	switch {
	case f.Fault != "":
		return "fault-" + f.Name
	case f.Hint != "":
		return "hint-" + f.Name
	}
	return ""
}

// BudgetAbove offers the form of budgets, or shows it.
type BudgetAbove struct {
	New  string // address of the form for a new budget
	Form *Form
}
