package main

// What happened? The readers of this file and of logs.go bring every format to one shape, a recordedOp, whose values
// are still the words of the file ("4", "\"x\"", "null"). The models turn those words into numbers.

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
)

// A recordedOp is one operation. args are its arguments: [] for read, deq and pop; [v] for write, enq and push; [old new]
// for cas; [key] for the operations of a set and for get; [key value] for put and append. A pending operation has no
// result and may take effect at any moment after its call.
type recordedOp struct {
	process int
	f       string
	args    []string
	result  string
	call    int64
	ret     int64
	pending bool
}

const null = "null"

func load(file, format string) ([]recordedOp, error) {
	handle, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer handle.Close()
	lines := bufio.NewScanner(handle)
	lines.Buffer(make([]byte, 1<<20), 1<<26)
	var ops []recordedOp
	switch format {
	case "jsonl":
		ops, err = readJSONL(lines)
	case "jepsen":
		ops, err = readLog(lines, parseJepsen)
	case "kv":
		ops, err = readLog(lines, parseKV)
	default:
		return nil, fmt.Errorf("unknown format %q", format)
	}
	if err == nil {
		err = lines.Err()
	}
	return ops, err
}

// readJSONL reads linpoint's own form: one operation per line, no "return" (or null) when it is pending.
func readJSONL(lines *bufio.Scanner) ([]recordedOp, error) {
	var ops []recordedOp
	for number := 1; lines.Scan(); number++ {
		if len(lines.Bytes()) == 0 {
			continue
		}
		var line struct {
			Process int             `json:"process"`
			F       string          `json:"f"`
			Key     json.RawMessage `json:"key"`
			Value   json.RawMessage `json:"value"`
			Result  json.RawMessage `json:"result"`
			Call    int64           `json:"call"`
			Return  *int64          `json:"return"`
		}
		if err := json.Unmarshal(lines.Bytes(), &line); err != nil {
			return nil, fmt.Errorf("line %d: %w", number, err)
		}
		op := recordedOp{process: line.Process, f: line.F, result: word(line.Result), call: line.Call}
		if line.Return == nil {
			op.pending = true
		} else {
			op.ret = *line.Return
		}
		if line.Key != nil {
			op.args = append(op.args, word(line.Key))
		}
		if line.F == "cas" || line.Key == nil && (line.F == "put" || line.F == "append") {
			var pair []json.RawMessage
			if err := json.Unmarshal(line.Value, &pair); err != nil || len(pair) != 2 {
				return nil, fmt.Errorf("line %d: the value of %s must be a pair", number, line.F)
			}
			op.args = append(op.args, word(pair[0]), word(pair[1]))
		} else if value := word(line.Value); value != null {
			op.args = append(op.args, value)
		}
		ops = append(ops, op)
	}
	return ops, nil
}

func word(raw json.RawMessage) string {
	if raw == nil {
		return null
	}
	return string(raw)
}
