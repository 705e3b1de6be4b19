package main

import (
	"io"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"gpuledger/ingest"
	"gpuledger/metrics"
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
	for _, word := range before {
		switch child := childOf(node, word); {
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
			given++
		}
	}
	var found []string
	name, value, has := strings.Cut(strings.TrimLeft(last, "-"), "=")
	switch {
	case waits != nil:
		found = valuesOf(waits.Value)
	case strings.HasPrefix(last, "-") && has:
		if f := flagOf(flags, name); f != nil {
			for _, v := range valuesOf(f.Value) {
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
			found = append(found, valuesOf(node.Positional[given])...)
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

// valuesOf lists the values of an option or argument, if they come from a list.
func valuesOf(v *kong.Value) []string {
	switch v.Name {
	case "dataset":
		return metrics.DatasetNames()
	case "source":
		return slices.Clone(ingest.Sources)
	case "group-by":
		var keys []string
		for _, k := range metrics.Keys {
			keys = append(keys, k.Name)
		}
		return keys
	case "command":
		return nil
	}
	return slices.DeleteFunc(v.EnumSlice(), func(value string) bool { return value == "" })
}
