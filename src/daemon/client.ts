/** Asks the daemon over its socket. */
import { readFileSync } from 'node:fs';
import { type IncomingHttpHeaders, request } from 'node:http';
import { connect } from 'node:net';
import type { Place } from './place.ts';

export interface Question {
  readonly method?: 'GET' | 'POST';
  /** With its parameters. */
  readonly path: string;
  readonly body?: Uint8Array | string;
  readonly headers?: Readonly<Record<string, string>>;
  /** 5 seconds by default. */
  readonly timeoutMs?: number;
}

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** Who listens, as the file beside the socket and `GET /healthz` say. */
export interface DaemonInfo {
  readonly name: 'ctxzip';
  readonly version: string;
  readonly pid: number;
  /** Tells the process from a later one with its number; `0` where the platform does not. */
  readonly processStart: string;
  readonly startedAt: number;
  readonly socket: string;
}

/** `silent`: somebody listens and does not answer. `foreign`: what listens is no daemon of ours. */
export type Reached =
  | { readonly kind: 'answers'; readonly info: DaemonInfo }
  | { readonly kind: 'nobody' }
  | { readonly kind: 'silent' }
  | { readonly kind: 'foreign' };

/** Asks what listens at `socket`. Rejects with the error of the connection, or one with the code `ETIMEDOUT`. */
export function ask(socket: string, question: Question): Promise<Answer> {
  const { method = 'GET', path, body, headers = {}, timeoutMs = 5000 } = question;
  return new Promise((resolve, reject) => {
    const asked = request({ socketPath: socket, method, path, headers, agent: false }, (response) => {
      const pieces: Buffer[] = [];
      response.on('data', (piece: Buffer) => pieces.push(piece));
      response.on('error', reject);
      response.on('end', () => {
        clearTimeout(timer);
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          body: Buffer.concat(pieces),
        });
      });
    });
    const timer = setTimeout(() => {
      asked.destroy(Object.assign(new Error(`no answer in ${timeoutMs} ms`), { code: 'ETIMEDOUT' }));
    }, timeoutMs);
    asked.on('error', (error) => {
      clearTimeout(timer);
      reject(error);
    });
    asked.end(body);
  });
}

/** Where a daemon of this place listens: where it says itself, which another environment may have decided. */
export function socketOf(place: Place): string {
  return readInfo(place)?.socket ?? place.socket;
}

/** What the last daemon said of itself; it may be gone. */
export function readInfo({ info }: Place): DaemonInfo | undefined {
  try {
    return infoOf(readFileSync(info, 'utf8'));
  } catch {
    return undefined;
  }
}

function infoOf(text: string): DaemonInfo | undefined {
  try {
    const value = JSON.parse(text) as Partial<DaemonInfo> | null;
    const { name, version, pid, socket } = value ?? {};
    const isWhole = name === 'ctxzip' && typeof version === 'string' && typeof socket === 'string';
    return isWhole && Number.isSafeInteger(pid) ? (value as DaemonInfo) : undefined;
  } catch {
    return undefined;
  }
}

/** Who answers at the socket of a place. */
export async function reach(place: Place, timeoutMs = 5000): Promise<Reached> {
  try {
    const { body } = await ask(socketOf(place), { path: '/healthz', timeoutMs });
    const info = infoOf(body.toString());
    return info === undefined ? { kind: 'foreign' } : { kind: 'answers', info };
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (isNobody(code)) return { kind: 'nobody' };
    return code === 'ETIMEDOUT' || code === 'EAGAIN' ? { kind: 'silent' } : { kind: 'foreign' };
  }
}

/** Does anybody listen at a socket? In doubt, yes. */
export function isHeard(socket: string): Promise<boolean> {
  return new Promise((resolve) => {
    const connection = connect(socket);
    const answer = (is: boolean): void => {
      clearTimeout(timer);
      connection.destroy();
      resolve(is);
    };
    const timer = setTimeout(() => answer(true), 1000);
    connection.on('connect', () => answer(true));
    connection.on('error', (error: NodeJS.ErrnoException) => answer(!isNobody(error.code ?? '')));
  });
}

/** What a connection says where there is no socket, or one that its process has left. */
function isNobody(code: string): boolean {
  return ['ENOENT', 'ECONNREFUSED', 'ENOTSOCK', 'ENOTDIR'].includes(code);
}
