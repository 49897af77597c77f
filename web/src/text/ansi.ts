/** The colours of terminals, as pieces of text with the names of classes. Every other control is dropped. */

export interface Coloured {
  text: string
  classes: string
}

const NAMES = ['ink', 'bad', 'good', 'warn', 'blue', 'purple', 'cyan', 'soft']
// eslint-disable-next-line no-control-regex
const CONTROL = /\x1b\[([0-9;]*)m|\x1b\[[0-?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b.|[\x00-\x08\x0b-\x1f\x7f]/g

export function coloured(written: string): Coloured[] {
  const text = overwritten(written)
  const pieces: Coloured[] = []
  let at = 0
  let look: Look = { colour: '', isBold: false }
  const add = (piece: string) => {
    if (piece) pieces.push({ text: piece, classes: [look.colour && `ansi-${look.colour}`, look.isBold && 'font-semibold'].filter(Boolean).join(' ') })
  }
  for (const found of text.matchAll(CONTROL)) {
    add(text.slice(at, found.index))
    at = found.index + found[0].length
    if (found[1] !== undefined) look = changed(look, found[1].split(';').map(Number))
  }
  add(text.slice(at))
  return pieces
}

interface Look {
  colour: string
  isBold: boolean
}

function changed(look: Look, codes: number[]): Look {
  let { colour, isBold } = look
  for (let place = 0; place < codes.length; place += 1) {
    const code = codes[place] ?? 0
    if (code === 0) [colour, isBold] = ['', false]
    else if (code === 1) isBold = true
    else if (code === 22) isBold = false
    else if (code === 39) colour = ''
    else if ((code >= 30 && code <= 37) || (code >= 90 && code <= 97)) colour = NAMES[code % 10] ?? ''
    else if (code === 38 || code === 48) {
      // One of 256, or of all: of these, only the first ones have a name.
      const chosen = codes[place + 1] === 5 ? (codes[place + 2] ?? 0) : -1
      if (code === 38) colour = chosen >= 0 && chosen < 16 ? (NAMES[chosen % 8] ?? '') : ''
      place += codes[place + 1] === 5 ? 2 : 4
    }
  }
  return { colour, isBold }
}

/** What a return goes back over is gone: of a bar that grows, the last state is seen. */
function overwritten(written: string): string {
  if (!written.includes('\r')) return written
  return written
    .replace(/\r+\n/g, '\n')
    .split('\n')
    .map((line) => line.slice(line.replace(/\r+$/, '').lastIndexOf('\r') + 1))
    .join('\n')
}
