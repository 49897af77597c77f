/** What would not be seen, or would turn a line around, written out for whoever decides: `\u{202e}`. */

// Controls, marks of direction and of breaks, what has no width, fillers, selectors, tags, halves of characters, and
// spaces that are not the usual one. The last alternative makes a sign colourful, and is seen only behind one.
const UNSEEN =
  // eslint-disable-next-line no-control-regex, no-misleading-character-class
  /[\u0000-\u0008\u000b-\u001f\u007f-\u00a0\u00ad\u034f\u061c\u070f\u115f\u1160\u1680\u17b4\u17b5\u180b-\u180f\u2000-\u200f\u2028-\u202f\u205f-\u206f\u2800\u3164\ud800-\udfff\ufe00-\ufe0e\ufeff\uffa0\ufff0-\ufffb\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}]|(?<![\u2190-\u2bff\u{1f000}-\u{1faff}])\ufe0f/gu

export function exact(text: string): string {
  return text.replace(UNSEEN, (sign) => {
    const code = sign.codePointAt(0) ?? 0
    return code < 0xa0 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u{${code.toString(16)}}`
  })
}

/** The same for all texts in a value, names included. */
export function exactIn<T>(value: T): T
export function exactIn(value: unknown): unknown {
  if (typeof value === 'string') return exact(value)
  if (Array.isArray(value)) return value.map((one: unknown) => exactIn(one))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [exact(name), exactIn(one as unknown)]))
}
