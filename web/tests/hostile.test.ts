/** Texts that no person writes: they are shown as they are, and cost no more than their length. */

import { expect, test } from 'vitest'
import { Blocks, blocksOf } from '@/text/blocks'
import { toHtml } from '@/text/markdown'

const SIZE = 20_000
// In milliseconds: what costs the square of its length takes far longer, and a busy machine does not take so long.
const LONG = 60_000
const HOSTILE: Record<string, string> = {
  'quotes in quotes': '>'.repeat(SIZE) + ' the end',
  'quotes with spaces': '> '.repeat(SIZE) + 'the end',
  'lists in lists': '- '.repeat(SIZE) + 'the end',
  'numbers in numbers': '1. '.repeat(SIZE) + 'the end',
  'quotes in lists': '> - '.repeat(SIZE) + 'the end',
  'dollar signs': '$'.repeat(SIZE) + ' the end',
  'dollars apart': '$ '.repeat(SIZE) + 'the end',
  prices: '$5 '.repeat(SIZE) + 'the end',
  'dollars with a letter': '$a '.repeat(SIZE) + 'the end',
  'formulas that never end': 'a\n$$ a\n'.repeat(SIZE) + 'the end',
  'formulas in brackets that never end': '\\[\n'.repeat(SIZE) + 'the end',
  'formulas in parentheses that never end': '\\('.repeat(SIZE) + 'the end',
  brackets: '['.repeat(SIZE) + 'the end',
  'links that never end': '[a]('.repeat(SIZE) + 'the end',
  'images in images': '!['.repeat(SIZE) + 'the end',
  'emphasis that never ends': '*a **b '.repeat(SIZE) + 'the end',
  'emphasis in emphasis': '**a *b '.repeat(SIZE) + 'the end' + '* b** '.repeat(SIZE),
  'underlines in underlines': '_a __b '.repeat(SIZE) + 'the end',
  'code that never ends': '`a '.repeat(SIZE) + 'the end',
  tags: '<a '.repeat(SIZE) + 'the end',
  addresses: 'http://a.b '.repeat(SIZE) + 'the end',
}

/** What a person reads of it. */
function textOf(html: string): string {
  return html.replace(/<[^>]*>/g, '').replace(/&gt;/g, '>')
}

test.each(Object.entries(HOSTILE))('%s are shown to their end', (_, text) => {
  expect(textOf(toHtml(text))).toContain('the end')
}, LONG)

test.each(Object.entries(HOSTILE))('%s can come bit by bit', (_, text) => {
  const blocks = new Blocks()
  const piece = Math.ceil(text.length / 10)
  for (let at = 0; at < text.length; at += piece) blocks.grow(text.slice(at, at + piece))
  blocks.end()
  expect(blocks.finished.map((block) => block.raw).join('')).toContain('the end')
}, LONG)

test('the depth that people use is drawn', () => {
  expect(toHtml('> '.repeat(10) + 'deep').match(/<blockquote>/g)).toHaveLength(10)
  expect(toHtml('- '.repeat(10) + 'deep').match(/<li>/g)).toHaveLength(10)
  expect(toHtml('**a _b ~~c [d](https://d.example)~~_**')).toContain('<del>c <a href="https://d.example"')
})

test('what lies deeper is text, with the signs that were written', () => {
  const html = toHtml('>'.repeat(100) + ' <b>deep</b>')
  expect(html.match(/<blockquote>/g)!.length).toBeLessThanOrEqual(40)
  expect(textOf(html)).toContain('>>>>>')
  expect(html).toContain('&lt;b&gt;deep&lt;/b&gt;')
})

test('a long text with many signs in many paragraphs is drawn', () => {
  const html = toHtml('**a** `b` $c$\n\n'.repeat(2000))
  expect(html.match(/<strong>a<\/strong>/g)).toHaveLength(2000)
  expect(html.match(/data-math="c"/g)).toHaveLength(2000)
})

test('blocks are found without looking into them', () => {
  expect(blocksOf('# a\n\n*b*\n\n```js\nc\n```\n').map((block) => block.raw.trim())).toEqual(['# a', '*b*', '```js\nc\n```'])
})
