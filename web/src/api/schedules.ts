/** The routes of schedules, and what they say. Times are in seconds since 1970. */

import { api } from './client'

export type Missed = 'once' | 'skip' | 'all'
export type Overlap = 'skip' | 'queue' | 'allow'
export type Outcome = 'running' | 'done' | 'limit' | 'error' | 'aborted' | 'denied' | 'repetition' | 'handed_over' | 'skipped' | 'missed' | 'failed'

export interface Firing {
  due: number
  at: number
  session: string | null
  outcome: Outcome
  text: string
}

export interface Schedule {
  id: string
  name: string
  prompt: string
  cron: string
  every: string
  at: number | null
  time_zone: string
  agent: string
  model: string
  variant: string
  session: string
  missed: Missed
  overlap: Overlap
  most: number
  until: number | null
  state: 'active' | 'paused' | 'ended'
  reason: string
  code: string
  created: number
  next_at: number | null
  is_pending: boolean
  fired: number
  /** The latest first. */
  firings: Firing[]
}

/** When, as the server reads it: one of the three. */
export interface When {
  cron: string
  every: string
  at: string
  time_zone: string
}

export interface ScheduleFields extends Partial<When> {
  prompt?: string
  name?: string
  agent?: string
  model?: string
  session?: string
  missed?: Missed
  overlap?: Overlap
  most?: number
  until?: string
  paused?: boolean
}

const at = (id: string) => `/api/schedules/${encodeURIComponent(id)}`

export const schedules = {
  list: () => api.get<{ schedules: Schedule[] }>('/api/schedules').then((given) => given.schedules),
  add: (fields: ScheduleFields) => api.post<Schedule>('/api/schedules', fields),
  change: (id: string, fields: ScheduleFields) => api.patch<Schedule>(at(id), fields),
  remove: (id: string) => api.delete(at(id)),
  run: (id: string) => api.post<Schedule>(`${at(id)}/run`),
  preview: (when: When) => api.get<{ times: number[] }>('/api/schedules/preview', { ...when }).then((given) => given.times),
}
