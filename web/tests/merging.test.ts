import { expect, test } from 'vitest'
import { merged } from '@/state/merging'
import { held, weight } from '@/state/reading'
import type { Message, Part } from '@/wire/parts'

const message = (id: string, ...parts: Part[]): Message => ({ id, role: 'assistant', parts })
const text = (said: string): Part => ({ type: 'text', text: said, state: 'done' })

test('what is the same stays the same object, with what the page alone knows', () => {
  const reasoning: Part = { type: 'reasoning', text: 'Hm', state: 'done', began: 1, ended: 2 }
  const shown = [held(message('a', reasoning, text('x')))]
  const parts = shown[0]?.parts
  const given = { ...message('a', { type: 'reasoning', text: 'Hm', state: 'done' }, text('x')), metadata: { versions: ['a', 'b'] } }
  const [now] = merged(shown, [given])
  expect(now).toBe(shown[0])
  expect(now?.parts).toBe(parts)
  expect(now?.metadata).toEqual({ versions: ['a', 'b'] })
})

test('what differs is replaced in its place', () => {
  const shown = [held(message('a', text('x')))]
  const [now] = merged(shown, [message('a', text('xy'))])
  expect(now).toBe(shown[0])
  expect(now?.parts).toEqual([text('xy')])
})

test('what was loaded before the page that came stays, and another branch does not', () => {
  const shown = ['a', 'b', 'c'].map((id) => held(message(id, text(id))))
  expect(merged(shown, [message('b', text('b')), message('d', text('d'))]).map((one) => one.id)).toEqual(['a', 'b', 'd'])
  expect(merged(shown, [message('x', text('x'))]).map((one) => one.id)).toEqual(['x'])
  expect(merged(shown, [])).toEqual([])
})

test('the weight of a message grows with everything that comes', () => {
  const growing: Part[][] = [
    [],
    [text('')],
    [text('a')],
    [text('a'), { type: 'tool-x', toolCallId: '1', state: 'input-streaming' }],
    [text('a'), { type: 'tool-x', toolCallId: '1', state: 'input-available' }],
    [text('a'), { type: 'tool-x', toolCallId: '1', state: 'output-error' }],
  ]
  const weights = growing.map((parts) => weight(message('a', ...parts)))
  expect(weights).toEqual([...new Set(weights)].sort((a, b) => a - b))
})
