// @vitest-environment happy-dom
import { nextTick } from 'vue'
import { afterEach, describe, expect, it } from 'vitest'
import AnswerSources from '@/components/AnswerSources.vue'
import { setLanguage } from '@/i18n'
import type { Message, Part } from '@/wire/parts'
import { webSources } from '@/wire/sources'
import { button, mount } from './mounted'

const used = (name: string, id: string, input: unknown = {}, state = 'output-available'): Part => ({ type: `tool-${name}`, toolCallId: id, state, input }) as Part
const note = (id: string, results: unknown): Part => ({ type: 'data-tool', id, data: { details: { results } } })
const page = (name: string): { title: string; url: string } => ({ title: `Page ${name}`, url: `https://${name}.example/` })
const shown = (parts: Part[]): string[] => {
  mount(AnswerSources, { message: { id: '1', role: 'assistant', parts } as Message })
  return links()
}
const links = (): string[] => [...document.querySelectorAll('a')].map((one) => `${one.textContent} ${one.getAttribute('href')}`)

afterEach(() => setLanguage('en'))

describe('the sources of an answer', () => {
  it('are the pages that were opened, then those that were found, each once', () => {
    const parts = [used('web_search', 'a'), note('a', [page('one'), page('two')]), used('web_search', 'b'), note('b', [page('two')]), used('web_fetch', 'c', { url: page('two').url })]
    expect(shown(parts)).toEqual(['Page two https://two.example/', 'Page one https://one.example/'])
  })

  it('are named by their host where no title is known', () => {
    expect(shown([used('web_fetch', 'a', { url: 'https://docs.example/x' })])).toEqual(['docs.example https://docs.example/x'])
  })

  it('are not there without the web, and not of calls that failed or of what is no page', () => {
    expect(shown([used('echo', 'a'), used('web_fetch', 'b', { url: 'https://x.example' }, 'output-error')])).toEqual([])
    expect(document.querySelector('section')).toBeNull()
    expect(webSources([used('web_search', 'a'), note('a', [null, { url: 7 }, { url: 'javascript:alert(1)', title: 'X' }])])).toEqual([])
    expect(webSources([used('web_fetch', 'a', null), used('web_search', 'b'), note('b', 'what?')])).toEqual([])
  })

  it('are folded where they are many', async () => {
    setLanguage('zh')
    expect(shown([used('web_search', 'a'), note('a', 'abcdef'.split('').map(page))])).toHaveLength(4)
    expect(document.querySelector('h3')?.textContent).toBe('来源')
    button('再显示 2 个').click()
    await nextTick()
    expect(links()).toHaveLength(6)
    expect(document.querySelector('button')).toBeNull()
  })
})
