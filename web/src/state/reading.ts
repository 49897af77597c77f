/** One stream of a run, read into a message. A replay is put together aside, and shown once it is as far as what is shown. */

import { shallowReactive } from 'vue'
import { Assembly, type Chunk, type Ending } from '@/wire/assembly'
import { isText, isTool, type Message } from '@/wire/parts'
import { everyFrame } from './frames'

export interface Listener {
  /** The message that is shown in the place of this one, if there is any. */
  shownFor(id: string): Message | undefined
  /** Show the message, in that place or behind the last. */
  show(message: Message): void
  /** One of our own parts. */
  heard(name: string, data: unknown, id: string | undefined, reading: Reading): void
  worked(call: string, text: string, isAll: boolean): void
}

/** A replay comes in one go: where it pauses for so long, it is what there is. */
const QUIET = 400

export class Reading {
  readonly assembly: Assembly
  private readonly frames = everyFrame(() => this.draw())
  private readonly progress = new Map<string, string>()
  private before: Message | undefined
  private hasStarted = false
  private isShown = false
  private quiet: ReturnType<typeof setTimeout> | undefined

  constructor(private readonly listener: Listener) {
    const message = held({ id: '', role: 'assistant', parts: [] })
    this.assembly = new Assembly(message, {
      onData: (name, data, id) => this.heard(name, data, id),
      wrap: (part) => shallowReactive(part),
    })
  }

  get ending(): Ending | undefined {
    return this.assembly.ending
  }

  feed(chunk: Chunk): void {
    this.assembly.feed(chunk)
    if (chunk.type === 'start' && !this.hasStarted) this.start()
    if (this.hasStarted && !this.isShown) this.waitForQuiet()
    this.frames.soon()
  }

  /** Nothing more comes from this stream: because it is over, or because it was lost. */
  close(): void {
    this.frames.stop()
    clearTimeout(this.quiet)
    this.assembly.flush()
    // A replay that was lost on its way does not take back what is shown.
    const isUseful = this.ending !== undefined || this.hasCaughtUp()
    if (this.hasStarted && !this.isShown && isUseful) this.show()
  }

  private start(): void {
    this.hasStarted = true
    this.before = this.listener.shownFor(this.assembly.message.id)
    if (!this.before?.parts.length) this.show()
  }

  private draw(): void {
    this.assembly.flush()
    if (this.hasStarted && !this.isShown && this.hasCaughtUp()) this.show()
  }

  private show(): void {
    this.isShown = true
    clearTimeout(this.quiet)
    if (this.before) keepTimes(this.before, this.assembly.message)
    for (const [call, text] of this.progress) this.listener.worked(call, text, true)
    this.progress.clear()
    this.listener.show(this.assembly.message)
  }

  private waitForQuiet(): void {
    clearTimeout(this.quiet)
    this.quiet = setTimeout(() => {
      this.assembly.flush()
      if (!this.isShown) this.show()
    }, QUIET)
  }

  private hasCaughtUp(): boolean {
    return !this.before || weight(this.assembly.message) >= weight(this.before)
  }

  private heard(name: string, data: unknown, id: string | undefined): void {
    if (name !== 'progress') return this.listener.heard(name, data, id, this)
    const { callId, text = '' } = data as { callId: string; text?: string }
    this.listener.heard(name, data, id, this)
    if (this.isShown) this.listener.worked(callId, text, false)
    else this.progress.set(callId, (this.progress.get(callId) ?? '') + text)
  }
}

/** As the page holds it: each part tells of its own changes, and nothing deeper is watched. */
export function held(message: Message): Message {
  return shallowReactive({ ...message, parts: shallowReactive(message.parts.map((part) => shallowReactive(part))) })
}

/** How far a message is. It only grows while the message does. */
export function weight(message: Message): number {
  let sum = 0
  for (const part of message.parts) {
    if (isText(part)) sum += 1 + part.text.length
    else if (isTool(part)) sum += part.state.startsWith('output') ? 3 : part.state === 'input-streaming' ? 1 : 2
  }
  return sum
}

/** When something began is known to whoever saw it begin, and not from a replay. */
function keepTimes(before: Message, now: Message): void {
  const known = before.parts.filter((part) => isText(part) || isTool(part))
  const replayed = now.parts.filter((part) => isText(part) || isTool(part))
  replayed.forEach((part, place) => {
    const old = known[place]
    if (!old || old.type !== part.type || old.began === undefined) return
    part.began = old.began
    const ended = (old as { ended?: number }).ended
    if (isText(part) && part.state === 'done' && ended !== undefined) part.ended = ended
  })
}
