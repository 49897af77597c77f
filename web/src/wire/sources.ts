/** The web pages that an answer has its knowledge from: those that were opened, then those that a search found. */

import type { ToolNote } from './notes'
import { isTool, toolName, type DataPart, type Part, type SourcePart, type ToolPart } from './parts'

export function webSources(parts: readonly Part[]): SourcePart[] {
  const done = parts.filter((part): part is ToolPart => isTool(part) && part.state === 'output-available')
  const found = done.filter((call) => toolName(call) === 'web_search').flatMap((call) => resultsOf(call, parts))
  const titles = new Map(found.map(({ url, title }) => [url, title]))
  const opened = done.filter((call) => toolName(call) === 'web_fetch').map((call) => (call.input as { url?: unknown } | null | undefined)?.url)
  const urls = [...opened, ...titles.keys()].filter((url): url is string => typeof url === 'string' && /^https?:\/\//i.test(url))
  return [...new Set(urls)].map((url) => ({ type: 'source-url', sourceId: url, url, title: titles.get(url) ?? '' }))
}

function resultsOf(call: ToolPart, parts: readonly Part[]): { url: string; title: string }[] {
  const note = parts.find((part) => part.type === 'data-tool' && (part as DataPart).id === call.toolCallId) as DataPart | undefined
  const results = (note?.data as ToolNote | undefined)?.details?.results
  if (!Array.isArray(results)) return []
  return results.flatMap((one: { url?: unknown; title?: unknown } | null) =>
    typeof one?.url === 'string' ? [{ url: one.url, title: typeof one.title === 'string' ? one.title : '' }] : [],
  )
}
