// @vitest-environment happy-dom
import { beforeEach, describe, expect, it } from 'vitest'
import { nextTick } from 'vue'
import type { Me } from '@/api/types'
import InvitationsSection from '@/components/admin/InvitationsSection.vue'
import RolesSection from '@/components/admin/RolesSection.vue'
import RunsSection from '@/components/admin/RunsSection.vue'
import TokensSection from '@/components/admin/TokensSection.vue'
import UsageSection from '@/components/admin/UsageSection.vue'
import UsersSection from '@/components/admin/UsersSection.vue'
import AdminPage from '@/pages/AdminPage.vue'
import { auth } from '@/state/account'
import { me } from '@/state/catalog'
import { toasts } from '@/state/toasts'
import { answers } from './answers'
import { button, mount } from './mounted'

const ROOT = { name: 'root', role: 'admin', disabled: false, created: 1, last_login: 2, has_password: true, provider: '', is_you: true }
const ANN = { ...ROOT, name: 'ann', role: 'member', last_login: 0, is_you: false }
const ROLE = { agents: ['*'], models: ['*'], tools: ['*'], permissions: [], limits: {}, rights: ['use'], is_built_in: true }
const ROLES = { roles: [{ ...ROLE, name: 'admin' }, { ...ROLE, name: 'member' }, { ...ROLE, name: 'guest' }] }

beforeEach(() => {
  me.value = { is_admin: true, user: 'root' } as Me
  auth.value = { accounts: true, needs_setup: false, sign_up: false, providers: [], user: me.value, csrf: 'x' }
  toasts.value = []
})

function labelled(page: HTMLElement, label: string): HTMLElement {
  return page.ownerDocument.querySelector(`[aria-label="${label}"]`) as HTMLElement
}

describe('users', () => {
  const listed = { 'GET /api/admin/users': { body: { users: [ROOT, ANN] } }, 'GET /api/admin/roles': { body: ROLES } }

  it('have a role that an admin changes, but for the admin’s own', async () => {
    const asked = answers({ ...listed, 'PATCH /api/admin/users/ann': { body: {} } })
    const page = mount(UsersSection)
    await expect.poll(() => page.textContent).toContain('ann')
    expect((labelled(page, 'Role: root') as HTMLSelectElement).disabled).toBe(true)
    const select = labelled(page, 'Role: ann') as HTMLSelectElement
    select.value = 'guest'
    select.dispatchEvent(new Event('change'))
    await expect.poll(() => toasts.value[0]?.text).toBe('ann is Guest now.')
    expect(asked).toContain('PATCH /api/admin/users/ann')
  })

  it('are deleted only after a question', async () => {
    const asked = answers({ ...listed, 'DELETE /api/admin/users/ann': { status: 204 } })
    const page = mount(UsersSection)
    await expect.poll(() => page.textContent).toContain('ann')
    labelled(page, 'Delete: ann').click()
    await expect.poll(() => document.querySelector('[role=alertdialog]')?.textContent).toContain('Delete ann?')
    expect(asked).not.toContain('DELETE /api/admin/users/ann')
    const dialog = document.querySelector('[role=alertdialog]') as HTMLElement
    ;[...dialog.querySelectorAll('button')].find((one) => one.textContent?.trim() === 'Delete')?.click()
    await expect.poll(() => asked).toContain('DELETE /api/admin/users/ann')
  })

  it('get a link for a new password, which is shown once', async () => {
    answers({ ...listed, 'POST /api/admin/users/ann/reset': { body: { token: 'once', url: 'http://here/#reset=once' } } })
    const page = mount(UsersSection)
    await expect.poll(() => page.textContent).toContain('ann')
    labelled(page, 'Reset link: ann').click()
    await expect.poll(() => page.querySelector<HTMLInputElement>('input[readonly]')?.value).toBe('http://here/#reset=once')
    button('').click()
    await nextTick()
    expect(page.innerHTML).not.toContain('once')
  })

  it('are added with a link for their password', async () => {
    const asked = answers({ ...listed, 'POST /api/admin/users': { status: 201, body: { ...ANN, token: 'once', url: 'http://here/#reset=once' } } })
    const page = mount(UsersSection)
    await expect.poll(() => page.textContent).toContain('ann')
    const field = page.querySelector('form input') as HTMLInputElement
    field.value = 'bob'
    field.dispatchEvent(new Event('input'))
    await nextTick()
    page.querySelector('form')?.dispatchEvent(new Event('submit', { cancelable: true }))
    await expect.poll(() => page.querySelector<HTMLInputElement>('input[readonly]')?.value).toBe('http://here/#reset=once')
    expect(asked).toContain('POST /api/admin/users')
  })

  it('that the server does not change are shown as they are', async () => {
    const refused = { error: { code: 'last_admin', kind: 'conflict', message: 'the last admin' } }
    answers({ ...listed, 'PATCH /api/admin/users/ann': { status: 409, body: refused } })
    const page = mount(UsersSection)
    await expect.poll(() => page.textContent).toContain('ann')
    labelled(page, 'Disable: ann').click()
    await expect.poll(() => toasts.value[0]?.text).toContain('This is the last admin')
    expect(toasts.value).toHaveLength(1)
  })
})

it('an invitation is made for a role, copied, and withdrawn', async () => {
  const one = { id: 'i1', role: 'member', created: 1, expires: 4_000_000_000, invited_by: 'root' }
  const asked = answers({
    'GET /api/admin/roles': { body: ROLES },
    'GET /api/admin/invitations': { body: { invitations: [one] } },
    'POST /api/admin/invitations': { body: { token: 'once', url: 'http://here/#invite=once' } },
    'DELETE /api/admin/invitations/i1': { status: 204 },
  })
  const page = mount(InvitationsSection)
  await expect.poll(() => page.textContent).toContain('by root')
  page.querySelector('form')?.dispatchEvent(new Event('submit', { cancelable: true }))
  await expect.poll(() => page.querySelector<HTMLInputElement>('input[readonly]')?.value).toBe('http://here/#invite=once')
  button('Withdraw').click()
  await expect.poll(() => asked).toContain('DELETE /api/admin/invitations/i1')
})

it('a token is shown once', async () => {
  answers({
    'GET /api/admin/users': { body: { users: [ROOT] } },
    'GET /api/admin/tokens': { body: { tokens: [] } },
    'POST /api/admin/tokens': { body: { token: 'tp-secret' } },
  })
  const page = mount(TokensSection)
  await expect.poll(() => page.textContent).toContain('There are no tokens yet')
  const field = page.querySelector('input') as HTMLInputElement
  field.value = 'laptop'
  field.dispatchEvent(new Event('input'))
  await nextTick()
  page.querySelector('form')?.dispatchEvent(new Event('submit', { cancelable: true }))
  await expect.poll(() => page.querySelector<HTMLInputElement>('input[readonly]')?.value).toBe('tp-secret')
  expect(field.value).toBe('')
})

it('usage has its totals, and says where a price is not known', async () => {
  const row = { user: 'ann', model: 'small', requests: 3, input_tokens: 12_000, output_tokens: 800, cost: 0.5 }
  answers({ 'GET /api/admin/usage': { body: { usage: [row, { ...row, user: 'bob', cost: 0 }] } } })
  const page = mount(UsageSection)
  await expect.poll(() => page.querySelector('tfoot')?.textContent).toContain('6')
  expect(page.querySelector('tfoot')?.textContent).toContain('$0.50')
  expect(page.textContent).toContain('without a known price')
})

it('a run is stopped', async () => {
  const run = { session: 's1', title: 'Rice', user: 'ann', agent: 'chat', model: 'small', started: Date.now() / 1000 - 130 }
  const asked = answers({ 'GET /api/admin/runs': { body: { runs: [run] } }, 'POST /api/admin/runs/s1/stop': { status: 204 } })
  const page = mount(RunsSection)
  await expect.poll(() => page.textContent).toContain('Rice')
  expect(page.textContent).toContain('for 2 min')
  button('Stop').click()
  await expect.poll(() => asked).toContain('POST /api/admin/runs/s1/stop')
})

it('a role says what it allows', async () => {
  const guest = { ...ROLE, name: 'guest', tools: ['web_search', 'web_fetch'], limits: { cost_per_day: 1 } }
  answers({ 'GET /api/admin/roles': { body: { roles: [guest] } } })
  const page = mount(RolesSection)
  await expect.poll(() => page.textContent).toContain('web_search, web_fetch')
  expect(page.textContent).toContain('$1.00 a day')
})

it('a role without the machine does not look as if it had files and commands', async () => {
  const admin = { ...ROLE, name: 'admin', rights: ['use', 'machine', 'administer'] }
  answers({ 'GET /api/admin/roles': { body: { roles: [admin, { ...ROLE, name: 'member' }] } } })
  const page = mount(RolesSection)
  await expect.poll(() => page.querySelectorAll('section')).toHaveLength(2)
  const [all, harmless] = [...page.querySelectorAll('section')].map((section) => [...section.querySelectorAll('dd')].map((one) => one.textContent))
  expect(all?.slice(0, 3)).toEqual(['all', 'all', 'all'])
  expect(harmless?.slice(0, 3)).toEqual(['all, but no files and commands', 'all', 'all, but no files and commands'])
})

it('the page is for admins', () => {
  me.value = { is_admin: false } as Me
  const asked = answers({})
  expect(mount(AdminPage, { isListOpen: true }).textContent).toContain('Only an admin')
  expect(asked).toEqual([])
})
