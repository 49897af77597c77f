/** One conversation: what was said, what is being said, and everything that a person can do with it. */

import { computed, reactive, ref, shallowReactive, shallowRef } from 'vue'
import { api, ApiError, send } from '@/api/client'
import type { RunState, SessionView } from '@/api/types'
import { t } from '@/i18n'
import type { Chunk } from '@/wire/assembly'
import type { Ask, Asked, Context, Retry, RunNotice } from '@/wire/notes'
import { textOf, type FilePart, type Message, type Part } from '@/wire/parts'
import { parentOf } from './branches'
import { failureWords } from './failures'
import { Following, type Open, type Outcome } from './following'
import { merged } from './merging'
import { held, Reading, type Listener } from './reading'
import { onTold, tell } from './tabs'
import { onWake } from './waking'

export type Status = 'loading' | 'ready' | 'submitted' | 'streaming' | 'failed'

export interface Wishes {
  model?: string
  agent?: string
  switch_off?: string[]
  options?: Record<string, unknown>
  system?: string
}

/** Said while it works: read at the next step (`steer`), or after the run. */
export interface Queued {
  text: string
  steer: boolean
}

/** Where the server has refused a request, `words` is what a person is told, and `kind` says how it was refused. */
export interface Failure {
  code: string
  text: string
  words?: string
  kind?: string
}

interface Listed {
  messages: Message[]
  has_more: boolean
  is_running: boolean
  state: RunState
  seq: number
}

/** Why nobody works on a run that is not over: it waits for its turn, for a person, for another process, or for a word. */
export type Pause = 'queued' | 'waiting' | 'released' | 'interrupted'

const PAGE = 60
const MOST_PAGE = 500
const MOST_PROGRESS = 20_000
/** How often a page that only lies open looks whether somebody else has gone on. */
const LOOK = 30_000

export class Chat implements Listener {
  readonly messages = shallowReactive<Message[]>([])
  readonly status = ref<Status>('ready')
  readonly failure = shallowRef<Failure | undefined>()
  /** What waits for a person, and what was answered, by its id. */
  readonly asks = reactive<Record<string, Ask>>({})
  readonly questions = reactive<Record<string, Asked>>({})
  /** What calls have shown while they worked, and what they told of themselves, by the call's id. */
  readonly progress = reactive<Record<string, string>>({})
  readonly details = shallowReactive<Record<string, Record<string, unknown>>>({})
  readonly queued = shallowReactive<Queued[]>([])
  readonly retrying = shallowRef<Retry | undefined>()
  readonly isCompacting = ref(false)
  readonly paused = shallowRef<Pause | undefined>()
  /** What is to be known of the last run. */
  readonly notices = shallowReactive<RunNotice[]>([])
  readonly context = shallowRef<Context | undefined>()
  /** Whether there are messages before the first that is shown. */
  readonly hasOlder = ref(false)
  /** Where the branch ended before something was taken off it. */
  readonly removed = shallowRef<string | undefined>()
  readonly isBusy = computed(() => this.status.value === 'submitted' || this.status.value === 'streaming')
  private readonly following: Following
  private readonly endings: (() => void)[]
  /** What was sent, until the server has named it. */
  private unsent: { said: Message; body: Record<string, unknown> } | undefined
  private seq: number | undefined
  private isRunning = false

  constructor(readonly id: string) {
    const begin = () => new Reading(this)
    this.following = new Following(id, begin, (reading, chunk) => this.take(reading, chunk), () => this.paused.value === 'released')
    const look = () => void this.look()
    const timer = setInterval(() => document.hidden || look(), LOOK)
    this.endings = [onWake(look), onTold(id, look), () => clearInterval(timer)]
  }

  /** True while the connection is lost and looked for. */
  get isLost() {
    return this.following.isLost
  }

  /** What is stored, and then what is under way. */
  async load(): Promise<void> {
    this.status.value = 'loading'
    try {
      await this.refresh()
    } catch (error) {
      return this.fail(error)
    }
    this.status.value = 'ready'
    const wasRunning = this.isRunning
    await this.resume()
    // It may have ended between the two.
    if (wasRunning && this.isRunning) await this.refreshIfReady()
  }

  async loadOlder(): Promise<void> {
    const first = this.messages[0]
    if (!first || !this.hasOlder.value) return
    this.hasOlder.value = false
    const listed = await this.listed({ before: first.id, limit: PAGE })
    this.messages.unshift(...listed.messages.map(held))
    this.hasOlder.value = listed.has_more
  }

  async send(text: string, files: FilePart[] = [], wishes: Wishes = {}): Promise<void> {
    const parts: Part[] = [...files, ...(text ? [{ type: 'text' as const, text, state: 'done' as const }] : [])]
    const said = held({ id: crypto.randomUUID(), role: 'user', parts })
    this.messages.push(said)
    await this.say(said, { ...wishes, messages: [plain(said)], trigger: 'submit-message' })
  }

  /** Ask again in other words: what was said before stays, as another version. */
  async edit(messageId: string, text: string, wishes: Wishes = {}): Promise<void> {
    const at = this.messages.findIndex((message) => message.id === messageId)
    const before = this.messages[at]
    if (!before) return
    const kept = before.parts.filter((part) => part.type === 'file')
    const said = held({ id: messageId, role: 'user', parts: [...kept, { type: 'text', text, state: 'done' }] })
    this.messages.splice(at, this.messages.length, said)
    await this.say(said, { ...wishes, messages: [plain(said)], trigger: 'submit-message', messageId })
    await this.refreshIfReady()
  }

  /** Another version of an answer; of a prompt, its answer again. */
  async regenerate(messageId: string, wishes: Wishes = {}): Promise<void> {
    const at = this.messages.findIndex((message) => message.id === messageId)
    if (at < 0) return
    this.messages.splice(this.messages[at]?.role === 'user' ? at + 1 : at)
    await this.ask({ ...wishes, messages: [], trigger: 'regenerate-message', messageId })
    await this.refresh().catch(() => undefined)
  }

  /** Show another version of a message, with what followed it. */
  async choose(messageId: string): Promise<void> {
    await this.branch(messageId, true)
  }

  /** Take a message, and what followed it, off the branch. Nothing is lost: `restore` brings it back. */
  async remove(messageId: string): Promise<void> {
    const [at, now] = await Promise.all([parentOf(this.id, messageId), this.session()])
    await this.branch(at, false)
    this.removed.value = now.head ?? undefined
  }

  async restore(): Promise<void> {
    const head = this.removed.value
    if (head) await this.branch(head, false)
  }

  async stop(): Promise<void> {
    await api.post(`/api/chat/${this.id}/stop`)
    // Of one that nobody works on, no stream tells the end.
    if (!this.following.isOpen) await this.refresh()
  }

  /** Let a run that was interrupted go on. */
  async goOn(): Promise<void> {
    try {
      await api.post(`/api/sessions/${this.id}/resume`)
    } catch (error) {
      this.failure.value = told(error)
      // Somebody else may have been quicker.
      return this.refresh()
    }
    this.paused.value = undefined
    await this.resume()
  }

  async put(text: string, steer: boolean): Promise<void> {
    this.queued.push({ text, steer })
    try {
      await api.post(`/api/sessions/${this.id}/prompts`, { text, steer })
    } catch (error) {
      this.unqueue(text)
      this.failure.value = told(error)
    }
    // Its run may have ended a moment ago: then this began another.
    await this.look()
  }

  /** Go on with a run that this page did not begin, or has lost. */
  async resume(): Promise<void> {
    if (!this.following.isOpen) await this.follow()
  }

  /** After a failure: send again what did not arrive, look for what was lost, or let it answer again. */
  async retry(): Promise<void> {
    const { code, kind } = this.failure.value ?? {}
    const last = this.messages.at(-1)
    this.failure.value = undefined
    if (this.unsent) await this.ask(this.unsent.body)
    // Without the line, or the login, the run may have gone on all the same.
    else if (code === 'unreachable' || kind === 'authentication' || !last) await this.load()
    else await this.regenerate(last.id)
  }

  /** Stop listening; the run goes on. */
  leave(): void {
    this.following.leave()
    for (const end of this.endings.splice(0)) end()
  }

  private async say(said: Message, body: Record<string, unknown>): Promise<void> {
    this.unsent = { said, body }
    await this.ask(body)
  }

  private async ask(body: Record<string, unknown>): Promise<void> {
    this.status.value = 'submitted'
    this.removed.value = undefined
    const asked = { id: this.id, approvals: 'live', retract: 'reset-step', ...body }
    await this.follow((signal) => send('POST', '/api/chat', asked, signal))
  }

  private async follow(open?: Open): Promise<void> {
    this.failure.value = undefined
    let outcome: Outcome
    try {
      outcome = await this.following.follow(open)
      if (outcome === 'left') return
      this.settle()
      if (outcome === 'unreachable') return this.fail(new ApiError(0, 'unreachable', ''))
      if (outcome === 'gone') await this.findOut()
      if (outcome === 'ended') this.isRunning = false
    } catch (error) {
      this.settle()
      return this.fail(error)
    }
    if (this.status.value === 'failed') return
    this.status.value = 'ready'
    // What was queued may run already.
    if (outcome === 'ended') void this.look(true)
  }

  /** The stream was lost, and nothing runs any more: the store knows what has become of it. */
  private async findOut(): Promise<void> {
    const unsent = this.unsent
    await this.refresh()
    if (!unsent) return
    const last = this.messages.findLast((message) => message.role === 'user')
    if (last && textOf(last) === textOf(unsent.said)) this.unsent = undefined
    else {
      this.messages.push(unsent.said)
      this.fail(new ApiError(0, 'unsent', t.failure.unsent))
    }
  }

  /** Whether something has happened without this page: in another tab, on another device, while this one slept. */
  async look(isOwn = false): Promise<void> {
    if (this.following.isOpen || this.status.value === 'loading' || this.unsent) return
    const now = await this.session().catch(() => undefined)
    if (!now || this.following.isOpen) return
    const begun = this.queued.splice(0, Math.max(0, this.queued.length - now.waiting))
    // What has waited may have been answered before anybody looked.
    const isNews = begun.length > 0 || (!isOwn && this.seq !== now.seq)
    this.seq = now.seq
    if (isNews) await this.refresh()
    if (now.is_running) await this.resume()
  }

  private async branch(at: string | null, below: boolean): Promise<void> {
    await api.post(`/api/sessions/${this.id}/branch`, { at, below })
    this.removed.value = undefined
    await this.refresh()
  }

  private session(): Promise<SessionView & { head: string | null; seq: number; waiting: number }> {
    return api.get(`/api/sessions/${this.id}`)
  }

  private listed(query: { before?: string; limit: number }): Promise<Listed> {
    return api.get<Listed>(`/api/sessions/${this.id}/messages`, query)
  }

  private async refresh(): Promise<void> {
    const limit = Math.min(MOST_PAGE, Math.max(PAGE, this.messages.length))
    const listed = await this.listed({ limit })
    const all = merged(this.messages, listed.messages)
    this.messages.splice(0, this.messages.length, ...all)
    if (all.length === listed.messages.length) this.hasOlder.value = listed.has_more
    this.seq = listed.seq
    this.isRunning = listed.is_running
    this.paused.value = listed.state === 'queued' || listed.state === 'interrupted' ? listed.state : undefined
  }

  private async refreshIfReady(): Promise<void> {
    if (this.status.value === 'ready') await this.refresh()
  }

  private take(reading: Reading, chunk: Chunk): void {
    if (this.status.value !== 'failed') this.status.value = 'streaming'
    if (!chunk.type.startsWith('data-')) this.retrying.value = undefined
    reading.feed(chunk)
    const ending = reading.ending
    // It goes on, and that is told in other words.
    if (this.paused.value) return
    // Where a message has the error, it is told there.
    if (ending?.kind === 'failed' && !reading.assembly.message.metadata?.error) this.fail(new ApiError(0, 'model', ending.text))
  }

  shownFor(id: string): Message | undefined {
    const last = this.messages.at(-1)
    // An answer has another id in the store where its first attempt failed. Two answers never follow each other.
    return this.messages.find((message) => message.id === id) ?? (last?.role === 'assistant' ? last : undefined)
  }

  show(message: Message): void {
    const before = this.shownFor(message.id)
    if (before) this.messages.splice(this.messages.indexOf(before), 1, message)
    else this.messages.push(message)
  }

  heard(name: string, data: unknown, id: string | undefined, reading: Reading): void {
    const given = data as Record<string, unknown>
    if (name === 'prompt') this.prompted(given.id as string, given.parts as Part[])
    else if (name === 'permission' && id) this.asked({ ...this.asks[id], ...(given as unknown as Ask), id }, reading)
    else if (name === 'question' && id) this.questions[id] = { ...this.questions[id], ...(given as unknown as Asked), id }
    else if (name === 'progress' && given.details) this.details[given.callId as string] = given.details as Record<string, unknown>
    else if (name === 'steer') this.unqueue(textOf({ id: '', role: 'user', parts: given.parts as Part[] }))
    else if (name === 'parked') this.paused.value = given.reason as Pause
    else if (name === 'resumed') this.paused.value = undefined
    else if (name === 'session') this.begun()
    else if (name === 'notice') this.notices.push(given as unknown as RunNotice)
    else if (name === 'retry') this.retrying.value = given as unknown as Retry
    else if (name === 'compaction') this.isCompacting.value = 'reason' in given
    else if (name === 'usage') this.context.value = given.context as Context
  }

  worked(call: string, text: string, isAll: boolean): void {
    this.progress[call] = ((isAll ? '' : (this.progress[call] ?? '')) + text).slice(-MOST_PROGRESS)
  }

  /** The store has its own ids: by these a prompt can be edited. One that this page has not sent is shown now. */
  private prompted(id: string, parts: Part[]): void {
    const sent = this.unsent?.said
    this.unsent = undefined
    if (sent) {
      sent.id = id
      // What was found for it beforehand stands beside it.
      sent.parts.push(...parts.filter((part) => part.type === 'source-url'))
      tell(this.id)
    } else if (!this.messages.some((message) => message.id === id)) {
      const said = held({ id, role: 'user', parts })
      this.unqueue(textOf(said))
      this.messages.push(said)
    }
  }

  private begun(): void {
    this.notices.splice(0)
    this.paused.value = undefined
  }

  private asked(ask: Ask, reading: Reading): void {
    this.asks[ask.id] = ask
    const part = reading.assembly.call(ask.toolCallId ?? '')
    if (!ask.reply || part?.state !== 'approval-requested' || part.approval?.id !== ask.id) return
    part.approval = { id: ask.id, approved: ask.reply !== 'reject', ...(ask.message ? { reason: ask.message } : {}) }
    part.state = 'approval-responded'
  }

  private unqueue(text: string): void {
    const at = this.queued.findIndex((one) => one.text === text)
    if (at >= 0) this.queued.splice(at, 1)
  }

  /** Nothing that was open in a run is open after it. */
  private settle(): void {
    this.retrying.value = undefined
    this.isCompacting.value = false
    for (const ask of Object.values(this.asks)) if (!ask.reply) delete this.asks[ask.id]
    for (const asked of Object.values(this.questions)) if (!asked.answers) asked.dismissed = true
  }

  private fail(error: unknown): void {
    this.failure.value = told(error)
    this.status.value = 'failed'
  }
}

function told(error: unknown): Failure {
  if (!(error instanceof ApiError)) return { code: 'unknown', text: String(error) }
  // Without a status it is the page's own: the connection is lost, or a model has failed.
  const words = error.status ? failureWords(error) : undefined
  return { code: error.code, text: error.message, ...(words ? { words, kind: error.kind } : {}) }
}

function plain(message: Message): Message {
  return { ...message, parts: message.parts.map((part) => ({ ...part })) }
}
