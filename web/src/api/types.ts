/** What the server says, as far as the page uses it. */

import type { Usage } from '@/wire/parts'

/** `queued` and `waiting` runs are parked or go on soon; an `interrupted` one goes on when it is resumed. */
export type RunState = 'idle' | 'busy' | 'retrying' | 'waiting' | 'queued' | 'interrupted'

export interface SessionView {
  id: string
  title: string
  created: number
  updated: number
  model: string
  agent: string
  system: string
  options: Record<string, unknown>
  switched_off: string[]
  pinned: boolean
  last_model: string
  is_running: boolean
  state: RunState
  waiting: number
  parent: string | null
  usage: Usage
  cost: number | null
}

export interface SessionPage {
  sessions: SessionView[]
  next: string | null
}

export interface Hit {
  session_id: string
  message_id: string
  role: string
  time: number
  snippet: string
}

export interface SearchHit extends Hit {
  title: string
}

export interface ModelEntry {
  id: string
  model: string
  source: string
  is_default: boolean
  context_window: number | null
  tool_calls: 'native' | 'prompted' | null
  problem: string
}

export interface ModelList {
  default: string
  models: ModelEntry[]
}

export interface AgentEntry {
  name: string
  description: string
  mode: 'primary' | 'subagent' | 'all'
  model: string | null
  is_read_only: boolean
  is_default: boolean
}

export interface ToolEntry {
  name: string
  label: string
  description: string
  source: string
  runs: 'allow' | 'ask' | 'deny' | 'depends' | 'off'
  hidden: string
}

export interface CommandEntry {
  name: string
  description: string
}

export interface CommandPrompt {
  prompt: string
  agent: string
  model: string
}

export type ServerState = 'off' | 'untrusted' | 'connecting' | 'connected' | 'waiting' | 'needs_login' | 'failed' | 'closed'

export interface ServerEntry {
  name: string
  state: ServerState
  transport: string
  error: string
  tools: number
  server: string
}

export interface ConfiguredServer {
  name: string
  place: 'user' | 'configuration' | 'project'
  file: string
  what: string
}

export interface ConfiguredServers {
  file: string
  servers: ConfiguredServer[]
}

/** A server as a person enters it. */
export interface NewServer {
  name: string
  url?: string
  headers?: Record<string, string>
  command?: string
  args?: string[]
  env?: Record<string, string>
}

export interface TriedServer {
  state: ServerState
  error: string
  server: string
  tools: string[]
  output: string
}

export interface ProviderKey {
  name: string
  key: 'environment' | 'keyring' | 'missing' | 'not needed'
  variable: string
  problem: string
}

export interface Keys {
  keyring: string | null
  providers: ProviderKey[]
  search: ProviderKey[]
}

export interface OpenAsks {
  asks: { id: string; session: string }[]
  questions: { id: string; session: string }[]
}

export interface ChangedFile {
  path: string
  kind: 'added' | 'changed' | 'deleted'
  added: number | null
  removed: number | null
  diff?: string | null
  note?: string
}

/** What a command changed and can't be taken back. */
export interface NotKept {
  path: string
  why: string
}

export interface FileStep {
  message: string
  files: string[]
  is_undone: boolean
}

export interface SavedApproval {
  id: string
  permission: string
  pattern: string
  time: number
}

export interface PermissionList {
  approvals: SavedApproval[]
  rules: { permission: string; pattern: string; action: 'allow' | 'ask' | 'deny'; source: string }[]
}

export interface Me {
  user: string
  is_admin: boolean
  version: string
  folder: string
  model: string
  agent: string
  role?: string
  agents?: string[]
  has_password?: boolean
}

/** What there is to know before a login. */
export interface Auth {
  accounts: boolean
  needs_setup: boolean
  sign_up: boolean
  providers: { id: string; name: string }[]
  user: Me | null
  csrf: string | null
}

export interface Invited {
  role: string
  expires: number
  invited_by: string
}
