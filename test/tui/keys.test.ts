import { render } from 'ink-testing-library';
import { Text, useInput } from 'ink';
import { createElement, type ReactNode } from 'react';
import { expect, it } from 'vitest';
import { keyNames } from '../../src/tui/keys.ts';
import type { KeyName } from '../../src/tui/state.ts';

it.each([
  ['\u001b[A', ['up']],
  ['\u001b[B', ['down']],
  ['\u001b[C', ['right']],
  ['\u001b[D', ['left']],
  ['\u001b[5~', ['pageUp']],
  ['\u001b[6~', ['pageDown']],
  ['\u001b[H', ['home']],
  ['\u001b[F', ['end']],
  ['\u001b', ['back']],
  ['\u007f', ['back']],
  ['\r', ['enter']],
  ['\t', ['tab']],
  ['\u0003', ['quit']],
  ['jjk', ['down', 'down', 'up']],
  ['x\tq', ['other', 'tab', 'quit']],
  ['é', ['other']],
  ['\u001b[B\u001b[B', ['down', 'down']],
] satisfies ReadonlyArray<readonly [string, readonly KeyName[]]>)('%j is %j', async (typed, names) => {
  const got: KeyName[] = [];
  const Keyboard = (): ReactNode => {
    useInput((input, key) => void got.push(...keyNames(input, key)));
    return createElement(Text, null, 'x');
  };
  const { stdin, unmount } = render(createElement(Keyboard));
  stdin.write(typed);
  await new Promise((resolve) => setTimeout(resolve, 20));
  unmount();
  expect(got).toEqual(names);
});
