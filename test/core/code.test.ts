/** The outline of source code: which lines go. In the sources `~` starts a line that does. */
import { describe, expect, it } from 'vitest';
import { outlineOf } from '../../src/core/code/outline.ts';

function check(source: string): void {
  const wanted = source.replace(/^\n/, '').split('\n');
  const hidden = outlineOf(wanted.map((line) => line.replace(/^~/, '')));
  expect(hidden).toBeDefined();
  const marked = wanted.map((line, i) => (hidden![i] === 1 ? '~' : '') + line.replace(/^~/, ''));
  expect(marked.join('\n')).toBe(wanted.join('\n'));
}

const CASES: Readonly<Record<string, string>> = {
  'a brace in a regular expression, in a string, in a comment': `
import { x } from 'y';
function one(text: string) {
~  // a } in a comment, it's nothing
~  if (/[/}]{2}/.test(text)) return '}';
~  /* } */ return "\\"}";
}
const half = 4 / 2; const other = half / 2; // }
function two() {
~  return 1;
~  // no more
}
export const three = 3;`,
  'templates in templates': `
import a from 'a';
const text = (name: string) => {
~  return \`{ \${[1, 2].map((n) => \`} \${n} {\`).join(\`\${'}'}\`)} \${name}\`;
~  // }
};
const page = \`
~  <p>{ it's }</p>
~  \${text('x')}
\`;
function last() {
~  return page;
~  // }
}`,
  'decorators, nested classes, generics, overloads': `
@Component({
~  selector: 'a',
~  template: '<b>{{ x }}</b>',
})
export class A<T extends { id: string } = { id: string }> extends B<{ x: 1 }> {
  @Input() name = '';
  private static type: string;
  constructor(
    private readonly a: { b: number },
    readonly c = () => 1,
  ) {
~    super();
~    this.name = 'x';
  }
  get(key: string): string;
  get(key: number): { value: number };
  get<K extends keyof T>(key: K | string): { value: number } | undefined {
~    const inner = class { run() { return 1; } };
~    return undefined;
  }
  static Inner = class {
    run(): void {
~      go();
~      go();
    }
  };
  import(x: string) {
~    return x;
~    // method
  }
  handle = async (event: Event): Promise<void> => {
~    if (event) {
~      await x();
~    }
  };
}`,
  'types, interfaces, enums, namespaces': `
export type A = { a: 1 } & (B extends C
  ? {
      b: () => { c: string };
    }
  : [
      string,
    ]);
export interface D extends E<string, {
  f: true;
}> {
  g(h: { i: number }): void;
  type: 'x';
}
declare module 'm' {
  export enum N {
    one = 1,
  }
  function f(): void;
}
namespace P {
  export function q() {
~    return 1;
~    // q
  }
}
type X = string
const z = {
~  a: 1,
~  b: 2,
};`,
  'objects with functions, and those of values': `
const plain = {
~  a: 1,
~  b: [1, 2],
};
export default {
  name: 'x',
  data() {
~    return { a: 1 };
~    // data
  },
  get: (x) => fetch(x),
  nested: {
    async *rows() {
~      yield* [1];
~      yield 2;
    },
  },
};
const list = [
~  'a',
~  'b',
];
module.exports = { plain, list };`,
  'parameters that are taken apart': `
export function Panel({
  title,
  children,
}: {
  title: string;
  children: Node;
}) {
~  return <div title={title}>don't {children}</div>;
~  // }
}
export const Button = ({
  label = { a: 1 },
}: Props) => {
~  return <b>{label}</b>;
~  // }
};
if (!x) {
~  start();
~  stop();
}`,
  'a module in a function': `
(function (root) {
  'use strict';
  var a = 1;
  function one() {
~    return a;
~    // one
  }
  function two() {
~    return a;
~    // two
  }
  root.one = one;
})(this);`,
  'heads of comments': `
/**
 * Counts the boats.
~ *
~ * @param x what to count
 */
export function count(x: Boat[]): number {
~  return x.length;
~  // count
}
// Says
~// more
~// than it should.
const a = 1;
let b = 2;`,
  Python: `
"""Boats and berths.
~
~More about them.
"""
from __future__ import annotations
import os, sys

TABLE = {
~    'a': 1,  # }
~    "b": """
~ not an end: }
~""",
}

try:
    import fast
except ImportError:
    fast = None

@decorated(
    name="x",
)
async def fetch(
    url: str,
    *,
    retries: int = 3,
) -> dict[str, int]:
    """Fetches it.
~
~    With retries.
~    """
~    async for x in y:
~        yield x
~
~# a stray comment
~    return {"def nested():": 1}

class Boat(Base[T], metaclass=Meta):
    """A boat."""

    name: str = "x"

    @overload
    def get(self, key: int) -> int: ...

    @overload
    def get(self, key: str) -> str: ...

    def get(self, key):
~        def inner():
~            return '''
~  class Not:
~'''
~        if key: \\
~            pass

    class Inner:
        def run(self): return 1

        def stop(self):
~            raise Error(
~        "odd indentation")
# comment of what follows
if __name__ == "__main__":
~    main()
~    sys.exit(0)`,
  Go: `
// Package boats counts boats.
~//
~// Really.
package boats

import (
	"fmt"
)

type Boat struct {
	Name string \`json:"name"\`
	On   func(x struct{ a int }) error
}

type Pointer *struct{}

type Floater interface {
	Float(depth int) (err error)
}

var table = map[string]int{
~	"{": 1,
~	"b": '}',
}

const text = \`
~func not() {
\`

func (b *Boat) Float(depth int) (err error) {
~	if depth > '{' {
~		return fmt.Errorf("}")
~	}
}

func Map[T any, U interface{ ~int }](xs []T, f func(T) U) []U {
~	out := []U{}
~	return out
}

var handler = func(w int) {
~	go func() {}()
~	return
}

func Any() interface{} {
~	return struct{ a int }{1}
~	// any
}`,
  'numbers of lines before them': `
     1	import a from 'a';
     2	export function f() {
~     3	  const x = 1;
~     4	  return a;
     5	}
     6	export const b = 2;`,
};

describe('the outline of source code', () => {
  for (const [name, source] of Object.entries(CASES)) it(name, () => check(source));

  it('knows no other languages', () => {
    for (const source of [
      'use std::fs;\nfn main() {\n    let mut x = 1;\n    println!("{}", x);\n}\npub fn a() {}\n',
      '#include <stdio.h>\nint main(void) {\n  const int x = 1;\n  return x;\n}\n',
      'package a.b;\nimport java.util.List;\npublic class A {\n  private int x = 1;\n}\n',
      'class A\n  def b(x)\n    x\n  end\nend\n',
      'Once there was a boat.\nIt had a name, for example: Heron.\n',
    ])
      expect(outlineOf(source.split('\n')), source).toBeUndefined();
  });
});
