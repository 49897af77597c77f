/** Holding on to the stream of a run: where it is lost on the way, it is looked for again. */

import { ref } from 'vue'
import { ApiError, send } from '@/api/client'
import type { Chunk } from '@/wire/assembly'
import { sentEvents } from '@/wire/sse'
import type { Reading } from './reading'
import { onWake, pause } from './waking'

/** How often a lost stream is looked for, and how long between. */
export const TRIES = [200, 500, 1000, 2000, 4000, 8000, 8000]
/** The server says something every 15 seconds, be it a ping. */
const SILENCE = 40_000
const STALE = 20_000

/** `nothing`: no run goes on. `gone`: none goes on any more. `left`: nobody wants to know. */
export type Outcome = 'ended' | 'nothing' | 'gone' | 'unreachable' | 'left'
export type Open = (signal: AbortSignal) => Promise<Response>

export class Following {
  /** True from the loss of a stream until it is found again. */
  readonly isLost = ref(false)
  private control: AbortController | undefined

  constructor(
    private readonly session: string,
    private readonly begin: () => Reading,
    private readonly feed: (reading: Reading, chunk: Chunk) => void,
    /** Whether the run goes on although its stream was ended: its server stops, and another one has it. */
    private readonly goesOn: () => boolean = () => false,
  ) {}

  get isOpen(): boolean {
    return this.control !== undefined
  }

  /** Read what `first` opens to its end. What is found again is replayed from its beginning.
   *
   * Throws the `ApiError` of a server that refuses.
   */
  async follow(first: Open = this.again): Promise<Outcome> {
    const control = (this.control = new AbortController())
    try {
      return await this.hold(first, control.signal)
    } finally {
      if (this.control === control) this.control = undefined
      this.isLost.value = false
    }
  }

  /** Stop listening; the run goes on. */
  leave(): void {
    this.control?.abort()
    this.control = undefined
  }

  private readonly again: Open = (signal) => send('GET', `/api/chat/${this.session}/stream?approvals=live&retract=reset-step`, undefined, signal)

  private async hold(first: Open, left: AbortSignal): Promise<Outcome> {
    let tries = 0
    for (let open = first; ; open = this.again) {
      try {
        const outcome = await this.attempt(open, left, () => (tries = 0))
        if (outcome) return outcome === 'nothing' && open !== first ? 'gone' : outcome
      } catch (error) {
        if (!left.aborted && error instanceof ApiError && isRefusal(error, open === first)) throw error
      }
      if (left.aborted) return 'left'
      this.isLost.value = true
      const wait = TRIES[tries]
      if (wait === undefined) return 'unreachable'
      tries += 1
      await pause(wait, left)
    }
  }

  /** One connection. Undefined where it was lost. */
  private async attempt(open: Open, left: AbortSignal, onAnswer: () => void): Promise<Outcome | undefined> {
    const lost = new AbortController()
    const answer = await open(AbortSignal.any([left, lost.signal]))
    onAnswer()
    this.isLost.value = false
    if (answer.status === 204 || !answer.body) return 'nothing'
    let heard = Date.now()
    // A connection may have died in its sleep, and nothing tells.
    const stop = onWake(() => Date.now() - heard > STALE && lost.abort())
    try {
      return (await this.read(answer.body, () => (heard = Date.now()))) ? 'ended' : undefined
    } finally {
      stop()
    }
  }

  /** True where the stream came to its end. */
  private async read(body: ReadableStream<Uint8Array>, onHeard: () => void): Promise<boolean> {
    const reading = this.begin()
    try {
      for await (const { data } of sentEvents(body, SILENCE)) {
        onHeard()
        if (data === '[DONE]') return !this.goesOn()
        this.feed(reading, JSON.parse(data) as Chunk)
      }
      return reading.ending !== undefined && !this.goesOn()
    } finally {
      reading.close()
    }
  }
}

/** A server that is just being started again refuses nothing. */
function isRefusal(error: ApiError, isFirst: boolean): boolean {
  return error.status > 0 && (isFirst || error.status < 500)
}
