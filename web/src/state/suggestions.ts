/** What a person may mean while typing: a command after `/`, a file of the project after `@`. */

import { api } from '@/api/client'

export interface Suggestion {
  /** What stands in the text once it is chosen. */
  insert: string
  title: string
  note: string
}

export interface Typed {
  kind: 'command' | 'file'
  query: string
  /** Where the sign stands. */
  from: number
}

export interface Called {
  name: string
  arguments: string
}

const MOST = 12

/** The command or file whose name is being typed before the caret. */
export function typedAt(text: string, caret: number): Typed | undefined {
  const before = text.slice(0, caret)
  const command = /^\/([\w:-]*)$/.exec(before)
  if (command) return { kind: 'command', query: command[1] ?? '', from: 0 }
  const file = /(?:^|[\s([{"'，。：（])@([^\s@]*)$/.exec(before)
  if (file) return { kind: 'file', query: file[1] ?? '', from: caret - (file[1]?.length ?? 0) - 1 }
  return undefined
}

/** The text with the suggestion in it, and where the caret goes. */
export function filledIn(text: string, typed: Typed, caret: number, chosen: Suggestion): { text: string; caret: number } {
  const rest = text.slice(caret)
  const space = /^\s/.test(rest) ? '' : ' '
  const before = text.slice(0, typed.from) + chosen.insert + space
  return { text: before + rest, caret: before.length + (space ? 0 : 1) }
}

/** A prompt that calls a command; `/usr/bin` is none. */
export function calledIn(text: string): Called | undefined {
  const found = /^\/([A-Za-z][\w:-]*)(?:\s+([\s\S]*))?$/.exec(text.trim())
  return found ? { name: found[1] ?? '', arguments: found[2]?.trim() ?? '' } : undefined
}

export function suggestCommands(query: string, known: { name: string; description: string }[]): Suggestion[] {
  const wanted = query.toLowerCase()
  const first = (name: string) => (name.toLowerCase().startsWith(wanted) ? 0 : 1)
  return known
    .filter(({ name }) => name.toLowerCase().includes(wanted))
    .sort((one, other) => first(one.name) - first(other.name) || one.name.localeCompare(other.name))
    .slice(0, MOST)
    .map(({ name, description }) => ({ insert: `/${name}`, title: `/${name}`, note: description }))
}

export async function suggestFiles(query: string): Promise<Suggestion[]> {
  const { files } = await api.get<{ files: string[] }>('/api/project-files', { query, limit: MOST })
  return files.map((path) => {
    const cut = path.lastIndexOf('/')
    return { insert: `@${path}`, title: path.slice(cut + 1), note: path.slice(0, Math.max(cut, 0)) }
  })
}
