// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createApp, h, nextTick, reactive, type App } from 'vue'
import Composer from '@/components/Composer.vue'
import type { FilePart } from '@/wire/parts'

let app: App
const given = reactive({ isBusy: false, text: '' })
const sent: [string, FilePart[]][] = []
const put: [string, boolean][] = []
const commands = [
  { name: 'review', description: 'Look it over' },
  { name: 'new', description: 'Begin' },
]

beforeEach(() => {
  localStorage.clear()
  document.body.innerHTML = '<div id="app"></div>'
  Object.assign(given, { isBusy: false, text: '' })
  sent.length = put.length = 0
  app = createApp({
    render: () =>
      h(Composer, {
        isBusy: given.isBusy,
        commands,
        modelValue: given.text,
        'onUpdate:modelValue': (text: string) => (given.text = text),
        onSend: (text: string, files: FilePart[]) => sent.push([text, files]),
        onPut: (text: string, steer: boolean) => put.push([text, steer]),
      }),
  })
  app.mount('#app')
})
afterEach(() => app.unmount())

const area = () => document.querySelector('textarea') as HTMLTextAreaElement

async function type(text: string): Promise<void> {
  area().value = text
  area().setSelectionRange(text.length, text.length)
  area().dispatchEvent(new Event('input'))
  await nextTick()
}

async function press(key: string, more: KeyboardEventInit = {}): Promise<void> {
  area().dispatchEvent(new KeyboardEvent('keydown', { key, cancelable: true, bubbles: true, ...more }))
  await nextTick()
}

describe('where a person writes', () => {
  it('sends with Enter, not with Shift or while a word is composed', async () => {
    await type('hello')
    await press('Enter', { shiftKey: true })
    await press('Enter', { isComposing: true })
    expect(sent).toEqual([])
    await press('Enter')
    expect(sent).toEqual([['hello', []]])
    expect(given.text).toBe('')
  })

  it('brings earlier prompts back with the arrows, in the empty field only', async () => {
    for (const text of ['one', 'two']) {
      await type(text)
      await press('Enter')
    }
    await press('ArrowUp')
    expect(given.text).toBe('two')
    await press('ArrowUp')
    expect(given.text).toBe('one')
    await press('ArrowDown')
    await press('ArrowDown')
    expect(given.text).toBe('')
    await type('mine')
    await press('ArrowUp')
    expect(given.text).toBe('mine')
  })

  it('suggests commands and puts the chosen one in', async () => {
    await type('/')
    const options = [...document.querySelectorAll('[role=option]')].map((one) => one.textContent)
    expect(options).toEqual(['/newBegin', '/reviewLook it over'])
    await press('ArrowDown')
    expect(area().getAttribute('aria-activedescendant')).toBe('suggestion-1')
    await press('Enter')
    expect([given.text, sent.length]).toEqual(['/review ', 0])
    await type('/x')
    expect(document.querySelector('[role=listbox]')).toBeNull()
  })

  it('says so where there is no such command, and keeps the text', async () => {
    await type('/revue it')
    await press('Enter')
    expect(document.querySelector('[role=alert]')?.textContent).toContain('/revue')
    expect([sent.length, given.text]).toEqual([0, '/revue it'])
  })

  it('queues or steers while it works', async () => {
    given.isBusy = true
    await type('and then')
    await press('Enter')
    await type('no, stop')
    const steer = [...document.querySelectorAll('button')].find((button) => button.textContent === 'Steer')
    steer?.click()
    await nextTick()
    expect(put).toEqual([
      ['and then', false],
      ['no, stop', true],
    ])
    await type('/new')
    await press('Enter')
    expect(document.querySelector('[role=alert]')?.textContent).toContain('command')
  })

  it('takes files that are pasted, and sends them along', async () => {
    const paste = new Event('paste', { cancelable: true }) as unknown as { clipboardData: unknown }
    paste.clipboardData = { files: [new File(['x'], 'a.txt', { type: 'text/plain' })] }
    area().dispatchEvent(paste as unknown as Event)
    await expect.poll(() => document.body.textContent).toContain('a.txt')
    await press('Enter')
    expect(sent[0]?.[1].map((file) => file.filename)).toEqual(['a.txt'])
  })
})
