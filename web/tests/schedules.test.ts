// @vitest-environment happy-dom
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { nextTick } from 'vue'
import type { Schedule } from '@/api/schedules'
import ScheduleForm from '@/components/schedules/ScheduleForm.vue'
import ScheduleRow from '@/components/schedules/ScheduleRow.vue'
import { cronOf, DAYS, fieldsOf, inputOf, momentOf, newFields, ownZone, readCron, shownTime, whenOf, wordsOn } from '@/components/schedules/timing'
import { language } from '@/i18n'
import SchedulesPage from '@/pages/SchedulesPage.vue'
import { waiting } from '@/state/live'
import { toasts } from '@/state/toasts'
import { answers } from './answers'
import { button, mount } from './mounted'

const NEWS: Schedule = {
  id: 'sch_1',
  name: 'News',
  prompt: 'Summarise the news',
  cron: '30 8 * * 1-5',
  every: '',
  at: null,
  time_zone: ownZone,
  agent: '',
  model: '',
  variant: '',
  session: '',
  missed: 'once',
  overlap: 'skip',
  most: 0,
  until: null,
  state: 'active',
  reason: '',
  code: '',
  created: 1,
  next_at: 4_000_000_000,
  is_pending: false,
  fired: 0,
  firings: [],
}
const FIRING = { due: 1, at: 1, session: 'ses_1', outcome: 'done' as const, text: '' }

beforeEach(() => {
  language.value = 'en'
  toasts.value = []
  for (const id of Object.keys(waiting)) delete waiting[id]
})

/** What was sent with each request that has a body. */
function sent(given: Record<string, { status?: number; body?: unknown }>): [string, Record<string, unknown>][] {
  answers(given)
  const told: [string, Record<string, unknown>][] = []
  const answer = globalThis.fetch
  vi.stubGlobal('fetch', async (path: string, init: RequestInit = {}) => {
    if (init.body) told.push([`${init.method} ${path}`, JSON.parse(String(init.body))])
    return answer(path, init)
  })
  return told
}

function set(page: HTMLElement, selector: string, value: string): void {
  const field = page.querySelector(selector) as HTMLInputElement
  field.value = value
  field.dispatchEvent(new Event(field.tagName === 'SELECT' ? 'change' : 'input'))
}

describe('a time of day', () => {
  it.each(DAYS.filter((days) => days !== 'own'))('%s is written as cron and read back', (days) => {
    const time = days === 'hourly' ? '00:15' : '18:05'
    const cron = cronOf({ ...newFields(), days, time })
    expect(readCron(cron)).toEqual({ days, time, cron })
  })

  it.each(['*/5 * * * *', '0 9,18 * * *', '@daily', '0 0 1 1 *', '15 * * * 1-5', '0 9 * * mon'])('%s stays an expression', (cron) => {
    expect(readCron(cron)).toMatchObject({ days: 'own', cron })
    expect(cronOf({ ...newFields(), days: 'own', cron })).toBe(cron)
  })

  it('is told in words, with its zone where it is another', () => {
    expect(wordsOn(NEWS)).toBe('Monday to Friday at 08:30')
    expect(wordsOn({ ...NEWS, cron: '0 7 * * 5', time_zone: 'Pacific/Auckland' })).toBe('Every Friday at 07:00 (Pacific/Auckland)')
    expect(wordsOn({ ...NEWS, cron: '5 * * * *' })).toBe('Every hour, at minute 5')
    expect(wordsOn({ ...NEWS, cron: '*/5 9-17 * * *' })).toBe('*/5 9-17 * * *')
    language.value = 'zh'
    expect(wordsOn(NEWS)).toBe('周一到周五 08:30')
  })
})

it('an interval and a moment are told in words, too', () => {
  expect(wordsOn({ ...NEWS, cron: '', every: '1h30m' })).toBe('Every 1 hour 30 minutes')
  expect(wordsOn({ ...NEWS, cron: '', at: 4_000_000_000 })).toBe('Once')
})

it('what is stored comes back into the fields and is sent as it was', () => {
  for (const given of [{ every: '15m' }, { every: '6h' }, { every: '2d' }]) {
    expect(whenOf(fieldsOf({ ...NEWS, cron: '', ...given }))).toMatchObject({ cron: '', at: '', ...given })
  }
  const once = fieldsOf({ ...NEWS, cron: '', at: 4_000_000_020 })
  expect(Date.parse(whenOf(once).at)).toBe(4_000_000_020_000 - (4_000_000_020_000 % 60_000))
  expect(inputOf(Date.parse(momentOf('2026-12-24T18:00')) / 1000)).toBe('2026-12-24T18:00')
  expect(momentOf('')).toBe('')
})

it('a year is named where it is not this one', () => {
  const moment = Date.UTC(2026, 10, 20, 12) / 1000
  expect(shownTime(moment, new Date(2026, 0, 1))).not.toContain('2026')
  expect(shownTime(moment, new Date(2025, 0, 1))).toContain('2026')
})

describe('a row', () => {
  const row = (more: Partial<Schedule>) => mount(ScheduleRow, { schedule: { ...NEWS, ...more }, name: 'News', isBusy: false }).textContent ?? ''

  it('says what became of the last run and leads to its chat', () => {
    expect(row({ firings: [FIRING] })).toContain('Last: done')
    expect(document.querySelector('a')?.getAttribute('href')).toBe('#/c/ses_1')
    expect(row({ firings: [{ ...FIRING, outcome: 'running' }] })).toContain('Last: running')
    waiting['ses_1'] = ['ask_1']
    expect(row({ firings: [{ ...FIRING, outcome: 'running' }] })).toContain('Last: waiting for you')
    expect(row({ firings: [{ ...FIRING, session: null, outcome: 'failed', text: 'no money' }] })).toContain('could not start')
    expect(document.querySelector('a')).toBeNull()
  })

  it('says in the page’s language why the server has paused it', () => {
    const paused = { state: 'paused' as const, next_at: null, reason: 'your role guest may not use the agent build', code: 'agent_not_allowed' }
    expect(row(paused)).toContain('The server has paused it: Your role may not use this agent.')
    expect(document.querySelector('[aria-label="Resume: News"]')).toBeTruthy()
    language.value = 'zh'
    expect(row(paused)).toContain('服务器已将其暂停')
  })

  it('at its end offers neither pause nor a next time', () => {
    const shown = row({ state: 'ended', next_at: null })
    expect(shown).toContain('Ended')
    expect(shown).not.toContain('Next:')
    expect(document.querySelector('[aria-label="Pause: News"]')).toBeNull()
  })
})

describe('the form', () => {
  it('sends what was chosen, and shows the next times before', async () => {
    const told = sent({ 'GET /api/schedules/preview': { body: { times: [4_000_000_000] } }, 'POST /api/schedules': { status: 201, body: NEWS } })
    let saved: Schedule | undefined
    const page = mount(ScheduleForm, { onSaved: (one: Schedule) => (saved = one) })
    await expect.poll(() => page.textContent).toContain('Next: ')
    set(page, '#schedule-prompt', 'Look')
    set(page, 'fieldset select', 'weekdays')
    set(page, 'input[type=time]', '07:45')
    await nextTick()
    page.querySelector('form')?.dispatchEvent(new Event('submit', { cancelable: true }))
    await expect.poll(() => saved?.id).toBe('sch_1')
    const [what, fields] = told[0] ?? ['', {}]
    expect(what).toBe('POST /api/schedules')
    expect(fields).toMatchObject({ prompt: 'Look', cron: '45 7 * * 1-5', every: '', at: '', time_zone: ownZone, missed: 'once', overlap: 'skip', most: 0, until: '' })
  })

  it('can’t be sent while the server refuses the time', async () => {
    const refused = { error: { code: 'schedule_too_often', kind: 'invalid_request', message: 'it may fire every 1h at the most' } }
    answers({ 'GET /api/schedules/preview': { status: 400, body: refused } })
    const page = mount(ScheduleForm)
    set(page, '#schedule-prompt', 'Look')
    await expect.poll(() => page.querySelector('[role=alert]')?.textContent).toContain('too often')
    expect(button('Create').disabled).toBe(true)
  })

  it('leaves the time out that was not changed, so that an interval does not begin anew', async () => {
    const told = sent({ 'GET /api/schedules/preview': { body: { times: [] } }, 'PATCH /api/schedules/sch_1': { body: NEWS } })
    const page = mount(ScheduleForm, { schedule: { ...NEWS, cron: '', every: '15m', until: 4_000_000_000 } })
    set(page, '#schedule-prompt', 'Another')
    await nextTick()
    page.querySelector('form')?.dispatchEvent(new Event('submit', { cancelable: true }))
    await expect.poll(() => told.length).toBe(1)
    const fields = told[0]?.[1] ?? {}
    expect(fields).toMatchObject({ prompt: 'Another', most: 0 })
    expect(fields).not.toHaveProperty('every')
    expect(fields).not.toHaveProperty('until')
  })
})

it('the page lists what comes next first, pauses it and deletes it after a question', async () => {
  const later = { ...NEWS, id: 'sch_2', name: 'Later', next_at: 4_100_000_000 }
  const asked = answers({
    'GET /api/schedules': { body: { schedules: [later, NEWS] } },
    'PATCH /api/schedules/sch_1': { body: NEWS },
    'DELETE /api/schedules/sch_1': { status: 204 },
  })
  const page = mount(SchedulesPage, { isListOpen: true })
  await expect.poll(() => page.querySelectorAll('li').length).toBe(2)
  expect(page.querySelector('li')?.textContent).toContain('News')
  ;(page.querySelector('[aria-label="Pause: News"]') as HTMLElement).click()
  await expect.poll(() => asked).toContain('PATCH /api/schedules/sch_1')
  await expect.poll(() => (page.querySelector('[aria-label="Delete: News"]') as HTMLButtonElement).disabled).toBe(false)
  ;(page.querySelector('[aria-label="Delete: News"]') as HTMLElement).click()
  await expect.poll(() => document.querySelector('[role=alertdialog]')?.textContent).toContain('Delete “News”?')
  expect(asked).not.toContain('DELETE /api/schedules/sch_1')
  const dialog = document.querySelector('[role=alertdialog]') as HTMLElement
  ;[...dialog.querySelectorAll('button')].find((one) => one.textContent?.trim() === 'Delete')?.click()
  await expect.poll(() => asked).toContain('DELETE /api/schedules/sch_1')
})
