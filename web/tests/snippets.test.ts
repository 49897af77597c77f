import { describe, expect, it } from 'vitest'
import { cutAround } from '@/components/snippets'
import { matching } from '@/components/picking'

describe('a text in which something was found', () => {
  it('is cut there, in any case, and loses nothing', () => {
    const pieces = cutAround('Tokyo, tokyo', 'TOKYO')
    expect(pieces.map((piece) => piece.text).join('')).toBe('Tokyo, tokyo')
    expect(pieces.filter((piece) => piece.isFound).map((piece) => piece.text)).toEqual(['Tokyo', 'tokyo'])
  })

  it('stays whole where lower case has another length', () => {
    expect(cutAround('İİ x', 'x')).toEqual([{ text: 'İİ x', isFound: false }])
  })
})

describe('choosing one of many', () => {
  it('wants every word, wherever it stands', () => {
    const entries = [
      { id: 'openai/gpt-5-mini', title: 'gpt-5-mini', mark: 'native' },
      { id: 'ollama/qwen3', title: 'qwen3', note: '32k' },
    ]
    expect(matching(entries, 'MINI open').map((one) => one.id)).toEqual(['openai/gpt-5-mini'])
    expect(matching(entries, '32k')).toHaveLength(1)
    expect(matching(entries, ' ')).toHaveLength(2)
  })
})
