/** What a call would do, shown to whoever decides about it. */

import type { Ask } from '@/wire/notes'

export type Preview =
  | { kind: 'command'; text: string }
  | { kind: 'diff'; text: string }
  | { kind: 'arguments'; value: Record<string, unknown> }
  | { kind: 'nothing' }

type Given = Record<string, unknown>

interface Edit {
  old_text?: unknown
  new_text?: unknown
}

/** A sub-agent's call is told by the ask alone: the card that it stands in is that of the call which sent it. */
export function previewOf(ask: Ask, input: unknown): Preview {
  if (typeof ask.details?.diff === 'string') return { kind: 'diff', text: ask.details.diff }
  const given = givenTo(ask, input)
  if (!given) return { kind: 'nothing' }
  if (typeof given.command === 'string') return { kind: 'command', text: given.command }
  const diff = diffOf(given)
  if (diff) return { kind: 'diff', text: diff }
  return Object.keys(given).length ? { kind: 'arguments', value: given } : { kind: 'nothing' }
}

/** What of the arguments the preview does not say: any tool may have them, under these names or others. */
export function unsaidOf(ask: Ask, input: unknown): Given {
  const given = givenTo(ask, input) ?? {}
  const preview = previewOf(ask, input)
  if (preview.kind === 'command') return without(given, 'command')
  if (preview.kind !== 'diff') return {}
  if (typeof ask.details?.diff === 'string') return unsaidBy(preview.text, given)
  if (typeof given.patch === 'string') return without(given, 'patch')
  if (typeof given.content === 'string') return without(given, 'path', 'content')
  return withEdits(without(given, 'path'), (edit) => without(edit, ...['old_text', 'new_text'].filter((name) => typeof edit[name] === 'string')))
}

/** What is different in a server's tool that was approved before; no diff where nobody kept what it was. */
export function changeOf(ask: Ask): { diff: string } | undefined {
  const change = recordOf(ask.details?.tool_change)
  return change && { diff: typeof change.diff === 'string' ? change.diff : '' }
}

function diffOf(given: Record<string, unknown>): string {
  if (typeof given.patch === 'string') return given.patch
  const path = typeof given.path === 'string' ? given.path : ''
  if (!path) return ''
  if (typeof given.content === 'string') return `+++ ${path}\n${signed('+', given.content)}`
  const edits = Array.isArray(given.edits) && given.edits.length ? (given.edits as Edit[]) : [given as Edit]
  const changes = edits.filter((edit) => typeof edit.old_text === 'string' || typeof edit.new_text === 'string')
  if (!changes.length) return ''
  const shown = changes.map((edit) => ['@@', signed('-', edit.old_text), signed('+', edit.new_text)].filter(Boolean).join('\n'))
  return [`--- ${path}`, `+++ ${path}`, ...shown].join('\n')
}

function signed(sign: string, text: unknown): string {
  if (typeof text !== 'string' || !text) return ''
  return text.replace(/\n$/, '').replace(/^/gm, sign)
}

function recordOf(value: unknown): Record<string, unknown> | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : undefined
}

function givenTo(ask: Ask, input: unknown): Given | undefined {
  return recordOf(ask.details?.arguments) ?? (ask.child ? undefined : recordOf(input))
}

function without(given: Given, ...names: string[]): Given {
  return Object.fromEntries(Object.entries(given).filter(([name]) => !names.includes(name)))
}

/** What is left of each edit stands in its place, if anything is left of one. Without a list, the arguments are the edit. */
function withEdits(given: Given, left: (edit: Given) => Given): Given {
  if (!Array.isArray(given.edits) || !given.edits.length) return left(given)
  const edits = given.edits.map((edit: unknown) => (recordOf(edit) ? left(edit as Given) : edit))
  const isSaid = edits.every((edit) => recordOf(edit) && !Object.keys(edit as Given).length)
  return isSaid ? without(given, 'edits') : { ...given, edits }
}

/** A tool tells a diff as it likes: only the texts whose every line is in it are said. */
function unsaidBy(diff: string, given: Given): Given {
  const lines = new Set(diff.split('\n').map((line) => line.slice(1)))
  const isSaid = (value: unknown): boolean => typeof value === 'string' && value.replace(/\n$/, '').split('\n').every((line) => lines.has(line))
  const left = (edit: Given): Given => without(edit, ...['content', 'old_text', 'new_text'].filter((name) => isSaid(edit[name])))
  const others = withEdits(given, left)
  return Array.isArray(given.edits) && given.edits.length ? left(others) : others
}
