/** The parts of a message as they are shown: calls of one step together, and without what only the page needs. */

import { isTool, type DataPart, type FilePart, type Part, type SourcePart, type TextPart, type ToolPart } from './parts'

export type Shown =
  | { kind: 'text' | 'reasoning'; part: TextPart; key: string }
  | { kind: 'tools'; parts: ToolPart[]; key: string }
  | { kind: 'file'; part: FilePart; key: string }
  | { kind: 'sources'; parts: SourcePart[]; key: string }
  | { kind: 'steer'; part: DataPart; key: string }
  | { kind: 'compaction'; tokens: number; key: string }

export function shownParts(parts: readonly Part[]): Shown[] {
  const found: Shown[] = []
  let isNewStep = true
  parts.forEach((part, place) => {
    if (part.type === 'step-start') isNewStep = true
    const last = found.at(-1)
    if (isTool(part) && last?.kind === 'tools' && !isNewStep) last.parts.push(part)
    else if (part.type === 'source-url' && last?.kind === 'sources') last.parts.push(part as SourcePart)
    else {
      const shown = shownAs(part, String(place))
      if (shown) found.push(shown)
    }
    if (isTool(part)) isNewStep = false
  })
  return found
}

function shownAs(part: Part, key: string): Shown | undefined {
  if (isTool(part)) return { kind: 'tools', parts: [part], key }
  switch (part.type) {
    case 'text':
    case 'reasoning':
      return { kind: part.type, part: part as TextPart, key }
    case 'file':
      return { kind: 'file', part: part as FilePart, key }
    case 'source-url':
      return { kind: 'sources', parts: [part as SourcePart], key }
    case 'data-steer':
      return { kind: 'steer', part: part as DataPart, key }
    case 'data-compaction':
      return { kind: 'compaction', tokens: Number(((part as DataPart).data as { tokens?: number }).tokens ?? 0), key }
    default:
      return undefined
  }
}
