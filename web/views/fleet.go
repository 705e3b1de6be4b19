package views

import "gpuledger/web/views/chart"

// Fleet is the page of the current state of all machines.
type Fleet struct {
	Shell
	Now   FleetNow
	Error *PanelError
}

// FleetNow is the part of the page that refreshes itself.
type FleetNow struct {
	Poll, Trigger string // address and "every 15s"
	Again         string // this page, for browsers without scripts
	Sentence, Sub string
	Tag           *Tag // "live", or the time of the data
	Said          string
	States        []FleetCount
	Strip         Strip
	Facts         []Fact
	Pools         *TablePanel // nil: one cluster only
	Groups        []FleetGroup
	None          string
	Clear         string // link that clears a filter without matches
	Next          string
	Previous      string
	Shown         string
	Notes         []string
}

// FleetCount is the number of devices in a state.
type FleetCount struct {
	State, Label string
	Count, Note  string
	Href         string
	Current      bool
}

// FleetGroup is the nodes of one cluster on the page.
type FleetGroup struct {
	Cluster, Note string
	Nodes         []FleetNode
}

// FleetNode is a machine with its devices.
type FleetNode struct {
	Name  string
	Lines []string // type, zone, devices
	Class *Tag     // how it was bought
	Span  string   // class of the columns it takes
	Cells []FleetCell
}

// FleetCell is one device.
type FleetCell struct {
	ID       string // of the element, so that focus survives a refresh
	Href     string
	Index    string
	State    string
	Label    string // of the state
	Value    Figure // activity, or the reason why there is none
	Level    string // activity in percent, for the bar; empty: unknown
	Hour     chart.MinuteLine
	Holders  []FleetHolder
	More     string   // "2 others"
	Nobody   string   // shown if there are no holders
	Measured []string // memory, power and temperature, if known
	Device   string   // short UUID
	UUID     string   // whole
	Age      string
	Title    string // all details, on hover and focus
	Slices   []FleetSlice
}

// FleetHolder is a workload that holds a device.
type FleetHolder struct {
	Name, Title, Href string
}

// FleetSlice is one MIG instance.
type FleetSlice struct {
	State, Label, Profile string
	Value                 Figure
	Holder                *FleetHolder
	Title                 string
}

// FleetDevice is the page of one device.
type FleetDevice struct {
	Shell
	Back          Link
	Sentence, Sub string
	State         Tag
	Facts         []Fact
	Charts        []FleetChart
	Slices        TablePanel
	Layouts       TablePanel
	Holders       TablePanel
	Notes         []string
}

// FleetChart is the last hour of one signal.
type FleetChart struct {
	Title, Note string
	Label       string // for screen readers, instead of the picture
	Line        chart.MinuteLine
	High, Low   string
	From, To    string
	None        string
}
