// @vitest-environment happy-dom
import { beforeEach, describe, expect, it } from 'vitest'
import { nextTick } from 'vue'
import type { SessionView } from '@/api/types'
import SessionList from '@/components/SessionList.vue'
import { isLoaded, sessions } from '@/state/sessions'
import { waiting } from '@/state/live'
import { mount } from './mounted'

// One moment for all: chats are shown by their age, and equal ones in the order that they came in.
const NOW = Date.now() / 1000
const chat = (id: string, fields: Partial<SessionView> = {}) =>
  ({ id, title: id, updated: NOW, pinned: false, parent: null, is_running: false, ...fields }) as SessionView

beforeEach(() => {
  for (const id of Object.keys(waiting)) delete waiting[id]
  isLoaded.value = true
  sessions.value = []
})

describe('the list of chats on the page', () => {
  it('says which run and which wait, for ears too', async () => {
    sessions.value = [chat('running', { is_running: true }), chat('asking', { is_running: true }), chat('quiet')]
    waiting.asking = ['a', 'b']
    const rows = [...mount(SessionList).querySelectorAll('li')].map((row) => row.textContent?.replace(/\s+/g, ' ').trim())
    expect(rows).toEqual(['running, working', 'asking2, waiting for you', 'quiet'])
    waiting.asking = []
    await nextTick()
    expect(document.querySelectorAll('li')[1]?.textContent).toContain('working')
  })

  it('shows titles as text, whatever is in them', () => {
    sessions.value = [chat('x', { title: '<img src=x onerror=alert(1)>' })]
    const page = mount(SessionList)
    expect(page.querySelector('img')).toBeNull()
    expect(page.textContent).toContain('<img src=x onerror=alert(1)>')
  })

  it('teaches where there is none yet', () => {
    expect(mount(SessionList).textContent).toContain('Your chats will appear here')
  })
})
