/** What a call would do, shown to whoever decides about it. */

import type { Ask } from '@/wire/notes'

export type Preview =
  | { kind: 'command'; text: string }
  | { kind: 'diff'; text: string }
  | { kind: 'arguments'; value: Record<string, unknown> }
  | { kind: 'nothing' }

interface Edit {
  old_text?: unknown
  new_text?: unknown
}

/** A sub-agent's call is told by the ask alone: the card that it stands in is that of the call which sent it. */
export function previewOf(ask: Ask, input: unknown): Preview {
  if (typeof ask.details?.diff === 'string') return { kind: 'diff', text: ask.details.diff }
  const given = recordOf(ask.details?.arguments) ?? (ask.child ? undefined : recordOf(input))
  if (!given) return { kind: 'nothing' }
  if (typeof given.command === 'string') return { kind: 'command', text: given.command }
  const diff = diffOf(given)
  if (diff) return { kind: 'diff', text: diff }
  return Object.keys(given).length ? { kind: 'arguments', value: given } : { kind: 'nothing' }
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
