package main

// How are logs of separate call and return lines read? The place of a line in its file is its time, a return belongs to
// the open call of the same process, and calls that never return stay pending.

import (
	"bufio"
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

type eventKind int

const (
	invoked eventKind = iota
	succeeded
	failed
	unknown
)

var eventKinds = map[string]eventKind{"invoke": invoked, "ok": succeeded, "fail": failed, "info": unknown}

// An event is one line of a log. On a call, args are filled in; on a return, result.
type event struct {
	process int
	kind    eventKind
	f       string
	args    []string
	result  string
}

// readLog pairs the lines that parse understands. What a failure means follows Porcupine's own reading of the etcd
// logs: a failed cas took place and found another value; anything else that failed did not happen and is dropped.
// info (a time-out) leaves the operation pending.
func readLog(lines *bufio.Scanner, parse func(string) (event, bool)) ([]recordedOp, error) {
	var ops []recordedOp
	open := map[int]int{} // process -> index of its open operation
	dropped := map[int]bool{}
	for number := 1; lines.Scan(); number++ {
		line, understood := parse(lines.Text())
		if !understood {
			continue
		}
		if line.kind == invoked {
			if _, busy := open[line.process]; busy {
				return nil, fmt.Errorf("line %d: process %d calls while its last call is open", number, line.process)
			}
			open[line.process] = len(ops)
			ops = append(ops, recordedOp{process: line.process, f: line.f, args: line.args, call: int64(number), pending: true})
			continue
		}
		index, found := open[line.process]
		if !found {
			return nil, fmt.Errorf("line %d: process %d returns without a call", number, line.process)
		}
		delete(open, line.process)
		op := &ops[index]
		switch {
		case line.kind == unknown:
		case line.kind == failed && op.f != "cas":
			dropped[index] = true
		default:
			op.pending, op.ret, op.result = false, int64(number), line.result
			if op.f == "cas" {
				op.result = strconv.FormatBool(line.kind == succeeded)
			}
		}
	}
	kept := ops[:0]
	for index, op := range ops {
		if !dropped[index] {
			kept = append(kept, op)
		}
	}
	return kept, nil
}

var jepsenLine = regexp.MustCompile(`(\d+)\t:(invoke|ok|fail|info)\t:(\w+)\t(\S.*)$`)

// parseJepsen understands `INFO  jepsen.util - 3	:invoke	:cas	[1 2]`; other lines (the nemesis) are skipped.
func parseJepsen(text string) (event, bool) {
	parts := jepsenLine.FindStringSubmatch(text)
	if parts == nil {
		return event{}, false
	}
	process, _ := strconv.Atoi(parts[1])
	line := event{process: process, kind: eventKinds[parts[2]], f: parts[3]}
	value := strings.TrimSpace(parts[4])
	switch {
	case line.kind != invoked:
		line.result = plain(value)
	case line.f != "read":
		for _, part := range strings.Fields(strings.Trim(value, "[]")) {
			line.args = append(line.args, plain(part))
		}
	}
	return line, true
}

var kvLine = regexp.MustCompile(`^\{:process (\d+), :type :(invoke|ok|fail|info), :f :(\w+), :key ("[^"]*"), :value (nil|"[^"]*")\}`)

// parseKV understands `{:process 0, :type :invoke, :f :append, :key "0", :value "x 0 0 y"}`.
func parseKV(text string) (event, bool) {
	parts := kvLine.FindStringSubmatch(text)
	if parts == nil {
		return event{}, false
	}
	process, _ := strconv.Atoi(parts[1])
	line := event{process: process, kind: eventKinds[parts[2]], f: parts[3]}
	value := plain(parts[5])
	switch {
	case line.kind != invoked:
		line.result = value
	case line.f == "get":
		line.args = []string{parts[4]}
	default:
		line.args = []string{parts[4], value}
	}
	return line, true
}

// plain gives Clojure's nil the word that JSON has for it, so that models know one only.
func plain(value string) string {
	if value == "nil" {
		return null
	}
	return value
}
