/** The list of tasks in a conversation. */

import { isData, isTool, toolName, type Message } from '@/wire/parts'

export type TodoState = 'pending' | 'in_progress' | 'completed' | 'cancelled'

export interface Todo {
  text: string
  status: TodoState
}

const TOOLS = ['todo_write', 'todo']
const STATES: TodoState[] = ['pending', 'in_progress', 'completed', 'cancelled']

/** As the last call of its tool left it. */
export function todosIn(messages: Message[]): Todo[] {
  for (const message of [...messages].reverse()) {
    const last = message.parts.filter(isTool).findLast((part) => TOOLS.includes(toolName(part)))
    if (!last) continue
    const note = message.parts.filter(isData).find((part) => part.type === 'data-tool' && part.id === last.toolCallId)
    const details = (note?.data as { details?: unknown } | undefined)?.details
    return listIn(details) ?? listIn(last.input) ?? []
  }
  return []
}

/** Models write them in more than one way. */
function listIn(value: unknown): Todo[] | undefined {
  const list = (value as { todos?: unknown } | undefined)?.todos
  if (!Array.isArray(list)) return undefined
  return list.flatMap((one: Record<string, unknown> | string) => {
    if (typeof one === 'string') return [{ text: one, status: 'pending' as const }]
    const text = one.content ?? one.text ?? one.task ?? one.title
    const status = STATES.find((state) => state === one.status) ?? 'pending'
    return typeof text === 'string' ? [{ text, status }] : []
  })
}
