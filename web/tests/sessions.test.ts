// @vitest-environment happy-dom
import { beforeEach, describe, expect, it } from 'vitest'
import type { SessionView } from '@/api/types'
import { deleteNow, deleteSoon, deleting, fileName, grouped, groups, keepAfterAll, put, sessions, takeIn } from '@/state/sessions'
import { toasts } from '@/state/toasts'
import { answers } from './answers'

const NOW = new Date(2026, 10, 16, 12)

function session(id: string, fields: Partial<SessionView> = {}): SessionView {
  return { id, title: id, updated: NOW.getTime() / 1000, pinned: false, parent: null, is_running: false, ...fields } as SessionView
}

function daysAgo(days: number): number {
  return NOW.getTime() / 1000 - days * 86_400
}

beforeEach(() => {
  keepAfterAll()
  sessions.value = []
  toasts.value = []
})

describe('the list of chats', () => {
  it('groups them by day, the pinned first and the newest above', () => {
    const given = [
      session('old', { updated: daysAgo(90) }),
      session('yesterday', { updated: daysAgo(1) }),
      session('first', { updated: daysAgo(0.2) }),
      session('kept', { updated: daysAgo(300), pinned: true }),
      session('newest'),
      session('week', { updated: daysAgo(5) }),
      session('month', { updated: daysAgo(20) }),
    ]
    const found = grouped(given, NOW).map((group) => [group.age, group.sessions.map((one) => one.id)])
    expect(found).toEqual([
      ['pinned', ['kept']],
      ['today', ['newest', 'first']],
      ['yesterday', ['yesterday']],
      ['week', ['week']],
      ['month', ['month']],
      ['older', ['old']],
    ])
  })

  it('leaves out the sessions of agents that were sent', () => {
    put(session('chat'))
    put(session('child', { parent: 'chat' }))
    expect(sessions.value.map((one) => one.id)).toEqual(['chat'])
  })

  it('deletes a little later, so that it can be taken back', async () => {
    const asked = answers({ 'DELETE /api/sessions/one': { status: 204 } })
    put(session('one'))
    deleteSoon(session('one'))
    expect(groups.value).toEqual([])
    toasts.value[0]?.action?.run()
    expect(groups.value.flatMap((group) => group.sessions.map((one) => one.id))).toEqual(['one'])
    expect(asked).toEqual([])
    deleteSoon(session('one'))
    await deleteNow()
    expect(asked).toEqual(['DELETE /api/sessions/one'])
    expect([sessions.value, deleting.value]).toEqual([[], undefined])
  })

  it('brings a chat back that could not be deleted, and says why', async () => {
    answers({ 'DELETE /api/sessions/one': { status: 409, body: { error: { code: 'conflict', message: 'it runs' } } } })
    put(session('one'))
    deleteSoon(session('one'))
    await deleteNow()
    expect(sessions.value.map((one) => one.id)).toEqual(['one'])
    expect(toasts.value.at(-1)).toMatchObject({ text: 'It runs.', isBad: true })
  })

  it('takes in what was exported, and nothing else', async () => {
    answers({ 'POST /api/sessions/import': { body: session('new') } })
    await expect(takeIn(new File(['# Chat'], 'chat.md'))).rejects.toThrow()
    expect(await takeIn(new File(['{"format": "toolpost-session"}'], 'chat.json'))).toBe('new')
    expect(sessions.value.map((one) => one.id)).toEqual(['new'])
  })

  it('names files after titles, without what no file may be called', () => {
    expect(fileName('a/b: "c" <d>\n')).toBe('a b c d')
    expect(fileName('../..')).toBe('.. ..')
    expect(fileName('///')).toBe('chat')
  })
})

