// @vitest-environment happy-dom
import { afterEach, describe, expect, it, vi } from 'vitest'
import { api } from '@/api/client'
import { labelOf } from '@/components/tool-words'
import { language } from '@/i18n'
import { errorWords, modelErrorWords } from '@/i18n/errors'
import * as en from '@/i18n/errors-en'
import * as zh from '@/i18n/errors-zh'
import { toolLabels } from '@/i18n/tool-labels'
import { tools } from '@/state/catalog'
import { failureWords } from '@/state/failures'
import type { ToolEntry } from '@/api/types'

const KINDS = ['invalid_request', 'billing', 'permission', 'not_found', 'conflict', 'too_large', 'timeout', 'unreachable']
const blanks = (text: string) => (text.match(/\{\w+\}/g) ?? []).sort()

afterEach(() => {
  language.value = 'en'
  tools.value = []
})

describe('the tables of errors', () => {
  it('have the same codes in both languages; the kinds only where the server’s text is foreign', () => {
    expect(Object.keys(zh.errors).sort()).toEqual([...Object.keys(en.errors), ...KINDS].sort())
    expect(Object.keys(zh.modelErrors)).toEqual(Object.keys(en.modelErrors))
  })

  it.each(Object.entries(en.errors))('%s has the same blanks', (code, text) => {
    expect(blanks(zh.errors[code] ?? '')).toEqual(blanks(text))
  })

  it('name the same tools', () => {
    expect(Object.keys(toolLabels.zh)).toEqual(Object.keys(toolLabels.en))
  })
})

describe('an error', () => {
  it('is told in the page’s language by its code', () => {
    expect(errorWords({ code: 'session_busy', text: 'the session is busy' })).toContain('Wait until it is done')
    language.value = 'zh'
    expect(errorWords({ code: 'session_busy', text: 'the session is busy' })).toContain('正在运行')
  })

  it('without words for its code is told by its kind, and else by the server’s text', () => {
    const told = { code: 'something_new', kind: 'conflict', text: 'the moon is full' }
    expect(errorWords(told)).toBe('The moon is full.')
    language.value = 'zh'
    expect(errorWords(told)).toBe('与当前状态冲突：The moon is full.')
    expect(errorWords({ code: 'something_new', text: 'the moon is full' })).toBe('The moon is full.')
  })

  it('says how long to wait', async () => {
    const body = JSON.stringify({ error: { code: 'too_many_attempts', kind: 'rate_limit', message: 'too many' } })
    vi.stubGlobal('fetch', async () => new Response(body, { status: 429, headers: { 'retry-after': '120' } }))
    const error = await api.get('/api/sessions').catch((failed: unknown) => failed)
    expect(failureWords(error)).toContain('in 120 seconds')
  })

  it('of a model keeps the provider’s own words beside the page’s', () => {
    language.value = 'zh'
    const told = modelErrorWords({ code: 'auth', text: 'openai: the key sk-… is wrong' })
    expect(told).toEqual({ words: '模型服务商不接受 API 密钥。', detail: 'openai: the key sk-… is wrong' })
    expect(modelErrorWords({ code: 'new', text: 'oh' })).toEqual({ words: 'Oh.', detail: '' })
  })
})

describe('a tool', () => {
  it('that is built in has its label in the page’s language', () => {
    expect(labelOf('web_search', 'Web search')).toBe('Web search')
    language.value = 'zh'
    expect(labelOf('web_search', 'Web search')).toBe('网络搜索')
    expect(labelOf('web_search')).toBe('网络搜索')
  })

  it('of the folder keeps the label that it gives itself', () => {
    language.value = 'zh'
    tools.value = [{ name: 'read', label: 'Read from the archive' } as ToolEntry]
    expect(labelOf('read')).toBe('Read from the archive')
    expect(labelOf('get_weather')).toBe('Get weather')
  })
})
