package main

import (
	"cmp"
	"io"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"gpuledger/ingest"
	"gpuledger/metrics"
	"gpuledger/metrics/focus"
)

type completionCmd struct {
	Shell string `arg:"" enum:"bash,zsh,fish" help:"${enum}."`
}

// completeWords is the hidden command that the scripts call for completions.
const completeWords = "__complete"

// scripts pass the words before the cursor to the program; if it offers none, the shell
// completes file names.
var scripts = map[string]string{
	"bash": `# gpuledger completion bash > /etc/bash_completion.d/gpuledger
_gpuledger() {
  local IFS=$'\n'
  COMPREPLY=($(compgen -W "$(gpuledger __complete "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)" -- "${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _gpuledger gpuledger
`,
	"zsh": `#compdef gpuledger
# gpuledger completion zsh > "${fpath[1]}/_gpuledger"
_gpuledger() {
  local -a found
  found=("${(@f)$(gpuledger __complete "${(@)words[2,CURRENT]}" 2>/dev/null)}")
  if [[ -n "${found[1]}" ]]; then compadd -a found; else _files; fi
}
compdef _gpuledger gpuledger
`,
	"fish": `# gpuledger completion fish > ~/.config/fish/completions/gpuledger.fish
complete -c gpuledger -a '(gpuledger __complete (commandline -opc)[2..] (commandline -ct) 2>/dev/null)'
`,
}

// Run implements the command.
func (c *completionCmd) Run(a *app) error {
	_, err := io.WriteString(a.stdout, scripts[c.Shell])
	return err
}

// complete lists completions of the last word: commands, options, and values of options and
// arguments that come from a list. It returns none for file names.
func complete(model *kong.Application, words []string) []string {
	if len(words) == 0 {
		words = []string{""}
	}
	last, before := words[len(words)-1], words[:len(words)-1]
	node, flags, given := model.Node, slices.Clone(model.Flags), 0
	var waits *kong.Flag // the flag whose value comes next
	first := ""          // argument, such as a dataset
	for _, word := range before {
		switch child := childOf(node, word); {
		case waits != nil && word == "=": // bash separates it
		case waits != nil:
			waits = nil
		case strings.HasPrefix(word, "-"):
			name, _, has := strings.Cut(strings.TrimLeft(word, "-"), "=")
			if f := flagOf(flags, name); f != nil && !has && !f.IsBool() {
				waits = f
			}
		case child != nil:
			node, flags = child, append(flags, child.Flags...)
		default:
			first = cmp.Or(first, word)
			given++
		}
	}
	if waits != nil && last == "=" {
		last = ""
	}
	var found []string
	name, value, has := strings.Cut(strings.TrimLeft(last, "-"), "=")
	switch {
	case waits != nil:
		found = valuesAt(waits.Value, first, last)
	case strings.HasPrefix(last, "-") && has:
		if f := flagOf(flags, name); f != nil {
			for _, v := range valuesAt(f.Value, first, value) {
				found = append(found, strings.TrimSuffix(last, value)+v)
			}
		}
	case strings.HasPrefix(last, "-"):
		for _, f := range flags {
			found = append(found, "--"+f.Name)
		}
	default:
		for _, child := range node.Children {
			if !child.Hidden {
				found = append(found, child.Name)
			}
		}
		if given < len(node.Positional) {
			found = append(found, valuesOf(node.Positional[given], first)...)
		}
	}
	slices.Sort(found)
	return slices.Compact(slices.DeleteFunc(found, func(word string) bool { return !strings.HasPrefix(word, last) }))
}

func childOf(n *kong.Node, name string) *kong.Node {
	i := slices.IndexFunc(n.Children, func(c *kong.Node) bool { return c.Name == name })
	if i < 0 {
		return nil
	}
	return n.Children[i]
}

func flagOf(flags []*kong.Flag, name string) *kong.Flag {
	i := slices.IndexFunc(flags, func(f *kong.Flag) bool { return f.Name == name })
	if i < 0 {
		return nil
	}
	return flags[i]
}

// valuesAt lists the values of an option as far as they are typed: of a list with commas, with the values before.
func valuesAt(v *kong.Value, dataset, typed string) []string {
	values := valuesOf(v, dataset)
	at := strings.LastIndexByte(typed, ',') + 1
	if at == 0 || !slices.Contains(lists, v.Name) {
		return values
	}
	before := strings.Split(typed[:at], ",")
	var found []string
	for _, value := range values {
		if !slices.Contains(before, value) {
			found = append(found, typed[:at]+value)
		}
	}
	return found
}

// lists are options that take several values, separated by commas.
var lists = []string{"group-by", "columns", "order"}

// valuesOf lists the values of an option or argument, if they come from a list; those of a report follow its dataset.
func valuesOf(v *kong.Value, dataset string) []string {
	of, err := metrics.LookupDataset(dataset)
	known := err == nil
	switch {
	case v.Name == "dataset":
		return metrics.DatasetNames()
	case v.Name == "source":
		return slices.Clone(ingest.Sources)
	case v.Name == "group-by" && known:
		return of.GroupKeys()
	case v.Name == "group-by", v.Name == "filter" && !known:
		var keys []string
		for _, k := range metrics.Keys {
			keys = append(keys, k.Name)
		}
		return keys
	case v.Name == "columns" && known, v.Name == "order" && known, v.Name == "filter" && known:
		var columns []string
		for _, c := range of.Columns {
			columns = append(columns, c.Name)
		}
		if of.Grouped {
			columns = append(columns, of.GroupKeys()...)
		}
		return columns
	}
	if values, closed := closedOptions[v.Name]; closed {
		return values
	}
	if v.Name == "command" {
		return nil
	}
	return slices.DeleteFunc(v.EnumSlice(), func(value string) bool { return value == "" })
}

// closedOptions are options of reports with few values.
var closedOptions = map[string][]string{
	"granularity": {"total", "hour", "day", "week", "month"}, "basis": {"effective", "billed", "list", "contracted"},
	"sharing": {"before", "after"}, "currency-missing": {"refuse", "keep"}, "org": {"as-was"},
	"against": {"previous", "same_days"}, "focus-version": focus.Versions,
}
