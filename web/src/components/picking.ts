/** Choosing one of many by a few letters of it. */

export interface Entry {
  id: string
  title: string
  note?: string
  mark?: string
}

/** The entries that have every word of the query somewhere. */
export function matching<T extends Entry>(entries: T[], query: string): T[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  return entries.filter((entry) => {
    const text = `${entry.id} ${entry.title} ${entry.note ?? ''} ${entry.mark ?? ''}`.toLowerCase()
    return words.every((word) => text.includes(word))
  })
}
