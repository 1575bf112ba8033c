package main

// What may a queue or a stack answer? The contents are a string with four bytes per element, oldest first.

import (
	"encoding/binary"
	"hash/maphash"

	"github.com/anishathalye/porcupine"
)

const width = 4

type containerInput struct {
	puts    bool
	element string // the element's four bytes, when it puts
}

type containerOutput struct {
	element string // "" when the container was empty
	pending bool
}

// takeFront and takeTop split the contents into the element that leaves and the rest.
func takeFront(contents string) (element, rest string) { return contents[:width], contents[width:] }

func takeTop(contents string) (element, rest string) {
	return contents[len(contents)-width:], contents[:len(contents)-width]
}

func newContainer(put, take string, leave func(contents string) (element, rest string)) subject {
	values := numbering{}
	fourBytes := func(word string) string {
		return string(binary.BigEndian.AppendUint32(nil, uint32(values.of(word))))
	}
	encode := func(op recordedOp) (any, any, error) {
		switch op.f {
		case put:
			if err := expectArgs(op, 1); err != nil {
				return nil, nil, err
			}
			return containerInput{puts: true, element: fourBytes(op.args[0])}, containerOutput{}, nil
		case take:
			out := containerOutput{pending: op.pending}
			if !op.pending && op.result != null {
				out.element = fourBytes(op.result)
			}
			return containerInput{}, out, expectArgs(op, 0)
		}
		return nil, nil, unknownName(op)
	}
	return subject{encode: encode, model: porcupine.Model{
		Init: func() any { return "" },
		Step: func(state, input, output any) (bool, any) {
			contents, in, out := state.(string), input.(containerInput), output.(containerOutput)
			if in.puts {
				return true, contents + in.element
			}
			if contents == "" {
				return out.pending || out.element == "", state
			}
			element, rest := leave(contents)
			if !out.pending && element != out.element {
				return false, nil
			}
			return true, rest
		},
		Hash: func(state any) uint64 { return maphash.String(hashSeed, state.(string)) },
	}}
}
