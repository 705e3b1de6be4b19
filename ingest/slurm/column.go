package slurm

import (
	"regexp"
	"slices"
	"strings"
)

// column is a field that is read.
type column byte

const (
	colOther column = iota // not read
	colID
	colRaw
	colCluster
	colAccount
	colUser
	colPartition
	colQOS
	colState
	colReason
	colSubmit
	colEligible
	colStart
	colEnd
	colElapsed
	colElapsedRaw
	colAllocTRES
	colReqTRES
	colAllocGRES // per node
	colReqGRES   // per node
	colPerNode   // TresPerNode and similar
	colPerJob
	colPerTask
	colPerSocket
	colTasks // number of them
	colGRESDetail
	colNodeList
	colNodeListReason // squeue: nodes of running jobs, (reason) of waiting ones
	colNodes          // number of them
	colName
	colRestarts
	colWCKey
	colComment
	colAdminComment
	colExitCode
	colFreeText // not read, but it may contain anything
	columnCount
)

// columnNames by their spelling in headers, folded by foldName. squeue, scontrol and sacct have
// different names for some.
var columnNames = map[string]column{
	"jobid": colID, "jobarrayid": colID,
	"jobidraw": colRaw,
	"cluster":  colCluster,
	"account":  colAccount,
	"user":     colUser, "username": colUser, "userid": colUser,
	"partition": colPartition,
	"qos":       colQOS,
	"state":     colState, "jobstate": colState, "st": colState, "statecompact": colState,
	"reason": colReason,
	"submit": colSubmit, "submittime": colSubmit,
	"eligible": colEligible, "eligibletime": colEligible,
	"start": colStart, "starttime": colStart,
	"end": colEnd, "endtime": colEnd,
	"elapsed": colElapsed, "time": colElapsed, "timeused": colElapsed, "runtime": colElapsed,
	"elapsedraw": colElapsedRaw,
	"alloctres":  colAllocTRES, "tresalloc": colAllocTRES, "tres": colAllocTRES,
	"reqtres": colReqTRES,
	"tresreq": colReqTRES, "tresreqstr": colReqTRES, "tresallocstr": colAllocTRES,
	"allocgres": colAllocGRES, "gresalloc": colAllocGRES,
	"reqgres": colReqGRES, "gres": colReqGRES, "trespernode": colPerNode,
	"tresperjob": colPerJob, "trespertask": colPerTask, "trespersocket": colPerSocket,
	"ntasks": colTasks, "numtasks": colTasks, "tasks": colTasks,
	"gresdetail":       colGRESDetail,
	"nodelist":         colNodeList,
	"nodelist(reason)": colNodeListReason,
	"nnodes":           colNodes, "allocnodes": colNodes, "nodes": colNodes, "numnodes": colNodes,
	"jobname": colName, "name": colName,
	"restarts": colRestarts, "restartcnt": colRestarts, "restartcount": colRestarts,
	"wckey":        colWCKey,
	"comment":      colComment,
	"admincomment": colAdminComment,
	"exitcode":     colExitCode,

	"submitline": colFreeText, "systemcomment": colFreeText,
	"workdir": colFreeText, "command": colFreeText, "constraints": colFreeText,
	"extra": colFreeText, "container": colFreeText, "reservation": colFreeText,
	"stdout": colFreeText, "stderr": colFreeText, "stdin": colFreeText,

	// Known, so that headers of them alone are recognised.
	"allocs": colOther, "alloccpus": colOther, "ncpus": colOther, "reqcpus": colOther,
	"reqmem": colOther, "timelimit": colOther, "timelimitraw": colOther,
	"group": colOther, "gid": colOther, "uid": colOther, "dbindex": colOther,
	"derivedexitcode": colOther, "suspended": colOther, "priority": colOther,
	"reqnodes": colOther, "cputime": colOther, "cputimeraw": colOther,
	"maxrss": colOther, "flags": colOther, "associd": colOther, "sluid": colOther,
	"timeleft": colOther, "cpus": colOther, "minmemory": colOther, "features": colOther,
	"layout": colOther, "planned": colOther, "reserved": colOther,
	"consumedenergyraw": colOther, "consumedenergy": colOther, "totalcpu": colOther,
	"systemcpu": colOther, "usercpu": colOther, "blockid": colOther,
}

// foldName makes spellings of one column name equal: Tres_Alloc, TRES-ALLOC. It drops a width
// after a % (JobName%30).
func foldName(name string) string {
	name, _, _ = strings.Cut(strings.ToLower(strings.Trim(name, "\ufeff\" \t\r")), "%")
	return strings.NewReplacer("_", "", "-", "", " ", "").Replace(name)
}

// free reports whether a column may hold any text.
func (c column) free() bool {
	switch c {
	case colName, colComment, colAdminComment, colFreeText, colReason, colWCKey, colNodeListReason:
		return true
	}
	return false
}

// fits reports whether a text is possible in a column.
func (c column) fits(text string) bool {
	text = strings.TrimSpace(text)
	switch c {
	case colID, colRaw:
		_, ok := parseID(text)
		return ok
	case colState:
		_, _, ok := stateOf(text)
		return ok
	case colSubmit, colEligible, colStart, colEnd:
		_, err := parseTime(text, nil)
		return err == nil
	case colElapsed:
		_, ok := parseElapsed(text)
		return ok || text == "" || strings.EqualFold(text, "INVALID")
	case colElapsedRaw, colNodes, colRestarts, colTasks:
		return strings.Trim(text, "0123456789") == ""
	case colAllocTRES, colReqTRES:
		return text == "" || strings.Contains(text, "=") && !strings.ContainsAny(text, " \n")
	case colNodeList:
		_, err := expandHosts(text)
		return err == nil
	}
	return true
}

// layout is the structure of rows.
type layout struct {
	columns   []column
	names     []string
	delimiter string
	csv       bool // fields may be quoted
}

// has reports whether rows carry a column.
func (l *layout) has(c column) bool { return slices.Contains(l.columns, c) }

// maxDelimiter bounds the length of a detected delimiter.
const maxDelimiter = 16

// headerLayout parses a header line with any delimiter; nil if it is not a header.
func headerLayout(line string) *layout {
	line = strings.TrimRight(strings.TrimPrefix(line, "\ufeff"), "\r\n")
	if columnNames[foldName(line)] == colID && !strings.ContainsAny(line, " |,;\t") {
		return newLayout([]string{line}, "\x00")
	}
	start := strings.TrimLeft(line, "\"")
	word := 0
	for word < len(start) && (isLetter(start[word]) || word > 0 && (start[word] == '_' || start[word] == '-')) {
		word++
	}
	// The first name may run into a delimiter of letters: all shorter names are tried too.
	for at := word; at >= 2; at-- {
		if _, known := columnNames[foldName(start[:at])]; !known {
			continue
		}
		rest := strings.TrimLeft(start[at:], "\"")
		if strings.HasPrefix(rest, "%") { // a width
			rest = strings.TrimLeft(rest[1:], "-0123456789")
		}
		for n := 1; n <= min(maxDelimiter, len(rest)); n++ {
			if rest[0] == ' ' && strings.TrimSpace(rest[:n]) == "" {
				break // columns of fixed width
			}
			if l := newLayout(strings.Split(line, rest[:n]), rest[:n]); l != nil {
				return l
			}
		}
	}
	return nil
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

// newLayout binds names to columns; nil if too few of them are known, or the job's id is
// missing.
func newLayout(names []string, delimiter string) *layout {
	if n := len(names); n > 1 && strings.TrimSpace(names[n-1]) == "" { // --parsable ends lines with a delimiter
		names = names[:n-1]
	}
	l := &layout{names: names, delimiter: delimiter, csv: delimiter == "," || delimiter == ";" || delimiter == "\t"}
	known, id := 0, false
	for _, name := range names {
		folded := foldName(name)
		c, ok := columnNames[folded]
		if ok {
			known++
		} else if !nameShaped(folded) {
			return nil
		}
		id = id || c == colID || c == colRaw
		l.columns = append(l.columns, c)
	}
	if !id || 2*known < min(len(names), 12) {
		return nil
	}
	return l
}

func nameShaped(folded string) bool {
	if folded == "" {
		return false
	}
	for i := range len(folded) {
		if c := folded[i]; !isLetter(c) && (c < '0' || c > '9' || i == 0) && c != '(' && c != ')' {
			return false
		}
	}
	return true
}

// knownLayout recognises rows without a header by the tool that wrote them; nil for unknown
// tools.
func knownLayout(line string) *layout {
	line = strings.TrimRight(line, "\r\n")
	if fields := strings.Split(line, "|#"); len(fields) == len(gcmQueue) || len(fields) == len(gcmQueue)+1 {
		l := &layout{columns: gcmQueue, delimiter: "|#"}
		if l.fits(fields[:len(gcmQueue)]) {
			return l
		}
	}
	fields := strings.Split(line, "|")
	return shredderLayout(fields)
}

// fits reports whether the fields of a row have the forms of the columns.
func (l *layout) fits(fields []string) bool {
	for i, c := range l.columns {
		if !c.shaped(fields[i]) {
			return false
		}
	}
	return true
}

// shaped reports whether a text has the form of a column's values. The columns identify a
// layout; whether states, nodes and resources are valid is checked row by row, including the
// first.
func (c column) shaped(text string) bool {
	switch c {
	case colID, colRaw, colSubmit, colEligible, colStart, colEnd, colElapsed:
		return c.fits(text)
	case colState:
		return stateShape.MatchString(text)
	case colExitCode:
		return exitShape.MatchString(text)
	}
	return true
}

// timeLimit reports whether a text is a job's time limit.
func timeLimit(text string) bool {
	text = strings.TrimSpace(text)
	_, ok := parseElapsed(text)
	return ok || strings.EqualFold(text, "UNLIMITED") || strings.EqualFold(text, "Partition_Limit")
}

var (
	stateShape = regexp.MustCompile(`^ *[A-Za-z_]+\+?( by \S+)? *$`)
	exitShape  = regexp.MustCompile(`^ *(\d+:\d+)? *$`)
)

// gcmQueue are the columns that GPU Cluster Monitoring requests from squeue.
var gcmQueue = []column{
	colReqGRES, colOther, colID, colRaw, colName, colOther, colOther, colFreeText, colOther, colState,
	colUser, colOther, colNodes, colOther, colElapsed, colNodeList, colFreeText, colOther, colStart, colSubmit,
	colEligible, colOther, colOther, colComment, colPartition, colAccount, colQOS, colReason, colAllocTRES, colFreeText,
	colOther, colFreeText, colRestarts, colOther,
}

// shredderTimes are the columns that are always adjacent in the shredder's query.
var shredderTimes = []column{colSubmit, colEligible, colStart, colEnd, colElapsed, colExitCode, colState, colNodes}

// shredderLayout are the columns that Open XDMoD's shredder requests from sacct. They grew with
// its versions; the columns around the times, which are always adjacent, distinguish the
// versions.
func shredderLayout(fields []string) *layout {
	n := len(fields)
	at := 0 // of the submit time
	for i := 8; i+len(shredderTimes) <= n && i <= 10; i++ {
		submit, err := parseTime(fields[i], nil)
		if err == nil && len(submit) > 0 && (&layout{columns: shredderTimes}).fits(fields[i:]) {
			at = i
			break
		}
	}
	if at == 0 || n < at+14 || !colID.fits(fields[0]) {
		return nil
	}
	columns := make([]column, n)
	columns[0], columns[1], columns[2], columns[3] = colID, colRaw, colCluster, colPartition
	columns[at-2], columns[at-5] = colUser, colAccount
	if at-5 == 5 {
		columns[4] = colQOS
	}
	copy(columns[at:], shredderTimes)
	// Resources, up to the last three (time limit, nodes, name).
	last := n - 3
	for last > at+11 && !timeLimit(fields[last]) {
		last-- // the name contains the delimiter
	}
	if last == at+11 { // this row has no limit
		last = n - 3
	}
	columns = columns[:last+3]
	columns[last+1], columns[last+2] = colNodeList, colName
	switch resources := columns[at+11 : last]; len(resources) {
	case 1:
		resources[0] = colReqGRES
	case 2: // ReqGRES or ReqTRES, AllocTRES
		resources[0], resources[1] = colReqTRES, colAllocTRES
		if !colReqTRES.fits(fields[at+11]) || strings.HasPrefix(fields[at+11], "gpu") {
			resources[0] = colReqGRES
		}
	case 3:
		resources[0], resources[1], resources[2] = colReqGRES, colReqTRES, colAllocTRES
	default:
		return nil
	}
	l := &layout{columns: columns, delimiter: "|"}
	if len(fields) == len(columns) && !l.fits(fields) {
		return nil
	}
	return l
}
