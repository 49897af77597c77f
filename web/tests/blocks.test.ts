import { expect, test } from 'vitest'
import { Blocks, blocksOf, type Block } from '@/text/blocks'

const TEXTS = {
  many: '# Head\n\nA *paragraph*\nof two lines.\n\n- one\n- two\n\n  still two\n\n```py\nprint(1)\n\nprint(2)\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\nend',
  setext: 'A head\n======\n\ntext\n---\n\n***\n\nend\n',
  fences: '````md\n```js\nlet a\n```\n````\n~~~\ncode\n~~~~\ntext\n```\nopen to the end\n\nmore',
  lists: '1. one\n   ```sh\n   ls\n   ```\n2. two\n\n   more\n\n- [x] done\n- [ ] open\n\n> quote\n> - in it\nlazy\n\nend',
  formulas: 'So\n\n$$\na\n- b\n\n= c\n$$\n\nand \\[ x^2 \\] or\n\n\\[\ny\n\\]\n\n$5 and $6, $x$.',
  html: '<div>\n\n*a*\n\n</div>\n\n<!-- b -->\n\n[a]: http://b\n\n[a] and <b>c</b>\n',
  returns: 'one\r\n\r\n- two\r\n- three\r\n\r\n```\r\ncode\r\n```\r\nend',
  chinese: '# 标题\n\n第一段。\n\n| 甲 | 乙 |\n|---|---|\n| 一 | 二 |\n\n```\n代码\n```\n',
}

const bare = (block: Block) => [block.raw.trim(), block.code?.trim(), block.language]

function grown(pieces: string[]): Blocks {
  const blocks = new Blocks()
  for (const piece of pieces) blocks.grow(piece)
  blocks.end()
  return blocks
}

test.each(Object.entries(TEXTS))('%s: the blocks are those of the whole, wherever the text is cut', (_, text) => {
  const whole = blocksOf(text.replaceAll('\r\n', '\n')).map(bare)
  for (let at = 0; at <= text.length; at += 1) {
    expect(grown([text.slice(0, at), text.slice(at)]).finished.map(bare), `cut at ${at}`).toEqual(whole)
  }
})

test.each([1, 2, 3, 5, 7, 13])('and so they are in pieces of %i', (size) => {
  for (const text of Object.values(TEXTS)) {
    const pieces = Array.from({ length: Math.ceil(text.length / size) }, (_, place) => text.slice(place * size, (place + 1) * size))
    expect(grown(pieces).finished.map(bare)).toEqual(blocksOf(text.replaceAll('\r\n', '\n')).map(bare))
  }
})

test('what is finished is never touched again', () => {
  const blocks = new Blocks()
  const seen: Block[] = []
  for (const letter of TEXTS.many) {
    blocks.grow(letter)
    seen.forEach((block, place) => expect(blocks.finished[place]).toBe(block))
    seen.push(...blocks.finished.slice(seen.length))
  }
  expect(seen.length).toBeGreaterThan(3)
})

test('all that has come is shown, also what is not finished', () => {
  const text = TEXTS.many
  const blocks = new Blocks()
  for (let at = 0; at < text.length; at += 1) {
    blocks.grow(text.charAt(at))
    const shown = [...blocks.finished, ...blocks.open].map((block) => block.raw).join('')
    expect(shown.replace(/\s/g, '')).toBe(text.slice(0, at + 1).replace(/\s/g, ''))
  }
})

test('an open code block shows its lines before its end has come', () => {
  const blocks = new Blocks()
  blocks.grow('text\n\n```js\nlet a')
  blocks.grow(' = 1\n')
  expect(blocks.finished.map((block) => block.raw.trim())).toEqual(['text'])
  expect(blocks.open).toMatchObject([{ language: 'js', code: 'let a = 1\n', isOpen: true }])
})
