import { expect, test } from 'vitest'
import { coloured } from '@/text/ansi'

test('colours become classes, and end where they end', () => {
  expect(coloured('a\x1b[31mred\x1b[0m b')).toEqual([
    { text: 'a', classes: '' },
    { text: 'red', classes: 'ansi-bad' },
    { text: ' b', classes: '' },
  ])
})

test.each(['\x1b]52;c;AAAA\x07', '\x1b]8;;http://x\x1b\\', '\x1b[2J', '\x1b[?25l', '\x07', '\x1bc'])('the control %j is dropped', (control) => {
  expect(coloured(`a${control}b`).map((piece) => piece.text).join('')).toBe('ab')
})

test.each([
  ['\x1b[38;5;31mx', ''],
  ['\x1b[38;5;1mx', 'ansi-bad'],
  ['\x1b[48;2;31;32;33mx', ''],
  ['\x1b[1;32mx', 'ansi-good font-semibold'],
  ['\x1b[1;32m\x1b[22;39mx', ''],
  ['\x1b[91mx', 'ansi-bad'],
  ['\x1b[mx', ''],
])('%j looks like “%s”', (text, classes) => {
  expect(coloured(text)).toEqual([{ text: 'x', classes }])
})

test('of a bar that grows, the last state is seen', () => {
  const text = coloured('start\r\n 10%\r 50%\r100%\r\ndone\r').map((piece) => piece.text).join('')
  expect(text).toBe('start\n100%\ndone')
})

test('the text is the same whatever stands between its letters', () => {
  const controls = ['', '\x1b[0m', '\x1b[31m', '\x1b[2K', '\x1b]0;title\x07', '\x1b[?1049h', '\x00']
  for (const before of controls) for (const after of controls) expect(coloured(`${before}a${after}b\n`).map((piece) => piece.text).join('')).toBe('ab\n')
})
