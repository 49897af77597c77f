/** When a schedule fires, as a person chooses it, as the server takes it, and in words. */

import type { Schedule, When } from '@/api/schedules'
import { fill, language, t } from '@/i18n'

export type Way = 'cron' | 'every' | 'at'
/** Days on which something comes at one time of day; `hourly`, or an expression of one's own. */
export type Days = 'daily' | 'weekdays' | '0' | '1' | '2' | '3' | '4' | '5' | '6' | 'monthly' | 'hourly' | 'own'
export type Unit = 'm' | 'h' | 'd'

export interface TimingFields {
  way: Way
  days: Days
  /** As `09:00`. */
  time: string
  cron: string
  count: number
  unit: Unit
  /** As an input of date and time has it, on this machine's clock. */
  moment: string
  zone: string
}

/** Monday comes first, as in most of the world. */
export const DAYS: Days[] = ['daily', 'weekdays', '1', '2', '3', '4', '5', '6', '0', 'monthly', 'hourly', 'own']
export const UNITS: Unit[] = ['m', 'h', 'd']
const OF_CRON: Record<string, Days> = { '* * *': 'daily', '* * 1-5': 'weekdays', '1 * *': 'monthly' }
const UNIT_NAMES: Record<string, string> = { d: 'day', h: 'hour', m: 'minute', s: 'second' }
/** A Sunday, to name the days of a week by. */
const SUNDAY = Date.UTC(2026, 0, 4)
const DAY = 86_400_000

export const ownZone = Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC'

export function newFields(): TimingFields {
  return { way: 'cron', days: 'daily', time: '09:00', cron: '0 9 * * *', count: 1, unit: 'h', moment: '', zone: ownZone }
}

export function fieldsOf(schedule: Schedule): TimingFields {
  const fields = { ...newFields(), zone: schedule.time_zone }
  if (schedule.cron) return { ...fields, ...readCron(schedule.cron) }
  if (schedule.at) return { ...fields, way: 'at', moment: inputOf(schedule.at) }
  return { ...fields, way: 'every', ...readEvery(schedule.every) }
}

/** As the server takes it. A moment is sent with its zone, so that it means the same everywhere. */
export function whenOf(fields: TimingFields): When {
  const none = { cron: '', every: '', at: '', time_zone: fields.zone }
  if (fields.way === 'every') return { ...none, every: `${fields.count}${fields.unit}` }
  if (fields.way === 'at') return { ...none, at: momentOf(fields.moment) }
  return { ...none, cron: cronOf(fields) }
}

export function cronOf({ days, time, cron }: TimingFields): string {
  if (days === 'own') return cron.trim()
  const [hour = 0, minute = 0] = time.split(':').map(Number)
  if (days === 'hourly') return `${minute} * * * *`
  const rest = { daily: '* * *', weekdays: '* * 1-5', monthly: '1 * *' }[days as string] ?? `* * ${days}`
  return `${minute} ${hour} ${rest}`
}

export function readCron(cron: string): Pick<TimingFields, 'days' | 'time' | 'cron'> {
  const [, minute = '', hour = '', rest = ''] = /^(\d{1,2}) (\d{1,2}|\*) (.+)$/.exec(cron) ?? []
  const clock = (value: string) => value.padStart(2, '0')
  const days = OF_CRON[rest] ?? (/^\* \* [0-6]$/.test(rest) ? (rest.slice(-1) as Days) : 'own')
  if (hour === '*') return { days: rest === '* * *' ? 'hourly' : 'own', time: `00:${clock(minute)}`, cron }
  return minute ? { days, time: `${clock(hour)}:${clock(minute)}`, cron } : { days: 'own', time: '09:00', cron }
}

function readEvery(every: string): Pick<TimingFields, 'count' | 'unit'> {
  const minutes = secondsOf(every) / 60
  if (minutes % 1440 === 0) return { count: minutes / 1440, unit: 'd' }
  return minutes % 60 === 0 ? { count: minutes / 60, unit: 'h' } : { count: Math.max(1, Math.round(minutes)), unit: 'm' }
}

function secondsOf(every: string): number {
  const sizes: Record<string, number> = { d: 86_400, h: 3_600, m: 60, s: 1 }
  return [...every.matchAll(/(\d+)([dhms])/g)].reduce((sum, [, count, unit]) => sum + Number(count) * (sizes[unit ?? ''] ?? 0), 0)
}

/** “Every day at 09:00”, “Every 15 min”, “Once”. A zone is named where it is not one's own. */
export function wordsOn(schedule: Pick<Schedule, 'cron' | 'every' | 'at' | 'time_zone'>): string {
  const words = t.schedules
  if (schedule.every) return fill(words.everyTime, { time: durationOf(schedule.every) })
  if (schedule.at) return words.once
  const { days, time } = readCron(schedule.cron)
  const zone = schedule.time_zone === ownZone ? '' : ` (${schedule.time_zone})`
  if (days === 'own') return `${schedule.cron}${zone}`
  if (days === 'hourly') return fill(words.hourlyAt, { minute: Number(time.slice(3)) }) + zone
  return fill(words.daysAt, { days: daysName(days), time }) + zone
}

export function daysName(days: Days): string {
  const names = t.schedules.days
  if (days in names) return names[days as keyof typeof names]
  const day = new Intl.DateTimeFormat(language.value, { weekday: 'long', timeZone: 'UTC' }).format(SUNDAY + Number(days) * DAY)
  return fill(t.schedules.weekly, { day })
}

function durationOf(every: string): string {
  const parts = [...every.matchAll(/(\d+)([dhms])/g)]
  const named = (count: string, unit: string) => new Intl.NumberFormat(language.value, { style: 'unit', unit, unitDisplay: 'long' }).format(Number(count))
  return parts.map(([, count = '', unit = '']) => named(count, UNIT_NAMES[unit] ?? 'second')).join(' ')
}

/** A moment as an input of date and time has it, on this machine's clock. */
export function inputOf(seconds: number): string {
  const moment = new Date(seconds * 1000)
  return new Date(moment.getTime() - moment.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}

/** The other way round; "" where there is none yet. */
export function momentOf(input: string): string {
  const moment = new Date(input)
  return input && !Number.isNaN(moment.getTime()) ? moment.toISOString() : ''
}

/** With the day of the week, which says more than the date; with the year where it is another one. */
export function shownTime(seconds: number, now = new Date()): string {
  const moment = new Date(seconds * 1000)
  const year = moment.getFullYear() === now.getFullYear() ? {} : { year: 'numeric' as const }
  return moment.toLocaleString(language.value, { weekday: 'short', ...year, month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit' })
}
