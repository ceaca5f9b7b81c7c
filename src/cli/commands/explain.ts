import { printable } from '../../core/address.ts';
import type { Wire } from '../../wire.ts';
import { writeOut } from '../io.ts';
import { explainView } from '../report.ts';
import { withView } from './view.ts';

/** `ctxzip explain HASH|last`: what was detected, why each unit stayed, and what that cost. */
export function explainCommand(wire: Wire, word: string): Promise<number> {
  return withView(wire, word, ({ sha, tool, ruleNotes, made }) => {
    writeOut(`${sha.slice(0, 12)}${tool === undefined ? '' : ` ${printable(tool)}`}\n`);
    for (const line of [...ruleNotes, ...explainView(made)]) writeOut(`${line}\n`);
    return 0;
  });
}
