// @vitest-environment happy-dom
import { afterEach, expect, test } from 'vitest'
import { createApp, h, nextTick, shallowReactive, type App } from 'vue'
import ToolCard from '@/components/ToolCard.vue'
import { en } from '@/i18n/en'
import { Chat } from '@/state/chat'
import { unfold } from '@/state/folds'
import type { Ask, ToolNote } from '@/wire/notes'
import type { ToolPart, ToolState } from '@/wire/parts'

const chat = new Chat('session')
chat.leave()
let app: App | undefined
afterEach(() => app?.unmount())

function shown(part: Partial<ToolPart>, more: { note?: ToolNote; asks?: Ask[]; isOpen?: boolean } = {}): HTMLElement {
  const place = document.createElement('div')
  const whole: ToolPart = shallowReactive({ type: 'tool-apply_patch', toolCallId: 'call', state: 'input-available', ...part })
  unfold('session call', more.isOpen ?? false)
  app = createApp({ render: () => h(ToolCard, { part: whole, chat, note: more.note, asks: more.asks }) })
  app.mount(place)
  return place
}

test.each(Object.entries(en.tool.states))('a card in the state %s says “%s”', (state, words) => {
  const place = shown({ state: state as ToolState, input: { path: 'a.txt' } })
  expect(place.querySelector('section')?.getAttribute('aria-label')).toBe(`Apply patch: ${words}`)
  expect(place.textContent).toContain(words)
  expect(place.textContent).toContain('a.txt')
})

test.each([0, false, null])('the result %j is shown', (output) => {
  expect(shown({ state: 'output-available', input: {}, output }, { isOpen: true }).textContent).toContain(String(output))
})

test('an empty result is told', () => {
  expect(shown({ state: 'output-available', input: {}, output: '' }, { isOpen: true }).textContent).toContain(en.tool.empty)
})

test('arguments are shown as they stream', () => {
  expect(shown({ state: 'input-streaming', inputText: '{"path": "a' }, { isOpen: true }).textContent).toContain('{"path": "a')
})

test('what a call shows while it works is seen in the folded card', () => {
  chat.progress.call = 'line 1\nline 2\n'
  expect(shown({ state: 'input-available', input: {} }).textContent).toContain('line 2')
  delete chat.progress.call
})

test('a rule that denied is told, and what a person said', () => {
  const byRule = shown({ state: 'output-denied', input: {} }, { note: { kind: 'denied', message: 'bash is denied for ‘rm’ by a rule.' } })
  expect(byRule.textContent).toContain('by a rule')
  app?.unmount()
  const approval = { id: 'ask', approved: false, reason: 'not today' }
  const byPerson = shown({ state: 'output-denied', input: {}, approval }, { note: { kind: 'denied', message: 'The user said no' } })
  expect(byPerson.textContent).toContain(`${en.tool.deniedByYou} not today`)
})

test('the first line of an error is seen at once, all of it in the open card', () => {
  const part: Partial<ToolPart> = { state: 'output-error', input: {}, errorText: 'first\nsecond' }
  expect(shown(part).textContent).toContain('first')
  app?.unmount()
  expect(shown(part, { isOpen: true }).textContent).toContain('second')
})

test('marks that are for the model are not shown in an error', () => {
  const part: Partial<ToolPart> = { state: 'output-error', input: {}, errorText: '<untrusted source="MCP server shop">\nit is full\n</untrusted>' }
  for (const isOpen of [false, true]) {
    const place = shown(part, { isOpen })
    expect(place.textContent).toContain('it is full')
    expect(place.textContent).not.toContain('untrusted')
    app?.unmount()
  }
})

test('a call that was stopped has not failed: it says so in the page’s own words', () => {
  const part: Partial<ToolPart> = { state: 'output-error', input: {}, errorText: 'The call was aborted by the user.' }
  for (const isOpen of [false, true]) {
    const place = shown(part, { note: { kind: 'aborted' }, isOpen })
    expect(place.textContent).toContain(en.message.stopped)
    expect(place.textContent).not.toContain(en.tool.states['output-error'])
    expect(place.textContent).not.toContain('aborted')
    app?.unmount()
  }
})

const ask = (id: string, more: Partial<Ask> = {}): Ask => ({ id, permission: 'bash', patterns: ['ls'], always: ['ls *'], ...more })

test('every ask of a call is shown with the rule that “always” would save, until it is answered', () => {
  const place = shown({ state: 'approval-requested', input: { command: 'ls' } }, { asks: [ask('a'), ask('b'), ask('c', { reply: 'once' })] })
  expect(place.querySelectorAll('[data-ask]')).toHaveLength(2)
  expect(place.textContent).toContain('Always allow bash: ls *')
})

test('a loop is explained in words', () => {
  const place = shown({ state: 'approval-requested', input: {} }, { asks: [ask('a', { permission: 'doom_loop', patterns: ['list'] })] })
  expect(place.textContent).toContain('keeps calling list with the same arguments')
})

test('a card stays open when it is drawn again', async () => {
  const place = shown({ state: 'output-available', input: {}, output: 'the result' })
  expect(place.textContent).not.toContain('the result')
  place.querySelector('button')?.click()
  await nextTick()
  expect(place.textContent).toContain('the result')
  app?.unmount()
  const again = document.createElement('div')
  app = createApp({ render: () => h(ToolCard, { part: { type: 'tool-x', toolCallId: 'call', state: 'output-available', input: {}, output: 'the result' }, chat }) })
  app.mount(again)
  expect(again.textContent).toContain('the result')
})

test('a tool of an MCP server is told with its server', () => {
  const place = shown({ type: 'dynamic-tool', toolName: 'mcp__context7__resolve-library-id', state: 'output-available', input: {} })
  expect(place.textContent).toContain('context7: resolve-library-id')
})
