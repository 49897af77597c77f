/** The routes of an admin, and what they say. Times are in seconds since 1970, 0 for never. */

import { api } from './client'
import type { RunState } from './types'

export interface AdminUser {
  name: string
  role: string
  disabled: boolean
  has_password: boolean
  /** The company's login that the person uses instead of a password. */
  provider: string
  created: number
  last_login: number
  /** Others have to change the account of who asks. */
  is_you: boolean
}

export interface Invitation {
  id: string
  role: string
  invited_by: string
  created: number
  expires: number
}

export interface Role {
  name: string
  agents: string[]
  models: string[]
  tools: string[]
  permissions: { permission: string; pattern: string; action: string }[]
  limits: Record<string, unknown>
  rights: string[]
  is_built_in: boolean
}

export interface AdminToken {
  id: string
  user: string
  name: string
  created: number
  created_by: string
}

export interface UsageRow {
  user: string
  model: string
  requests: number
  input_tokens: number
  output_tokens: number
  /** In US dollars; 0 where the price of the model is not known. */
  cost: number
}

export interface RunRow {
  session: string
  title: string
  user: string
  agent: string
  model: string
  started: number
  state: RunState
}

/** Shown once. */
export interface Secret {
  token: string
  url?: string
}

const at = encodeURIComponent

export const admin = {
  users: () => api.get<{ users: AdminUser[] }>('/api/admin/users').then((given) => given.users),
  makeUser: (name: string, role: string) => api.post<Secret>('/api/admin/users', { name, role }),
  changeUser: (name: string, fields: { role?: string; disabled?: boolean }) => api.patch(`/api/admin/users/${at(name)}`, fields),
  deleteUser: (name: string) => api.delete(`/api/admin/users/${at(name)}`),
  resetUser: (name: string) => api.post<Secret>(`/api/admin/users/${at(name)}/reset`),
  invitations: () => api.get<{ invitations: Invitation[] }>('/api/admin/invitations').then((given) => given.invitations),
  invite: (role: string, days: number) => api.post<Secret>('/api/admin/invitations', { role, expires_days: days }),
  withdrawInvitation: (id: string) => api.delete(`/api/admin/invitations/${at(id)}`),
  roles: () => api.get<{ roles: Role[] }>('/api/admin/roles').then((given) => given.roles),
  tokens: () => api.get<{ tokens: AdminToken[] }>('/api/admin/tokens').then((given) => given.tokens),
  makeToken: (user: string, name: string) => api.post<Secret>('/api/admin/tokens', { user, name }),
  withdrawToken: (id: string) => api.delete(`/api/admin/tokens/${at(id)}`),
  usage: (days: number) => api.get<{ usage: UsageRow[] }>('/api/admin/usage', { days }).then((given) => given.usage),
  runs: () => api.get<{ runs: RunRow[] }>('/api/admin/runs').then((given) => given.runs),
  stop: (session: string) => api.post(`/api/admin/runs/${at(session)}/stop`),
}
