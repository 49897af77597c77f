// @vitest-environment happy-dom
import { describe, expect, it } from 'vitest'
import { calledIn, filledIn, suggestCommands, suggestFiles, typedAt } from '@/state/suggestions'
import { answers } from './answers'

describe('what a person may mean while typing', () => {
  it('is a command only at the very beginning', () => {
    expect(typedAt('/rev', 4)).toEqual({ kind: 'command', query: 'rev', from: 0 })
    expect(typedAt('see /rev', 8)).toBeUndefined()
    expect(typedAt('/rev it', 7)).toBeUndefined()
    expect(typedAt('/usr/bin', 8)).toBeUndefined()
  })

  it('is a file after a sign that begins a word', () => {
    expect(typedAt('look at @src/ma', 15)).toEqual({ kind: 'file', query: 'src/ma', from: 8 })
    expect(typedAt('(@a', 3)).toEqual({ kind: 'file', query: 'a', from: 1 })
    expect(typedAt('请看，@a', 5)).toEqual({ kind: 'file', query: 'a', from: 3 })
    expect(typedAt('me@example.com', 14)).toBeUndefined()
  })

  it('stands in the text once it is chosen, with the caret behind', () => {
    const text = 'look at @ma and go'
    const typed = typedAt(text, 11)
    const chosen = { insert: '@src/main.py', title: '', note: '' }
    expect(typed && filledIn(text, typed, 11, chosen)).toEqual({ text: 'look at @src/main.py and go', caret: 21 })
    const end = typedAt('@ma', 3)
    expect(end && filledIn('@ma', end, 3, chosen)).toEqual({ text: '@src/main.py ', caret: 13 })
  })

  it('lists commands that begin so before those that have it inside', () => {
    const known = ['preview', 'new', 'review'].map((name) => ({ name, description: name.length.toString() }))
    expect(suggestCommands('rev', known).map((one) => one.title)).toEqual(['/review', '/preview'])
    expect(suggestCommands('', known)).toHaveLength(3)
  })

  it('asks the server for files', async () => {
    answers({ 'GET /api/project-files': { body: { files: ['src/main.py', 'Makefile'] } } })
    expect(await suggestFiles('ma')).toEqual([
      { insert: '@src/main.py', title: 'main.py', note: 'src' },
      { insert: '@Makefile', title: 'Makefile', note: '' },
    ])
  })
})

describe('a prompt that calls a command', () => {
  it('has its name and its arguments, of several lines too', () => {
    expect(calledIn('/review src/a.py\nand b')).toEqual({ name: 'review', arguments: 'src/a.py\nand b' })
    expect(calledIn(' /new ')).toEqual({ name: 'new', arguments: '' })
  })

  it('is no path and no text', () => {
    for (const text of ['/usr/bin is full', '/', '// x', 'say /new', '/1']) expect(calledIn(text)).toBeUndefined()
  })
})
