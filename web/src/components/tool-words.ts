/** How a tool is called and shown to people. */

import { language } from '@/i18n'
import { toolLabels } from '@/i18n/tool-labels'
import { tools } from '@/state/catalog'
import type { IconName } from './icons'

const ICONS: Record<string, IconName> = {
  bash: 'terminal',
  job_start: 'terminal',
  job_read: 'terminal',
  job_wait: 'terminal',
  job_stop: 'terminal',
  read: 'file',
  write: 'edit',
  edit: 'edit',
  apply_patch: 'edit',
  grep: 'search',
  glob: 'search',
  list: 'search',
  code_search: 'search',
  web_search: 'globe',
  web_fetch: 'globe',
  task: 'people',
}
const SUBJECTS = ['command', 'path', 'file_path', 'pattern', 'query', 'expression', 'url', 'description', 'question', 'name', 'city', 'text']

export function iconOf(name: string): IconName {
  return ICONS[name] ?? 'tool'
}

/** A tool of an MCP server is told with its server: `mcp__context7__resolve-library-id` is “context7: resolve-library-id”. */
export function nameOf(name: string): string {
  const found = /^mcp__(.+?)__(.+)$/.exec(name)
  return found ? `${found[1]}: ${found[2]}` : name
}

/** The name that the tool has for people; `given` is the label that a call was stored with. */
export function labelOf(name: string, given = ''): string {
  const label = given || tools.value.find((tool) => tool.name === name)?.label
  const server = /^mcp__(.+?)__/.exec(name)?.[1]
  if (server) return label && label !== name ? `${server}: ${label}` : nameOf(name)
  const usual = capital(name.replaceAll('_', ' '))
  // A tool of the folder that takes the place of a built-in one may have a label of its own.
  return (!label || label === usual ? toolLabels[language.value][name] : label) ?? (label || usual)
}

/** The argument that tells most. */
export function subjectOf(input: unknown): string {
  if (typeof input !== 'object' || input === null) return ''
  const given = input as Record<string, unknown>
  const named = SUBJECTS.find((name) => typeof given[name] === 'string')
  if (named) return String(given[named]).split('\n')[0] ?? ''
  const first: unknown = Array.isArray(given.questions) ? given.questions[0] : undefined
  if (first) return subjectOf(first)
  const plain = Object.values(given).filter((value) => typeof value === 'string' || typeof value === 'number')
  return plain.map(String).join(', ').slice(0, 120)
}

export function secondsOf(seconds: number): string {
  if (seconds < 0.1) return `${Math.round(seconds * 1000)} ms`
  return seconds < 60 ? `${seconds.toFixed(1)} s` : `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`
}

function capital(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1)
}
