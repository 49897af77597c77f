/** Chunks of the UI message stream in, one growing message out. */

import type { DataPart, Message, Metadata, Part, TextPart, ToolPart } from './parts'

export type Chunk = { type: string } & Record<string, unknown>

export interface Watcher {
  /** Our own parts, also those that no message keeps. */
  onData?(name: string, data: unknown, id: string | undefined): void
  /** A part, as the page wants to hold it (made reactive, say). */
  wrap?<T extends Part>(part: T): T
  now?(): number
}

export type Ending = { kind: 'finished'; reason: string } | { kind: 'aborted' } | { kind: 'failed'; text: string }

/** Text waits in `flush` so that many pieces are drawn as one; everything else is there at once. */
export class Assembly {
  ending: Ending | undefined
  private readonly texts = new Map<string, TextPart>()
  private readonly tools = new Map<string, ToolPart>()
  private readonly waiting = new Map<TextPart | ToolPart, string[]>()

  constructor(
    readonly message: Message,
    private readonly watcher: Watcher = {},
  ) {
    for (const part of message.parts) if ('toolCallId' in part) this.tools.set(part.toolCallId, part)
  }

  /** The call with this id, if it is of this message. */
  call(id: string): ToolPart | undefined {
    return this.tools.get(id)
  }

  /** Draw the text that has come since the last time. True if there was any. */
  flush(): boolean {
    if (!this.waiting.size) return false
    for (const [part, pieces] of this.waiting) {
      const text = pieces.join('')
      if ('toolCallId' in part) part.inputText = (part.inputText ?? '') + text
      else part.text += text
    }
    this.waiting.clear()
    return true
  }

  feed(chunk: Chunk): void {
    const kind = chunk.type
    if (kind === 'text-delta' || kind === 'reasoning-delta') {
      const part = this.texts.get(key(chunk))
      if (part) this.wait(part, chunk.delta as string)
    } else if (kind === 'tool-input-delta') {
      const part = this.tools.get(chunk.toolCallId as string)
      if (part) this.wait(part, chunk.inputTextDelta as string)
    } else {
      this.flush()
      this.other(chunk)
    }
  }

  private other(chunk: Chunk): void {
    const kind = chunk.type
    if (kind.startsWith('tool-')) this.tool(chunk)
    else if (kind.startsWith('data-')) this.data(chunk)
    else if (kind === 'text-start' || kind === 'reasoning-start') this.begin(chunk)
    else if (kind === 'text-end' || kind === 'reasoning-end') this.end(chunk)
    else if (kind === 'start') this.start(chunk)
    else if (kind === 'start-step') this.add({ type: 'step-start' })
    else if (kind === 'reset-step') this.reset()
    else if (kind === 'file') this.add({ type: 'file', url: chunk.url as string, mediaType: chunk.mediaType as string })
    else if (kind === 'source-url') this.add(source(chunk))
    else if (kind === 'message-metadata') this.describe(chunk)
    else if (kind === 'finish') this.finish(chunk)
    else if (kind === 'abort') this.close({ kind: 'aborted' })
    else if (kind === 'error') this.close({ kind: 'failed', text: chunk.errorText as string })
  }

  private start(chunk: Chunk): void {
    if (typeof chunk.messageId === 'string') this.message.id = chunk.messageId
    this.describe(chunk)
  }

  /** What the step has shown does not count: the model is asked once more. */
  private reset(): void {
    const parts = this.message.parts
    const step = parts.findLastIndex((part) => part.type === 'step-start')
    for (const part of parts.splice(step + 1)) if ('toolCallId' in part) this.tools.delete(part.toolCallId)
    this.texts.clear()
  }

  private finish(chunk: Chunk): void {
    this.describe(chunk)
    this.close({ kind: 'finished', reason: (chunk.finishReason as string | undefined) ?? 'stop' })
  }

  private close(ending: Ending): void {
    this.ending = ending
    for (const part of this.texts.values()) part.state = 'done'
  }

  private describe(chunk: Chunk): void {
    const given = chunk.messageMetadata as Metadata | undefined
    if (given) this.message.metadata = { ...this.message.metadata, ...given }
  }

  private begin(chunk: Chunk): void {
    const type = chunk.type === 'text-start' ? 'text' : 'reasoning'
    this.texts.set(key(chunk), this.add({ type, text: '', state: 'streaming', began: this.now() }))
  }

  private end(chunk: Chunk): void {
    const part = this.texts.get(key(chunk))
    if (!part) return
    part.state = 'done'
    part.ended = this.now()
    this.texts.delete(key(chunk))
  }

  private tool(chunk: Chunk): void {
    const kind = chunk.type
    if (kind === 'tool-input-start') {
      this.called(chunk, { state: 'input-streaming', inputText: '' })
    } else if (kind === 'tool-input-available') {
      const began = this.tools.get(chunk.toolCallId as string)?.began ?? this.now()
      this.called(chunk, { state: 'input-available', input: chunk.input, began })
    } else if (kind === 'tool-input-error') {
      this.called(chunk, { state: 'output-error', input: chunk.input, errorText: chunk.errorText as string })
    } else {
      const part = this.tools.get(chunk.toolCallId as string)
      if (part) Object.assign(part, outcome(chunk))
    }
  }

  /** A call that is known already goes on where it is. */
  private called(chunk: Chunk, fields: Partial<ToolPart>): void {
    const id = chunk.toolCallId as string
    const known = this.tools.get(id)
    if (known) {
      Object.assign(known, fields)
      return
    }
    const name = chunk.toolName as string
    const called = chunk.dynamic ? { type: 'dynamic-tool' as const, toolName: name } : { type: `tool-${name}` as const }
    const part: ToolPart = { ...called, toolCallId: id, state: 'input-streaming', ...fields }
    if (typeof chunk.title === 'string') part.title = chunk.title
    this.tools.set(id, this.add(part))
  }

  private data(chunk: Chunk): void {
    const id = chunk.id as string | undefined
    this.watcher.onData?.(chunk.type.slice('data-'.length), chunk.data, id)
    if (chunk.transient) return
    const known = id && this.message.parts.find((part) => part.type === chunk.type && (part as DataPart).id === id)
    if (known) (known as DataPart).data = chunk.data
    else this.add({ type: chunk.type as DataPart['type'], data: chunk.data, ...(id ? { id } : {}) })
  }

  private add<T extends Part>(part: T): T {
    const held = this.watcher.wrap ? this.watcher.wrap(part) : part
    this.message.parts.push(held)
    return held
  }

  private wait(part: TextPart | ToolPart, text: string): void {
    const pieces = this.waiting.get(part)
    if (pieces) pieces.push(text)
    else this.waiting.set(part, [text])
  }

  private now(): number {
    return this.watcher.now?.() ?? Date.now()
  }
}

function key(chunk: Chunk): string {
  return `${chunk.type.split('-')[0]} ${chunk.id as string}`
}

function source(chunk: Chunk): Part {
  const title = chunk.title as string | undefined
  return {
    type: 'source-url',
    sourceId: chunk.sourceId as string,
    url: chunk.url as string,
    ...(title ? { title } : {}),
  }
}

function outcome(chunk: Chunk): Partial<ToolPart> {
  switch (chunk.type) {
    case 'tool-approval-request':
      return { state: 'approval-requested', approval: { id: chunk.approvalId as string } }
    case 'tool-output-available':
      return { state: 'output-available', output: chunk.output }
    case 'tool-output-error':
      return { state: 'output-error', errorText: chunk.errorText as string }
    case 'tool-output-denied':
      return { state: 'output-denied' }
    default:
      return {}
  }
}
