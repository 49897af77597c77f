/** Requests to the server that this page came from. */

import { ref } from 'vue'

const KEY = 'toolpost.token'

/** The bearer token of a server without accounts; whoever opens the printed address brings it along in the fragment. */
export const token = ref(localStorage.getItem(KEY) ?? '')

/** Sent with every change where a cookie says who asks, so that no other page can make one. "" without accounts. */
let csrf = ''
let onLogout = (): void => undefined
let onStale = async (): Promise<void> => undefined

export function useCsrf(value: string): void {
  csrf = value
}

/** What is done whenever the server does not know any more who asks. */
export function whenLoggedOut(work: () => void): void {
  onLogout = work
}

/** A failure in words that a person can use. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly kind = code,
    /** Seconds to wait before the next try, where the server says. */
    readonly retryAfter?: number,
  ) {
    super(message)
  }
}

/** Take the token out of the address, where it would stay in the history. */
export function takeToken(place: Location = location): void {
  const given = /(?:^#|[#&])token=([^&]+)/.exec(place.hash)?.[1]
  if (!given) return
  useToken(decodeURIComponent(given))
  history.replaceState(null, '', place.pathname + place.search)
}

export function useToken(value: string): void {
  token.value = value
  if (value) localStorage.setItem(KEY, value)
  else localStorage.removeItem(KEY)
}

/** What is done where the header belongs to another login than the cookie, before a change is sent once more. */
export function whenStale(work: () => Promise<void>): void {
  onStale = work
}

type Query = Record<string, string | number | boolean | undefined>

export const api = {
  get: <T>(path: string, query: Query = {}) => json<T>('GET', path + asked(query)),
  post: <T>(path: string, body: unknown = {}) => json<T>('POST', path, body),
  patch: <T>(path: string, body: unknown) => json<T>('PATCH', path, body),
  put: <T>(path: string, body: unknown) => json<T>('PUT', path, body),
  delete: <T>(path: string) => json<T>('DELETE', path),
}

/** The answer as it comes, for streams. */
export async function send(method: string, path: string, body?: unknown, signal?: AbortSignal, more: Record<string, string> = {}): Promise<Response> {
  const sent = csrf
  try {
    return await sendOnce(method, path, body, signal, more)
  } catch (error) {
    if (!(error instanceof ApiError && error.code === 'csrf' && sent)) throw error
    // Another tab has logged in since.
    await onStale()
    return await sendOnce(method, path, body, signal, more)
  }
}

async function sendOnce(
  method: string,
  path: string,
  body: unknown,
  signal: AbortSignal | undefined,
  more: Record<string, string>,
): Promise<Response> {
  const headers: Record<string, string> = { ...(token.value ? { authorization: `Bearer ${token.value}` } : {}), ...more }
  if (csrf && method !== 'GET') headers['x-toolpost-csrf'] = csrf
  if (body !== undefined) headers['content-type'] = 'application/json'
  let answer: Response
  try {
    answer = await fetch(path, {
      method,
      headers,
      // What is deleted while the page is being closed is deleted all the same.
      keepalive: method === 'DELETE',
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal ? { signal } : {}),
    })
  } catch (error) {
    if (signal?.aborted) throw error
    throw new ApiError(0, 'unreachable', 'unreachable')
  }
  if (answer.ok) return answer
  // A wrong password is no lost login.
  if (answer.status === 401 && !path.startsWith('/api/auth/')) onLogout()
  throw await failure(answer)
}

async function json<T>(method: string, path: string, body?: unknown): Promise<T> {
  const answer = await send(method, path, body)
  return (answer.status === 204 ? undefined : await answer.json()) as T
}

async function failure(answer: Response): Promise<ApiError> {
  const told = (await answer.json().catch(() => ({}))) as { error?: { code?: string; kind?: string; message?: string } }
  const { code = 'unknown', kind = code, message = answer.statusText } = told.error ?? {}
  const wait = Number(answer.headers.get('retry-after'))
  return new ApiError(answer.status, code, message, kind, wait > 0 ? wait : undefined)
}

function asked(query: Query): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== '')
  return given.length ? `?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}` : ''
}
