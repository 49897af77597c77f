/** What a run is doing right now, told from the parts of its answer so far: the same for native and prompted calls. */

import type { ToolNote } from './notes'
import { isTool, toolName, type DataPart, type Part, type TextPart, type ToolPart } from './parts'

export type Stage =
  | { kind: 'thinking' }
  | { kind: 'searching'; query: string }
  | { kind: 'opening'; url: string }
  | { kind: 'running'; tool: string; isPreparing: boolean }
  | { kind: 'runningMany'; count: number }
  | { kind: 'waiting' }
  | { kind: 'reading'; count: number }
  | { kind: 'readingPage' }
  | { kind: 'readingResult' }
  | { kind: 'answering' }

/** `parts` are those of the answer under way; `sources` says how many results were put beside the question. */
export function stageOf(parts: readonly Part[], sources = 0): Stage {
  const calls = parts.filter(isTool)
  if (calls.some((call) => call.state === 'approval-requested')) return { kind: 'waiting' }
  const open = calls.filter((call) => !call.state.startsWith('output'))
  if (open.length) return whileRunning(open)
  const at = parts.findLastIndex((part) => isTool(part) || (isSaid(part) && /\S/.test(part.text)))
  const last = parts[at]
  if (!last) return sources ? { kind: 'reading', count: sources } : { kind: 'thinking' }
  if (!isTool(last)) return { kind: last.type === 'text' ? 'answering' : 'thinking' }
  return whileReading(lastStep(parts.slice(0, at + 1)), parts)
}

/** The stage before where nothing has changed, so that a growing text draws nothing but itself again. */
export function sameStage(before: Stage | undefined, now: Stage): Stage {
  return before && JSON.stringify(before) === JSON.stringify(now) ? before : now
}

function whileRunning(open: ToolPart[]): Stage {
  const first = open[0] as ToolPart
  const names = new Set(open.map(toolName))
  if (names.size === 1 && names.has('web_search')) return { kind: 'searching', query: argument(first, 'query') }
  if (open.length > 1) return { kind: 'runningMany', count: open.length }
  const url = argument(first, 'url')
  if (names.has('web_fetch') && url) return { kind: 'opening', url }
  return { kind: 'running', tool: toolName(first), isPreparing: first.state === 'input-streaming' }
}

/** The calls are done, and the model has said nothing since: it reads what they gave. */
function whileReading(calls: ToolPart[], parts: readonly Part[]): Stage {
  const done = calls.filter((call) => call.state === 'output-available')
  const searches = done.filter((call) => toolName(call) === 'web_search')
  if (searches.length) {
    const count = searches.reduce((sum, call) => sum + resultsOf(call, parts), 0)
    return count ? { kind: 'reading', count } : { kind: 'thinking' }
  }
  if (done.length > 1) return { kind: 'reading', count: done.length }
  if (!done[0]) return { kind: 'thinking' }
  return { kind: toolName(done[0]) === 'web_fetch' ? 'readingPage' : 'readingResult' }
}

/** The calls at the end of these parts, back to the beginning of their step. */
function lastStep(parts: readonly Part[]): ToolPart[] {
  const start = parts.findLastIndex((part) => part.type === 'step-start')
  return parts.slice(start + 1).filter(isTool)
}

/** How many results a search has told of: a number in its details, or else the lines that say a source. */
function resultsOf(call: ToolPart, parts: readonly Part[]): number {
  const note = parts.find((part) => part.type === 'data-tool' && (part as DataPart).id === call.toolCallId) as DataPart | undefined
  const results = (note?.data as ToolNote | undefined)?.details?.results
  if (Array.isArray(results)) return results.length
  const output = typeof call.output === 'string' ? call.output : JSON.stringify(call.output ?? '')
  return output.match(/\d+\. [^\n]+?(?:\n|\\n)https?:\/\//g)?.length ?? 0
}

function argument(call: ToolPart, name: string): string {
  const given = (call.input as Record<string, unknown> | null | undefined)?.[name]
  return typeof given === 'string' ? given : ''
}

function isSaid(part: Part): part is TextPart {
  return part.type === 'text' || part.type === 'reasoning'
}
