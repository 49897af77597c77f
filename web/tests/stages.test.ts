// @vitest-environment happy-dom
import { afterEach, describe, expect, it } from 'vitest'
import StageLine from '@/components/StageLine.vue'
import { setLanguage } from '@/i18n'
import type { Part, ToolPart } from '@/wire/parts'
import { sameStage, stageOf } from '@/wire/stages'
import { mount } from './mounted'

const step: Part = { type: 'step-start' }
const said = (text: string, type: 'text' | 'reasoning' = 'text'): Part => ({ type, text, state: 'streaming' })
const used = (name: string, more: Partial<ToolPart> = {}): ToolPart => ({ type: `tool-${name}`, toolCallId: name, state: 'output-available', input: {}, ...more })
const searching = used('web_search', { state: 'input-available', input: { query: '今天 天气' } })
const found = 'Results for: x\n\n1. A\nhttps://a.example/\nSource: a.example\n\n2. B\nhttps://b.example/\nSource: b.example\n'
const note = (results: unknown[]): Part => ({ type: 'data-tool', id: 'web_search', data: { details: { results } } })

afterEach(() => setLanguage('en'))

describe('what a run is doing', () => {
  it.each<[string, Part[], number, string, string]>([
    ['nothing has come yet', [], 0, 'Thinking…', '思考中…'],
    ['there are results beside the question', [], 3, 'Reading 3 results…', '正在阅读 3 条结果…'],
    ['it thinks', [step, said('Well', 'reasoning')], 3, 'Thinking…', '思考中…'],
    ['it writes', [step, said('It is')], 0, 'Answering…', '正在回答…'],
    ['the text is empty', [step, said(' ')], 0, 'Thinking…', '思考中…'],
    ['a search is being written', [step, used('web_search', { state: 'input-streaming', input: undefined })], 0, 'Searching the web…', '正在搜索网络…'],
    ['it searches', [step, said('I will look.'), searching], 0, 'Searching “今天 天气”…', '正在搜索“今天 天气”…'],
    ['it has found something, as its note tells', [step, used('web_search', { output: '' }), note([1, 2, 3]), step], 0, 'Reading 3 results…', '正在阅读 3 条结果…'],
    ['it has found something, as the text tells', [step, used('web_search', { output: found }), step], 0, 'Reading 2 results…', '正在阅读 2 条结果…'],
    ['it has found one', [step, used('web_search'), note([1])], 0, 'Reading the result…', '正在阅读结果…'],
    ['it has found nothing', [step, used('web_search', { output: 'No results' }), note([]), step], 0, 'Thinking…', '思考中…'],
    ['a search failed', [step, used('web_search', { state: 'output-error' }), step], 0, 'Thinking…', '思考中…'],
    ['it opens a page', [step, used('web_fetch', { state: 'input-available', input: { url: 'https://a.example/x?y' } })], 0, 'Opening a.example…', '正在打开 a.example…'],
    ['it has read a page', [step, used('web_fetch'), step], 0, 'Reading the page…', '正在阅读网页…'],
    ['another tool is being written', [step, used('bash', { state: 'input-streaming' })], 0, 'Preparing: Bash…', '正在准备：运行命令…'],
    ['another tool runs', [step, used('bash', { state: 'input-available' })], 0, 'Running: Bash…', '正在运行：运行命令…'],
    ['several run', [step, searching, used('bash', { state: 'input-available' })], 0, 'Running 2 tools…', '正在运行 2 个工具…'],
    ['a person is asked', [step, searching, used('bash', { state: 'approval-requested' })], 0, 'Waiting for your approval', '等待你的批准'],
    ['several are done', [step, used('read'), used('bash')], 0, 'Reading 2 results…', '正在阅读 2 条结果…'],
    ['it answers after a search', [step, used('web_search', { output: found }), step, said('It rains')], 0, 'Answering…', '正在回答…'],
    ['what earlier steps gave is done with', [step, used('web_search', { output: found }), step, used('read'), step], 0, 'Reading the result…', '正在阅读结果…'],
  ])('is told where %s', (_, parts, sources, english, chinese) => {
    const stage = stageOf(parts, sources)
    expect(mount(StageLine, { stage }).textContent?.trim()).toBe(english)
    setLanguage('zh')
    expect(mount(StageLine, { stage }).textContent?.trim()).toBe(chinese)
    expect(mount(StageLine, { stage }).querySelector('[role=status]')).toBeTruthy()
  })

  it('stays the same object while an answer grows', () => {
    const before = stageOf([said('It')])
    expect(sameStage(before, stageOf([said('It is')]))).toBe(before)
    expect(sameStage(before, stageOf([searching]))).toEqual({ kind: 'searching', query: '今天 天气' })
  })

  it('is told with the beginning of a long query', () => {
    const stage = stageOf([used('web_search', { state: 'input-available', input: { query: 'x'.repeat(400) } })])
    expect(mount(StageLine, { stage }).textContent?.trim()).toBe(`Searching “${'x'.repeat(80)}…”…`)
  })
})
