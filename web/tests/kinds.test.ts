import { expect, test } from 'vitest'
import { resultOf } from '@/components/results/kinds'

test.each([0, false, null, ''])('%j is a result', (value) => {
  const result = resultOf('any', value)
  expect(result).toEqual(value === '' ? { kind: 'nothing' } : { kind: 'json', value })
})

test('a list of equal objects is a table', () => {
  const rows = [
    { a: 1, b: 'x' },
    { a: 2, b: 'y' },
  ]
  expect(resultOf('any', JSON.stringify(rows))).toEqual({ kind: 'table', columns: ['a', 'b'], rows: [[1, 'x'], [2, 'y']] })
})

test('what only looks like JSON stays text', () => {
  expect(resultOf('any', '{not json')).toEqual({ kind: 'text', text: '{not json' })
})

test('the output of a shell is a terminal, whatever it looks like', () => {
  expect(resultOf('bash', '[1, 2]')).toEqual({ kind: 'terminal', text: '[1, 2]' })
})

test('a diff that the tool tells of is shown before what the model read', () => {
  expect(resultOf('edit', 'Edited a.', { diff: '-a\n+b' })).toEqual({ kind: 'diff', text: '-a\n+b' })
})

test('text and images come together, and no other file is loaded', () => {
  const content = [
    { type: 'text', text: 'see' },
    { type: 'file', mediaType: 'image/png', url: 'data:image/png;base64,AAAA' },
    { type: 'file', mediaType: 'image/svg+xml', url: 'data:image/svg+xml;base64,AAAA', filename: 'x.svg' },
    { type: 'file', mediaType: 'image/png', url: 'https://evil.example/x.png' },
  ]
  expect(resultOf('any', { content })).toEqual({
    kind: 'many',
    results: [
      { kind: 'text', text: 'see' },
      { kind: 'image', url: 'data:image/png;base64,AAAA', name: '' },
      { kind: 'text', text: 'x.svg' },
      { kind: 'text', text: 'https://evil.example/x.png' },
    ],
  })
})

test('what a search found is a list of sources, without the marks for the model', () => {
  const text = '<untrusted source="tavily, a web search">\nResults for: tools\n\nSummary: Tools are good.\n\n1. A tool\nhttps://a.example/x\nSource: a.example, 2026\nIt is 1. good\n\n2. Another\nhttps://b.example/\nSource: b.example\n\n</untrusted>\n[Cut: texts were shortened. Use web_fetch.]'
  expect(resultOf('web_search', text)).toEqual({
    kind: 'hits',
    summary: 'Tools are good.',
    hits: [
      { title: 'A tool', url: 'https://a.example/x', source: 'a.example, 2026', text: 'It is 1. good' },
      { title: 'Another', url: 'https://b.example/', source: 'b.example', text: '' },
    ],
  })
})

test('what a search found is a list in Chinese too, without the notes for the model', () => {
  const text = '<untrusted source="Tavily 网络搜索">\n搜索结果：天气\n\n摘要：下雨。\n\n1. 标题\nhttps://a.example/x\n来源：a.example，相关度 0.91\n内容：一段文字\n\n2. 另一个\nhttps://b.example/\n来源：b.example\n\n\n</untrusted>\n[注意：这些结果来自 Tavily，因为其他搜索服务失败：x]'
  expect(resultOf('web_search', text)).toEqual({
    kind: 'hits',
    summary: '下雨。',
    hits: [
      { title: '标题', url: 'https://a.example/x', source: 'a.example，相关度 0.91', text: '一段文字' },
      { title: '另一个', url: 'https://b.example/', source: 'b.example', text: '' },
    ],
  })
})

test('JSON of an MCP server is JSON, though it is marked', () => {
  expect(resultOf('mcp__a__b', '<untrusted source="a">\n{"x": 0}\n</untrusted>')).toEqual({ kind: 'json', value: { x: 0 } })
})

test('columns and rows are a table', () => {
  expect(resultOf('any', '{"columns": ["a"], "rows": [[1], [null]]}')).toEqual({ kind: 'table', columns: ['a'], rows: [[1], [null]] })
})

test.each([
  ['a sub-agent’s report is Markdown', 'task', '**done**', 'markdown'],
  ['a text that is a diff is shown as one', 'any', '--- a\n+++ b\n@@ -1 +1 @@\n-x\n+y', 'diff'],
  ['a text with colours is a terminal', 'any', '\x1b[31mred\x1b[0m', 'terminal'],
  ['rows that differ are no table', 'any', '[{"a": 1}, {"b": 2}]', 'json'],
  ['a row with a row in it is no table', 'any', '[{"a": {}}, {"a": {}}]', 'json'],
])('%s', (_, tool, text, kind) => {
  expect(resultOf(tool, text).kind).toBe(kind)
})
