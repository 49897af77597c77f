import { expect, test } from 'vitest'
import { toHtml } from '@/text/markdown'

test('a picture is a link that says where it leads, and nothing is fetched', () => {
  const html = toHtml('![a cat](https://evil.example/c.png)')
  expect(html).toContain('>a cat (evil.example)</a>')
  expect(html).not.toContain('<img')
})

test('links open in a page of their own, which learns nothing of this one', () => {
  const html = toHtml('[a](https://a.example/?a&"b)')
  expect(html).toContain('href="https://a.example/?a&amp;')
  expect(html).toContain('target="_blank" rel="noopener noreferrer nofollow"')
})

test.each(['[a](javascript:alert(1))', '[a](JaVaScRiPt:alert(1))', '[a](data:text/html,x)', '![a](data:text/html,x)', '<javascript:alert(1)>', '[a](file:///etc/passwd)'])(
  '%s leads nowhere',
  (text) => {
    expect(toHtml(text)).not.toContain('href')
  },
)

test.each(['<script>alert(1)</script>', '<img src=x onerror=alert(1)>', 'a <div style="color:red">x</div>', '<iframe src="https://a.example">'])(
  '%s is text',
  (text) => {
    expect(toHtml(text)).not.toMatch(/<(?:script|img|iframe|div)/)
  },
)

test('formulas are left for whoever draws them, and prices are none', () => {
  expect(toHtml('$x^2$ costs $5 and $6')).toContain('<span data-math="x^2">x^2</span> costs $5 and $6')
  expect(toHtml('$$\na < b\n$$')).toContain('data-math="a &lt; b" data-display="1"')
  expect(toHtml('\\(a\\) and $$b$$')).toContain('<span data-math="a">a</span> and <span data-math="b">b</span>')
})

test('a sign in code is no formula', () => {
  expect(toHtml('`$a$`')).toContain('<code>$a$</code>')
})

test('tables and tasks are drawn', () => {
  expect(toHtml('| a |\n|---|\n| 1 |')).toContain('<td>1</td>')
  expect(toHtml('- [x] done')).toMatch(/<input[^>]*disabled/)
})
