import { describe, expect, it } from 'vitest'
import { todosIn } from '@/components/panel/todos'
import type { Message, Part } from '@/wire/parts'

const message = (...parts: Part[]): Message => ({ id: 'm', role: 'assistant', parts })
const call = (id: string, input: unknown): Part => ({ type: 'tool-todo_write', toolCallId: id, state: 'output-available', input })

describe('the tasks in a conversation', () => {
  it('are as the last call left them', () => {
    const messages = [
      message(call('1', { todos: [{ content: 'old', status: 'pending' }] })),
      message(call('2', { todos: [{ content: 'first', status: 'pending' }] }), call('3', { todos: [{ content: 'new', status: 'completed' }, 'plain'] })),
      message({ type: 'text', text: 'done', state: 'done' }),
    ]
    expect(todosIn(messages)).toEqual([
      { text: 'new', status: 'completed' },
      { text: 'plain', status: 'pending' },
    ])
  })

  it('are what the tool made of them, where it says so', () => {
    const note: Part = { type: 'data-tool', id: '1', data: { details: { todos: [{ content: 'kept', status: 'strange' }] } } }
    expect(todosIn([message(call('1', { todos: 'broken' }), note)])).toEqual([{ text: 'kept', status: 'pending' }])
  })

  it('are none where nothing can be read', () => {
    expect(todosIn([message(call('1', undefined))])).toEqual([])
  })
})
