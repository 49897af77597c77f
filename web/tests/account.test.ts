// @vitest-environment happy-dom
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { api, token, useToken } from '@/api/client'
import { auth, dropLink, isKnown, isLoggedOut, link, loadAuth, logIn, logOut, takeLink } from '@/state/account'
import { toasts, trying } from '@/state/toasts'

interface Asked {
  what: string
  headers: Record<string, string>
  body: unknown
}

const ANN = { user: 'ann', is_admin: false, role: 'member' }
const open = { accounts: true, needs_setup: false, sign_up: false, providers: [], user: null, csrf: null }

/** Answers by method and path, in turn where there are several. */
function serving(given: Record<string, [number, unknown][]>): Asked[] {
  const asked: Asked[] = []
  vi.stubGlobal('fetch', async (path: string, init: RequestInit = {}) => {
    const what = `${init.method ?? 'GET'} ${path.split('?')[0]}`
    asked.push({ what, headers: init.headers as Record<string, string>, body: init.body ? JSON.parse(String(init.body)) : undefined })
    const answers = given[what] ?? [[404, { error: { code: 'not_found', message: what } }]]
    const [status, body] = (answers.length > 1 ? answers.shift() : answers[0]) ?? [404, {}]
    return new Response(status === 204 ? null : JSON.stringify(body), { status })
  })
  return asked
}

beforeEach(() => {
  localStorage.clear()
  dropLink()
  useToken('')
  auth.value = undefined
  isLoggedOut.value = false
  toasts.value = []
})

describe('a login', () => {
  it('is sent once, and every change after it has the header that no other page can send', async () => {
    const asked = serving({
      'POST /api/auth/login': [[200, { ...open, user: ANN, csrf: 'a secret' }]],
      'POST /api/sessions': [[200, {}]],
      'GET /api/sessions': [[200, {}]],
    })
    await logIn('ann', 'horse staple battery')
    expect(asked[0]?.body).toEqual({ name: 'ann', password: 'horse staple battery' })
    expect(isKnown.value).toBe(true)
    await api.post('/api/sessions')
    await api.get('/api/sessions')
    expect(asked.map((one) => one.headers['x-toolpost-csrf'])).toEqual([undefined, 'a secret', undefined])
    expect(asked.every((one) => one.headers.authorization === undefined)).toBe(true)
    expect(JSON.stringify(localStorage)).not.toContain('horse')
  })

  it('takes the place of an old token', async () => {
    useToken('an old token')
    serving({ 'POST /api/auth/login': [[200, { ...open, user: ANN, csrf: 'x' }]] })
    await logIn('ann', 'horse staple battery')
    expect([token.value, localStorage.getItem('toolpost.token')]).toEqual(['', null])
  })

  it('that is wrong is no lost login', async () => {
    serving({ 'POST /api/auth/login': [[401, { error: { code: 'wrong_login', message: 'no' } }]] })
    await expect(logIn('ann', 'wrong')).rejects.toMatchObject({ code: 'wrong_login', status: 401 })
    expect(isLoggedOut.value).toBe(false)
  })

  it('that has ended is asked for again, and is not told twice', async () => {
    serving({ 'POST /api/sessions': [[401, { error: { code: 'login_needed', message: 'log in' } }]] })
    await trying(() => api.post('/api/sessions'))
    expect(isLoggedOut.value).toBe(true)
    expect(toasts.value).toEqual([])
  })

  it('of somebody else begins with an empty page and without the prompts of the other', async () => {
    const reload = vi.spyOn(location, 'reload').mockImplementation(() => undefined)
    localStorage.setItem('toolpost.user', 'bob')
    localStorage.setItem('toolpost.prompts', '["what bob asked"]')
    serving({ 'POST /api/auth/login': [[200, { ...open, user: ANN, csrf: 'x' }]] })
    await logIn('ann', 'horse staple battery')
    expect(reload).toHaveBeenCalled()
    expect(localStorage.getItem('toolpost.prompts')).toBeNull()
    expect(localStorage.getItem('toolpost.user')).toBe('ann')
  })
})

describe('a login in another tab', () => {
  const refused: [number, unknown] = [403, { error: { code: 'csrf', kind: 'permission', message: '' } }]

  it('of the same person is followed, and the change is sent again', async () => {
    const asked = serving({
      'GET /api/auth': [[200, { ...open, user: ANN, csrf: 'old' }], [200, { ...open, user: ANN, csrf: 'new' }]],
      'POST /api/sessions': [refused, [200, { id: 'one' }]],
    })
    await loadAuth()
    expect(await api.post('/api/sessions')).toEqual({ id: 'one' })
    expect(asked.filter((one) => one.what === 'POST /api/sessions').map((one) => one.headers['x-toolpost-csrf'])).toEqual(['old', 'new'])
  })

  it('of somebody else makes this one begin anew, and sends nothing in their name', async () => {
    const reload = vi.spyOn(location, 'reload').mockImplementation(() => undefined)
    const asked = serving({
      'GET /api/auth': [[200, { ...open, user: ANN, csrf: 'old' }], [200, { ...open, user: { ...ANN, user: 'bob' }, csrf: 'new' }]],
      'POST /api/sessions': [refused],
    })
    await loadAuth()
    await expect(api.post('/api/sessions')).rejects.toMatchObject({ status: 401 })
    expect(reload).toHaveBeenCalled()
    expect(asked.filter((one) => one.what === 'POST /api/sessions')).toHaveLength(1)
  })

  it('has ended: logging out here is no failure', async () => {
    const reload = vi.spyOn(location, 'reload').mockImplementation(() => undefined)
    serving({
      'GET /api/auth': [[200, { ...open, user: ANN, csrf: 'old' }]],
      'POST /api/auth/logout': [[401, { error: { code: 'login_needed', kind: 'authentication', message: '' } }]],
    })
    await loadAuth()
    await logOut()
    expect(reload).toHaveBeenCalled()
  })
})

describe('a server', () => {
  it.each([401, 404])('that answers %i to the first question has no accounts', async (status) => {
    serving({ 'GET /api/auth': [[status, { error: { code: 'not_found', message: '' } }]] })
    await loadAuth()
    expect(auth.value?.accounts).toBe(false)
  })

  it('that fails is not taken for one without accounts', async () => {
    serving({ 'GET /api/auth': [[500, { error: { code: 'internal', message: '' } }]] })
    await expect(loadAuth()).rejects.toMatchObject({ status: 500 })
  })
})

describe('a link', () => {
  const place = (hash: string) => ({ hash, pathname: '/', search: '' }) as Location

  it.each(['setup', 'invite', 'reset', 'login-error'] as const)('to %s is taken out of the address', (kind) => {
    takeLink(place(`#${kind}=abc%2Dd`))
    expect(link.value).toEqual({ kind, token: 'abc-d' })
    expect(location.hash).not.toContain('abc')
  })

  it('survives a reload, until it was used', () => {
    takeLink(place('#invite=abc'))
    expect(sessionStorage.getItem('toolpost.link')).toContain('abc')
    dropLink()
    expect(sessionStorage.getItem('toolpost.link')).toBeNull()
  })

  it('to a chat is none', () => {
    takeLink(place('#/c/invite'))
    expect(link.value).toBeUndefined()
  })
})

