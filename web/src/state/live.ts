/** What happens in all chats, as the server tells it: which of them run, which wait for a person, what they are called. */

import { computed, reactive, ref } from 'vue'
import { api, ApiError, send } from '@/api/client'
import type { OpenAsks, RunState } from '@/api/types'
import { sentEvents, type SentEvent } from '@/wire/sse'
import { loadSession, loadSessions, sessions } from './sessions'
import { pause } from './waking'

/** Every delta of every answer would come as well: what a page needs of other chats is little. */
const TYPES = ['run_start', 'message_end', 'permission_asked', 'permission_replied', 'question_asked', 'question_replied', 'run_parked', 'run_resumed', 'settled']
const TRIES = [1000, 2000, 5000, 10_000, 30_000]
/** A hidden page leaves the connection to others after this: a browser has only a few. */
const HIDDEN = 15_000
const SOON = 150

/** What each chat waits for, by the chat's id. */
export const waiting = reactive<Record<string, string[]>>({})
/** The server was there and does not answer now. */
export const isLost = ref(false)
export const waitingChats = computed(() => Object.keys(waiting).filter((id) => waiting[id]?.length))

interface Told {
  type: string
  session_id: string
  ask_id?: string
  question_id?: string
  reason?: string
}

let control: AbortController | undefined

/** Listen until `stopListening`. What was missed meanwhile comes first. */
export async function startListening(): Promise<void> {
  stopListening()
  const own = new AbortController()
  control = own
  let last = ''
  let tries = 0
  await loadAsks()
  while (!own.signal.aborted) {
    try {
      await seen(own.signal)
      const events = await open(last, own.signal)
      isLost.value = false
      for await (const event of events) {
        last = event.id
        tries = 0
        heard(event)
      }
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) return
      if (error instanceof ApiError && error.status === 0) isLost.value = !document.hidden && tries > 0
      // The position is too old, or there never was one: look at everything anew.
      if (error instanceof ApiError && error.status === 400) last = ''
    }
    if (own.signal.aborted) return
    if (!document.hidden) await pause(TRIES[Math.min(tries, TRIES.length - 1)] ?? 1000, own.signal)
    tries += 1
    if (!last) await Promise.allSettled([loadSessions(), loadAsks()])
  }
}

export function stopListening(): void {
  control?.abort()
  control = undefined
}

/** What one event changes. */
export function note(told: Told): void {
  const id = told.session_id
  const asked = told.ask_id ?? told.question_id ?? ''
  if (told.type === 'permission_asked' || told.type === 'question_asked') {
    waiting[id] = [...(waiting[id] ?? []).filter((known) => known !== asked), asked]
  } else if (told.type === 'permission_replied' || told.type === 'question_replied') {
    waiting[id] = (waiting[id] ?? []).filter((known) => known !== asked)
  } else if (told.type === 'settled') {
    delete waiting[id]
    mark(id, 'idle')
  } else if (told.type === 'run_start' || told.type === 'run_resumed') {
    mark(id, 'busy')
  } else if (told.type === 'run_parked') {
    mark(id, told.reason === 'waiting' || told.reason === 'interrupted' ? told.reason : 'queued')
  }
}

function heard(event: SentEvent): void {
  if (!TYPES.includes(event.event)) return
  const told = JSON.parse(event.data) as Told
  note(told)
  // Its title, its cost and its place in the list are the server's to say.
  if (['run_start', 'message_end', 'run_parked', 'settled'].includes(told.type)) lookSoon(told.session_id)
}

function mark(id: string, state: RunState): void {
  const isRunning = state !== 'idle' && state !== 'interrupted'
  sessions.value = sessions.value.map((known) => (known.id === id ? { ...known, state, is_running: isRunning } : known))
}

const wanted = new Set<string>()
let timer = 0

function lookSoon(id: string): void {
  wanted.add(id)
  clearTimeout(timer)
  timer = window.setTimeout(() => {
    const ids = [...wanted]
    wanted.clear()
    for (const one of ids) void loadSession(one)
  }, SOON)
}

async function loadAsks(): Promise<void> {
  const open = await api.get<OpenAsks>('/api/asks').catch(() => undefined)
  if (!open) return
  for (const id of Object.keys(waiting)) delete waiting[id]
  for (const ask of [...open.asks, ...open.questions]) waiting[ask.session] = [...(waiting[ask.session] ?? []), ask.id]
}

/** The stream, which ends when the page has been hidden for a while. */
async function open(last: string, signal: AbortSignal): Promise<AsyncGenerator<SentEvent>> {
  const own = new AbortController()
  let timer = 0
  const hide = () => {
    clearTimeout(timer)
    if (document.hidden) timer = window.setTimeout(() => own.abort(), HIDDEN)
  }
  document.addEventListener('visibilitychange', hide)
  const both = AbortSignal.any([signal, own.signal])
  const end = () => {
    clearTimeout(timer)
    document.removeEventListener('visibilitychange', hide)
  }
  both.addEventListener('abort', end)
  const answer = await send('GET', `/api/events?types=${TYPES.join(',')}`, undefined, both, last ? { 'last-event-id': last } : {})
  if (!answer.body) throw new ApiError(0, 'unreachable', 'unreachable')
  return sentEvents(answer.body)
}

async function seen(signal: AbortSignal): Promise<void> {
  while (document.hidden && !signal.aborted) await pause(60_000, signal)
}
