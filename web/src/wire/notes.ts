/** Our own parts of a message (`data-…`): what the AI SDK has no words for. */

export interface ToolNote {
  title?: string
  label?: string
  duration?: number
  details?: Record<string, unknown>
  /** Why it failed, and where it was denied, in which words. */
  kind?: string
  message?: string
}

export interface Ask {
  id: string
  session?: string
  permission: string
  patterns: string[]
  always: string[]
  title?: string
  details?: Record<string, unknown>
  agent?: string
  /** The session of the sub-agent that wants it. */
  child?: string
  toolCallId?: string
  reply?: Reply
  /** What was said with the reply. */
  message?: string
}

export type Reply = 'once' | 'always' | 'reject'

/** A step that failed and is tried again, `nextAt` in seconds since the epoch. */
export interface Retry {
  attempt: number
  delay: number
  nextAt: number
  error: { code: string; message: string }
}

/** What a person should know of a run: `text` is the server's English, for a code that this page has no words for. */
export interface RunNotice {
  code: string
  text: string
  data?: { model?: string; window?: number; tools?: string[] }
}

/** How full the model's window is. */
export interface Context {
  used: number
  window: number | null
}

export interface Question {
  question: string
  options?: string[]
  multiple?: boolean
}

export interface Asked {
  id: string
  session?: string
  questions: Question[]
  agent?: string
  answers?: string[][]
  dismissed?: boolean
}
