import { expect, test } from 'vitest'
import { shownParts } from '@/wire/grouping'
import type { Part, ToolPart } from '@/wire/parts'

const call = (id: string): ToolPart => ({ type: 'tool-list', toolCallId: id, state: 'output-available' })
const note = (id: string): Part => ({ type: 'data-tool', id, data: {} })

test('calls of one step are together, calls of the next one are not', () => {
  const parts: Part[] = [{ type: 'step-start' }, call('a'), note('a'), call('b'), note('b'), { type: 'step-start' }, call('c'), note('c')]
  const shown = shownParts(parts)
  expect(shown.map((one) => one.kind === 'tools' && one.parts.map((part) => part.toolCallId))).toEqual([['a', 'b'], ['c']])
})

test('a text between calls parts them', () => {
  const shown = shownParts([call('a'), { type: 'text', text: 'and', state: 'done' }, call('b')])
  expect(shown.map((one) => one.kind)).toEqual(['tools', 'text', 'tools'])
})

test('what was said meanwhile, sources and summaries have their place', () => {
  const shown = shownParts([
    { type: 'source-url', sourceId: '1', url: 'https://a.example' },
    { type: 'source-url', sourceId: '2', url: 'https://b.example' },
    { type: 'data-steer', id: 'm', data: { parts: [] } },
    { type: 'data-compaction', id: 'c', data: { tokens: 5 } },
    { type: 'data-other', data: 1 },
  ])
  expect(shown.map((one) => one.kind)).toEqual(['sources', 'steer', 'compaction'])
})

test('a part keeps its key while others come', () => {
  const parts: Part[] = [{ type: 'text', text: 'a', state: 'done' }, call('a')]
  const before = shownParts(parts).map((one) => one.key)
  expect(shownParts([...parts, note('a'), call('b')]).map((one) => one.key)).toEqual(before)
})
