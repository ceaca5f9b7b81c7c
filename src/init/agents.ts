/** The lines that tell an agent what markers are, between marks in a file of its instructions. */
import { lineEnd } from './texts.ts';

const BEGIN = '<!-- ctxzip:begin -->';
const END = '<!-- ctxzip:end -->';

/** What an agent must know. */
export const INSTRUCTIONS = `## Offloaded output (ctxzip)

Tool output may have been shrunk by \`ctxzip\`. Where lines are missing a marker says so, for example
\`<<ctxzip:ac998fea694b 88_lines_offloaded L3-90 Running:88>>\`. Nothing is lost:

- \`ctxzip expand ac998fea694b L3-90\` prints what the marker stands for; without a range, everything.
- \`ctxzip expand ac998fea694b --grep RE -C 2\` searches it. Short markers (\`<<ctxzip 41_lines L50-90>>\`) have the hash of the first.
- \`failures:N\` in a marker counts failures behind it: expand before you call something healthy.
- Pipe long output yourself: \`kubectl get pods -A | ctxzip --query 'why is checkout failing'\`.
`;

export type WithInstructions =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'fault'; readonly message: string };

/** A file of instructions with ours in it, once; `text` is what it holds now. */
export function withInstructions(text: string | undefined): WithInstructions {
  const eol = lineEnd(text ?? '');
  const block = `${BEGIN}\n${INSTRUCTIONS}${END}\n`.replaceAll('\n', eol);
  if (text === undefined || text.trim() === '') return { kind: 'text', text: block };
  const [begins, ends] = [text.split(BEGIN).length - 1, text.split(END).length - 1];
  if (begins === 0 && ends === 0) {
    const gap = /\r?\n\r?\n$/.test(text) ? '' : text.endsWith('\n') ? eol : eol + eol;
    return { kind: 'text', text: `${text}${gap}${block}` };
  }
  const start = text.indexOf(BEGIN);
  const end = text.indexOf(END);
  if (begins !== 1 || ends !== 1 || end < start)
    return {
      kind: 'fault',
      message: `the marks ${BEGIN} and ${END} must each stand there once, in this order`,
    };
  const rest = text.slice(end + END.length).replace(/^\r?\n/, '');
  return { kind: 'text', text: `${text.slice(0, start)}${block}${rest}` };
}
