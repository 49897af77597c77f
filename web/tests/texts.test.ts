import { describe, expect, it } from 'vitest'
import { en } from '@/i18n/en'
import { zh } from '@/i18n/zh'

type Tree = { [name: string]: string | string[] | Tree }

function leaves(tree: Tree, path = ''): [string, string][] {
  return Object.entries(tree).flatMap(([name, value]) => {
    if (typeof value === 'string') return [[`${path}${name}`, value] as [string, string]]
    if (Array.isArray(value)) return value.map((text, place) => [`${path}${name}.${place}`, text] as [string, string])
    return leaves(value, `${path}${name}.`)
  })
}

const blanks = (text: string) => (text.match(/(?<!\$)\{\w+\}/g) ?? []).sort()

describe('the texts', () => {
  const chinese = new Map(leaves(zh as unknown as Tree))

  it.each(leaves(en as unknown as Tree))('%s has the same blanks in both languages', (name, text) => {
    expect(chinese.get(name)).toBeTruthy()
    expect(blanks(chinese.get(name) ?? '')).toEqual(blanks(text))
  })
})
