package main

// What may a store of strings answer? get, put and append, every key "" at first.

import (
	"hash/maphash"

	"github.com/anishathalye/porcupine"
)

type kvInput struct {
	action action
	key    int
	value  string
}

type kvOutput struct {
	value   string
	pending bool
}

var hashSeed = maphash.MakeSeed()

func newKV(partitioned bool) subject {
	keys := numbering{}
	encode := func(op recordedOp) (any, any, error) {
		in, count := kvInput{}, 2
		switch op.f {
		case "get":
			in.action, count = actGet, 1
		case "put":
			in.action = actPut
		case "append":
			in.action = actAppend
		default:
			return nil, nil, unknownName(op)
		}
		if err := expectArgs(op, count); err != nil {
			return nil, nil, err
		}
		in.key = keys.of(op.args[0])
		if count == 2 {
			in.value = text(op.args[1])
		}
		return in, kvOutput{value: text(op.result), pending: op.pending}, nil
	}
	if partitioned {
		return subject{model: oneKey(), encode: encode}
	}
	return subject{model: allKeys(keys), encode: encode}
}

func oneKey() porcupine.Model {
	return porcupine.Model{
		Partition: partitionBy(func(input any) int { return input.(kvInput).key }),
		Init:      func() any { return "" },
		Step: func(state, input, output any) (bool, any) {
			in, out := input.(kvInput), output.(kvOutput)
			switch in.action {
			case actGet:
				return out.pending || out.value == state.(string), state
			case actPut:
				return true, in.value
			default:
				return true, state.(string) + in.value
			}
		},
		Hash: func(state any) uint64 { return maphash.String(hashSeed, state.(string)) },
	}
}

// store is the state of all keys. hash is the exclusive or over the keys of slotHash, kept up to date by with.
type store struct {
	values []string
	hash   uint64
}

func slotHash(key int, value string) uint64 {
	return mix(maphash.String(hashSeed, value) + uint64(key))
}

func (s *store) with(key int, value string) *store {
	values := make([]string, len(s.values))
	copy(values, s.values)
	values[key] = value
	return &store{values: values, hash: s.hash ^ slotHash(key, s.values[key]) ^ slotHash(key, value)}
}

func allKeys(keys numbering) porcupine.Model {
	return porcupine.Model{
		Init: func() any {
			empty := &store{values: make([]string, len(keys))}
			for key := range empty.values {
				empty.hash ^= slotHash(key, "")
			}
			return empty
		},
		Step: func(state, input, output any) (bool, any) {
			now, in, out := state.(*store), input.(kvInput), output.(kvOutput)
			switch in.action {
			case actGet:
				return out.pending || out.value == now.values[in.key], state
			case actPut:
				return true, now.with(in.key, in.value)
			default:
				return true, now.with(in.key, now.values[in.key]+in.value)
			}
		},
		Equal: func(a, b any) bool {
			x, y := a.(*store), b.(*store)
			if x == y {
				return true
			}
			if x.hash != y.hash {
				return false
			}
			for key := range x.values {
				if x.values[key] != y.values[key] {
					return false
				}
			}
			return true
		},
		Hash: func(state any) uint64 { return state.(*store).hash },
	}
}
