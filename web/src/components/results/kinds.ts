/** What a result of a tool is, and so how it is shown. */

import { withoutMarks } from '@/text/marks'

export type Result =
  | { kind: 'nothing' }
  | { kind: 'text'; text: string }
  | { kind: 'markdown'; text: string }
  | { kind: 'terminal'; text: string }
  | { kind: 'diff'; text: string }
  | { kind: 'json'; value: unknown }
  | { kind: 'table'; columns: string[]; rows: unknown[][] }
  | { kind: 'hits'; summary: string; hits: Hit[] }
  | { kind: 'image'; url: string; name: string }
  | { kind: 'many'; results: Result[] }

export interface Hit {
  title: string
  url: string
  source: string
  text: string
}

interface Content {
  type: string
  text?: string
  mediaType?: string
  url?: string
  filename?: string
}

const SHELLS = new Set(['bash', 'job_start', 'job_read', 'job_wait', 'job_stop'])
const PROSE = new Set(['task', 'skill'])
const MOST_PARSED = 200_000

/** `details` are what the tool told for people; `output` is what the model read. */
export function resultOf(tool: string, output: unknown, details: Record<string, unknown> = {}): Result {
  if (typeof details.diff === 'string' && details.diff) return { kind: 'diff', text: details.diff }
  const content = (output as { content?: Content[] } | null)?.content
  if (Array.isArray(content)) return together(content.map((one) => pieceOf(tool, one)))
  if (typeof output === 'string') return textOf(tool, output)
  if (output === undefined) return { kind: 'nothing' }
  return valueOf(output)
}

function pieceOf(tool: string, content: Content): Result {
  if (content.type === 'text') return textOf(tool, content.text ?? '')
  const url = content.url ?? ''
  const name = content.filename ?? ''
  // Only what the result itself holds is shown: anything else would be fetched from somewhere.
  if (/^data:image\/(png|jpeg|gif|webp);base64,/.test(url)) return { kind: 'image', url, name }
  return { kind: 'text', text: name || (url.startsWith('data:') ? '' : url) || content.mediaType || '' }
}

function together(results: Result[]): Result {
  const shown = results.filter((result) => result.kind !== 'nothing')
  if (shown.length === 0) return { kind: 'nothing' }
  return shown.length === 1 ? (shown[0] as Result) : { kind: 'many', results: shown }
}

function textOf(tool: string, written: string): Result {
  const text = withoutMarks(written)
  if (!text) return { kind: 'nothing' }
  if (SHELLS.has(tool)) return { kind: 'terminal', text }
  if (PROSE.has(tool)) return { kind: 'markdown', text }
  if (tool === 'web_search') {
    const hits = hitsOf(text)
    if (hits.length) return { kind: 'hits', summary: /^(?:Summary: |摘要：)(.+)$/m.exec(text)?.[1] ?? '', hits }
  }
  if (text.length < MOST_PARSED && /^\s*[[{]/.test(text)) {
    try {
      return valueOf(JSON.parse(text))
    } catch {
      // It only looked like JSON.
    }
  }
  if (/^(?:diff --git |--- \S.*\n\+\+\+ )/.test(text)) return { kind: 'diff', text }
  return text.includes('\x1b[') ? { kind: 'terminal', text } : { kind: 'text', text }
}

function valueOf(value: unknown): Result {
  if (isRecord(value) && Array.isArray(value.columns) && Array.isArray(value.rows) && value.rows.every(Array.isArray)) {
    return { kind: 'table', columns: value.columns.map(String), rows: value.rows as unknown[][] }
  }
  if (!Array.isArray(value) || value.length < 2) return { kind: 'json', value }
  if (!value.every((row) => isRecord(row))) return { kind: 'json', value }
  const rows = value as Record<string, unknown>[]
  const columns = Object.keys(rows[0] ?? {})
  const isTable = columns.length > 0 && rows.every((row) => Object.keys(row).join() === columns.join())
  const isFlat = rows.every((row) => Object.values(row).every((cell) => typeof cell !== 'object' || cell === null))
  if (!isTable || !isFlat) return { kind: 'json', value }
  return { kind: 'table', columns, rows: rows.map((row) => columns.map((name) => row[name])) }
}

/** Entries of `web_search`: a title, an address, the source, and some lines, in English or Chinese. */
function hitsOf(text: string): Hit[] {
  const entry = /^\d+\. (.+)\n\s*(https?:\/\/\S+)\n?(?:(?:Source: |来源：)(.*)\n?)?(?:内容：)?([\s\S]*?)(?=^\d+\. .+\n\s*https?:|^\[(?:Cut: |Note: |已截断：|注意：)|(?![\s\S]))/gm
  return [...text.matchAll(entry)].map(([, title = '', url = '', source = '', rest = '']) => ({ title, url, source, text: rest.trim() }))
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
