/** A budget that was asked for binds: the view, counted with o200k, is no larger than it by more than a few percent. */
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, it } from 'vitest';
import { estimateTokens } from '../../src/core/tokens.ts';
import { FAILURE, log, pods } from '../support-e2e/inputs.ts';
import { sha, shownPieces, type View, viewOf } from '../support-e2e/law-kit.ts';
import { readFixtures } from '../support/fixtures.ts';

const WITHIN = 1.05;

function count(text: string | Buffer): number {
  return countTokens(text.toString(), { allowedSpecial: 'all' });
}

function viewAt(text: string | Buffer, maxTokens: number): View {
  const view = viewOf(Buffer.from(text), { maxTokens, budgetAsked: true });
  expect(view).toBeDefined();
  return view!;
}

/** The gaps put back. */
function restored(input: Buffer, view: View): Buffer {
  const parts = shownPieces(input, view).flatMap((piece, i) => {
    const gap = view.gaps[i];
    return gap === undefined ? [piece.view] : [piece.view, input.subarray(...gap.bytes)];
  });
  return Buffer.concat(parts);
}

interface Message {
  readonly role?: string;
  readonly call?: string;
  readonly content?: string;
}

/** What an agent and its tools said, one output after the other; output 12 fails. */
function conversation(outputs = 40): string {
  const messages = Array.from({ length: outputs }, (_, i) => [
    { role: 'assistant', call: `call_${i}` },
    { role: 'tool', call: `call_${i}`, content: i === 12 ? failing(i) : i % 2 ? pods(20 + i, 0) : quiet(i) },
  ]);
  return JSON.stringify(messages.flat(), null, 1);
}

function quiet(salt: number): string {
  return log(40, `s${salt}`).replaceAll(FAILURE, 'INFO payment 77 done');
}

function failing(salt: number): string {
  return `${quiet(salt)}\nFATAL the disk of vault-${salt} is gone\n${quiet(salt + 500)}`;
}

describe('outputs in an envelope', () => {
  const text = conversation();
  const input = Buffer.from(text);

  it.each([300, 500, 2000, 8000])('give way, whole, to a budget of %i', (most) => {
    const view = viewAt(text, most);
    expect(count(view.bytes)).toBeLessThanOrEqual(most * WITHIN);
    expect(count(view.bytes)).toBeGreaterThan(most * 0.7);
    expect(sha(restored(input, view))).toBe(sha(input));
    expect(Array.isArray(JSON.parse(view.bytes.toString()))).toBe(true);
    expect(view.notes.some((note) => note.includes('too small'))).toBe(false);
  });

  it('stay all where a budget has room for them', () => {
    const shown = JSON.parse(viewAt(text, 8000).bytes.toString()) as Message[];
    expect(shown.filter(({ content }) => content !== undefined)).toHaveLength(40);
  });

  it('go last where they are the last or fail', () => {
    const shown = JSON.parse(viewAt(text, 500).bytes.toString()) as Message[];
    const calls = shown.filter(({ content }) => content !== undefined).map(({ call }) => call);
    expect(calls.length).toBeLessThan(12);
    expect(calls).toContain('call_39');
    expect(calls).toContain('call_12');
    expect(shown.find(({ call, role }) => call === 'call_12' && role === 'tool')!.content).toContain('FATAL');
  });

  it('are counted with their failures by the marker that they are behind', () => {
    const many = JSON.stringify(
      Array.from({ length: 60 }, (_, i) => ({
        call: i,
        stdout: `${quiet(i)}\nERROR payment ${i} failed: connection refused by db-${i}\n${quiet(i + 500)}`,
      })),
    );
    const view = viewAt(many, 300);
    expect(count(view.bytes)).toBeLessThanOrEqual(300 * WITHIN);
    const shown = view.bytes.toString().match(/connection refused by/g)?.length ?? 0;
    const hidden = view.gaps.reduce((sum, gap) => sum + gap.failures, 0);
    expect(shown).toBeGreaterThan(0);
    expect(shown + hidden).toBe(60);
  });

  it('open for a keep pattern', () => {
    const over = { maxTokens: 500, budgetAsked: true, keepPatterns: ['payment 77 of s4'] };
    const marked = text.replace('INFO payment 77 done', 'INFO payment 77 of s4');
    const view = viewOf(Buffer.from(marked), over)!;
    expect(view.bytes.toString()).toContain('payment 77 of s4');
    expect(count(view.bytes)).toBeLessThanOrEqual(500 * WITHIN);
  });

  it('are members of an object as well, and outputs in outputs', () => {
    const inner = JSON.stringify({ items: Array.from({ length: 9 }, (_, i) => ({ i, stdout: quiet(i) })) });
    const steps = Object.fromEntries(
      Array.from({ length: 30 }, (_, i) => [`step_${i}`, { result: i % 3 === 0 ? inner : pods(30, 1) }]),
    );
    const nested = JSON.stringify({ steps });
    for (const most of [300, 1000]) {
      const view = viewAt(nested, most);
      expect(count(view.bytes)).toBeLessThanOrEqual(most * WITHIN);
      expect(sha(restored(Buffer.from(nested), view))).toBe(sha(Buffer.from(nested)));
      expect(Object.keys(JSON.parse(view.bytes.toString()) as object)).toEqual(['steps']);
    }
  });
});

/** A container that waits. */
function container(i: number): string {
  return `  worker-${i}:
    Image:  registry.example/worker:${i}
    State:          Waiting
      Reason:       Waiting for ${i}
      Message:      container worker-${i} waits for its turn
    Last State:     Terminated
      Reason:       Completed
      Exit Code:    0
    Ready:          False
`;
}

/** A line of over 700 characters with three failures in it. */
function longLine(i: number): string {
  return `2026-01-01 ${i} ERROR failed ${'abc def ghi '.repeat(40)}timeout ${'x y z '.repeat(100)}refused ${i}`;
}

describe('what is pinned', () => {
  it('gives way where a description has too much of it', () => {
    const text = `Name:         tide-0\nNamespace:    lagoon\nStatus:       Running\nContainers:\n${Array.from({ length: 30 }, (_, i) => container(i)).join('')}Conditions:\n  Type    Status\n  Ready   False\nEvents:   <none>\n`;
    const view = viewAt(text, 500);
    expect(count(view.bytes)).toBeLessThanOrEqual(500 * WITHIN);
    expect(view.bytes.toString()).toContain('Name:         tide-0');
  });

  it('and what can not give way is told', () => {
    const fields = Array.from({ length: 30 }, (_, i) => [
      `field_${i}`,
      `text number ${i} that no unit is made of, `.repeat(5),
    ]);
    const text = JSON.stringify({ ...Object.fromEntries(fields), stdout: quiet(1).repeat(20) });
    expect(viewAt(text, 300).notes.at(-1)).toMatch(/^the budget of 300 tokens is too small: /);
    expect(viewAt(text, 4000).notes).toEqual([]);
  });
});

describe('settings', () => {
  const sections = Array.from(
    { length: 120 },
    (_, i) => `[section_${i}]\n${[1, 2, 3, 4, 5].map((n) => `key_${n} = ${(i * n) % 17}\n`).join('')}`,
  );

  it('are cut for a budget that was asked for, with markers in comments', () => {
    const text = sections.join('\n');
    const view = viewAt(text, 400);
    expect(count(view.bytes)).toBeLessThanOrEqual(400 * WITHIN);
    expect(sha(restored(Buffer.from(text), view))).toBe(sha(Buffer.from(text)));
    expect(viewOf(Buffer.from(text))).toBeUndefined();
    const markers = view.bytes.toString().match(/^.*<<ctxzip.*$/gm) ?? [];
    expect(markers.length).toBe(view.gaps.length);
    for (const marker of markers) expect(marker).toMatch(/^\s*# <<ctxzip/);
  });

  it('in YAML that is not understood are not cut: it must stay what it is', () => {
    const text = Array.from({ length: 150 }, (_, i) => `unit_${i}: "on\n  level: 'of ${i % 13}\n`).join('');
    expect(viewOf(Buffer.from(text), { maxTokens: 400, budgetAsked: true })).toBeUndefined();
  });
});

describe('what a view costs', () => {
  it('is known of long lines with many windows', () => {
    const text = Array.from({ length: 60 }, (_, i) => longLine(i)).join('\n');
    const tokens = count(viewAt(text, 1500).bytes);
    expect(tokens).toBeLessThanOrEqual(1500 * WITHIN);
    expect(tokens).toBeGreaterThan(1500 * 0.6);
  });

  it('is aimed lower where an input is just over the budget, so that there is a view', () => {
    const text = log(18, 'n');
    const tokens = count(text);
    const view = viewAt(text, Math.floor(tokens * 0.93));
    expect(count(view.bytes)).toBeLessThanOrEqual(tokens - 95);
  });

  it.each([
    ['blanks at the ends of lines', `${'  581ms network.service'.padEnd(70)}\n`.repeat(60)],
    [
      'modes of files',
      '-rwxr-xr-x. 1 root root 12 Jan 1 x/td\ndrwxr-xr-x. 2 root root 6 Feb 2 y_ns\n'.repeat(40),
    ],
    ['tabs', '\tat java.util.List.of(List.java:12)\n\tManufacturer: Example\n'.repeat(40)],
    ['marks before words', 'state=Health,path:authenticated (Message) /user\n'.repeat(40)],
    ['rules', `${'─'.repeat(70)}\n${'━'.repeat(30)} total\n`.repeat(30)],
    ['base64', Buffer.from(sha(Buffer.from('x')).repeat(60)).toString('base64')],
  ])('is estimated well: %s', (_, text) => {
    const bytes = Buffer.from(text);
    const ratio = estimateTokens(bytes, 0, bytes.length) / count(text);
    expect(ratio).toBeGreaterThan(0.94);
    expect(ratio).toBeLessThan(1.06);
  });

  it('is within the budget for the fixtures; what is over it says so, or passes through', () => {
    const over: string[] = [];
    let seen = 0;
    for (const { strategy, name, input } of readFixtures()) {
      if (count(input) <= 400) continue;
      const view = viewOf(input, { maxTokens: 400, budgetAsked: true });
      if (view === undefined || view.notes.some((note) => note.includes('too small'))) continue;
      seen += 1;
      if (count(view.bytes) > 400 * WITHIN) over.push(`${strategy}/${name}: ${count(view.bytes)}`);
    }
    expect(seen).toBeGreaterThan(200);
    expect(over.length).toBeLessThanOrEqual(seen / 100);
  });
});

describe('the budget that nobody asked for', () => {
  /** A patch of one hunk a file, of which one stands out for nobody but its reader. */
  const hunks = Array.from({ length: 1200 }, (_, i) => {
    const name = `lib/part${i}/setup.ts`;
    const line =
      i === 700 ? 'const retries = readSettings(vault).retries ?? 4017;' : `const part${i} = make(${i * 7});`;
    return `diff --git a/${name} b/${name}\n--- a/${name}\n+++ b/${name}\n@@ -10,3 +10,3 @@\n before ${i}\n-const old${i} = ${i};\n+${line}\n after ${i}\n`;
  });
  const patch = hunks.join('');

  it('cuts no lines out of a patch that is larger', () => {
    expect(count(patch)).toBeGreaterThan(40_000);
    const view = viewOf(Buffer.from(patch));
    expect((view?.bytes ?? Buffer.from(patch)).toString()).toContain('readSettings(vault).retries ?? 4017');
  });

  it('binds outputs in strings', () => {
    const text = conversation(900);
    const view = viewOf(Buffer.from(text));
    expect(count(text)).toBeGreaterThan(400_000);
    expect(count(view!.bytes)).toBeLessThan(40_000);
    expect(view!.bytes.toString()).toContain('the disk of vault-12 is gone');
  });
});
