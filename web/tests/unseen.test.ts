// @vitest-environment happy-dom
import { afterEach, expect, test } from 'vitest'
import { createApp, h, type App } from 'vue'
import ApprovalBox from '@/components/ApprovalBox.vue'
import { exact, exactIn } from '@/text/unseen'
import type { Ask } from '@/wire/notes'

let app: App | undefined
afterEach(() => app?.unmount())

function shown(ask: Partial<Ask>, input?: unknown): string {
  const place = document.createElement('div')
  const whole: Ask = { id: 'ask_1', permission: 'any', patterns: [], always: [], ...ask }
  app = createApp({ render: () => h(ApprovalBox, { ask: whole, tool: 'any', input }) })
  app.mount(place)
  return place.textContent ?? ''
}

const UNSEEN = [0x00, 0x1b, 0x7f, 0x9b, 0xa0, 0xad, 0x34f, 0x61c, 0x115f, 0x180e, 0x2003, 0x200b, 0x200d, 0x200f, 0x2028, 0x202e, 0x2060, 0x2066, 0x2800, 0x3164, 0xd800, 0xfe00, 0xfe0f, 0xfeff, 0xffa0, 0xfff9, 0x1d173, 0xe0001, 0xe0041, 0xe007f, 0xe0100]

test.each(UNSEEN)('the sign %i is written out', (code) => {
  const sign = code === 0xd800 ? '\ud800' : String.fromCodePoint(code)
  expect(exact(`a${sign}b`)).toMatch(/^a\\(x[0-9a-f]{2}|u\{[0-9a-f]+\})b$/)
})

test('what is seen stays: lines, tabs, all scripts and colourful signs', () => {
  for (const text of ['rm -rf x\n\tls', 'grüß 你好　世界 שלום مرحبا ไทย', 'ok ❤️ 🌍'])
    expect(exact(text)).toBe(text)
})

test('it goes through all that a value holds', () => {
  expect(exactIn({ 'a\u200b': ['x\u202e', 1, null, { b: 'y' }] })).toEqual({ 'a\\u{200b}': ['x\\u{202e}', 1, null, { b: 'y' }] })
})

test('whoever decides sees all of a command, its patterns and the rule that would be saved', () => {
  const hidden = 'echo \u202eexe.\u{e0041}\u200b'
  for (const text of [
    shown({}, { command: hidden }),
    shown({ patterns: [hidden] }),
    shown({ always: [hidden] }),
    shown({ details: { diff: `+${hidden}` } }),
    shown({ details: { note: hidden } }),
    shown({ permission: 'doom_loop', patterns: [hidden] }),
    shown({ child: 'ses_1', title: hidden, agent: hidden }),
    shown({}, { city: hidden }),
  ]) {
    expect(text).toContain('u{202e}')
    expect(text).not.toMatch(/[\u202e\u200b\u{e0041}]/u)
    app?.unmount()
  }
})
