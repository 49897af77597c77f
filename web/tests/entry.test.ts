// @vitest-environment happy-dom
import { beforeEach, describe, expect, it } from 'vitest'
import { nextTick } from 'vue'
import type { Auth } from '@/api/types'
import EntryPage from '@/pages/EntryPage.vue'
import { auth, dropLink, link } from '@/state/account'
import { answers } from './answers'
import { button, mount } from './mounted'

const LOGIN: Auth = { accounts: true, needs_setup: false, sign_up: false, providers: [], user: null, csrf: null }
const closed = { isWrong: false, isAgain: false, isLost: false }

let entered = 0

function shown(server: Partial<Auth>, props = {}): HTMLElement {
  auth.value = { ...LOGIN, ...server }
  return mount(EntryPage, { ...closed, ...props, onEntered: () => (entered += 1) })
}

function field(page: HTMLElement, type: string): HTMLInputElement {
  return page.querySelector(`input[autocomplete="${type}"]`) as HTMLInputElement
}

async function fillIn(page: HTMLElement, values: Record<string, string>): Promise<void> {
  for (const [type, value] of Object.entries(values)) {
    const input = field(page, type)
    input.value = value
    input.dispatchEvent(new Event('input'))
  }
  await nextTick()
  page.querySelector('form')?.dispatchEvent(new Event('submit', { cancelable: true }))
}

beforeEach(() => {
  entered = 0
  dropLink()
  localStorage.clear()
})

describe('the way in', () => {
  it('is the token where there are no accounts', () => {
    const page = shown({ accounts: false })
    expect(page.textContent).toContain('needs its token')
    expect(page.textContent).not.toContain('To the login')
  })

  it('is a login where there are some, with the company’s and with a token beside it', async () => {
    const page = shown({ providers: [{ id: 'corp', name: 'Example Corp' }], sign_up: true })
    expect(page.querySelector('a')?.getAttribute('href')).toBe('/api/auth/oidc/corp')
    expect(page.textContent).toContain('Log in with Example Corp')
    expect(page.textContent).toContain('Create an account')
    button('Use a token').click()
    await nextTick()
    expect(page.textContent).toContain('needs its token')
    button('To the login').click()
    await nextTick()
    expect(field(page, 'username')).toBeTruthy()
  })

  it('offers no sign-up where one needs an invitation', () => {
    expect(shown({}).textContent).not.toContain('Create an account')
  })

  it('tells a wrong password in its form, and stays there', async () => {
    answers({ 'POST /api/auth/login': { status: 401, body: { error: { code: 'wrong_login', kind: 'authentication', message: 'no' } } } })
    const page = shown({})
    await fillIn(page, { username: 'ann', 'current-password': 'wrong' })
    await expect.poll(() => page.querySelector('[role=alert]')?.textContent).toContain('name or the password is wrong')
    expect(field(page, 'username').value).toBe('ann')
  })

  it('waits for its admin until the printed link is opened', () => {
    expect(shown({ needs_setup: true }).textContent).toContain('Open the setup link')
  })

  it('makes the first account by the printed link', async () => {
    const asked = answers({ 'POST /api/auth/setup': { body: { ...LOGIN, csrf: 'x' } } })
    link.value = { kind: 'setup', token: 'once' }
    const page = shown({ needs_setup: true })
    expect(page.textContent).toContain('Create the admin’s account')
    await fillIn(page, { username: 'ann', 'new-password': 'horse staple battery' })
    await expect.poll(() => asked).toContain('POST /api/auth/setup')
    await expect.poll(() => entered).toBe(1)
  })

  it('says who invites as what', async () => {
    answers({ 'GET /api/auth/invitations/once': { body: { role: 'guest', expires: 4_000_000_000, invited_by: 'ann' } } })
    link.value = { kind: 'invite', token: 'once' }
    const page = shown({})
    await expect.poll(() => page.textContent).toContain('ann invites you as Guest')
    expect(page.textContent).toContain('valid until')
  })

  it('says what is wrong with a link, and leads to the login', async () => {
    answers({ 'GET /api/auth/invitations/used': { status: 403, body: { error: { code: 'link_invalid', kind: 'permission', message: '' } } } })
    link.value = { kind: 'invite', token: 'used' }
    const page = shown({})
    await expect.poll(() => page.querySelector('[role=alert]')?.textContent).toContain('used, withdrawn')
    button('To the login').click()
    await nextTick()
    expect(field(page, 'current-password')).toBeTruthy()
  })

  it('sets a new password by a link', async () => {
    const asked = answers({ 'POST /api/auth/reset': { body: LOGIN } })
    link.value = { kind: 'reset', token: 'once' }
    const page = shown({})
    await fillIn(page, { 'new-password': 'horse staple battery' })
    await expect.poll(() => asked).toContain('POST /api/auth/reset')
    await expect.poll(() => page.textContent).toContain('Your password was changed')
  })

  it('tells why the company’s login was refused', () => {
    link.value = { kind: 'login-error', token: 'oidc_no_role' }
    expect(shown({}).querySelector('[role=alert]')?.textContent).toContain('no role on this server')
  })

  it('can show what was typed', async () => {
    const page = shown({})
    page.querySelector<HTMLButtonElement>('button[aria-label="Show password"]')?.click()
    await nextTick()
    expect(field(page, 'current-password').type).toBe('text')
  })
})
