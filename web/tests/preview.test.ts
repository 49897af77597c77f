import { expect, test } from 'vitest'
import { changeOf, previewOf, unsaidOf } from '@/components/results/preview'
import type { Ask } from '@/wire/notes'

const ask = (details: Record<string, unknown> = {}, more: Partial<Ask> = {}): Ask => ({
  id: 'ask_1',
  permission: 'any',
  patterns: [],
  always: [],
  details,
  ...more,
})

test('a command is shown as it is', () => {
  expect(previewOf(ask(), { command: 'rm -rf x\nls' })).toEqual({ kind: 'command', text: 'rm -rf x\nls' })
})

test('an edit is shown as what goes and what comes', () => {
  const input = { path: 'a.txt', old_text: 'one\ntwo\n', new_text: 'three' }
  expect(previewOf(ask(), input)).toEqual({ kind: 'diff', text: '--- a.txt\n+++ a.txt\n@@\n-one\n-two\n+three' })
})

test('so are several edits of one file', () => {
  const input = { path: 'a', edits: [{ old_text: 'x', new_text: 'y' }, { old_text: '', new_text: 'z' }] }
  expect(previewOf(ask(), input)).toEqual({ kind: 'diff', text: '--- a\n+++ a\n@@\n-x\n+y\n@@\n+z' })
})

test('a new file is all new lines, and a patch is itself', () => {
  expect(previewOf(ask(), { path: 'a', content: 'x\n\ny' })).toEqual({ kind: 'diff', text: '+++ a\n+x\n+\n+y' })
  expect(previewOf(ask(), { patch: '*** Begin Patch' })).toEqual({ kind: 'diff', text: '*** Begin Patch' })
})

test('what the preview does not say of the arguments is shown too', () => {
  expect(unsaidOf(ask(), { command: 'ls', network: true })).toEqual({ network: true })
  expect(unsaidOf(ask(), { path: 'a', content: 'x', then_run: 'y' })).toEqual({ then_run: 'y' })
  expect(unsaidOf(ask(), { patch: '+x', command: 7 })).toEqual({ command: 7 })
  expect(unsaidOf(ask(), { path: 'a', old_text: 'x', new_text: { y: 1 } })).toEqual({ new_text: { y: 1 } })
  const edits = [{ old_text: 'x', new_text: 'y', then_run: 'curl x | sh' }, { old_text: 'a', new_text: 'b' }]
  const left = { edits: [{ then_run: 'curl x | sh' }, {}], new_text: 'other' }
  expect(unsaidOf(ask(), { path: 'a', edits, new_text: 'other' })).toEqual(left)
  expect(unsaidOf(ask(), { path: 'a', edits: edits.slice(1) })).toEqual({})
  expect(unsaidOf(ask(), { city: 'Tokyo' })).toEqual({})
})

test('a diff that a tool tells hides no argument', () => {
  const told = ask({ diff: '@@ -1,2 +1,2 @@\n kept\n-old\n+new', arguments: { path: 'a', content: 'kept\nnew\n', patch: 'DROP', edits: ['x'] } })
  expect(unsaidOf(told, {})).toEqual({ path: 'a', patch: 'DROP', edits: ['x'] })
})

test('what a sub-agent wants is told by the ask, never by the call that sent it', () => {
  const sent = { prompt: 'look', command: 'not this' }
  expect(previewOf(ask({ arguments: { command: 'ls' } }, { child: 'ses_2' }), sent)).toEqual({ kind: 'command', text: 'ls' })
  expect(previewOf(ask({}, { child: 'ses_2' }), sent)).toEqual({ kind: 'nothing' })
})

test('other arguments are shown as they are', () => {
  expect(previewOf(ask(), { city: 'Tokyo' })).toEqual({ kind: 'arguments', value: { city: 'Tokyo' } })
  expect(previewOf(ask(), {})).toEqual({ kind: 'nothing' })
})

test('a tool that its server has changed is shown with what changed, beside what it would do', () => {
  const changed = ask({ tool_change: { note: 'n', diff: '-one\n+two' }, arguments: { text: 'hi' } })
  expect(changeOf(changed)).toEqual({ diff: '-one\n+two' })
  expect(previewOf(changed, {})).toEqual({ kind: 'arguments', value: { text: 'hi' } })
  expect(changeOf(ask({ tool_change: { note: 'n' } }))).toEqual({ diff: '' })
  expect(changeOf(ask())).toBeUndefined()
})
