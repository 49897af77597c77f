/** The list of chats: what is there, and what can be done with each. */

import { computed, ref } from 'vue'
import { api, ApiError, send } from '@/api/client'
import type { SessionPage, SessionView } from '@/api/types'
import { t } from '@/i18n'
import { Notice } from './failures'
import { chatId, goTo } from './place'
import { dismiss, say, trying } from './toasts'

export const sessions = ref<SessionView[]>([])
export const next = ref<string | null>(null)
export const isLoaded = ref(false)
/** Deleted in the list, and on the server a little later: until then it can be taken back. */
export const deleting = ref<SessionView | undefined>()

const PAGE = 100
const DELETE_AFTER = 8000
let timer = 0
let told = 0

export type Age = 'pinned' | 'today' | 'yesterday' | 'week' | 'month' | 'older'
const AGES: Age[] = ['pinned', 'today', 'yesterday', 'week', 'month', 'older']

export const groups = computed(() => grouped(sessions.value.filter((session) => session.id !== deleting.value?.id)))

/** The newest first, by day; what is pinned stands above. */
export function grouped(given: SessionView[], now = new Date()): { age: Age; sessions: SessionView[] }[] {
  const found = new Map<Age, SessionView[]>()
  for (const session of [...given].sort((one, other) => other.updated - one.updated)) {
    const age = session.pinned ? 'pinned' : ageOf(session.updated, now)
    found.set(age, [...(found.get(age) ?? []), session])
  }
  return AGES.flatMap((age) => (found.has(age) ? [{ age, sessions: found.get(age) ?? [] }] : []))
}

export async function loadSessions(): Promise<void> {
  const page = await api.get<SessionPage>('/api/sessions', { limit: PAGE })
  const newest = new Set(page.sessions.map((session) => session.id))
  const oldest = page.sessions.at(-1)?.updated ?? 0
  // Pages that were loaded below stay where they are.
  const below = page.next ? sessions.value.filter((known) => !newest.has(known.id) && known.updated < oldest) : []
  sessions.value = [...page.sessions, ...below]
  if (!below.length) next.value = page.next
  isLoaded.value = true
}

export async function loadMore(): Promise<void> {
  if (!next.value) return
  const page = await api.get<SessionPage>('/api/sessions', { limit: PAGE, before: next.value })
  const known = new Set(sessions.value.map((session) => session.id))
  sessions.value = [...sessions.value, ...page.sessions.filter((session) => !known.has(session.id))]
  next.value = page.next
}

/** One chat as it is now; those that agents sent are no chats of the list. */
export async function loadSession(id: string): Promise<void> {
  try {
    put(await api.get<SessionView>(`/api/sessions/${id}`))
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) sessions.value = sessions.value.filter((known) => known.id !== id)
  }
}

export function put(session: SessionView): void {
  if (session.parent) return
  const isKnown = sessions.value.some((known) => known.id === session.id)
  sessions.value = isKnown
    ? sessions.value.map((known) => (known.id === session.id ? session : known))
    : [session, ...sessions.value]
}

export type Choices = Partial<Pick<SessionView, 'title' | 'model' | 'agent' | 'system' | 'options' | 'switched_off' | 'pinned'>>

export async function makeSession(wishes: Choices): Promise<SessionView> {
  const made = await api.post<SessionView>('/api/sessions', wishes)
  put(made)
  return made
}

export async function change(id: string, fields: Choices): Promise<void> {
  const before = sessions.value.find((known) => known.id === id)
  if (before) put({ ...before, ...fields })
  const changed = await trying(() => api.patch<SessionView>(`/api/sessions/${id}`, fields))
  const shown = changed ?? before
  if (shown) put(shown)
}

export function deleteSoon(session: SessionView): void {
  void deleteNow()
  deleting.value = session
  if (chatId.value === session.id) goTo('/')
  timer = window.setTimeout(() => void deleteNow(), DELETE_AFTER)
  told = say(t.chats.deleted, { action: { label: t.app.undo, run: keepAfterAll }, lasts: DELETE_AFTER })
}

export function keepAfterAll(): void {
  clearTimeout(timer)
  dismiss(told)
  deleting.value = undefined
}

export async function deleteNow(): Promise<void> {
  clearTimeout(timer)
  dismiss(told)
  const gone = deleting.value
  if (!gone) return
  sessions.value = sessions.value.filter((known) => known.id !== gone.id)
  deleting.value = undefined
  const isGone = await trying(async () => {
    await api.delete(`/api/sessions/${gone.id}`)
    return true
  })
  if (!isGone) put(gone)
}

// Who closes the page meant it.
window.addEventListener('pagehide', () => void deleteNow())

/** The chat as a file of the person's. */
export async function save(session: SessionView, format: 'json' | 'markdown'): Promise<void> {
  const answer = await send('GET', `/api/sessions/${session.id}/export?format=${format}`)
  const link = document.createElement('a')
  link.href = URL.createObjectURL(await answer.blob())
  link.download = `${fileName(session.title || session.id)}.${format === 'json' ? 'json' : 'md'}`
  link.click()
  URL.revokeObjectURL(link.href)
}

/** Take in an exported chat; gives its id. */
export async function takeIn(file: File): Promise<string> {
  const document = read(await file.text())
  if (document?.format !== 'toolpost-session') throw new Notice(t.chats.notExported)
  const made = await api.post<SessionView>('/api/sessions/import', document)
  put(made)
  return made.id
}

export function fileName(title: string): string {
  return title.replace(/[\\/:*?"<>|\u0000-\u001f]+/g, ' ').replace(/\s+/g, ' ').trim().slice(0, 80) || 'chat'
}

function read(text: string): { format?: unknown } | null {
  try {
    return JSON.parse(text) as { format?: unknown } | null
  } catch {
    return null
  }
}

function ageOf(updated: number, now: Date): Age {
  const start = new Date(now)
  start.setHours(0, 0, 0, 0)
  const days = (start.getTime() / 1000 - updated) / 86_400
  if (days <= 0) return 'today'
  if (days <= 1) return 'yesterday'
  if (days <= 7) return 'week'
  return days <= 30 ? 'month' : 'older'
}
