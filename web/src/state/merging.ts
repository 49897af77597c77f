/** What the server has stored, brought into what is shown: what is the same stays as it is, and is not drawn again. */

import type { Message, Part } from '@/wire/parts'
import { held } from './reading'

/** What only the page knows of a part. */
const OWN = new Set(['began', 'ended', 'inputText'])

/** `given` are the last messages of a branch; what is shown before them stays where it belongs to the same branch. */
export function merged(shown: readonly Message[], given: readonly Message[]): Message[] {
  const known = new Map(shown.map((message) => [message.id, message]))
  const first = given[0]
  const overlap = first ? shown.findIndex((message) => message.id === first.id) : -1
  const before = overlap > 0 ? shown.slice(0, overlap) : []
  return [...before, ...given.map((message) => brought(known.get(message.id), message))]
}

function brought(known: Message | undefined, given: Message): Message {
  if (!known) return held(given)
  if (given.metadata) known.metadata = given.metadata
  if (!isSame(known.parts, given.parts)) known.parts = held(given).parts
  return known
}

function isSame(shown: readonly Part[], given: readonly Part[]): boolean {
  return shown.length === given.length && JSON.stringify(shown.map(bare)) === JSON.stringify(given.map(bare))
}

function bare(part: Part): unknown {
  const kept = Object.entries(part).filter(([name, value]) => !OWN.has(name) && value !== undefined && !(name === 'id' && part.type === 'reasoning'))
  // A prompt that was written here has a state, one that was loaded has none.
  return kept.filter(([name]) => name !== 'state' || part.type !== 'text').sort(([a], [b]) => (a < b ? -1 : 1))
}
