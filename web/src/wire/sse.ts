/** Server-sent events, read from the body of an answer. */

export interface SentEvent {
  event: string
  data: string
  id: string
}

/** The connection is there no more, though nothing has said so. */
export class Silence extends Error {}

/** Every event of a body, whichever way its bytes are cut. Comments are passed over.
 *
 * A server that pings is never silent for long: where it is, for `silence` milliseconds, the stream is given up.
 */
export async function* sentEvents(body: ReadableStream<Uint8Array>, silence = 0): AsyncGenerator<SentEvent> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  const frames = new Frames()
  try {
    for (;;) {
      const { done, value } = await (silence ? within(silence, reader.read()) : reader.read())
      yield* frames.feed(done ? decoder.decode() : decoder.decode(value, { stream: true }))
      if (done) return
    }
  } finally {
    // Whoever leaves early also ends the request. A dead connection may never say that it has.
    void reader.cancel().catch(() => undefined)
  }
}

/** Pieces of text in, whole events out. */
export class Frames {
  private rest = ''
  private event = ''
  private id = ''
  private data: string[] = []

  feed(text: string): SentEvent[] {
    const found: SentEvent[] = []
    const lines = (this.rest + text).split(/\r\n|\n|\r(?!$)/)
    this.rest = lines.pop() ?? ''
    for (const line of lines) {
      if (line === '') {
        if (this.data.length) found.push({ event: this.event, data: this.data.join('\n'), id: this.id })
        this.event = ''
        this.data = []
      } else this.field(line)
    }
    return found
  }

  private field(line: string): void {
    const colon = line.indexOf(':')
    if (colon === 0) return
    const name = colon < 0 ? line : line.slice(0, colon)
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '')
    if (name === 'data') this.data.push(value)
    else if (name === 'event') this.event = value
    else if (name === 'id') this.id = value
  }
}

async function within<T>(milliseconds: number, promise: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Silence(`nothing came for ${milliseconds} ms`)), milliseconds)
  })
  try {
    return await Promise.race([promise, late])
  } finally {
    clearTimeout(timer)
  }
}
