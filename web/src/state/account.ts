/** Who uses the page: the login, the links that lead to one, and what is forgotten when somebody else comes. */

import { computed, ref } from 'vue'
import { api, ApiError, token, useCsrf, useToken, whenLoggedOut, whenStale } from '@/api/client'
import type { Auth } from '@/api/types'
import { forgetPrompts } from './history'
import { goTo } from './place'

/** A link that an admin or the server has given: it is used once. `login-error` brings the code of one. */
export interface Link {
  kind: 'setup' | 'invite' | 'reset' | 'login-error'
  token: string
}

const LINK = /(?:^#|[#&])(setup|invite|reset|login-error)=([^&]+)/
const KEPT = 'toolpost.link'
const USER = 'toolpost.user'
const NO_ACCOUNTS: Auth = { accounts: false, needs_setup: false, sign_up: false, providers: [], user: null, csrf: null }

export const auth = ref<Auth>()
export const link = ref<Link | undefined>(kept())
/** The server does not know any more who asks. */
export const isLoggedOut = ref(false)
export const hasAccounts = computed(() => auth.value?.accounts ?? false)
/** Whether the server can be asked with what there is: a login, or a token that may be right. */
export const isKnown = computed(() => Boolean(auth.value?.user) || Boolean(token.value))

/** Take a link out of the address, where it would stay in the history. A reload of the page keeps it. */
export function takeLink(place: Location = location): void {
  const [, kind, given] = LINK.exec(place.hash) ?? []
  if (!kind || !given) return
  link.value = { kind: kind as Link['kind'], token: decodeURIComponent(given) }
  sessionStorage.setItem(KEPT, JSON.stringify(link.value))
  history.replaceState(null, '', place.pathname + place.search)
  goTo('/')
}

export function dropLink(): void {
  link.value = undefined
  sessionStorage.removeItem(KEPT)
}

export async function loadAuth(): Promise<void> {
  take(
    await api.get<Auth>('/api/auth').catch((error: unknown) => {
      // A server that only knows tokens.
      if (error instanceof ApiError && (error.status === 401 || error.status === 404)) return NO_ACCOUNTS
      throw error
    }),
  )
}

export async function logIn(name: string, password: string): Promise<void> {
  arrived(await api.post<Auth>('/api/auth/login', { name, password }))
}

/** The first account, an invited one, or one's own where everybody may come. */
export async function createAccount(name: string, password: string): Promise<void> {
  const given = link.value?.token ?? ''
  if (link.value?.kind === 'setup') arrived(await api.post<Auth>('/api/auth/setup', { token: given, name, password }))
  else arrived(await api.post<Auth>('/api/auth/sign-up', { name, password, ...(link.value?.kind === 'invite' ? { invitation: given } : {}) }))
}

export async function resetPassword(password: string): Promise<void> {
  arrived(await api.post<Auth>('/api/auth/reset', { token: link.value?.token ?? '', password }))
}

export async function changePassword(old: string, password: string): Promise<void> {
  // The login is a new one.
  take(await api.post<Auth>('/api/auth/password', { old, new: password }))
}

export async function logOut(): Promise<void> {
  if (auth.value?.user) await api.post('/api/auth/logout').catch(ifNotOver)
  useToken('')
  forgetPerson()
  leave()
}

/** Who is not logged in any more does not have to be logged out. */
function ifNotOver(error: unknown): void {
  if (!(error instanceof ApiError && error.status === 401)) throw error
}

/** Another tab has logged in: as the same person this one goes on, as another it begins anew. */
async function followLogin(): Promise<void> {
  const before = auth.value?.user?.user
  await loadAuth()
  if (auth.value?.user?.user === before) return
  leave()
  throw new ApiError(401, 'login_ended', 'somebody else has logged in', 'authentication')
}

/** The address where a company's login begins. */
export function companyLogin(id: string): string {
  return `/api/auth/oidc/${encodeURIComponent(id)}`
}

/** After a login: what somebody else has left in this browser is forgotten. */
function arrived(given: Auth): void {
  // An old token would speak for somebody else.
  useToken('')
  take(given)
  notePerson()
}

function take(given: Auth): void {
  auth.value = given
  useCsrf(given.csrf ?? '')
  if (given.user) isLoggedOut.value = false
}

/** Remember who uses this browser; the page begins anew where it was somebody else. */
export function notePerson(): void {
  const name = auth.value?.user?.user
  if (!name) return
  const before = localStorage.getItem(USER)
  localStorage.setItem(USER, name)
  if (!before || before === name) return
  forgetPerson()
  localStorage.setItem(USER, name)
  leave()
}

function forgetPerson(): void {
  forgetPrompts()
  localStorage.removeItem(USER)
  sessionStorage.clear()
}

function leave(): void {
  history.replaceState(null, '', location.pathname)
  location.reload()
}

function kept(): Link | undefined {
  try {
    return (JSON.parse(sessionStorage.getItem(KEPT) ?? 'null') as Link | null) ?? undefined
  } catch {
    return undefined
  }
}

whenLoggedOut(() => (isLoggedOut.value = true))
whenStale(followLogin)
window.addEventListener('hashchange', () => takeLink())
