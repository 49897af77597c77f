import { expect, test } from 'vitest'
import { hostOf, isOdd } from '@/text/links'

test.each([
  ['https://example.com/a', 'a link'],
  ['https://www.example.com/a', 'https://example.com'],
  ['https://example.com', 'README.md'],
  ['mailto:a@b.example', 'write'],
  ['http://127.0.0.1:8000/', 'here'],
])('%s as “%s” is plain', (href, text) => {
  expect(isOdd(href, text)).toBe(false)
})

test.each([
  ['https://xn--pple-43d.com/', 'apple'],
  ['https://аpple.com/', 'apple'],
  ['https://bank.example@evil.example/', 'bank'],
  ['https://evil.example/', 'https://bank.example/login'],
  ['https://evil.example/', 'www.bank.example'],
  ['https://', ''],
])('%s as “%s” is odd', (href, text) => {
  expect(isOdd(href, text)).toBe(true)
})

test('what is no address has no host', () => {
  expect([hostOf('https://a.example:1/x'), hostOf('x.png')]).toEqual(['a.example:1', ''])
})
