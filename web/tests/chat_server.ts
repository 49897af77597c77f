/** A server with one session, whose streams are written by hand: over real streams of bytes, cut where one likes. */

import { vi } from 'vitest'
import type { Chunk } from '@/wire/assembly'
import type { Message } from '@/wire/parts'

export class Stream {
  private control: ReadableStreamDefaultController<Uint8Array> | undefined
  readonly body = new ReadableStream<Uint8Array>({ start: (control) => void (this.control = control) })

  put(...chunks: Chunk[]): this {
    for (const chunk of chunks) this.write(`data: ${JSON.stringify(chunk)}\n\n`)
    return this
  }

  done(): void {
    this.write('data: [DONE]\n\n')
    this.control?.close()
  }

  lose(): void {
    this.control?.error(new TypeError('network error'))
  }

  private write(text: string): void {
    this.control?.enqueue(new TextEncoder().encode(text))
  }
}

export class Server {
  readonly asked: string[] = []
  readonly bodies: Record<string, unknown>[] = []
  stored: Message[] = []
  tree: { id: string; parent: string | null }[] = []
  session = { id: 'session', head: 'head', seq: 1, waiting: 0, is_running: false, state: 'idle' }
  /** What the next requests for a stream get: one to read, nothing, or a broken line. */
  readonly streams: (Stream | 'nothing' | 'broken')[] = []

  constructor() {
    vi.stubGlobal('fetch', (path: string, init: RequestInit) => this.answer(path, init))
  }

  private async answer(path: string, init: RequestInit): Promise<Response> {
    const what = `${init.method ?? 'GET'} ${path.split('?')[0]}`
    this.asked.push(what)
    if (init.body) this.bodies.push(JSON.parse(init.body as string) as Record<string, unknown>)
    if (what === 'POST /api/chat' || what.endsWith('/stream')) return this.streamed(init.signal)
    if (what.endsWith('/messages')) return this.listed(new URL(path, 'http://host').searchParams)
    if (what.endsWith('/tree')) return json({ messages: this.tree, next: null })
    if (what === 'GET /api/sessions/session') return json(this.session)
    return json({})
  }

  private streamed(signal: AbortSignal | null | undefined): Response {
    const next = this.streams.shift() ?? 'nothing'
    if (next === 'broken') throw new TypeError('network error')
    if (next === 'nothing') return new Response(null, { status: 204 })
    signal?.addEventListener('abort', () => next.lose())
    return new Response(next.body)
  }

  private listed(query: URLSearchParams): Response {
    const before = query.get('before')
    const end = before ? this.stored.findIndex((message) => message.id === before) : this.stored.length
    const from = Math.max(0, end - Number(query.get('limit') ?? 500))
    const { seq, is_running, state } = this.session
    return json({ messages: this.stored.slice(from, end), has_more: from > 0, is_running, state, seq })
  }
}

function json(value: unknown): Response {
  return new Response(JSON.stringify(value))
}
