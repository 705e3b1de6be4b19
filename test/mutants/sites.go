package main

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// site is a place in a source file that can be changed.
type site struct {
	pkg, file string
	name      string // allocation/split/weights.go:Weights/< #2: stays while the function does
	line      int
	at, end   int // bytes of the file
	was, now  string
}

// swaps are the replacements of operators.
var swaps = map[token.Token]string{
	token.LSS: "<=", token.LEQ: "<", token.GTR: ">=", token.GEQ: ">", token.EQL: "!=", token.NEQ: "==",
	token.ADD: "-", token.SUB: "+", token.MUL: "/", token.QUO: "*", token.LAND: "||", token.LOR: "&&",
}

// calls are the replacements of built-ins.
var calls = map[string]string{"min": "max", "max": "min"}

// sitesOf lists the sites of a package's sources.
func sitesOf(pkg string) ([]site, error) {
	files, err := filepath.Glob(filepath.Join(pkg, "*.go"))
	if err != nil {
		return nil, err
	}
	var out []site
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		list, err := sitesIn(pkg, file)
		if err != nil {
			return nil, err
		}
		out = append(out, list...)
	}
	return out, nil
}

func sitesIn(pkg, file string) ([]site, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	set := token.NewFileSet()
	tree, err := parser.ParseFile(set, file, text, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	var out []site
	for _, d := range tree.Decls {
		f, ok := d.(*ast.FuncDecl)
		if !ok || f.Body == nil {
			continue
		}
		seen := map[string]int{}
		add := func(pos token.Pos, was, now string) {
			seen[was]++
			p := set.Position(pos)
			out = append(out, site{pkg: pkg, file: file, line: p.Line, at: p.Offset, end: p.Offset + len(was), was: was,
				now:  now,
				name: fmt.Sprintf("%s:%s %s #%d", file, f.Name.Name, was, seen[was])})
		}
		ast.Inspect(f.Body, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.BinaryExpr:
				if now, ok := swaps[n.Op]; ok && !texts(n) && !isNil(n) {
					add(n.OpPos, n.Op.String(), now)
				}
			case *ast.CallExpr:
				if id, ok := n.Fun.(*ast.Ident); ok && calls[id.Name] != "" {
					add(id.Pos(), id.Name, calls[id.Name])
				}
			}
			return true
		})
	}
	return out, nil
}

// texts reports whether an expression joins texts, which no other operator does.
func texts(n *ast.BinaryExpr) bool {
	if n.Op != token.ADD {
		return false
	}
	found := false
	ast.Inspect(n, func(n ast.Node) bool {
		lit, ok := n.(*ast.BasicLit)
		found = found || ok && lit.Kind == token.STRING
		return true
	})
	return found
}

// isNil reports whether a test is of nil: its opposite only panics.
func isNil(n *ast.BinaryExpr) bool {
	id, ok := n.Y.(*ast.Ident)
	return ok && id.Name == "nil"
}

// chosen are n of the sites, spread by a hash of their names.
func chosen(all []site, n int) []site {
	key := func(s site) string {
		sum := sha256.Sum256([]byte(s.name))
		return hex.EncodeToString(sum[:])
	}
	all = slices.Clone(all)
	slices.SortFunc(all, func(a, b site) int { return strings.Compare(key(a), key(b)) })
	return all[:min(n, len(all))]
}
