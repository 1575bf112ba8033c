package main

// What is allowed? One constructor per model. Each gives Porcupine a state that is cheap to copy, compare and hash:
//
//	register   the number of the current value (0 is nil)
//	set        a bit mask; one bit when the keys are checked apart
//	kv         a string per key; all strings, with a running hash, when the keys are checked together
//	queue      a string of four bytes per element, so that deq and pop are substrings and == compares states
//	stack      the same
//
// A pending operation may have any result; all operations are total, so it can always be placed at the very end.

import (
	"fmt"
	"math"
	"strconv"

	"github.com/anishathalye/porcupine"
)

// A subject is a Porcupine model with the function that turns a recorded operation into the model's input and output.
type subject struct {
	model  porcupine.Model
	encode func(op recordedOp) (input, output any, err error)
}

func newSubject(name string, partitioned bool) (subject, error) {
	switch name {
	case "register":
		return newRegister(), nil
	case "set":
		return newSet(partitioned), nil
	case "kv":
		return newKV(partitioned), nil
	case "queue":
		return newContainer("enq", "deq", takeFront), nil
	case "stack":
		return newContainer("push", "pop", takeTop), nil
	}
	return subject{}, fmt.Errorf("unknown model %q", name)
}

func (s subject) encodeAll(recorded []recordedOp) ([]porcupine.Operation, error) {
	history := make([]porcupine.Operation, len(recorded))
	for i, op := range recorded {
		input, output, err := s.encode(op)
		if err != nil {
			return nil, fmt.Errorf("operation %d: %w", i, err)
		}
		ret := op.ret
		if op.pending {
			ret = math.MaxInt64
		}
		history[i] = porcupine.Operation{ClientId: op.process, Input: input, Call: op.call, Output: output, Return: ret}
	}
	return history, nil
}

func expectArgs(op recordedOp, count int) error {
	if len(op.args) != count {
		return fmt.Errorf("%s takes %d arguments, not %v", op.f, count, op.args)
	}
	return nil
}

func unknownName(op recordedOp) error { return fmt.Errorf("the model has no operation %q", op.f) }

// numbering gives equal words equal small numbers. Go keeps numbers below 256 in an interface without allocating.
type numbering map[string]int

func (n numbering) of(word string) int {
	number, known := n[word]
	if !known {
		number = len(n)
		n[word] = number
	}
	return number
}

// mix spreads the bits of a small number (the finalizer of SplitMix64).
func mix(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

type action uint8

const (
	actRead action = iota
	actWrite
	actCAS
	actAdd
	actRemove
	actContains
	actGet
	actPut
	actAppend
)

// ---- register -------------------------------------------------------------------------------------------------------

type registerInput struct {
	action   action
	old, new int
}

type registerOutput struct {
	value   int  // what read saw
	swapped bool // what cas said
	pending bool
}

func newRegister() subject {
	values := numbering{null: 0}
	encode := func(op recordedOp) (any, any, error) {
		in, out := registerInput{}, registerOutput{pending: op.pending}
		var err error
		switch op.f {
		case "read":
			in.action, err = actRead, expectArgs(op, 0)
			if !op.pending {
				out.value = values.of(op.result)
			}
		case "write":
			in.action, err = actWrite, expectArgs(op, 1)
			if err == nil {
				in.new = values.of(op.args[0])
			}
		case "cas":
			in.action, err = actCAS, expectArgs(op, 2)
			if err == nil {
				in.old, in.new, out.swapped = values.of(op.args[0]), values.of(op.args[1]), op.result == "true"
			}
		default:
			err = unknownName(op)
		}
		return in, out, err
	}
	return subject{encode: encode, model: porcupine.Model{
		Init: func() any { return 0 },
		Step: func(state, input, output any) (bool, any) {
			now, in, out := state.(int), input.(registerInput), output.(registerOutput)
			switch in.action {
			case actRead:
				return out.pending || out.value == now, state
			case actWrite:
				return true, in.new
			}
			if swaps := now == in.old; swaps {
				return out.pending || out.swapped, in.new
			}
			return out.pending || !out.swapped, state
		},
		Hash: func(state any) uint64 { return mix(uint64(state.(int))) },
	}}
}

// ---- set ------------------------------------------------------------------------------------------------------------

type setInput struct {
	action action
	key    int
	bit    uint64
}

type setOutput struct{ yes, pending bool }

func newSet(partitioned bool) subject {
	keys := numbering{}
	actions := map[string]action{"add": actAdd, "remove": actRemove, "contains": actContains}
	encode := func(op recordedOp) (any, any, error) {
		act, known := actions[op.f]
		if !known {
			return nil, nil, unknownName(op)
		}
		if err := expectArgs(op, 1); err != nil {
			return nil, nil, err
		}
		in := setInput{action: act, key: keys.of(op.args[0]), bit: 1}
		if !partitioned {
			if in.key > 63 {
				return nil, nil, fmt.Errorf("a set checked as a whole may have 64 keys at most")
			}
			in.bit <<= in.key
		}
		return in, setOutput{yes: op.result == "true", pending: op.pending}, nil
	}
	model := porcupine.Model{
		Init: func() any { return uint64(0) },
		Step: func(state, input, output any) (bool, any) {
			mask, in, out := state.(uint64), input.(setInput), output.(setOutput)
			inside := mask&in.bit != 0
			switch in.action {
			case actContains:
				return out.pending || out.yes == inside, state
			case actAdd:
				if inside {
					return out.pending || !out.yes, state
				}
				return out.pending || out.yes, mask | in.bit
			default:
				if !inside {
					return out.pending || !out.yes, state
				}
				return out.pending || out.yes, mask &^ in.bit
			}
		},
		Hash: func(state any) uint64 { return mix(state.(uint64)) },
	}
	if partitioned {
		model.Partition = partitionBy(func(input any) int { return input.(setInput).key })
	}
	return subject{model: model, encode: encode}
}

// partitionBy splits a history by a small number that key finds in the input.
func partitionBy(key func(input any) int) func([]porcupine.Operation) [][]porcupine.Operation {
	return func(history []porcupine.Operation) [][]porcupine.Operation {
		var parts [][]porcupine.Operation
		for _, op := range history {
			k := key(op.Input)
			for len(parts) <= k {
				parts = append(parts, nil)
			}
			parts[k] = append(parts[k], op)
		}
		return parts
	}
}

// ---- key-value store: see kv.go; queue and stack: see containers.go ---------------------------------------------------

// text removes the quotes of a string; null and numbers stay as they are.
func text(word string) string {
	if inner, err := strconv.Unquote(word); err == nil {
		return inner
	}
	return word
}
