/** HTTP over the socket: finds the route of a request, reads its body within limits, and writes the answer. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { type Blocks, Memory, readBody } from './body.ts';
import type { Limits } from './limits.ts';
import { fault, type Reply } from './work.ts';

/** One request, with its whole body. */
export interface Request {
  /** What stands behind the route's path. */
  readonly rest: string;
  readonly params: URLSearchParams;
  /** Was JSON asked for? */
  readonly wantsJson: boolean;
  readonly body: Blocks;
  /** Is nobody there any more to be answered? */
  isGone(): boolean;
}

export interface Route {
  readonly method: 'GET' | 'POST';
  /** One that ends with `/` takes whatever stands behind. */
  readonly path: string;
  answer(request: Request): Reply | Promise<Reply>;
}

/** Who hears what goes on. */
export interface Listener {
  begun(): void;
  ended(route: string, status: number, ms: number): void;
  moved(direction: 'in' | 'out', bytes: number): void;
  tell(text: string): void;
  ticks(): number;
}

/** A body that is refused is thrown away for so long; then the connection is closed. */
const PATIENCE_MS = 5000;
/** A connection on which nothing moves is closed. */
const SILENT_MS = 10 * 60_000;
const HEAD_MS = 20_000;
const WHOLE_MS = 60 * 60_000;
const KEPT_ALIVE_MS = 65_000;

export class Daemon {
  readonly server: Server;
  inFlight = 0;
  total = 0;
  failed = 0;
  isDraining = false;
  private readonly routes: readonly Route[];
  private readonly limits: Limits;
  private readonly listener: Listener;
  private readonly memory: Memory;
  private readonly sockets = new Set<Socket>();
  private readonly surplus = new WeakSet<Socket>();

  constructor(routes: readonly Route[], limits: Limits, listener: Listener) {
    this.routes = routes;
    this.limits = limits;
    this.listener = listener;
    this.memory = new Memory(limits.maxMemory);
    this.server = createServer({ keepAlive: true, noDelay: true });
    Object.assign(this.server, {
      headersTimeout: HEAD_MS,
      requestTimeout: WHOLE_MS,
      keepAliveTimeout: KEPT_ALIVE_MS,
      maxConnections: 2 * limits.maxConnections,
    });
    this.server.setTimeout(SILENT_MS, (socket) => socket.destroy());
    this.server.on('connection', (socket) => this.connected(socket));
    const serve = (request: IncomingMessage, response: ServerResponse): void =>
      void this.serve(request, response);
    this.server.on('request', serve);
    this.server.on('checkContinue', serve);
    this.server.on('clientError', (error, socket) => this.garbage(error, socket as Socket));
  }

  get connections(): number {
    return this.sockets.size;
  }

  get heldBytes(): number {
    return this.memory.held;
  }

  /** Takes no more, lets what is in flight end, closes what is left after `ms`. */
  async drain(ms: number): Promise<void> {
    this.isDraining = true;
    const closed = new Promise((resolve) => this.server.close(resolve));
    this.server.closeIdleConnections();
    const timer = setTimeout(() => this.server.closeAllConnections(), ms);
    await closed;
    clearTimeout(timer);
  }

  private connected(socket: Socket): void {
    if (this.sockets.size >= this.limits.maxConnections) this.surplus.add(socket);
    this.sockets.add(socket);
    socket.on('close', () => this.sockets.delete(socket));
  }

  /** What is no HTTP gets an answer, if it wants to read one. */
  private garbage(error: NodeJS.ErrnoException, socket: Socket): void {
    if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
    const [status, text] =
      error.code === 'HPE_HEADER_OVERFLOW'
        ? ['431 Request Header Fields Too Large', 'the head of the request is too long']
        : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
          ? ['408 Request Timeout', 'the request took too long to arrive']
          : ['400 Bad Request', 'this is no HTTP request'];
    const body = `${JSON.stringify({ error: text })}\n`;
    socket.end(
      `HTTP/1.1 ${status}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
      () => socket.destroy(),
    );
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { listener } = this;
    let held = 0;
    this.inFlight += 1;
    this.total += 1;
    listener.begun();
    response.on('close', () => {
      this.inFlight -= 1;
      this.memory.release(held);
    });
    // A client that has gone is no fault of ours.
    response.on('error', () => undefined);
    const onHeld = (bytes: number): void => void (held += bytes);
    const { route, reply, sinceMs } = await this.replyTo(request, response, onHeld);
    if (reply === undefined || response.destroyed) return;
    if (reply.status >= 400) this.failed += 1;
    const { length } = this.write(request, response, reply);
    listener.moved('out', length);
    listener.ended(route, reply.status, listener.ticks() - sinceMs);
  }

  private async replyTo(
    request: IncomingMessage,
    response: ServerResponse,
    onHeld: (bytes: number) => void,
  ): Promise<{ readonly route: string; readonly reply?: Reply; readonly sinceMs: number }> {
    const { listener } = this;
    let sinceMs = listener.ticks();
    const url = urlOf(request);
    const found = url === undefined ? fault(400, 'the path is none') : this.find(request, url.pathname);
    if (!('answer' in found)) return { route: 'none', reply: found, sinceMs };
    const { path } = found;
    if (this.isDraining && found.method === 'POST')
      return { route: path, reply: fault(503, 'the daemon is stopping', { 'retry-after': '1' }), sinceMs };
    const { maxBody: most } = this.limits;
    const body = await readBody(request, response, { most, memory: this.memory, onHeld });
    if (body.kind === 'gone') return { route: path, sinceMs };
    if (body.kind === 'refused') return { route: path, reply: body.reply, sinceMs };
    sinceMs = listener.ticks();
    listener.moved('in', body.blocks.size);
    const wantsJson = /\bapplication\/json\b/i.test(request.headers.accept ?? '');
    const rest = url!.pathname.slice(path.length);
    try {
      const isGone = (): boolean => response.destroyed;
      const asked = { rest, params: url!.searchParams, wantsJson, body: body.blocks, isGone };
      return { route: path, reply: await found.answer(asked), sinceMs };
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      listener.tell(`${path}: ${error instanceof Error ? (error.stack ?? message) : message}`);
      return { route: path, reply: fault(500, message), sinceMs };
    }
  }

  private find({ method, socket }: IncomingMessage, path: string): Route | Reply {
    if (this.surplus.has(socket))
      return fault(503, `there are ${this.limits.maxConnections} connections already; try again`, {
        'retry-after': '1',
        connection: 'close',
      });
    const fitting = this.routes.filter((route) =>
      route.path.endsWith('/') ? path.startsWith(route.path) : path === route.path,
    );
    const route = fitting.find((each) => each.method === method);
    if (route !== undefined) return route;
    if (fitting.length > 0) {
      const allow = fitting.map((each) => each.method).join(', ');
      return fault(405, `${path} takes ${allow}`, { allow });
    }
    const known = this.routes.map((each) => `${each.method} ${each.path}`).join(', ');
    return fault(404, `there is no ${path.slice(0, 200)}; there is ${known}`);
  }

  private write(request: IncomingMessage, response: ServerResponse, reply: Reply): Uint8Array {
    const body = typeof reply.body === 'string' ? Buffer.from(reply.body) : reply.body;
    // Who waits to be asked for the body and is refused may send none: the connection is of no more use.
    const isUnsent = !request.complete && request.headers.expect !== undefined;
    const close = this.isDraining || isUnsent ? { connection: 'close' } : {};
    response.writeHead(reply.status, { 'content-length': body.length, ...reply.headers, ...close });
    if (request.complete) response.end(body);
    else linger(request, response, body);
    return body;
  }
}

/**
 * Answers before the request is whole. Closing now would take the answer from a client that still sends, so what comes is
 * thrown away for a while.
 */
function linger(request: IncomingMessage, response: ServerResponse, body: Uint8Array): void {
  response.write(body);
  const end = (): void => {
    clearTimeout(timer);
    response.end();
  };
  const timer = setTimeout(() => request.socket.destroy(), PATIENCE_MS);
  request.on('end', end);
  request.on('close', end);
  request.resume();
}

function urlOf({ url = '' }: IncomingMessage): URL | undefined {
  try {
    return new URL(url, 'http://ctxzip');
  } catch {
    return undefined;
  }
}
