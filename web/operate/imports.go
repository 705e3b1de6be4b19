package operate

// File is a file to import that a request carries.
type File struct {
	Source  string // a source of gpuledger import
	Name    string // of the file, for messages; may be empty
	Cluster string // of telemetry that names none; may be empty
	Content []byte
}

// Imported is the result of an import.
type Imported struct {
	Source   string `json:"source"`
	State    string `json:"state" one:"published unchanged refused" example:"published"`
	RowsRead int64  `json:"rows_read"`
	Accepted int64  `json:"accepted"`
	Rejected int64  `json:"rejected"`
	Ignored  int64  `json:"ignored"`
	// Rejections are the first rejected rows.
	Rejections []string `json:"rejections" doc:"The first rejected rows, with line, column and reason."`
	Imports    []string `json:"imports" doc:"Ids in the dataset imports."`
	Message    string   `json:"message,omitempty"`
}
