// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { useToken } from '@/api/client'
import type { SessionView } from '@/api/types'
import { isLost, note, startListening, stopListening, waiting, waitingChats } from '@/state/live'
import { sessions } from '@/state/sessions'

const chat = (id: string) => ({ id, title: '', updated: 1, is_running: false, parent: null }) as SessionView
const encoder = new TextEncoder()

function frame(id: string, event: Record<string, unknown>): string {
  return `id: ${id}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`
}

beforeEach(() => {
  for (const id of Object.keys(waiting)) delete waiting[id]
  sessions.value = [chat('one')]
})
afterEach(stopListening)

describe('what happens in other chats', () => {
  it('marks those that run and those that wait', () => {
    note({ type: 'run_start', session_id: 'one' })
    note({ type: 'permission_asked', session_id: 'one', ask_id: 'a' })
    note({ type: 'permission_asked', session_id: 'one', ask_id: 'a' })
    note({ type: 'question_asked', session_id: 'one', question_id: 'q' })
    expect([sessions.value[0]?.is_running, waiting.one, waitingChats.value]).toEqual([true, ['a', 'q'], ['one']])
    note({ type: 'permission_replied', session_id: 'one', ask_id: 'a' })
    expect(waiting.one).toEqual(['q'])
    note({ type: 'settled', session_id: 'one' })
    expect([sessions.value[0]?.is_running, waitingChats.value]).toEqual([false, []])
  })

  it('marks those that are interrupted, and those that go on', () => {
    const seen = () => [sessions.value[0]?.state, sessions.value[0]?.is_running]
    note({ type: 'run_start', session_id: 'one' })
    note({ type: 'run_parked', session_id: 'one', reason: 'released' })
    expect(seen()).toEqual(['queued', true])
    note({ type: 'run_parked', session_id: 'one', reason: 'interrupted' })
    expect(seen()).toEqual(['interrupted', false])
    note({ type: 'run_resumed', session_id: 'one' })
    expect(seen()).toEqual(['busy', true])
    note({ type: 'run_parked', session_id: 'one', reason: 'waiting' })
    expect(seen()).toEqual(['waiting', true])
  })

  it('says that the server is lost, and that it is there again', async () => {
    let isThere = false
    vi.stubGlobal('fetch', async (path: string) => {
      if (!isThere) throw new TypeError('no network')
      return path.startsWith('/api/events') ? new Response(new ReadableStream()) : Response.json({ asks: [], questions: [], sessions: [], next: null })
    })
    vi.useFakeTimers()
    void startListening()
    await vi.advanceTimersByTimeAsync(500)
    expect(isLost.value).toBe(false)
    await vi.advanceTimersByTimeAsync(5000)
    expect(isLost.value).toBe(true)
    isThere = true
    await vi.advanceTimersByTimeAsync(30_000)
    vi.useRealTimers()
    expect(isLost.value).toBe(false)
  })

  it('goes on where the stream was lost, with its token in a header', async () => {
    const streams = [frame('p1', { type: 'permission_asked', session_id: 'one', ask_id: 'a' }), frame('p2', { type: 'settled', session_id: 'one' })]
    const asked: Record<string, string>[] = []
    const done = new Promise<void>((resolve) => {
      vi.stubGlobal('fetch', async (path: string, init: RequestInit) => {
        if (!path.startsWith('/api/events')) return Response.json(path.startsWith('/api/asks') ? { asks: [], questions: [] } : chat('one'))
        asked.push(init.headers as Record<string, string>)
        const text = streams.shift()
        if (text === undefined) resolve()
        return new Response(new ReadableStream({ start: (to) => (text === undefined ? undefined : (to.enqueue(encoder.encode(text)), to.close())) }))
      })
    })
    useToken('a token')
    vi.useFakeTimers()
    void startListening()
    await vi.advanceTimersByTimeAsync(60_000)
    vi.useRealTimers()
    await done
    expect(asked.map((headers) => headers['last-event-id'])).toEqual([undefined, 'p1', 'p2'])
    expect(asked[0]?.authorization).toMatch(/^Bearer /)
    expect(waitingChats.value).toEqual([])
  })
})
