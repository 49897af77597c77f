/** A server that answers as it is told to, and what it was asked. */

import { vi } from 'vitest'

interface Answer {
  status?: number
  body?: unknown
}

export function answers(given: Record<string, Answer>): string[] {
  const asked: string[] = []
  vi.stubGlobal('fetch', async (path: string, init: RequestInit = {}) => {
    const what = `${init.method ?? 'GET'} ${path.split('?')[0]}`
    asked.push(what)
    const { status = 200, body } = given[what] ?? { status: 404, body: { error: { code: 'not_found', message: what } } }
    return new Response(status === 204 ? null : JSON.stringify(body), { status })
  })
  return asked
}
