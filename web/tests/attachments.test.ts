// @vitest-environment happy-dom
import { describe, expect, it } from 'vitest'
import { filePart, MOST_BYTES, MOST_FILES, taken } from '@/state/attachments'

const file = (name: string, content: BlobPart, type = '') => new File([content], name, { type })

describe('files that go with a prompt', () => {
  it('are images, PDF, and whatever reads as text', async () => {
    const given = [
      file('a.png', 'x', 'image/png'),
      file('b.pdf', 'x', 'application/pdf'),
      file('c.ts', 'let x = 1', 'video/mp2t'),
      file('Makefile', 'all:'),
      file('d.json', '{}', 'application/json'),
    ]
    const { parts, problem } = await taken(given, [])
    expect(parts.map((part) => part.mediaType)).toEqual(['image/png', 'application/pdf', 'text/plain', 'text/plain', 'application/json'])
    expect(parts[2]?.url).toBe(`data:text/plain;base64,${btoa('let x = 1')}`)
    expect(problem).toBe('')
  })

  it('are refused where they are of another kind, empty, too large or too many', async () => {
    const binary = await taken([file('x.zip', new Uint8Array([80, 75, 0, 1]), 'application/zip')], [])
    expect([binary.parts.length, binary.problem]).toEqual([0, 'x.zip is not an image, text or PDF.'])
    const empty = await taken([file('x.txt', '')], [])
    expect(empty.problem).toBe('x.txt is empty.')
    const large = file('x.txt', 'x')
    Object.defineProperty(large, 'size', { value: MOST_BYTES + 1 })
    expect((await taken([large], [])).problem).toContain('10 MB')
    const many = Array.from({ length: MOST_FILES + 1 }, (_, place) => file(`${place}.txt`, 'x'))
    const some = await taken(many, [])
    expect([some.parts.length, some.problem]).toEqual([MOST_FILES, 'A message can have at most 10 files.'])
  })

  it('are bounded together with those that are there already', async () => {
    const there = [1, 2].map(() => ({ type: 'file' as const, mediaType: 'text/plain', url: `data:,${'x'.repeat(13_400_000)}` }))
    const { parts, problem } = await taken([file('x.txt', 'x')], there)
    expect([parts.length, problem]).toEqual([0, 'The files are too large together. The limit is 20 MB.'])
  })

  it('keep their names', async () => {
    expect((await filePart(file('ä b.txt', 'x'))).filename).toBe('ä b.txt')
  })
})
