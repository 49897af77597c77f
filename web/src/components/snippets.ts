/** A text cut where something was found in it. */

export interface Piece {
  text: string
  isFound: boolean
}

export function cutAround(text: string, query: string): Piece[] {
  if (!query) return [{ text, isFound: false }]
  const pieces: Piece[] = []
  const [inText, wanted] = [text.toLowerCase(), query.toLowerCase()]
  let end = 0
  // Where lower case has another length, places would not fit.
  for (let at = inText.length === text.length ? inText.indexOf(wanted) : -1; at >= 0; at = inText.indexOf(wanted, end)) {
    if (at > end) pieces.push({ text: text.slice(end, at), isFound: false })
    end = at + wanted.length
    pieces.push({ text: text.slice(at, end), isFound: true })
  }
  if (end < text.length) pieces.push({ text: text.slice(end), isFound: false })
  return pieces
}
