/** A conversation as the page holds it: messages made of parts, in the shape that the AI SDK gives them. */

export type ToolState =
  | 'input-streaming'
  | 'input-available'
  | 'approval-requested'
  | 'approval-responded'
  | 'output-available'
  | 'output-error'
  | 'output-denied'

export interface TextPart {
  type: 'text' | 'reasoning'
  /** Which of the answer's thoughts it is, in what was loaded from the store. */
  id?: string
  text: string
  state: 'streaming' | 'done'
  /** When its first and last piece came, in milliseconds; unknown in what was loaded from the store. */
  began?: number
  ended?: number
}

export interface Approval {
  id: string
  approved?: boolean
  reason?: string
}

export interface ToolPart {
  type: `tool-${string}` | 'dynamic-tool'
  toolName?: string
  toolCallId: string
  state: ToolState
  title?: string
  /** The arguments as they stream in, until they are whole. */
  inputText?: string
  input?: unknown
  /** The arguments as they were written, where they are no JSON. */
  rawInput?: unknown
  output?: unknown
  errorText?: string
  approval?: Approval
  /** When it began to run, in milliseconds; unknown in what was loaded from the store. */
  began?: number
}

export interface FilePart {
  type: 'file'
  mediaType: string
  url: string
  filename?: string
}

export interface SourcePart {
  type: 'source-url'
  sourceId: string
  url: string
  title?: string
}

export interface DataPart {
  type: `data-${string}`
  id?: string
  data: unknown
}

export interface StepPart {
  type: 'step-start'
}

export type Part = TextPart | ToolPart | FilePart | SourcePart | DataPart | StepPart

export interface Usage {
  input?: number
  output?: number
  reasoning?: number
  cache_read?: number
  cache_write?: number
}

export interface Metadata {
  time?: number
  model?: string
  agent?: string
  usage?: Usage
  cost?: number | null
  /** How many seconds each of its thoughts took. */
  thinking?: Record<string, number>
  versions?: string[]
  version?: number
  error?: { code: string; message: string }
  /** How it ended, where it did not end by itself. */
  finish?: 'aborted' | 'interrupted' | 'length'
}

export interface Message {
  id: string
  role: 'user' | 'assistant'
  parts: Part[]
  metadata?: Metadata
}

export function isText(part: Part): part is TextPart {
  return part.type === 'text' || part.type === 'reasoning'
}

export function isTool(part: Part): part is ToolPart {
  return part.type === 'dynamic-tool' || part.type.startsWith('tool-')
}

export function isData(part: Part): part is DataPart {
  return part.type.startsWith('data-')
}

export function toolName(part: ToolPart): string {
  return part.toolName ?? part.type.slice('tool-'.length)
}

export function textOf(message: Message): string {
  return message.parts
    .filter((part) => part.type === 'text')
    .map((part) => (part as TextPart).text)
    .join('')
}
